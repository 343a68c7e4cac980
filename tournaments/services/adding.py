"""A pair that an official enters: before the start, or late where the format still takes it."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.deadlines import NOT_STARTED
from tournaments.field import candidates
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Member, State, Tournament
from tournaments.queries import pair_name
from tournaments.services.actions import check
from tournaments.services.advancing import advance_tournament
from tournaments.services.book import Book
from tournaments.services.entry import check_name, living_entry, new_entry
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused


@transaction.atomic(durable=True)
def add(
    *,
    tournament_id: int,
    actor: User,
    players: Sequence[User],
    name: str = "",
    club: str = "",
    rating: int | None = None,
    reason: str = "",
    now: datetime,
) -> Entry:
    """The entry of two players that an official enters; nobody has to accept, and no condition is asked.

    While registration is open it stands behind all others, on the waiting list where there is no room. In a
    tournament that runs it enters late: with the last seed, and as a decision in the log.
    Raises: Refused `not-organiser`, `not-your-role`, `already-over`, `own-partner`, `partner-is-guest`,
    `partner-entered`, `name-taken`, `full`; `not-allowed` where the format takes nobody any more.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    _check_players(tournament, players)
    check_name(tournament, name)
    if tournament.state == State.RUNNING:
        return _enter_late(tournament, actor, players, name, club, rating, reason, now)
    if tournament.state not in NOT_STARTED:
        raise Refused("already-over")
    if tournament.state == State.READY and candidates(tournament).count() >= tournament.capacity:
        raise Refused("full")
    check(actor, tournament, "add", now=now)
    entry = _seated(tournament, players, name, club, rating, now)
    record_act(
        tournament, "add", actor=actor, now=now, subject=entry.ident, after=pair_name(entry), reason=reason
    )
    _tell(tournament, entry, players, now)
    ring_after_commit(tournament)
    return entry


def _enter_late(
    tournament: Tournament,
    actor: User,
    players: Sequence[User],
    name: str,
    club: str,
    rating: int | None,
    reason: str,
    now: datetime,
) -> Entry:
    entry = _seated(tournament, players, name, club, rating, now)
    last = tournament.entries.aggregate(last=Max("seed"))["last"] or 0
    newcomer = {"id": entry.ident, "name": pair_name(entry), "seed": last + 1}
    book = Book(tournament)
    row = book.write({"type": "enter", "entrant": newcomer}, actor=actor, now=now)
    check(actor, tournament, "add", now=now)
    record_act(
        tournament,
        "enter",
        actor=actor,
        now=now,
        subject=entry.ident,
        after=newcomer["name"],
        reason=reason,
        item=row,
        is_public=True,
    )
    advance_tournament(tournament, now, book=book)
    # Not before: until it stands in the log, a seed would make it one of those who began.
    entry.seed = last + 1
    entry.save(update_fields=["seed"])
    _tell(tournament, entry, players, now)
    return entry


def _seated(
    tournament: Tournament,
    players: Sequence[User],
    name: str,
    club: str,
    rating: int | None,
    now: datetime,
) -> Entry:
    entry = new_entry(tournament, now, name=name, club=club, accepted_at=now)
    entry.rating = rating
    entry.save(update_fields=["rating"])
    Member.objects.bulk_create(
        Member(tournament=tournament, entry=entry, place=place, user=user, active=True)
        for place, user in enumerate(players)
    )
    return entry


def _check_players(tournament: Tournament, players: Sequence[User]) -> None:
    first, second = players
    if first.pk == second.pk:
        raise Refused("own-partner")
    if first.is_guest or second.is_guest:
        raise Refused("partner-is-guest")
    if any(living_entry(tournament, user) for user in players):
        raise Refused("partner-entered")


def _tell(tournament: Tournament, entry: Entry, players: Sequence[User], now: datetime) -> None:
    def say() -> str:
        said = _("The organiser has entered your pair in %(name)s.")
        return said % {"name": isolate(tournament.name)}

    key = f"added-{tournament.pk}-{entry.ident}"
    notify(players, key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)
