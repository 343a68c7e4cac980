import sys

from django.core.management.base import BaseCommand

from tarneeb_site.up import main


class Command(BaseCommand):
    help = "Starts the whole site with its embedded servers; Ctrl-C stops it. See docs/operating.md."

    def handle(self, *args: object, **options: object) -> None:
        sys.exit(main())
