"""A result that an official enters by hand: of a match played elsewhere, or whose table was lost."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from tournaments.formats.event import print_pairing
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan, diff
from tournaments.formats.results import PlanError, Result
from tournaments.models import LogItem, State, Tournament
from tournaments.services.actions import Desk
from tournaments.services.advancing import advance_tournament
from tournaments.services.book import Book
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused
from tournaments.services.results import record_finished
from tournaments.services.tables import close_entered

# A Swiss round that it completes makes the next one: so many pairings of them stand in the log of acts.
MOST_NOTED = 50
FIELDS = ("kind", "score", "last_gainer", "deals", "contracts")


@transaction.atomic(durable=True)
def enter_result(
    *,
    tournament_id: int,
    actor: User,
    pairing: str,
    result: Mapping[str, Any],
    reason: str = "",
    seen: int | None = None,
    now: datetime,
) -> Plan:
    """The plan after a result that an official entered for a ready pairing; a match in play there is closed.

    `result` has the fields of a result in a tournament file, without its pairing and sides. What a table knows of
    itself is never replaced: a match that has ended there is recorded first. `seen` is the length of the log that
    the official looked at.
    Raises: Refused `not-organiser`, `not-your-role`, `not-running`, `own-match`, `moved-on`, `not-offered`, or with
    a code of the file: `already-done`, `not-ready`, `unknown-pairing`, `malformed`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "score")
    if tournament.state != State.RUNNING:
        raise Refused("not-running")
    book = Book(tournament)
    record_finished(tournament, now, book=book)
    known = book.pairings.get(pairing)
    if known is not None and known.status == "done":
        raise Refused("already-done")
    if seen is not None and seen != book.count:
        raise Refused("moved-on")
    item = _item(pairing, result)
    if known is not None and None not in known.sides:
        item["sides"] = list(known.sides)
    desk = Desk(actor, tournament, book.plan, now=now, about=pairing)
    is_own = desk.neutrality.check("score", known.sides if known is not None else ())
    is_offered, before = desk.offers("result", item), book.plan
    row = book.write(item, actor=actor, now=now)
    if not is_offered:
        # Where the log itself had refused it, it said more.
        raise Refused("not-offered")
    _note(tournament, row, before, book.plan, reason, now, is_own=is_own)
    close_entered(tournament, pairing, now)
    return advance_tournament(tournament, now, book=book)


def _note(
    tournament: Tournament,
    row: LogItem,
    before: Plan,
    after: Plan,
    reason: str,
    now: datetime,
    *,
    is_own: bool,
) -> None:
    """The act, with the pairings that the result changed as they were and as they are."""
    changed = set(diff(before, after)[:MOST_NOTED])
    record_act(
        tournament,
        "score",
        actor=row.actor,
        now=now,
        subject=row.item["pairing"],
        before=[print_pairing(pairing) for pairing in before.pairings if pairing.id in changed],
        after=[print_pairing(pairing) for pairing in after.pairings if pairing.id in changed],
        reason=reason,
        item=row,
        is_public=True,
        is_own=is_own,
    )


def _item(pairing: str, result: Mapping[str, Any]) -> dict[str, Any]:
    item = {"type": "result", "pairing": pairing, **{key: result[key] for key in FIELDS if key in result}}
    try:
        if not isinstance(read_item(item), Result):
            raise Refused("malformed")
    except PlanError as error:
        raise Refused(error.code) from error
    return item
