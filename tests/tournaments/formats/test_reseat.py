"""A later stage is seated anew, and as it was."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.tournaments.formats.chances import any_stage, chances, next_item, with_later
from tests.tournaments.formats.notes import line, won
from tournaments.formats.bracket import Empty, FirstRound
from tournaments.formats.entrants import Entrant
from tournaments.formats.ledger import Slots, Stand
from tournaments.formats.notation import read_item, read_settings
from tournaments.formats.plan import FORMATS, Plan
from tournaments.formats.protocol import Format
from tournaments.formats.results import PlanError, Undo
from tournaments.formats.seats import hold
from tournaments.formats.settings import Settings
from tournaments.formats.single_elimination import SingleElimination


def seeded(*ids: str) -> list[Entrant]:
    return [Entrant(id_, seed=seed) for seed, id_ in enumerate(ids, 1)]


def plan_of(format_: Format) -> Plan:
    return Plan(format_.finished(), None, format_.pairings(), format_.standings())


def happen(format_: Format, chance: Random, items: int) -> None:
    for _ in range(items):
        plan = plan_of(format_)
        item = with_later(next_item(plan, chance, corrections=True, returns=True), plan, chance)
        try:
            format_.apply(read_item(item))
        except PlanError:
            assert plan_of(format_) == plan


@hypothesis_settings(deadline=None, max_examples=300)
@given(st.integers(2, 14), chances)
def test_seated_as_before_everything_is_as_before(entrants: int, chance: Random) -> None:
    settings = read_settings(any_stage(chance))
    ids = [f"e{number}" for number in range(1, entrants + 1)]
    format_ = FORMATS[settings.format](settings, seeded(*ids))
    happen(format_, chance, chance.randrange(3 * entrants))
    before = plan_of(format_)
    others = chance.sample([*ids, *(f"x{number}" for number in range(4))], entrants)
    format_.reseat(seeded(*others))
    seen = [side for pairing in format_.pairings() for side in pairing.sides]
    assert not [pairing for pairing in format_.pairings() if pairing.sides[0] == pairing.sides[1] is not None]
    assert set(seen) <= {*others, *(side for pairing in before.pairings for side in pairing.sides), None}
    format_.reseat(seeded(*ids))
    if settings.format == "swiss" and before.finished:
        return  # One that was over because nobody was left may have gone on with the others; that round stays.
    assert plan_of(format_) == before


def lines(format_: Format) -> dict[str, str]:
    return {pairing.id: line(pairing) for pairing in format_.pairings()}


def four() -> SingleElimination:
    format_ = SingleElimination(Settings(), seeded("a", "b", "c", "d"))
    for item in (won("R1.1", 0), won("R1.2", 0), won("R2.1", 1)):
        format_.apply(read_item(item))
    return format_


def test_what_was_played_counts_where_the_same_two_meet() -> None:
    format_ = four()
    format_.reseat(seeded("a", "c", "b", "e"))
    assert lines(format_) == {
        "R1.1": "a - e  ready",
        "R1.2": "c - b  ready",
        "R2.1": ". - .  waiting",
    }
    format_.reseat(seeded("a", "b", "c", "e"))
    assert lines(format_) == {
        "R1.1": "a - e  ready",
        "R1.2": "b - c  done: b by target 31:12",
        "R2.1": ". - b  waiting",
    }
    format_.apply(read_item(won("R1.1", 0)))
    assert lines(format_)["R2.1"] == "a - b  done: b by target 12:31"


@pytest.mark.parametrize(
    ("stands", "others", "expected"),
    [
        ("R1.1", "abce", {"R1.1": "a - d", "R1.2": "b - c"}),
        ("R1.1", "bacd", {"R1.1": "a - d", "R1.2": "b - c"}),
        ("R1.1", "dcba", {"R1.1": "a - d", "R1.2": "c - b"}),
        ("R1.2", "efgh", {"R1.1": "e - h", "R1.2": "b - c"}),
        ("R2.1", "dcba", {"R1.1": "a - d", "R1.2": "b - c"}),
    ],
)
def test_what_stands_keeps_its_seats(stands: str, others: str, expected: dict[str, str]) -> None:
    format_ = four()
    format_.choose({stands: "stand"})
    before = lines(format_)
    format_.reseat(seeded(*others))
    assert {id_: text[:5] for id_, text in lines(format_).items() if id_ in expected} == expected
    assert lines(format_)[stands] == before[stands]
    format_.reseat(seeded("a", "b", "c", "d"))
    format_.apply(Undo())
    assert lines(format_) == lines(four())
    format_.reseat(seeded(*others))
    assert {standing.entrant for standing in format_.standings()} == set(others)


def test_those_who_would_have_come_take_seats_left_empty_elsewhere_best_first() -> None:
    first: FirstRound = [("b", "g"), ("x", "y"), ("a", None), ("c", "d")]
    seats: dict[str, Slots] = {"R1.1": ("a", Empty.BYE), "R1.4": ("x", "d")}
    kept = hold(first, [Stand(1, "R2.1", ("a", "x"), seats, None)], ["b", "g", "x", "y", "a", "c", "d"])
    assert kept == [("a", None), ("b", "y"), ("g", None), ("x", "d")]
