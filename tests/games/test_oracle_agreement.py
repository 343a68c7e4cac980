"""The rules that play and the oracle, two readings of one text, must say the same of every record."""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.rules.actions import IllegalAction
from games.rules.cards import CARD
from games.rules.match import Match
from games.rules.record import replay
from games.rules.ruleset import RULESETS as ENGINE_RULESETS
from games.rules.ruleset import read_options
from tests.oracle import engine, reader
from tests.oracle.generate import SCENARIOS, record
from tests.oracle.rules import PACK, RULESETS, STRAINS, TRUMPS, RefusedError, kind_of
from tests.oracle.spoil import NAMES, not_an_object, spoilt

PROJECT = Path(__file__).resolve().parents[2]
RECORDS = 2000
SPOILT_OF_EACH_KIND = 12

RESULTS = {None, "target", "round-cap", "draw", "no-result"}
PHASES = {
    "kotchina": {"deal", "auction", "trump", "play", "over"},
    "classic": {"deal", "auction", "trump", "play", "over"},
    "egyptian": {"deal", "auction", "play", "over"},
    "kings": {"deal", "auction", "trump", "play", "over"},
}
EVERY_CODE = [
    *("p", "x", "xx", "zz", *TRUMPS, *PACK),
    *(f"b{number}{strain}" for number in (6, *range(7, 14), 14) for strain in ("", *STRAINS)),
]
LONGEST_AUCTION = {"kotchina": 25, "classic": 9, "egyptian": 144, "kings": 9}
LONGEST_DEAD_RUN = {"kotchina": 8, "classic": 8, "egyptian": 8, "kings": 0}
GREATEST_AND_LEAST_CHANGE = {
    "kotchina": (13, -13),
    "classic": (26, -16),
    "egyptian": (104, -64),
    "kings": (26, -16),
}


@cache
def legal_records() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each generated record with what the oracle reads in it."""
    records = [record(n) for n in range(RECORDS)]
    return [(written, reader.replay(written)) for written in records]


def of_ruleset(ruleset: str) -> Iterator[tuple[int, dict[str, Any], dict[str, Any]]]:
    for n, (written, read) in enumerate(legal_records()):
        if written["ruleset"] == ruleset:
            yield n, written, read


def without_message(read: dict[str, Any]) -> dict[str, Any]:
    """The words of an error are free; its code and place are not."""
    if read["ok"]:
        return read
    error = {key: value for key, value in read["error"].items() if key != "message"}
    return read | {"error": error}


def auction_length(actions: str) -> int:
    return sum(kind_of(code) in ("pass", "bid", "double") for code in actions.split())


@pytest.mark.parametrize("ruleset", RULESETS)
def test_engine_and_oracle_read_the_same_in_generated_records(ruleset: str) -> None:
    read_by_both = [(n, replay(written), expected) for n, written, expected in of_ruleset(ruleset)]

    assert len(read_by_both) == RECORDS // len(RULESETS)
    assert [(n, found, expected) for n, found, expected in read_by_both if found != expected] == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_generated_records_reach_every_outcome(ruleset: str) -> None:
    read = [expected for _, _, expected in of_ruleset(ruleset)]
    deals = [deal for _, written, _ in of_ruleset(ruleset) for deal in written["deals"]]
    changes = [points for expected in read for change in expected["changes"] for points in change]

    assert {expected["ok"] for expected in read} == {True}
    assert {expected["phase"] for expected in read} == PHASES[ruleset]
    assert {(expected["result"] or {}).get("kind") for expected in read} == RESULTS
    assert max(auction_length(deal["actions"]) for deal in deals) == LONGEST_AUCTION[ruleset]
    assert max(expected["dead_run"] for expected in read) == LONGEST_DEAD_RUN[ruleset]
    assert (max(changes), min(changes)) == GREATEST_AND_LEAST_CHANGE[ruleset]


@pytest.mark.parametrize("name", NAMES)
def test_engine_and_oracle_answer_spoilt_records_with_the_documented_error(name: str) -> None:
    numbers = range(NAMES.index(name), SPOILT_OF_EACH_KIND * len(NAMES), len(NAMES))
    cases = [spoilt(n) for n in numbers]

    expected = [{"ok": False, "error": case.error} for case in cases]
    assert {case.name for case in cases} == {name}
    assert [without_message(reader.replay(case.record)) for case in cases] == expected
    assert [without_message(replay(case.record)) for case in cases] == expected


@pytest.mark.parametrize("n", range(6))
def test_engine_and_oracle_refuse_what_is_no_record(n: int) -> None:
    case = not_an_object(n)

    assert without_message(reader.replay(case.record)) == {"ok": False, "error": case.error}
    assert without_message(replay(case.record)) == {"ok": False, "error": case.error}


def both_matches(written: dict[str, Any]) -> tuple[Match, engine.Match]:
    """The match of a record before its first deal, as either side plays it."""
    ruleset, target, options = written["ruleset"], written.get("target", 31), written.get("options", {})
    played = ENGINE_RULESETS[ruleset]
    return (
        Match(played, target=target, dealer=written["dealer"], options=read_options(played, options)),
        engine.Match(ruleset, target, written["dealer"], options),
    )


def refusal(match: Match | engine.Match, code: str) -> str:
    """Why the code is refused; `allowed` where it is not, though it should be."""
    try:
        match.act(code, "m")
    except (IllegalAction, RefusedError) as refused:
        return refused.code
    return "allowed"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_engine_and_oracle_allow_and_refuse_the_same_at_every_step(ruleset: str) -> None:
    of_each_scenario = [written for _, written, _ in of_ruleset(ruleset)][: len(SCENARIOS)]
    for written in of_each_scenario:
        ours, oracle = both_matches(written)
        for deal in written["deals"][:2]:
            ours.start_deal([CARD[card] for card in deal["deck"].split()])
            oracle.start(deal["deck"].split())
            for code in deal["actions"].split():
                legal = oracle.legal()
                wrong = [code for code in EVERY_CODE if code not in legal]
                assert (ours.legal(), ours.turn, ours.phase) == (legal, oracle.turn(), oracle.phase())
                assert [refusal(ours, code) for code in wrong] == [refusal(oracle, code) for code in wrong]
                ours.act(code)
                oracle.act(code, "m")


def lines_of(records: Iterable[Any]) -> str:
    return "".join(json.dumps(written) + "\n" for written in records)


def run_replay(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "replay", "--json", *arguments]
    return subprocess.run(command, cwd=PROJECT, input=stdin, capture_output=True, text=True, check=False)


def test_replay_command_prints_what_the_oracle_reads_in_a_file_of_lines(tmp_path: Path) -> None:
    records = [record(n) for n in range(136)] + [spoilt(n).record for n in range(len(NAMES))]
    path = tmp_path / "records.jsonl"
    path.write_text(lines_of(records[:70]) + "\n  \n" + lines_of(records[70:]) + "{not JSON\n", "utf-8")

    finished = run_replay(str(path))

    read = [reader.replay(written) for written in records]
    read.append({"ok": False, "error": {"code": "malformed"}})
    expected = [{"file": str(path), "index": i, **without_message(one)} for i, one in enumerate(read)]
    assert [without_message(json.loads(line)) for line in finished.stdout.splitlines()] == expected
    assert finished.returncode == 1


def test_replay_command_ends_well_when_every_record_does() -> None:
    records = [record(n) for n in range(8)]

    finished = run_replay("-", stdin=lines_of(records))

    expected = [{"file": "-", "index": i, **reader.replay(one)} for i, one in enumerate(records)]
    assert [json.loads(line) for line in finished.stdout.splitlines()] == expected
    assert finished.returncode == 0
