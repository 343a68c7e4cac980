import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import translation

from games.rules.ruleset import RULESETS
from tests.tournaments.scenes import lines
from tournaments.formats.plan import Plan
from tournaments.models import Tournament
from tournaments.rehearsal import Script, play, prepare
from tournaments.reports import Report

ROOT = Path(__file__).resolve().parents[2]


def rehearsed(**script) -> tuple[Tournament, Plan]:
    """The tournament and its last plan."""
    chosen = Script(**({"entries": 2, "ruleset": "kotchina", "seed": 4} | script))
    tournament = prepare(chosen)
    *_, last = play(tournament, chosen)
    return tournament, last


@pytest.mark.django_db
@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("entries", [2, 3, 5])
def test_rehearsal_ends_with_one_champion(ruleset: str, entries: int):
    tournament, plan = rehearsed(entries=entries, ruleset=ruleset)

    assert plan.finished
    assert tournament.champion.ident == plan.champion
    assert [standing.rank for standing in plan.standings].count(1) == 1
    assert tournament.log.count() == entries - 1


@pytest.mark.django_db
def test_forced_draw_at_the_cap_goes_to_the_last_gainer_and_says_so():
    tournament, plan = rehearsed(entries=8, round_cap=2, players=("random",))

    drawn = [pairing for pairing in plan.pairings if pairing.decided_by == "last-round"]
    items = {item.item["pairing"]: item.item for item in tournament.log.all()}
    assert [pairing.id for pairing in drawn] == ["R2.2"]
    for pairing in drawn:
        item = items[pairing.id]
        assert (item["kind"], pairing.winner) == ("draw", item["sides"][item["last_gainer"]])
        table = tournament.tables.get(pairing=pairing.id).table
        change = table.deals.filter(change__isnull=False).last().change
        assert (table.winner, change[item["last_gainer"]] > 0) == (None, True)


@pytest.mark.django_db
def test_report_tells_every_pairing_once():
    tournament = prepare(script := Script(entries=5, ruleset="kotchina", seed=4))
    report = Report(tournament)

    told = "\n".join(report.news(plan) for plan in play(tournament, script)).splitlines()

    ids = [line.split()[0] for line in told if line.startswith("  ")]
    assert sorted(ids) == sorted(lines(tournament))


def command(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "rehearse", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.django_db
def test_command_is_the_same_for_the_same_seed_and_touches_nothing():
    options = ("--entries", "13", "--ruleset", "kotchina", "--seed", "4", "--json")

    first, second = command(*options), command(*options)

    assert (first.returncode, first.stderr, first.stdout) == (0, "", second.stdout)
    plan = json.loads(first.stdout)
    assert first.stdout.count("\n") == 1
    assert (plan["ok"], plan["finished"], len(plan["pairings"])) == (True, True, 15)
    assert Tournament.objects.count() == 0


def test_command_tells_the_rounds_and_the_champion():
    told = command("--entries", "3", "--seed", "4", "--third-place").stdout.splitlines()

    headings = [line for line in told if not line.startswith("  ")]
    # With three pairs one is third without play, before the final is played.
    assert headings[:3] == ["Semi-finals", "Third place", "Final"]
    assert told[-1].startswith("Champion: player")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("script", "headings"),
    [
        ({"entries": 4, "settings": {"third_place": True}}, ["Semi-finals", "Final", "Third place"]),
        (
            {"entries": 3, "format": "double_elimination", "settings": {"reset": False}},
            [
                "Winners' semi-finals",
                "Losers' round 1",
                "Winners' final",
                "Losers' final",
                "Grand final",
            ],
        ),
        (
            {"entries": 4, "format": "round_robin", "settings": {"groups": 2}},
            ["Group 1, Round 1", "Group 2, Round 1"],
        ),
        ({"entries": 4, "format": "swiss", "settings": {"rounds": 2}}, ["Round 1", "Round 2"]),
    ],
)
def test_report_names_the_rounds_of_each_format(script: dict, headings: list[str]):
    chosen = Script(**({"ruleset": "kotchina", "seed": 4} | script))
    tournament = prepare(chosen)
    report = Report(tournament)

    with translation.override(None):
        told = "\n".join(report.news(plan) for plan in play(tournament, chosen)).splitlines()

    assert list(dict.fromkeys(line for line in told if line and not line.startswith("  "))) == headings


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--entries", "1"), "a tournament needs 2 entries or more"),
        (("--players", "cautious,nobody"), "no built-in player 'nobody'"),
        (("--target", "41"), "kotchina is played to 31"),
    ],
)
def test_command_refuses_what_cannot_be(options: tuple[str, ...], error: str):
    refused = command(*options)

    assert (refused.returncode, refused.stdout) == (1, "")
    assert error in refused.stderr
