"""Log items that are refused: the code, and that nothing has changed."""

from typing import Any

import pytest

from tests.tournaments.formats.notes import (
    UNDO,
    correct,
    dead,
    disqualify,
    forfeit,
    reenter,
    rule,
    tournament,
    withdraw,
    won,
)
from tournaments.formats.notation import read_item
from tournaments.formats.results import PlanError

# Five entrants; e1, e2 and e3 rest in round 1, R1.2 is e4 against e5, R2.2 e2 against e3.
REFUSED: list[tuple[list[dict[str, Any]], dict[str, Any], str]] = [
    ([], won("R9.1", 0), "unknown-pairing"),
    ([], won("P3", 0), "unknown-pairing"),
    ([], forfeit("nowhere", 0), "unknown-pairing"),
    ([], correct(won("R9.1", 0)), "unknown-pairing"),
    ([], won("R2.1", 0), "not-ready"),
    ([], forfeit("R3.1", "both"), "not-ready"),
    ([], rule("R3.1", 0), "not-ready"),
    ([forfeit("R1.2", "both"), forfeit("R2.2", "both")], won("R3.1", 0), "already-done"),
    ([], won("R1.1", 0), "already-done"),
    ([won("R1.2", 0)], won("R1.2", 0), "already-done"),
    ([won("R1.2", 0)], rule("R1.2", 1), "already-done"),
    ([withdraw("e4")], forfeit("R1.2", 0), "already-done"),
    ([], won("R1.2", 0, sides=["e5", "e4"]), "not-allowed"),
    ([], won("R1.2", 0, sides=["e1", "e4"]), "not-allowed"),
    ([won("R1.2", 0)], correct(won("R1.2", 1, sides=["e1", "e4"])), "not-allowed"),
    ([], correct(won("R1.2", 0)), "not-ready"),
    ([], correct(won("R2.1", 0)), "not-ready"),
    ([dead("R1.2")], correct(won("R1.2", 0)), "not-ready"),
    ([dead("R1.2")], correct(won("R1.2", 0)) | {"match": 2}, "not-allowed"),
    ([], correct(won("R1.2", 0)) | {"match": 1}, "not-allowed"),
    ([], correct(won("R2.1", 0)) | {"match": 1}, "not-ready"),
    ([], correct(won("R1.1", 1)), "not-allowed"),
    ([won("R1.2", 0)], correct(won("R1.2", 1), R9_1="stand"), "unknown-pairing"),
    ([won("R1.2", 0)], correct(won("R1.2", 1), R2_2="replay"), "not-allowed"),
    ([won("R1.2", 0)], correct(won("R1.2", 1), R1_2="replay"), "not-allowed"),
    ([won("R1.2", 0)], correct(won("R1.2", 1), R3_1="stand"), "not-ready"),
    ([won("R1.2", 0)], correct(won("R1.2", 1)) | {"match": 2}, "not-allowed"),
    ([], UNDO, "nothing-to-undo"),
    ([won("R1.2", 0)], UNDO, "nothing-to-undo"),
    ([won("R1.2", 0), correct(won("R1.2", 1)), UNDO], UNDO, "nothing-to-undo"),
    ([], withdraw("e6"), "unknown-entrant"),
    ([], disqualify("e6"), "unknown-entrant"),
    ([], reenter("e6"), "unknown-entrant"),
    ([withdraw("e5")], withdraw("e5"), "already-done"),
    ([disqualify("e5")], withdraw("e5"), "already-done"),
    ([disqualify("e5")], disqualify("e5"), "already-done"),
    ([], reenter("e5"), "not-allowed"),
    ([withdraw("e5"), reenter("e5")], reenter("e5"), "not-allowed"),
    ([], {"type": "enter", "entrant": {"id": "e6", "name": "late"}}, "not-allowed"),
    ([], {"type": "round", "round": 2, "pairings": [["e1", "e4"]]}, "not-allowed"),
]


@pytest.mark.parametrize(("log", "item", "code"), REFUSED)
def test_an_item_that_does_not_fit_is_refused_and_changes_nothing(
    log: list[dict[str, Any]], item: dict[str, Any], code: str
) -> None:
    running = tournament(5, *log)
    before = running.plan()
    with pytest.raises(PlanError) as refusal:
        running.add(read_item(item))
    assert refusal.value.code == code
    assert refusal.value.item is None
    assert running.plan() == before


def test_a_void_pairing_takes_no_result() -> None:
    running = tournament(4, forfeit("R1.1", "both"), forfeit("R1.2", "both"))
    for item in (won("R2.1", 0), correct(won("R2.1", 0))):
        with pytest.raises(PlanError) as refusal:
            running.add(read_item(item))
        assert refusal.value.code == "not-ready"
