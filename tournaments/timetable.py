"""When what happens: the deadlines before the start, and the rounds with their hours and how far they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from tournaments import deadlines
from tournaments.course import OPEN, Course
from tournaments.formats.names import read_name
from tournaments.models import RoundTime, Tournament


@dataclass(frozen=True, slots=True)
class Date:
    """A deadline, or what has happened. `passed`: it lies behind."""

    name: str | Promise
    at: datetime
    passed: bool


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round. `state`: waiting, open, done; `at`: its hour, where one is fixed, or when it was opened."""

    key: str
    name: str
    state: str
    at: datetime | None
    opened: bool
    done: int
    total: int


def dates(tournament: Tournament, now: datetime) -> list[Date]:
    """The dates of a tournament, in order."""
    return [Date(name, at, at <= now) for name, at in sorted(_dates(tournament), key=lambda one: one[1])]


def _dates(tournament: Tournament) -> Iterator[tuple[str, datetime]]:
    if tournament.started_at is None:
        opens = deadlines.opens_at(tournament)
        if opens is not None:
            yield _("Registration opens"), opens
        yield _("Registration closes"), deadlines.closes_at(tournament)
        if deadlines.has_check_in(tournament):
            yield _("Check-in opens"), deadlines.check_in_opens_at(tournament)
            yield _("Check-in ends"), deadlines.check_in_ends_at(tournament)
        yield _("Starts"), tournament.starts_at
        return
    yield _("Started"), tournament.started_at
    if tournament.finished_at:
        yield _("Ended"), tournament.finished_at
    if tournament.certified_at:
        yield _("Certified"), tournament.certified_at


def round_lines(tournament: Tournament, course: Course | None) -> list[RoundLine]:
    """The rounds there are, and those that have an hour already."""
    times = {time.key: time for time in tournament.rounds.all()}
    rounds = course.rounds if course else {}
    keys = list(dict.fromkeys([*rounds, *sorted(times, key=_order)]))
    return [_line(key, course, times.get(key)) for key in keys]


def _line(key: str, course: Course | None, time: RoundTime | None) -> RoundLine:
    pairings = course.rounds.get(key, []) if course else []
    done = sum(pairing.status not in OPEN for pairing in pairings)
    begun = any(pairing.status == "ready" or pairing.won != (0, 0) for pairing in pairings) or done
    state = "done" if pairings and done == len(pairings) else "open" if begun else "waiting"
    opened = time is not None and time.opened_at is not None
    at = None if time is None else (time.opened_at or time.starts_at)
    name = course.names.round(key) if course else _("Round %(round)s") % {"round": read_name(key).round}
    return RoundLine(key, name, state, at, opened, done, len(pairings))


def _order(key: str) -> tuple[int, str, int]:
    name = read_name(key)
    return name.stage, name.part, name.round
