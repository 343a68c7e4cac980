"""Round robin: everybody meets everybody, in one group or more, once or twice."""

from collections.abc import Sequence

from tournaments.formats.entrants import Entrant
from tournaments.formats.groups import draw_groups
from tournaments.formats.records import Fixture
from tournaments.formats.results import Enter, Item, PlanError
from tournaments.formats.schedule import Listed, Schedule
from tournaments.formats.scored import Scored
from tournaments.formats.settings import Settings
from tournaments.formats.tiebreaks import ROUND_ROBIN


class RoundRobin(Scored):
    """The format behind `plan`. All pairings are known from the start; who rests is not listed."""

    def __init__(self, settings: Settings, entrants: Sequence[Entrant]) -> None:
        super().__init__(settings, ROUND_ROBIN)
        self.reseat(entrants)

    def fields(self) -> list[list[str]]:
        """The entrants, best seed first, of each group."""
        members = [frozenset(group.members) for group in self._groups]
        return [[entrant.id for entrant in self._entrants if entrant.id in group] for group in members]

    def take(self, item: Item) -> None:
        """One log item that is not a play-off."""
        if isinstance(item, Enter):
            self._enter(item)
        else:
            self._fixtures.apply(item)

    def reseat(self, entrants: Sequence[Entrant]) -> None:
        """Others, or the same in another order: the schedule is theirs, the record remains."""
        self.seat(entrants)
        seeded = [entrant.id for entrant in self._entrants]
        drawn = draw_groups(seeded, self._settings.groups, self._settings.forbidden)
        self._groups = [Schedule(members, self._settings.double) for members in drawn]
        listed = [
            _fixture(number, meeting)
            for number, group in enumerate(self._groups, 1)
            for meeting in group.listed()
        ]
        here = [play_off for play_off in self._play_offs if set(play_off.sides) <= set(seeded)]
        self._fixtures.replace([*listed, *here])

    # Late entries

    def _enter(self, enter: Enter) -> None:
        self.check_newcomer(enter)
        number = self._group_for(enter.entrant.id)
        self.seat([*self._entrants, enter.entrant])
        added = self._groups[number - 1].admit(enter.entrant.id)
        self._fixtures.add(_fixture(number, meeting) for meeting in added)

    def _group_for(self, newcomer: str) -> int:
        """The smallest group that has not reached its half, with as few as possible the newcomer should not meet."""
        open_ = [number for number in range(1, len(self._groups) + 1) if self._before_half(number)]
        if not open_ or self._play_offs:
            raise PlanError("not-allowed", "half of the pairings are done: it is too late to enter")
        return min(open_, key=lambda number: self._preference(newcomer, number))

    def _preference(self, newcomer: str, number: int) -> tuple[int, int]:
        members = self._groups[number - 1].members
        foes = sum(frozenset((newcomer, member)) in self._settings.forbidden for member in members)
        return len(members), foes

    def _before_half(self, number: int) -> bool:
        lines = [line for line in self.pairings() if line.id.startswith(f"G{number}R")]
        return 2 * sum(line.status == "done" for line in lines) < len(lines) or not lines


def _fixture(group: int, meeting: Listed) -> Fixture:
    return Fixture(f"G{group}R{meeting.round}.{meeting.number}", meeting.round, meeting.sides)
