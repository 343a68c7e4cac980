#!/usr/bin/env python
"""The door to every command of the project."""

import os
import sys


def main() -> None:
    if sys.version_info < (3, 11):
        sys.exit("tarneeb: Python 3.11 or newer is needed, this is %d.%d" % sys.version_info[:2])
    if sys.argv[1:2] == ["up"] and not {"-h", "--help"} & set(sys.argv):
        # Before Django: the settings need the addresses of the servers that it starts.
        from tarneeb_site.up import main as up

        sys.exit(up())
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tarneeb_site.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"tarneeb: {error}")
    except BrokenPipeError:
        # Who read what is printed has gone, as `head` does; at the end nothing is left to write to either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
