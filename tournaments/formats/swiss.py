"""Swiss: equals meet equals, nobody twice; each round is paired when the one before is done, and stays."""

from collections.abc import Mapping, Sequence
from typing import Literal

from tournaments.formats.entrants import Entrant
from tournaments.formats.records import Fixture
from tournaments.formats.results import Enter, Item, Pairing, PlanError, Round, Standing
from tournaments.formats.scored import Scored
from tournaments.formats.settings import Settings
from tournaments.formats.swiss_history import History, floats, round_lot
from tournaments.formats.swiss_round import draw_round
from tournaments.formats.tiebreaks import SWISS, Term, Value, total_points

Pairs = Sequence[tuple[str, str]]


def usual_rounds(entrants: int) -> int:
    """As many rounds as leave at most one unbeaten."""
    return max(1, (entrants - 1).bit_length())


def most_rounds(entrants: int) -> int:
    """With more rounds than this somebody must meet an earlier opponent, or rest twice."""
    return max(1, entrants - 1 + entrants % 2)


class Swiss(Scored):
    """The format behind `plan`.

    A round that is due is paired when somebody asks, so that a log which states every round costs no pairing.
    """

    def __init__(self, settings: Settings, entrants: Sequence[Entrant]) -> None:
        super().__init__(settings, SWISS)
        self.seat(entrants)
        self._total = settings.rounds or usual_rounds(len(entrants))
        self._floats: list[dict[str, int]] = []
        self._foes: dict[str, set[str]] = {}
        for pair in settings.forbidden:
            for entrant in pair:
                self._foes.setdefault(entrant, set()).update(pair - {entrant})

    @property
    def total_rounds(self) -> int:
        """How many rounds there are to be."""
        return self._total

    def floated(self, round_: int) -> Mapping[str, int]:
        """Who was paired up (1) or down (-1) in a round that is listed, by the points they had then."""
        self._make()
        return self._floats[round_ - 1]

    def fields(self) -> list[list[str]]:
        """All entrants, best seed first."""
        return [[entrant.id for entrant in self._entrants]]

    def pairings(self) -> tuple[Pairing, ...]:
        """All rounds paired so far."""
        self._make()
        return super().pairings()

    def standings(self) -> tuple[Standing, ...]:
        """All entrants, best first."""
        self._make()
        return super().standings()

    def terms(self, tiebreak: Value, entrant: str) -> Sequence[Term]:
        """What adds up to an entrant's points, or to the value of a tie-break."""
        self._make()
        return super().terms(tiebreak, entrant)

    def finished(self) -> bool:
        """Whether no round is left, or nobody to pair."""
        return not self._due() and super().finished()

    def choose(self, later: Mapping[str, Literal["stand", "replay"]]) -> None:
        """What a correction in an earlier stage says of pairings here."""
        self._make()
        super().choose(later)

    def reseat(self, entrants: Sequence[Entrant]) -> None:
        """Others, or the same in another order, from the next round on."""
        self._make()
        self.seat(entrants)

    def take(self, item: Item) -> None:
        """One log item that is not a play-off."""
        if isinstance(item, Round):
            self._state(item)
            return
        self._make()
        if isinstance(item, Enter):
            self._enter(item)
        else:
            self._fixtures.apply(item)

    def _enter(self, enter: Enter) -> None:
        self.check_newcomer(enter)
        if 2 * len(self._floats) > self._total or self._play_offs:
            raise PlanError("not-allowed", "half of the rounds are paired: it is too late to enter")
        self.seat([*self._entrants, enter.entrant])

    # Rounds

    def _due(self) -> bool:
        """Whether everything listed is done, and a round is left for at least two."""
        if self._fixtures.open() or self._play_offs or len(self._floats) >= self._total:
            return False
        return len(self._active()) > 1

    def _active(self) -> list[str]:
        return [entrant.id for entrant in self._entrants if entrant.id not in self._fixtures.gone]

    def _make(self) -> None:
        """Pairs the next round if it is due."""
        if not self._due():
            return
        table = self.tables()[0]
        number = len(self._floats) + 1
        order = (
            self._active() if number == 1 else [id_ for id_ in table.order if id_ not in self._fixtures.gone]
        )
        history = History(self._fixtures.records)
        before = self._floats[-1] if self._floats else {}
        contenders = [
            history.contender(
                id_, table.points(id_), before.get(id_, 0), round_lot(self._settings.seed, number, id_)
            )
            for id_ in order
        ]
        draw = draw_round(contenders, self._foes)
        self._list(draw.pairs, draw.bye)
        if draw.bye is None:
            # What is only to be played moves nobody.
            self._tables = [table]

    def _list(self, pairs: Pairs, bye: str | None) -> None:
        number = len(self._floats) + 1
        points = total_points(self._fixtures.records, self._fixtures.adjusted)
        self._fixtures.close()
        self._floats.append(floats(pairs, bye, points))
        sides = [*pairs, *([(bye, None)] if bye is not None else [])]
        self._fixtures.add(
            Fixture(f"R{number}.{place}", number, who, number) for place, who in enumerate(sides, 1)
        )
        self._tables = None

    def _state(self, item: Round) -> None:
        """A round as published, in the place of the one that would be paired here."""
        due = self._due()
        expected = len(self._floats) + due
        if item.round > expected:
            raise PlanError("not-ready", f"round {item.round} is not to be paired yet")
        stated_in_time = due or not self._fixtures.touched(item.round)
        if item.round < expected or self._play_offs or not stated_in_time:
            raise PlanError("already-done", f"round {item.round} has results")
        self._check_round(item)
        if not due:
            self._fixtures.drop(item.round)
            self._floats.pop()
            self._tables = None
        self._list(item.pairings, item.bye)

    def _check_round(self, item: Round) -> None:
        named = [id_ for pair in item.pairings for id_ in pair] + ([item.bye] if item.bye is not None else [])
        for entrant in named:
            self._fixtures.check_entrant(entrant)
        active = self._active()
        if sorted(named) != sorted(active):
            raise PlanError("not-allowed", f"round {item.round} does not name everybody who plays just once")
        if (item.bye is not None) != (len(active) % 2 == 1):
            raise PlanError("not-allowed", "somebody rests where the number is odd, and only there")
