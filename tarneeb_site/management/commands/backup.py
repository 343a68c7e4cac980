"""`manage.py backup DIR`: all that is kept, into a new directory."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tarneeb_site.backups import NotDone, back_up


class Command(BaseCommand):
    help = "Writes the database and the pictures into a new directory. The site may go on meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        try:
            back_up(directory, now=timezone.now())
        except NotDone as error:
            raise CommandError(str(error)) from error
        size = sum(file.stat().st_size for file in directory.iterdir())
        self.stdout.write(f"{directory}: {size / 1024**2:.1f} MB")
