"""What an error page may show, should a site for trying out meet people: no card, and no server's password."""

import re
from collections.abc import ItemsView
from types import FrameType
from typing import Any

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter

# Where hands, decks and secrets pass: the game itself, and the way to the database and back.
CLOSED = ("games", "django.db", "psycopg")


class CardsHidden(SafeExceptionReporterFilter):
    """Shows no variable of the code through which cards pass, and no address with a password in it."""

    hidden_settings = re.compile(
        SafeExceptionReporterFilter.hidden_settings.pattern
        + "|DATABASE_URL|REDIS_URL|BROKER_URL|CHANNEL_LAYERS",
        re.IGNORECASE,
    )

    def get_traceback_frame_variables(
        self, request: HttpRequest | None, tb_frame: FrameType
    ) -> ItemsView[str, Any]:
        name = f"{tb_frame.f_globals.get('__name__', '')}."
        if name.startswith(tuple(f"{closed}." for closed in CLOSED)):
            return {}.items()
        return super().get_traceback_frame_variables(request, tb_frame)
