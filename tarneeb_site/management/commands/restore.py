"""`manage.py restore DIR`: an empty database and no pictures become what they were."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tarneeb_site.backups import NotDone, restore


class Command(BaseCommand):
    help = "Restores a backup into an empty database and an empty directory of pictures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        try:
            note = restore(directory)
        except NotDone as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"restored what was kept at {note['at']}; check it with: manage.py verify")
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.stdout.write("the program is newer than the backup: manage.py migrate")
