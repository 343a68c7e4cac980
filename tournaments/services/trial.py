"""Decisions tried on a tournament's log: what it would come to with them. Nothing is stored."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments.course import course_of
from tournaments.formats.notation import read_item
from tournaments.formats.plan import Plan
from tournaments.formats.plan import Tournament as Fold
from tournaments.formats.results import PlanError, Undo
from tournaments.models import State, Tournament
from tournaments.services.advancing import PLAYED
from tournaments.services.refusals import Refused

Item = Mapping[str, Any]


def check_played(tournament: Tournament) -> None:
    """Raises: Refused `not-running`, `certified`."""
    if tournament.state in (State.CERTIFIED, State.ARCHIVED):
        raise Refused("certified")
    if tournament.state not in PLAYED:
        raise Refused("not-running")


class Trial:
    """The log of a tournament that is played, folded once for all that a page asks of it.

    `before`: what it comes to as it is stored.
    """

    def __init__(self, tournament: Tournament) -> None:
        """Raises: Refused `not-running`, `certified`."""
        check_played(tournament)
        self._course = course_of(tournament)
        self._spare: Fold | None = None
        self.before = self._course.plan

    def fold(self) -> Fold:
        """The log as it is stored, on which anything may be tried: nobody else has this one."""
        fold, self._spare = self._spare, None
        return self._course.fold.copy() if fold is None else fold

    def corrected(self, item: Item) -> Plan:
        """What the log would come to with this correction.

        Raises: Refused with a code of the tournament's file.
        """
        fold = self.fold()
        plan = tried(fold, [item])
        fold.add(Undo())
        self._spare = fold
        return plan


def tried(fold: Fold, items: Sequence[Item]) -> Plan:
    """What these items would come to.

    Raises: Refused with a code of the tournament's file.
    """
    try:
        for item in items:
            fold.add(read_item(item))
    except PlanError as error:
        raise Refused(error.code) from error
    return fold.plan()
