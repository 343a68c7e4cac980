"""What people decide about a running tournament: forfeits, rulings, corrections; each is an item of its log."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from tournaments.deadlines import NOT_STARTED
from tournaments.formats.event import print_pairing
from tournaments.formats.names import read_name
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan
from tournaments.formats.plan import Tournament as Fold
from tournaments.formats.results import PlanError, Undo
from tournaments.models import Entry, LogItem, State, Tournament
from tournaments.queries import folded, plan_of
from tournaments.services.advancing import PLAYED, advance_tournament
from tournaments.services.book import Book
from tournaments.services.consequences import Preview, consequences
from tournaments.services.decided import tell_decided
from tournaments.services.entry import living_entry, withdraw_entry
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused
from tournaments.services.results import record_finished

# Of the pairings that a decision changes, so many stand in the log of acts.
MOST_NOTED = 50
Item = Mapping[str, Any]
ABOUT_ENTRANTS = ("withdraw", "disqualify", "reenter")
OFFERED = ("forfeit", "rule", "correct", *ABOUT_ENTRANTS, "undo", "adjust", "play_off")
# A correction that lets stand reaches others; each round of a bracket once at most.
MOST_TRIES = 20


def suggested(tournament: Tournament, item: Item) -> Item:
    """A correction with what is usual for the pairings after it: what is in play or finished stands as it is.

    A wrong result found late touches only what is not yet made, unless an official decides otherwise.
    Raises: Refused `not-running`, `certified`, or with a code of the tournament's file.
    """
    _check_played(tournament)
    if item["type"] != "correct" or "later" in item:
        return item
    fold = folded(tournament)
    before = fold.plan()
    later: dict[str, str] = {}
    for _ in range(MOST_TRIES):
        tried = {**item, "later": dict(later)} if later else dict(item)
        after = _tried(fold, [tried])
        kept = _to_keep(consequences(tournament, tried, before, after), later)
        if not kept:
            return tried
        fold.add(Undo())
        later |= dict.fromkeys(kept, "stand")
    return item


def _to_keep(shown: Preview, said: Mapping[str, str]) -> list[str]:
    """The first pairings reached that have begun: those after them are not, once these stand."""
    begun = [
        change
        for change in shown.changes
        if "stand" in change.choices and change.stage != "not-started" and change.pairing not in said
    ]
    if not begun:
        return []
    first = min((read_name(c.pairing).stage, c.before.round if c.before else 0) for c in begun)
    return [
        c.pairing for c in begun if (read_name(c.pairing).stage, c.before.round if c.before else 0) == first
    ]


def preview(*, tournament: Tournament, item: Item, also: Sequence[Item] = (), token: str = "") -> Preview:
    """What the item, and with it `also`, would change, were they decided now; nothing is stored.

    `token`: of an earlier preview of the same, for what officials did since.
    Raises: Refused `not-running`, `certified`, or with a code of the tournament's file.
    """
    _check_played(tournament)
    fold = folded(tournament)
    before = fold.plan()
    return consequences(tournament, item, before, _tried(fold, [item, *also]), token=token)


def _tried(fold: Fold, items: Sequence[Item]) -> Plan:
    try:
        for item in items:
            fold.add(read_item(item))
    except PlanError as error:
        raise Refused(error.code) from error
    return fold.plan()


def with_sides(tournament: Tournament, item: Item) -> Item:
    """The item, bound to the two sides its pairing has now: it is refused if they change before it is decided."""
    _check_played(tournament)
    return _bound(item, plan_of(tournament))


@transaction.atomic(durable=True)
def decide(
    *,
    tournament_id: int,
    actor: User,
    item: Item,
    also: Sequence[Item] = (),
    reason: str = "",
    token: str = "",
    now: datetime,
) -> Plan:
    """The plan after an official's decision: the item, and with it `also`, in the log; tables opened and closed to fit.

    `token`: of the preview that the decision was made on.
    Raises: Refused `not-organiser`, `not-your-role`, `not-running`, `certified`, `moved-on`, or with a code of the
    tournament's file.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "decide")
    _check_played(tournament)
    book = Book(tournament)
    record_finished(tournament, now, book=book)
    return apply_items(tournament, book, [item, *also], actor, now, reason=reason, token=token)


def apply_items(
    tournament: Tournament,
    book: Book,
    items: Sequence[Item],
    actor: User,
    now: datetime,
    *,
    reason: str = "",
    token: str = "",
) -> Plan:
    """Inside an open transaction: the plan after the items, the first of which the others come with.

    Raises: Refused `moved-on`, or with a code of the tournament's file.
    """
    before = book.plan
    why = {"reason": reason} if reason else {}
    rows = [book.write({**_bound(item, before), **why}, actor=actor, now=now) for item in items]
    shown = consequences(tournament, items[0], before, book.plan)
    if token and token != shown.token:
        raise Refused("moved-on")
    for row in rows:
        _note(tournament, row, shown, now)
        if row.item["type"] in ABOUT_ENTRANTS:
            _mark(tournament, row.item["entrant"], gone=row.item["type"] != "reenter", now=now)
    tell_decided(tournament, rows[0], shown, now)
    return advance_tournament(tournament, now, book=book)


def _note(tournament: Tournament, row: LogItem, shown: Preview, now: datetime) -> None:
    """The act of an official, with the pairings that it changed as they were and as they are."""
    item = row.item
    reached = [change for change in shown.changes if change.before != change.after][:MOST_NOTED]
    own = row.actor is not None and item["type"] == "withdraw" and _is_own(tournament, row.actor, item)
    record_act(
        tournament,
        "leave" if own else item["type"],
        actor=row.actor,
        now=now,
        subject=item.get("pairing") or item.get("entrant") or " ".join(item.get("entrants", ())),
        before=[print_pairing(change.before) for change in reached if change.before],
        after=[print_pairing(change.after) for change in reached if change.after],
        reason=item.get("reason", ""),
        item=row,
        is_public=True,
    )


def _is_own(tournament: Tournament, actor: User, item: Item) -> bool:
    """Whether it is the actor's own pair that the item is about."""
    number = int(str(item["entrant"]).removeprefix("e"))
    return tournament.members.filter(entry__number=number, user=actor).exists()


@transaction.atomic(durable=True)
def leave(*, tournament_id: int, user: User, now: datetime) -> Tournament:
    """The tournament, without this player's pair: before the start it is as if never entered; later its opponents
    get walkovers and its results stand.

    Raises: Refused `not-entered`, `already-over`, `out`.
    """
    tournament = locked(tournament_id)
    entry = living_entry(tournament, user)
    if entry is None:
        raise Refused("not-entered")
    if tournament.state in NOT_STARTED:
        withdraw_entry(tournament, entry, now)
        return tournament
    if tournament.state != State.RUNNING:
        raise Refused("already-over")
    book = Book(tournament)
    record_finished(tournament, now, book=book)
    if book.plan.finished:
        raise Refused("already-over")
    if not _still_in(book.plan, entry.ident):
        raise Refused("out")
    apply_items(tournament, book, [{"type": "withdraw", "entrant": entry.ident}], user, now)
    return tournament


def _bound(item: Item, plan: Plan) -> Item:
    pairings = {pairing.id: pairing for pairing in plan.pairings}
    pairing = pairings.get(item.get("pairing", ""))
    if pairing is None or None in pairing.sides or "sides" in item:
        return item
    return {**item, "sides": list(pairing.sides)}


def _mark(tournament: Tournament, ident: str, *, gone: bool, now: datetime) -> None:
    entry = tournament.entries.get(number=int(ident.removeprefix("e")))
    entry.withdrawn_at = now if gone else None
    entry.save(update_fields=["withdrawn_at"])
    if not gone:
        _check_free(tournament, entry)
    entry.members.filter(user__isnull=False).update(active=not gone)


def _check_free(tournament: Tournament, entry: Entry) -> None:
    """Raises: Refused `partner-entered` where one of those who come back plays with another pair meanwhile."""
    people = entry.members.filter(user__isnull=False).values("user")
    if tournament.members.filter(user__in=people, active=True).exclude(entry=entry).exists():
        raise Refused("partner-entered")


def _still_in(plan: Plan, ident: str) -> bool:
    return any(standing.entrant == ident and standing.still_in for standing in plan.standings)


def _check_played(tournament: Tournament) -> None:
    if tournament.state in (State.CERTIFIED, State.ARCHIVED):
        raise Refused("certified")
    if tournament.state not in PLAYED:
        raise Refused("not-running")
