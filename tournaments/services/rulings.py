"""What people decide about a running tournament: forfeits, rulings, corrections; each is an item of its log."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from tournaments.deadlines import NOT_STARTED
from tournaments.formats.names import read_name
from tournaments.formats.plan import Plan
from tournaments.formats.plan import Tournament as Fold
from tournaments.formats.results import Undo
from tournaments.models import State, Tournament
from tournaments.services.actions import Desk
from tournaments.services.book import Book
from tournaments.services.consequences import Preview, consequences
from tournaments.services.deciding import ABOUT_ENTRANTS, bound, settle, write_items
from tournaments.services.entry import living_entry, withdraw_entry
from tournaments.services.figures import with_figures
from tournaments.services.log import locked
from tournaments.services.making_up import taken_back
from tournaments.services.neutral import sides_of
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused
from tournaments.services.repairing import exchanged
from tournaments.services.results import record_finished
from tournaments.services.trial import Trial, check_played, tried

Item = Mapping[str, Any]
OFFERED = ("forfeit", "rule", "correct", *ABOUT_ENTRANTS, "undo", "adjust", "play_off", "round")
# A correction that lets stand reaches others; each round of a bracket once at most.
MOST_TRIES = 20


def suggested(tournament: Tournament, item: Item, trial: Trial | None = None) -> Item:
    """A correction with what is usual for the pairings after it: what is in play or finished stands as it is.

    A wrong result found late touches only what is not yet made, unless an official decides otherwise.
    `trial`: of the tournament, where more is asked of it.
    Raises: Refused `not-running`, `certified`, or with a code of the tournament's file.
    """
    trial = trial or Trial(tournament)
    if item["type"] != "correct" or "later" in item:
        return item
    later: dict[str, str] = {}
    for _ in range(MOST_TRIES):
        attempt = {**item, "later": dict(later)} if later else dict(item)
        after = trial.corrected(attempt)
        kept = _to_keep(consequences(tournament, attempt, trial.before, after), later)
        if not kept:
            return attempt
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


def preview(
    *,
    tournament: Tournament,
    item: Item,
    also: Sequence[Item] = (),
    token: str = "",
    trial: Trial | None = None,
) -> Preview:
    """What the item, and with it `also`, would change, were they decided now; nothing is stored.

    `token`: of an earlier preview of the same, for what officials did since. `trial`: of the tournament, where more
    is asked of it.
    Raises: Refused `not-running`, `certified`, or with a code of the tournament's file.
    """
    trial = trial or Trial(tournament)
    fold = trial.fold()
    after = tried(fold, [item, *also])
    for back in taken_back(tournament, item):
        after = _tried_if_possible(fold, back, after)
    swapped = _swapped(fold, item) if item["type"] == "correct" else None
    return consequences(tournament, item, trial.before, after, also=also, swapped=swapped, token=token)


def _tried_if_possible(fold: Fold, item: Item, plan: Plan) -> Plan:
    try:
        return tried(fold, [item])
    except Refused:
        return plan


def _swapped(fold: Fold, item: Item) -> Plan | None:
    """What the correction just tried would come to, did no later pairing stand; None where it lets none stand."""
    later = dict(item.get("later", {}))
    swapped = {pairing: choice for pairing, choice in later.items() if choice != "stand"}
    if later == swapped:
        return None
    fold.add(Undo())
    return tried(fold, [{**item, "later": swapped}])


def with_sides(tournament: Tournament, item: Item, trial: Trial | None = None) -> Item:
    """The item, bound to the two sides its pairing has now: it is refused if they change before it is decided.

    A correction of points keeps the deals and contracts that were counted for tie-breaks. A round in which two are
    to change places (`exchange`) becomes the round as it is then.
    """
    plan = (trial or Trial(tournament)).before
    if "exchange" in item:
        return exchanged(tournament, plan, item["round"], *item["exchange"])
    return with_figures(tournament, bound(item, plan), plan)


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
    Raises: Refused `not-organiser`, `not-your-role`, `not-running`, `certified`, `own-match`, `own-pair`,
    `moved-on`, `not-offered`, or with a code of the tournament's file.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "decide")
    check_played(tournament)
    book = Book(tournament)
    record_finished(tournament, now, book=book)
    return decide_items(tournament, book, [item, *also], actor, now, reason=reason, token=token)


def decide_items(
    tournament: Tournament,
    book: Book,
    items: Sequence[Item],
    actor: User,
    now: datetime,
    *,
    reason: str = "",
    token: str = "",
) -> Plan:
    """Inside an open transaction: the plan after an official's decision, the first of these items.

    Raises: Refused as `decide`.
    """
    desk = Desk(actor, tournament, book.plan, now=now, about=items[0].get("pairing", ""))
    is_own = _check_neutral(desk, items, book.plan)
    is_offered = desk.offers(items[0]["type"], items[0])
    before = book.plan
    rows = write_items(tournament, book, items, actor, now, reason=reason)
    if not is_offered:
        # Where the log itself had refused it, it said more.
        raise Refused("not-offered")
    return settle(tournament, book, rows, before, now, token=token, is_own=is_own)


def check_neutral(
    tournament: Tournament, official: User, items: Sequence[Item], trial: Trial | None = None
) -> bool:
    """Whether a decision of these items is about a pair of the official's own, which only some may decide.

    Raises: Refused `own-match`, `own-pair`.
    """
    plan = (trial or Trial(tournament)).before
    return _check_neutral(Desk(official, tournament, plan), items, plan)


def _check_neutral(desk: Desk, items: Sequence[Item], plan: Plan) -> bool:
    is_own = False
    for item in items:
        code = "own-pair" if "entrant" in item else "own-match"
        is_own |= desk.neutrality.check("decide", sides_of(desk.tournament, item, plan), code)
    return is_own


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
    before = book.plan
    rows = write_items(tournament, book, [{"type": "withdraw", "entrant": entry.ident}], user, now)
    settle(tournament, book, rows, before, now)
    return tournament


def _still_in(plan: Plan, ident: str) -> bool:
    return any(standing.entrant == ident and standing.still_in for standing in plan.standings)
