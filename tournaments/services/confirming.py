"""What happens to a result after the match: both sides confirm it, or an official does."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from tournaments.live import ring_after_commit
from tournaments.models import Member, PairingTable, State, TableState, Tournament
from tournaments.services.actions import check
from tournaments.services.advancing import PLAYED, advance_tournament
from tournaments.services.book import Book
from tournaments.services.log import locked, record_act
from tournaments.services.neutral import Neutrality
from tournaments.services.permissions import may
from tournaments.services.refusals import Refused
from tournaments.services.results import disputed, record_finished

BOTH = (0, 1)


@transaction.atomic(durable=True)
def confirm(
    *, tournament_id: int, pairing: str, user: User, score: Sequence[int] | None = None, now: datetime
) -> PairingTable:
    """The newest played table of a pairing, its result confirmed by this user's side; by an official, for both.

    A held result is recorded with the second word, and the tournament moves on. `score`: the points that the user
    has seen. Confirming again changes nothing.
    Raises: Refused `not-running`, `nothing-to-confirm`, `not-your-match`, `own-match`, `other-result`, `disputed`,
    `not-offered`.
    """
    tournament = locked(tournament_id)
    if tournament.state not in PLAYED:
        raise Refused("not-running")
    book = Book(tournament)
    record_finished(tournament, now, book=book)
    row = _played(tournament, pairing)
    sides = _sides(tournament, row, user)
    if score is not None and list(score) != list(row.table.score):
        raise Refused("other-result")
    if disputed([row]):
        raise Refused("disputed")
    if all(row.confirmed[side] for side in sides):
        return row
    before = list(row.confirmed)
    row.confirmed = [row.confirmed[side] or side in sides for side in BOTH]
    if sides == BOTH:
        check(user, tournament, "confirm", {"pairing": pairing}, plan=book.plan, now=now)
        record_act(
            tournament,
            "confirm",
            actor=user,
            now=now,
            subject=pairing,
            before={"confirmed": before},
            after={"confirmed": row.confirmed, "score": list(row.table.score)},
        )
    row.save(update_fields=["confirmed"])
    if tournament.state == State.RUNNING:
        record_finished(tournament, now, book=book)
        advance_tournament(tournament, now, book=book)
    ring_after_commit(tournament)
    row.refresh_from_db()
    return row


def to_confirm(tournament: Tournament, user: User) -> list[PairingTable]:
    """The played tables of the user's pair whose results wait for its word."""
    member = tournament.members.filter(user=user, active=True).select_related("entry").first()
    if member is None:
        return []
    ident = member.entry.ident
    rows = tournament.tables.filter(state=TableState.HELD, sides__contains=[ident]).select_related("table")
    return [row for row in rows.order_by("pk") if not row.confirmed[row.sides.index(ident)]]


def _played(tournament: Tournament, pairing: str) -> PairingTable:
    counting = tournament.tables.filter(pairing=pairing).exclude(state=TableState.VOID)
    row = counting.select_related("table").order_by("attempt").last()
    if row is None or row.state == TableState.OPEN:
        raise Refused("nothing-to-confirm")
    return row


def _sides(tournament: Tournament, row: PairingTable, user: User) -> tuple[int, ...]:
    """For whom the user speaks: a player for his side, an official who is in neither pair for both."""
    member = (
        Member.objects.filter(tournament=tournament, user=user, active=True).select_related("entry").first()
    )
    if member is not None and member.entry.ident in row.sides:
        return (row.sides.index(member.entry.ident),)
    if may(tournament, user, "score"):
        Neutrality(tournament, user).check("score", row.sides)
        return BOTH
    raise Refused("not-your-match")
