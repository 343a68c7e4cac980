import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from games.rules.players import PLAYERS
from games.rules.ruleset import RULESETS
from tarneeb_site.refusal import CannotStart
from tarneeb_site.throwaway import throwaway_site
from tournaments.formats.event import print_plan
from tournaments.formats.notation import read_settings
from tournaments.formats.results import PlanError
from tournaments.models import Format
from tournaments.rehearsal import Script, play, prepare
from tournaments.reports import Report


class Command(BaseCommand):
    help = "Plays a whole tournament with built-in players, through the site's own services, in a throw-away database."
    requires_system_checks: list[str] = []  # noqa: RUF012

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=Format.values, default=Format.SINGLE_ELIMINATION)
        parser.add_argument("--entries", type=int, default=13, help="pairs, 2 or more")
        parser.add_argument("--ruleset", choices=sorted(RULESETS), default="kotchina")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--players", default="cautious,random", help=f"of {', '.join(sorted(PLAYERS))}")
        parser.add_argument("--target", type=int)
        parser.add_argument("--round-cap", type=int, default=50, help="0: none; 1 or 2 make draws likely")
        parser.add_argument("--third-place", action="store_true")
        parser.add_argument(
            "--rules",
            default="{}",
            help='further settings of the format, as JSON: {"groups": 2}, {"rounds": 5}',
        )
        parser.add_argument("--json", action="store_true", help="one line: the plan, as in docs/formats.md")

    @no_translations
    def handle(self, *args: object, **options: Any) -> None:
        script = _script(options)
        try:
            with throwaway_site():
                self._rehearse(script, as_json=options["json"])
        except CannotStart as refusal:
            raise CommandError(str(refusal)) from refusal

    def _rehearse(self, script: Script, *, as_json: bool) -> None:
        tournament = prepare(script)
        report = Report(tournament)
        plan = None
        for plan in play(tournament, script):
            if not as_json:
                self.stdout.write(report.news(plan))
        if as_json and plan is not None:
            self.stdout.write(json.dumps(print_plan(plan), ensure_ascii=False))
        elif plan is not None:
            self.stdout.write(report.end(plan))


def _script(options: dict[str, Any]) -> Script:
    players = options["players"].split(",")
    unknown = [name for name in players if name not in PLAYERS]
    if unknown:
        raise CommandError(f"no built-in player {unknown[0]!r}; there are {', '.join(sorted(PLAYERS))}")
    if options["entries"] < 2:
        raise CommandError("a tournament needs 2 entries or more")
    targets = RULESETS[options["ruleset"]].targets
    target = options["target"] or targets[0]
    if target not in targets:
        raise CommandError(f"{options['ruleset']} is played to {', '.join(map(str, targets))}")
    return Script(
        entries=options["entries"],
        ruleset=options["ruleset"],
        seed=options["seed"],
        format=options["format"],
        players=players,
        target=target,
        round_cap=options["round_cap"] or None,
        settings=_settings(options),
    )


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    """The format's settings; stages unless told otherwise: two groups, whose best two go on."""
    usual: dict[str, Any] = {"third_place": True} if options["third_place"] else {}
    if options["format"] == Format.STAGES:
        usual["stages"] = [
            {"format": "round_robin", "groups": 2},
            {"format": "single_elimination", "qualify": 2},
        ]
    try:
        given: dict[str, Any] = usual | json.loads(options["rules"])
        read_settings({"format": options["format"], **given})
    except (ValueError, TypeError, PlanError) as error:
        raise CommandError(f"--rules: {error}") from error
    return given
