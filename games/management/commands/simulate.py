"""`manage.py simulate`: whole matches between built-in players, the same for the same seed."""

import json
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.match import Match
from games.rules.players import PLAYERS
from games.rules.record import DealRecord, Proof, write_record
from games.rules.ruleset import RULESETS
from games.rules.seats import SEATS
from games.rules.simulation import simulated


class Command(BaseCommand):
    help = "Plays whole matches through the rules with built-in players."
    requires_system_checks: list[str] = []  # noqa: RUF012 (Django's own form)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ruleset", required=True, choices=list(RULESETS))
        parser.add_argument("--matches", required=True, type=int)
        parser.add_argument("--seed", required=True, help="the same seed gives the same matches everywhere")
        parser.add_argument("--players", default="random", help=f"a mix of {', '.join(PLAYERS)}")
        parser.add_argument("--target", type=int, default=31)
        parser.add_argument("--out", type=Path, help="a directory for the records, one a file")
        parser.add_argument("--json", action="store_true", help="the totals as one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        players = options["players"].split(",")
        _check(options, players)
        totals: dict[str, Any] = {
            "matches": 0,
            "deals": 0,
            "counted": 0,
            "results": Counter(),
            "wins": [0, 0],
        }
        started = perf_counter()
        for index in range(options["matches"]):
            match, deals, proof = simulated(
                RULESETS[options["ruleset"]],
                target=options["target"],
                seed=options["seed"],
                index=index,
                players=players,
            )
            _add(totals, match)
            if options["out"]:
                _write(options["out"] / f"{index:06d}.json", _record(match, deals, proof, players))
        totals["deals_per_s"] = round(totals["deals"] / (perf_counter() - started), 1)
        self.stdout.write(json.dumps(totals) if options["json"] else _sentence(totals))


def _check(options: dict[str, Any], players: list[str]) -> None:
    ruleset = RULESETS[options["ruleset"]]
    if options["target"] not in ruleset.targets:
        raise CommandError(f"{ruleset.name} is played to {', '.join(map(str, ruleset.targets))}")
    if unknown := [name for name in players if name not in PLAYERS]:
        raise CommandError(f"no player {unknown[0]!r}; there are {', '.join(PLAYERS)}")
    if options["matches"] < 0:
        raise CommandError("matches cannot be fewer than 0")
    if options["out"]:
        try:
            options["out"].mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"cannot make {options['out']}: {error.strerror}") from error


def _add(totals: dict[str, Any], match: Match) -> None:
    totals["matches"] += 1
    totals["deals"] += match.deals
    totals["counted"] += match.counted
    totals["results"]["unfinished" if match.result is None else match.result["kind"]] += 1
    if match.result and match.result["winner"] is not None:
        totals["wins"][match.result["winner"]] += 1


def _record(match: Match, deals: list[DealRecord], proof: Proof, players: list[str]) -> dict[str, Any]:
    return write_record(
        match.ruleset,
        target=match.target,
        options=match.options,
        dealer=proof.first_dealer,
        players=[players[seat % len(players)] for seat in SEATS],
        deals=deals,
        result=match.result,
        score=match.score,
        proof=proof,
    )


def _write(path: Path, record: dict[str, Any]) -> None:
    try:
        path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from error


def _sentence(totals: dict[str, Any]) -> str:
    """The totals in one line for a person."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in totals["results"].items()) or "none"
    wins = "{}:{}".format(*totals["wins"])
    return (
        f"{totals['matches']} matches, {totals['deals']} deals ({totals['counted']} counted); "
        f"{kinds}; wins {wins}; {totals['deals_per_s']:.0f} deals/s"
    )
