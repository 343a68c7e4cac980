"""What can be done about a tournament as a whole, by its state: for `actions`, which says who may."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.course import OPEN, course_of
from tournaments.deadlines import NOT_STARTED, ready_at
from tournaments.formats.names import read_name
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan
from tournaments.formats.results import PlanError, Standing
from tournaments.models import Format, State, Tournament
from tournaments.queries import folded
from tournaments.services.neutral import undone
from tournaments.services.repairing import unplayed_rounds

PLAYED = (State.RUNNING, State.FINISHED)
OVER = (State.FINISHED, State.CERTIFIED, State.ARCHIVED, State.CANCELLED)
ELIMINATIONS = (Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION)
PLAY_OFF = "play_off"
# A console does not list more of those that are level; the standings show the rest.
MOST_PLAY_OFFS = 8

When = Callable[[Tournament, Plan | None, datetime], bool]
Options = Callable[[Tournament, Plan | None, datetime], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing: its words, the act of `permissions.ALLOWED` that it is, and when it can be done."""

    label: str | Promise
    act: str
    when: When
    item: Mapping[str, Any] | None = None
    fields: tuple[str, ...] = ()
    has_preview: bool = False
    options: Options | None = None


def _in(*states: State) -> When:
    return lambda tournament, _plan, _now: tournament.state in states


def _not_in(*states: State) -> When:
    return lambda tournament, _plan, _now: tournament.state not in states


def _can_undo(tournament: Tournament, _plan: Plan | None, _now: datetime) -> bool:
    return tournament.state in PLAYED and bool(undone(tournament))


def _differs(tournament: Tournament, _plan: Plan | None, _now: datetime) -> bool:
    return tournament.state in PLAYED and tournament.differs_since is not None


def _stands_still(tournament: Tournament, _plan: Plan | None, _now: datetime) -> bool:
    return tournament.state == State.RUNNING and tournament.paused_at is not None


def _goes_on(tournament: Tournament, _plan: Plan | None, _now: datetime) -> bool:
    return tournament.state == State.RUNNING and tournament.paused_at is None


def _can_reopen(tournament: Tournament, _plan: Plan | None, now: datetime) -> bool:
    return tournament.state == State.READY and ready_at(tournament) > now


def _takes_pairs(tournament: Tournament, _plan: Plan | None, _now: datetime) -> bool:
    late = tournament.state == State.RUNNING and tournament.format not in ELIMINATIONS
    return tournament.state in NOT_STARTED or late


def _closed_rounds(tournament: Tournament, plan: Plan | None, _now: datetime) -> tuple[str, ...]:
    """The rounds with something to play that nobody has opened yet."""
    opened = set(tournament.rounds.exclude(opened_at=None).values_list("key", flat=True))
    waiting = {read_name(p.id).key: None for p in (plan.pairings if plan else ()) if p.status in OPEN}
    return tuple(key for key in waiting if key not in opened)


def _unplayed(tournament: Tournament, plan: Plan | None, _now: datetime) -> tuple[str, ...]:
    return unplayed_rounds(tournament, plan) if tournament.state == State.RUNNING else ()


OFFERED: dict[str, Offer] = {
    "publish": Offer(_("Announce it"), "settings", _in(State.DRAFT)),
    "open": Offer(_("Open registration"), "entries", _in(State.PUBLISHED)),
    "close": Offer(_("Close registration"), "entries", _in(State.OPEN)),
    "reopen": Offer(_("Open registration again"), "entries", _can_reopen),
    "settings": Offer(_("Change the settings"), "settings", _not_in(State.ARCHIVED, State.CANCELLED)),
    "add": Offer(_("Enter a pair"), "entries", _takes_pairs, fields=("first", "second")),
    "import": Offer(_("Read in a list of entrants"), "entries", _in(*NOT_STARTED), has_preview=True),
    "invite": Offer(_("Invite players"), "entries", _in(*NOT_STARTED), fields=("names",)),
    "seeds": Offer(_("Move the seeds"), "seeds", _in(State.READY)),
    "start": Offer(_("Start now"), "start", _in(State.OPEN, State.READY)),
    "undo": Offer(
        _("Take the newest correction back"), "decide", _can_undo, item={"type": "undo"}, has_preview=True
    ),
    "accept-plan": Offer(_("Take the plan over"), "decide", _differs, fields=("reason",)),
    "open-round": Offer(
        _("Open the round"), "rounds", _not_in(*OVER), fields=("round",), options=_closed_rounds
    ),
    "round-time": Offer(
        _("Set the hour"), "rounds", _not_in(*OVER), fields=("round", "starts_at"), options=_closed_rounds
    ),
    "round": Offer(
        _("Change who meets whom"),
        "decide",
        lambda tournament, plan, _now: bool(_unplayed(tournament, plan, _now)),
        fields=("round", "entrant", "other", "reason"),
        has_preview=True,
        options=_unplayed,
    ),
    "pause": Offer(_("Pause"), "pause", _goes_on, fields=("reason",)),
    "resume": Offer(_("Go on"), "pause", _stands_still),
    "announce": Offer(_("Announce"), "announce", _not_in(), fields=("text",)),
    "certify": Offer(_("Certify"), "certify", _in(State.FINISHED), fields=("reason",)),
    "uncertify": Offer(_("Take the certification back"), "certify", _in(State.CERTIFIED), fields=("reason",)),
    "archive": Offer(_("Archive"), "archive", _in(State.CERTIFIED)),
    "unarchive": Offer(_("Out of the archive"), "archive", _in(State.ARCHIVED)),
    "officials": Offer(_("Choose the officials"), "officials", _not_in()),
    "cancel": Offer(_("Call off"), "cancel", _not_in(*OVER), fields=("reason",)),
}


def offers(
    tournament: Tournament, plan: Plan | None, now: datetime, *, only: str = ""
) -> Iterator[tuple[str, Offer, tuple[str, ...]]]:
    """What the state allows now, with what may be said where a choice is among few. `only`: of this kind."""
    for kind, offer in OFFERED.items():
        if only in ("", kind) and offer.when(tournament, plan, now):
            yield kind, offer, offer.options(tournament, plan, now) if offer.options else ()


def play_offs(tournament: Tournament) -> list[tuple[str, str]]:
    """Neighbours in the standings whom nothing parts that comes before a play-off, and whom the log lets play it."""
    found: list[tuple[str, str]] = []
    for first, second in _level(tournament):
        if len(found) == MOST_PLAY_OFFS:
            break
        if _is_accepted(tournament, first, second):
            found.append((first, second))
    return found


def _level(tournament: Tournament) -> Iterator[tuple[str, str]]:
    course = course_of(tournament)
    # What was played last, and the stage before it while nothing of the last one is done.
    for stage in course.stages[-2:]:
        listed = course.stage_settings(stage).get("tiebreaks") or ()
        if PLAY_OFF not in listed:
            continue
        before = [*listed[: listed.index(PLAY_OFF)], PLAY_OFF]
        standings = course.standings(stage)
        for first, second in pairwise(standings):
            if _value(first, before) == _value(second, before):
                yield first.entrant, second.entrant


def _value(standing: Standing, tiebreaks: list[str]) -> tuple[Any, ...]:
    return (standing.group, standing.points, *(standing.tiebreaks.get(name) for name in tiebreaks))


def _is_accepted(tournament: Tournament, first: str, second: str) -> bool:
    try:
        folded(tournament).add(read_item({"type": "play_off", "entrants": [first, second]}))
    except PlanError:
        return False
    return True
