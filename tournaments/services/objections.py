"""A player asks for a referee, and a referee answers. Play may go on meanwhile, under protest."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import User
from games.models import Phase
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Objection, ObjectionState, PairingTable, TableState, Tournament
from tournaments.services.advancing import PLAYED, advance_tournament
from tournaments.services.book import Book
from tournaments.services.log import locked, record_act
from tournaments.services.moments import check_moment
from tournaments.services.neutral import Neutrality, sides_of_objection
from tournaments.services.objecting import give, note_answer, tell_referees
from tournaments.services.permissions import may, require
from tournaments.services.refusals import Refused
from tournaments.services.results import record_finished
from tournaments.services.rulings import decide_items

LONGEST = 1000
Item = Mapping[str, Any]


@transaction.atomic(durable=True)
def object_to(
    *,
    tournament_id: int,
    user: User,
    text: str,
    table: str = "",
    pairing: str = "",
    deal: int | None = None,
    act: int | None = None,
    now: datetime,
) -> Objection:
    """The objection of the user's pair about a match of theirs, for the referees. `deal` from 1, `act` in it from 0.

    The match is that of this table (its code); without one, the newest of this pairing. While it is open the
    result does not become final. A second one of the same side says more about the first.
    Raises: Refused `not-running`, `not-your-match`, `too-late-to-object`, `nothing-said`, `too-long`,
    `no-such-moment`.
    """
    tournament = locked(tournament_id)
    if tournament.state not in PLAYED:
        raise Refused("not-running")
    said = _said(text)
    entry = _entry_of(tournament, user)
    row = _row(tournament, table, pairing)
    if row is None or entry.ident not in row.sides:
        raise Refused("not-your-match")
    if not may_object(tournament, row, now):
        raise Refused("too-late-to-object")
    check_moment(row.table, deal, act)
    made = tournament.objections.filter(table=row, entry=entry, state=ObjectionState.OPEN).first()
    before = None if made is None else made.text
    if made is not None:
        made.text = _more(made.text, said)
        made.deal, made.act = (made.deal, made.act) if deal is None else (deal, act)
        made.save(update_fields=["text", "deal", "act"])
    else:
        made = tournament.objections.create(
            pairing=row.pairing,
            table=row,
            deal=deal,
            act=act,
            entry=entry,
            made_by=user,
            made_at=now,
            text=said,
        )
        tell_referees(tournament, made, now)
    if made.text != before:
        record_act(
            tournament, "object", actor=user, now=now, subject=row.pairing, before=before, after=made.text
        )
    ring_after_commit(tournament)
    return made


def may_object(tournament: Tournament, row: PairingTable, now: datetime) -> bool:
    """Whether the players of a table can object: during play, and after its end until the result is final."""
    if row.state == TableState.VOID or row.table.started_at is None:
        return False
    if row.table.phase != Phase.OVER or row.table.ended_at is None:
        return True
    until = objecting_ends_at(tournament, row)
    return until is None or now <= until


def objecting_ends_at(tournament: Tournament, row: PairingTable) -> datetime | None:
    """Until when a match that is over can be objected to; None while it is played."""
    if row.table.ended_at is None:
        return None
    # Before the result is taken over it has no hour of its own yet; a pause moves that hour.
    return row.final_at or row.table.ended_at + timedelta(minutes=tournament.objection_minutes)


def to_object(tournament: Tournament, user: User, now: datetime) -> list[PairingTable]:
    """The tables of the user's pair about which it may object now, newest first."""
    member = tournament.members.filter(user=user, active=True).select_related("entry").first()
    if member is None:
        return []
    rows = tournament.tables.filter(sides__contains=[member.entry.ident]).exclude(state=TableState.VOID)
    return [row for row in rows.select_related("table").order_by("-pk") if may_object(tournament, row, now)]


@transaction.atomic(durable=True)
def withdraw_objection(*, tournament_id: int, user: User, number: int, now: datetime) -> Objection:
    """The objection, taken back by a partner of the pair that made it.

    Raises: Objection.DoesNotExist; Refused `not-your-match`, `already-ruled`.
    """
    tournament = locked(tournament_id)
    found = tournament.objections.get(pk=number)
    if not found.entry.members.filter(user=user).exists():
        raise Refused("not-your-match")
    _check_open(found)
    found.state = ObjectionState.WITHDRAWN
    found.save(update_fields=["state"])
    record_act(
        tournament,
        "withdraw-objection",
        actor=user,
        now=now,
        subject=found.pairing,
        before=found.text,
        after=str(ObjectionState.WITHDRAWN),
    )
    _go_on(tournament, now)
    return found


@transaction.atomic(durable=True)
def take(*, tournament_id: int, actor: User, number: int, leave: bool = False, now: datetime) -> Objection:
    """The objection, now this referee's to answer, or with `leave` anybody's again.

    Raises: Objection.DoesNotExist; Refused `not-organiser`, `not-your-role`, `already-ruled`, `taken`, `own-match`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "objections")
    found = tournament.objections.get(pk=number)
    _check_open(found)
    if leave:
        if found.taken_by_id == actor.pk:
            give(tournament, found, None, actor, now)
        return found
    is_own = _check_neutral(tournament, found, actor)
    _check_free(tournament, found, actor)
    if found.taken_by_id != actor.pk:
        give(tournament, found, actor, actor, now, is_own=is_own)
    return found


@transaction.atomic(durable=True)
def dismiss(*, tournament_id: int, actor: User, number: int, words: str, now: datetime) -> Objection:
    """The objection, answered: all stays as it is.

    Raises: Objection.DoesNotExist; Refused as `take`, or `nothing-said`, `too-long`.
    """
    tournament = locked(tournament_id)
    found, is_own = _to_rule(tournament, actor, number)
    _answer(found, ObjectionState.DISMISSED, actor, _said(words), now)
    note_answer(tournament, found, now, is_own=is_own)
    _go_on(tournament, now)
    return found


@transaction.atomic(durable=True)
def uphold(
    *,
    tournament_id: int,
    actor: User,
    number: int,
    words: str,
    item: Item | None = None,
    also: Sequence[Item] = (),
    token: str = "",
    now: datetime,
) -> Objection:
    """The objection, answered: it is right, and what is decided because of it is done in the same breath.

    `item`, `also`, `token` as for `rulings.decide`; without an item nothing changes but that it was right.
    Raises: Objection.DoesNotExist; Refused as `dismiss`, or as `rulings.decide`.
    """
    tournament = locked(tournament_id)
    found, is_own = _to_rule(tournament, actor, number)
    said = _said(words)
    if item is None:
        _answer(found, ObjectionState.UPHELD, actor, said, now)
        note_answer(tournament, found, now, is_own=is_own)
        _go_on(tournament, now)
        return found
    require(tournament, actor, "decide")
    if item.get("pairing", found.pairing) != found.pairing:
        raise Refused("not-this-match")
    book = Book(tournament)
    # A result that it holds back is decided by what is decided here, and not recorded before.
    record_finished(tournament, now, book=book)
    first = book.count
    decide_items(tournament, book, [item, *also], actor, now, reason=said[:300], token=token)
    _answer(found, ObjectionState.UPHELD, actor, said, now)
    found.item = tournament.log.get(number=first)
    found.save(update_fields=["item"])
    note_answer(tournament, found, now, is_own=is_own)
    return found


def _to_rule(tournament: Tournament, actor: User, number: int) -> tuple[Objection, bool]:
    """The open objection that this referee may answer, and whether it is in a match of their own."""
    require(tournament, actor, "objections")
    if tournament.state not in PLAYED:
        raise Refused("not-running")
    found = tournament.objections.select_related("entry").get(pk=number)
    _check_open(found)
    is_own = _check_neutral(tournament, found, actor)
    _check_free(tournament, found, actor)
    return found, is_own


def _answer(found: Objection, state: ObjectionState, actor: User, words: str, now: datetime) -> None:
    found.state, found.ruled_by, found.ruled_at, found.ruling = state, actor, now, words
    found.save(update_fields=["state", "ruled_by", "ruled_at", "ruling"])


def _go_on(tournament: Tournament, now: datetime) -> None:
    """What the objection held back is held back no more."""
    if tournament.state in PLAYED:
        book = Book(tournament)
        record_finished(tournament, now, book=book)
        advance_tournament(tournament, now, book=book)


def _said(text: str) -> str:
    said = text.strip()
    if not said:
        raise Refused("nothing-said")
    if len(said) > LONGEST:
        raise Refused("too-long")
    return said


def _more(before: str, said: str) -> str:
    if said in before:
        return before
    if len(both := f"{before}\n{said}") > LONGEST:
        raise Refused("too-long")
    return both


def _entry_of(tournament: Tournament, user: User) -> Entry:
    member = tournament.members.filter(user=user, active=True).select_related("entry").first()
    if member is None:
        raise Refused("not-your-match")
    return member.entry


def _row(tournament: Tournament, table: str, pairing: str) -> PairingTable | None:
    which = {"table__code": table} if table else {"pairing": pairing}
    rows = tournament.tables.filter(**which).exclude(state=TableState.VOID)
    return rows.select_related("table").order_by("attempt").last()


def _check_open(found: Objection) -> None:
    if found.state != ObjectionState.OPEN:
        raise Refused("already-ruled")


def _check_free(tournament: Tournament, found: Objection, actor: User) -> None:
    """Nobody answers for another referee, but for the organisers, and where that one is a referee no more."""
    taker = found.taken_by
    if taker is None or taker == actor or may(tournament, actor, "settings"):
        return
    if may(tournament, taker, "objections"):
        raise Refused("taken")


def _check_neutral(tournament: Tournament, found: Objection, actor: User) -> bool:
    """Nobody judges in a match of their own, as `neutral` says; whether it is one all the same."""
    return Neutrality(tournament, actor).check("objections", sides_of_objection(found))
