"""`manage.py simulate`: totals, records, and what it refuses."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules.record import replay
from games.rules.ruleset import RULESETS
from tests.games.management.test_replay import command


def simulate(*arguments: object) -> dict[str, Any]:
    out = io.StringIO()
    call_command("simulate", *map(str, arguments), "--json", stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 1
    return json.loads(lines[0])


def basic(ruleset: str = "kotchina", matches: int = 3, seed: object = 4) -> list[object]:
    return ["--ruleset", ruleset, "--matches", matches, "--seed", seed]


def records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.iterdir())]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_totals_are_those_of_the_records(tmp_path: Path, ruleset: str) -> None:
    totals = simulate(*basic(ruleset, 4), "--players", "cautious,random", "--out", tmp_path)
    told = [replay(record) for record in records(tmp_path)]
    assert [line["ok"] for line in told] == [True] * 4
    assert totals.pop("deals_per_s") > 0
    assert totals == {
        "matches": 4,
        "deals": sum(line["deals"] for line in told),
        "counted": sum(line["counted"] for line in told),
        "results": {"target": 4},
        "wins": [4, 0],
    }


def test_records_name_their_players_and_prove_their_decks(tmp_path: Path) -> None:
    simulate(*basic(matches=1), "--players", "cautious,random,timeout", "--out", tmp_path)
    [record] = records(tmp_path)
    assert record["players"] == ["cautious", "random", "timeout", "cautious"]
    assert sorted(record["proof"]) == ["commitment", "salt", "secret"]
    assert {deal["by"].strip("b") for deal in record["deals"]} == {""}


def test_first_matches_do_not_depend_on_how_many_follow(tmp_path: Path) -> None:
    simulate(*basic(matches=2), "--out", tmp_path / "two")
    simulate(*basic(matches=3), "--out", tmp_path / "three")
    assert records(tmp_path / "three")[:2] == records(tmp_path / "two")
    assert len(records(tmp_path / "three")) == 3


def test_another_seed_gives_other_matches(tmp_path: Path) -> None:
    simulate(*basic(seed=4), "--out", tmp_path / "four")
    simulate(*basic(seed="five"), "--out", tmp_path / "five")
    assert records(tmp_path / "four") != records(tmp_path / "five")


def test_dead_tables_are_no_result() -> None:
    totals = simulate(*basic("classic", 2), "--players", "timeout")
    assert (totals["results"], totals["deals"], totals["counted"], totals["wins"]) == (
        {"no-result": 2},
        16,
        0,
        [0, 0],
    )


def test_target_is_played_to(tmp_path: Path) -> None:
    simulate(*basic("kings", 1), "--players", "cautious,random", "--target", 61, "--out", tmp_path)
    [record] = records(tmp_path)
    assert (record["target"], max(record["result"]["score"]) >= 61) == (61, True)


def test_no_matches_are_no_totals() -> None:
    totals = simulate(*basic(matches=0))
    assert (totals["matches"], totals["deals"], totals["results"]) == (0, 0, {})


def test_without_json_there_is_a_sentence() -> None:
    out = io.StringIO()
    call_command("simulate", *map(str, basic("classic", 2)), "--players", "timeout", stdout=out)
    assert out.getvalue().startswith("2 matches, 16 deals (0 counted); no-result 2; wins 0:0; ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*basic("kotchina"), "--target", "41"], "kotchina is played to 31"),
        ([*basic("kings"), "--target", "51"], "kings is played to 31, 41, 61"),
        ([*basic(), "--players", "reckless"], "no player 'reckless'; there are random, cautious, timeout"),
        ([*basic(), "--players", ""], "no player ''; there are random, cautious, timeout"),
        (basic(matches=-1), "matches cannot be fewer than 0"),
        ([*basic(), "--out", "/dev/null/x"], "cannot make /dev/null/x: Not a directory"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[object], message: str) -> None:
    with pytest.raises(CommandError, match="^" + message + "$"):
        call_command("simulate", *map(str, arguments))


def test_simulating_needs_no_database() -> None:
    ended = command("simulate", *map(str, basic(matches=1)), "--json")
    totals = json.loads(ended.stdout)
    assert (ended.returncode, ended.stderr, totals["matches"]) == (0, b"", 1)


def test_unknown_ruleset_ends_with_a_line_and_a_status() -> None:
    ended = command("simulate", *map(str, basic("syrian")))
    assert (ended.returncode != 0, b"Traceback" in ended.stderr, b"syrian" in ended.stderr) == (
        True,
        False,
        True,
    )
