"""The result of a tournament's match, changed through its own correction: looked at first, then decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from games.models import Table
from review.models import ActKind, Case, ReviewAct
from review.services import book
from review.services.refusals import Refused
from tournaments.formats.results import Pairing
from tournaments.models import PairingTable, State, Tournament
from tournaments.queries import plan_of
from tournaments.services import rulings
from tournaments.services.advancing import PLAYED
from tournaments.services.book import Book
from tournaments.services.consequences import Preview
from tournaments.services.deciding import settle, write_items
from tournaments.services.log import locked
from tournaments.services.refusals import Refused as TournamentRefused
from tournaments.services.results import record_finished
from tournaments.services.trial import Trial

# Whom the match goes to instead: a side, or nobody.
CHOICES: Final = ("0", "1", "nobody")
Item = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a tournament: its table there and the pairing as the plan has it now."""

    tournament: Tournament
    row: PairingTable
    pairing: Pairing


def match_of(table: Table) -> Match:
    """The tournament's match that was played at this table.

    Raises: Refused `no-tournament` for a table of none, or one that its pairing does not count any more.
    """
    row = PairingTable.objects.filter(table=table).select_related("tournament").first()
    if row is None or row.tournament.state not in PLAYED:
        raise Refused("no-tournament")
    plan = plan_of(row.tournament)
    pairing = next((one for one in plan.pairings if one.id == row.pairing), None)
    if pairing is None or list(pairing.sides) != row.sides:
        raise Refused("no-tournament")
    return Match(row.tournament, row, pairing)


def look(*, table: Table, choice: str, token: str = "") -> Preview:
    """What it would change, were the match to go to `choice` of `CHOICES`; nothing is stored.

    Raises: Refused `no-tournament`; the tournament's Refused as `rulings.preview`.
    """
    found = match_of(table)
    trial = Trial(found.tournament)
    item = rulings.suggested(found.tournament, _item(found.pairing, choice), trial)
    return rulings.preview(tournament=found.tournament, item=item, token=token, trial=trial)


def annul(
    *,
    actor: User,
    table: Table,
    choice: str,
    reason: str,
    token: str,
    case: Case | None = None,
    key: str = "",
    now: datetime,
) -> ReviewAct:
    """The decision, in the tournament's log and in ours; its tables open and close to fit, everybody is told.

    Raises: Refused `not-your-role`, `own-case`, `no-reason`, `too-long`, `no-tournament`; the tournament's Refused
    `moved-on` where the preview of `token` shows less than it would change now, or as `rulings.decide`.
    """
    book.require(actor, "annul")
    with transaction.atomic(durable=True):
        if (known := book.done(key)) is not None:
            return known
        said = book.reason_of(reason)
        found = match_of(table)
        tournament = locked(found.tournament.pk)
        book.require_neutral(actor, table=table)
        if tournament.members.filter(user=actor).exists():
            raise Refused("own-case")
        if tournament.state not in PLAYED:
            raise TournamentRefused("certified" if tournament.state == State.CERTIFIED else "not-running")
        log = Book(tournament)
        record_finished(tournament, now, book=log)
        pairing = next(one for one in log.plan.pairings if one.id == found.pairing.id)
        item = rulings.suggested(tournament, _item(pairing, choice))
        before = log.plan
        rows = write_items(tournament, log, [item], actor, now, reason=said[:300])
        settle(tournament, log, rows, before, now, token=token)
        return book.record(
            ActKind.ANNUL,
            actor=actor,
            now=now,
            table=table,
            case=case,
            reason=said,
            before={"pairing": pairing.id, "winner": pairing.winner, "decided_by": pairing.decided_by},
            after=dict(item),
            key=key,
        )


def _item(pairing: Pairing, choice: str) -> Item:
    """A correction where the match is decided, else a ruling or a forfeit of both."""
    if choice not in CHOICES:
        raise Refused("no-tournament")
    is_done = pairing.status == "done"
    fact: dict[str, Any] = {"side": "both"} if choice == "nobody" else {"winner": int(choice)}
    if is_done:
        return {"type": "correct", "pairing": pairing.id, **fact}
    return {"type": "forfeit" if choice == "nobody" else "rule", "pairing": pairing.id, **fact}
