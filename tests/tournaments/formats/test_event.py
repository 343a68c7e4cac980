"""Documents read and printed; documents refused."""

import json
from typing import Any

import pytest

from tests.tournaments.formats.notes import (
    UNDO,
    correct,
    dead,
    disqualify,
    document,
    drawn,
    forfeit,
    reenter,
    rule,
    withdraw,
    won,
)
from tournaments.formats.entrants import Entrant
from tournaments.formats.event import fold_event, print_error, print_event, read_event
from tournaments.formats.plan import FORMATS, Tournament, diff, plan
from tournaments.formats.results import Correct, Forfeit, PlanError, Result, Rule, Withdraw
from tournaments.formats.settings import Points, Settings

ITEMS: list[dict[str, Any]] = [
    won("R1.1", 0),
    won("R1.1", 1, sides=["e1", "e4"]),
    drawn("R1.1", 1),
    dead("R1.1"),
    forfeit("R1.1", 0),
    forfeit("R1.1", "both"),
    rule("R1.1", 1),
    withdraw("e1"),
    disqualify("e1"),
    reenter("e1"),
    {"type": "enter", "entrant": {"id": "e9", "name": "late"}},
    {"type": "round", "round": 2, "pairings": [["e1", "e4"]], "bye": "e3"},
    correct(won("R1.1", 1), R2_1="stand", R3_1="replay"),
    correct(forfeit("R1.1", "both")),
    correct(rule("R1.1", 0)) | {"match": 2},
    UNDO,
]


def test_read_event_reads_settings_entrants_and_log() -> None:
    event = read_event(
        {
            "format": "tarneeb-event/1",
            "settings": {
                "format": "single_elimination",
                "third_place": True,
                "best_of": 3,
                "forbidden": [["a", "b"]],
                "points": {"win": 3},
                "tiebreaks": ["buchholz", "lot"],
                "colour": "green",
            },
            "entrants": [{"id": "a", "name": "نسور", "seed": 2, "city": "حمص"}, {"id": "b"}],
            "log": [won("R1.1", 0), correct(forfeit("R1.1", 1), R2_1="stand"), withdraw("b")],
        }
    )
    assert event.settings == Settings(
        "single_elimination",
        third_place=True,
        best_of=3,
        forbidden=frozenset({frozenset(("a", "b"))}),
        points=Points(win=3),
        tiebreaks=("buchholz", "lot"),
    )
    assert event.entrants == (Entrant("a", "نسور", 2), Entrant("b"))
    assert event.log == (
        Result("R1.1", "target", (31, 12)),
        Correct(Forfeit("R1.1", 1), {"R2.1": "stand"}),
        Withdraw("b"),
    )


@pytest.mark.parametrize("item", ITEMS)
def test_every_log_item_is_printed_as_it_was_read(item: dict[str, Any]) -> None:
    printed = print_event(read_event(document(4, item)))
    assert printed["log"] == [item]
    assert print_event(read_event(json.loads(json.dumps(printed)))) == printed


def test_every_setting_is_printed_as_it_was_read() -> None:
    settings = {
        "format": "single_elimination",
        "third_place": True,
        "best_of": 5,
        "forbidden": [["e1", "e2"], ["e1", "e3"]],
        "points": {"win": 3, "draw": 1, "loss": 0, "bye": 2, "forfeit": -1},
        "tiebreaks": ["wins", "lot"],
    }
    assert print_event(read_event(document(4, **settings)))["settings"] == settings


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in document(2).items() if name != key}


def with_entrants(*entrants: Any) -> dict[str, Any]:
    return document(0) | {"entrants": list(entrants)}


@pytest.mark.parametrize(
    "refused",
    [
        None,
        [],
        "tarneeb-event/1",
        without("format"),
        without("settings"),
        without("entrants"),
        document(2) | {"format": "tarneeb-event/2"},
        document(2) | {"settings": []},
        document(2) | {"entrants": {}},
        document(2) | {"log": {}},
        document(2) | {"log": None},
        document(2, format="knock_out"),
        document(2, format=None),
        document(2, third_place="yes"),
        document(2, third_place=1),
        document(2, best_of=2),
        document(2, best_of=True),
        document(2, best_of=3.0),
        document(2, forbidden="e1"),
        document(2, forbidden=[["e1"]]),
        document(2, forbidden=[["e1", 2]]),
        document(2, forbidden=[["e1", "e1"]]),
        document(2, points=[]),
        document(2, points={"win": "two"}),
        document(2, points={"win": True}),
        document(2, tiebreaks="lot"),
        document(2, tiebreaks=["toss"]),
        document(2, tiebreaks=[["lot"]]),
        with_entrants("e1"),
        with_entrants({"name": "nobody"}),
        with_entrants({"id": ""}),
        with_entrants({"id": 1}),
        with_entrants({"id": "e1", "name": None}),
        with_entrants({"id": "e1", "seed": 0}),
        with_entrants({"id": "e1", "seed": "1"}),
        with_entrants({"id": "e1", "seed": True}),
        with_entrants({"id": "e1"}, {"id": "e1"}),
        with_entrants({"id": "e1", "seed": 1}, {"id": "e2", "seed": 1}),
    ],
)
def test_a_spoilt_document_is_malformed(refused: object) -> None:
    with pytest.raises(PlanError) as refusal:
        fold_event(refused)
    assert (refusal.value.code, refusal.value.item) == ("malformed", None)


def test_a_format_not_offered_is_refused_by_naming_those_that_are() -> None:
    with pytest.raises(PlanError) as refusal:
        fold_event(document(2, format="ladder"))
    assert print_error(refusal.value) == {
        "ok": False,
        "error": {
            "code": "malformed",
            "message": f"no format 'ladder' here; offered: {', '.join(FORMATS)}",
        },
    }


def test_forbidden_pairs_are_of_entrants() -> None:
    with pytest.raises(PlanError) as refusal:
        fold_event(document(2, forbidden=[["e1", "e9"]]))
    assert refusal.value.code == "unknown-entrant"


@pytest.mark.parametrize(
    "settings",
    [
        {"format": "round_robin", "groups": 2},
        {"format": "swiss", "rounds": 4},
        {"format": "stages", "stages": [{"format": "swiss", "rounds": 2}]},
    ],
)
def test_a_forbidden_pair_may_name_who_enters_late(settings: dict[str, Any]) -> None:
    late = {"type": "enter", "entrant": {"id": "e9", "name": "late"}}
    given = document(4, late, forbidden=[["e1", "e9"]], **settings)
    read = read_event(given)
    plan_ = fold_event(given).plan()
    assert plan_ == plan(read.settings, read.entrants, iter(read.log))
    assert {"e1", "e9"} not in [set(pairing.sides) for pairing in plan_.pairings]
    assert "e9" in [standing.entrant for standing in plan_.standings]


@pytest.mark.parametrize(
    "item",
    [
        None,
        "undo",
        {},
        {"type": "cancel"},
        {"type": ["undo"]},
        {"type": "result"},
        {"type": "result", "pairing": "R1.1"},
        {"type": "result", "pairing": "R1.1", "kind": "target"},
        {"type": "result", "pairing": "R1.1", "kind": ["target"], "score": [31, 1]},
        {"type": "result", "pairing": "R1.1", "kind": "won", "score": [31, 1]},
        {"type": "result", "pairing": 11, "kind": "target", "score": [31, 1]},
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": [31]},
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": [31.5, 1]},
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": [True, 0]},
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": "31:1"},
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": [31, 31]},
        {"type": "result", "pairing": "R1.1", "kind": "draw", "score": [31, 31]},
        {"type": "result", "pairing": "R1.1", "kind": "draw", "score": [31, 31], "last_gainer": True},
        {"type": "result", "pairing": "R1.1", "kind": "draw", "score": [31, 30], "last_gainer": 1},
        {"type": "result", "pairing": "R1.1", "kind": "no-result", "score": [1]},
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": [31, 1], "sides": "e1"},
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": [31, 1], "sides": ["e1", None]},
        {"type": "forfeit", "pairing": "R1.1"},
        {"type": "forfeit", "pairing": "R1.1", "side": 2},
        {"type": "forfeit", "pairing": "R1.1", "side": "none"},
        {"type": "forfeit", "pairing": "R1.1", "side": False},
        {"type": "rule", "pairing": "R1.1", "reason": "late"},
        {"type": "rule", "pairing": "R1.1", "winner": "e1", "reason": "late"},
        {"type": "rule", "pairing": "R1.1", "winner": 0, "reason": 7},
        {"type": "withdraw"},
        {"type": "disqualify", "entrant": {"id": "e1"}},
        {"type": "reenter", "entrant": 1},
        {"type": "enter", "entrant": "e9"},
        {"type": "round", "round": 2},
        {"type": "round", "round": 0, "pairings": []},
        {"type": "round", "round": 2, "pairings": [["e1"]]},
        {"type": "round", "round": 2, "pairings": [], "bye": 3},
        {"type": "correct", "pairing": "R1.1"},
        {"type": "correct", "kind": "target", "score": [31, 1]},
        {"type": "correct", "pairing": "R1.1", "side": 3},
        {"type": "correct", "pairing": "R1.1", "winner": 0, "later": ["R2.1"]},
        {"type": "correct", "pairing": "R1.1", "winner": 0, "later": {"R2.1": "keep"}},
        {"type": "correct", "pairing": "R1.1", "winner": 0, "later": {"R2.1": ["stand"]}},
        {"type": "correct", "pairing": "R1.1", "winner": 0, "match": 0},
    ],
)
def test_a_spoilt_item_is_malformed_and_named_by_its_place(item: object) -> None:
    spoilt = document(4, won("R1.1", 0)) | {"log": [won("R1.1", 0), item]}
    for read in (read_event, fold_event):
        with pytest.raises(PlanError) as refusal:
            read(spoilt)
        assert (refusal.value.code, refusal.value.item) == ("malformed", 1)


def test_the_first_faulty_item_is_the_one_named() -> None:
    spoilt = document(4) | {"log": [won("R1.1", 0), won("R9.1", 0), {}]}
    with pytest.raises(PlanError) as refusal:
        fold_event(spoilt)
    assert (refusal.value.code, refusal.value.item) == ("unknown-pairing", 1)


def test_plan_names_the_item_it_refuses() -> None:
    event = read_event(document(4, won("R1.1", 0), won("R1.1", 0)))
    with pytest.raises(PlanError) as refusal:
        plan(event.settings, event.entrants, event.log)
    assert (refusal.value.code, refusal.value.item) == ("already-done", 1)


def test_plan_and_fold_come_to_the_same() -> None:
    log = [won("R1.1", 0), correct(won("R1.1", 1)), withdraw("e2")]
    event = read_event(document(4, *log))
    assert plan(event.settings, event.entrants, event.log) == fold_event(document(4, *log)).plan()


def test_diff_names_every_pairing_whose_line_differs() -> None:
    running = Tournament(Settings(third_place=True), [Entrant(f"e{seed}") for seed in range(1, 5)])
    start = running.plan()
    assert diff(start, start) == ()
    running.add(Rule("R1.2", 0))
    assert diff(start, running.plan()) == ("R1.2", "R2.1", "P3")
    small = Tournament(Settings(), [Entrant("e1"), Entrant("e4")]).plan()
    assert diff(start, small) == ("R1.2", "R2.1", "P3")
