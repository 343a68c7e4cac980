"""What an error page may show, should a site for trying out meet people: no value that may hold a card."""

from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter

# Where hands, decks and secrets pass: the game itself, and the way to the database and back.
CLOSED = ("games", "django.db", "psycopg")


class CardsHidden(SafeExceptionReporterFilter):
    """Shows no variable of the code through which cards pass."""

    def get_traceback_frame_variables(
        self, request: HttpRequest | None, tb_frame: FrameType
    ) -> ItemsView[str, Any]:
        name = f"{tb_frame.f_globals.get('__name__', '')}."
        if name.startswith(tuple(f"{closed}." for closed in CLOSED)):
            return {}.items()
        return super().get_traceback_frame_variables(request, tb_frame)
