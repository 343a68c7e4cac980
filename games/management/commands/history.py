"""Makes the rows of the players' histories anew from the finished matches."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.services import histories


class Command(BaseCommand):
    help = "Write what is missing of the players' histories; --rebuild: write all of it anew."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--rebuild", action="store_true", help="also what is there already")

    def handle(self, *args: Any, rebuild: bool, **options: Any) -> None:
        written = histories.rebuild() if rebuild else histories.complete()
        self.stdout.write(f"{written} matches")
