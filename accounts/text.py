"""Names and moments inside sentences of plain text."""

from datetime import datetime, timedelta

from django.utils import formats, timezone

FIRST_STRONG_ISOLATE = "\N{FIRST STRONG ISOLATE}"
LEFT_TO_RIGHT_ISOLATE = "\N{LEFT-TO-RIGHT ISOLATE}"
POP_ISOLATE = "\N{POP DIRECTIONAL ISOLATE}"


def isolate(text: object) -> str:
    """The text between isolates, so that its direction does not reach the sentence around it."""
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"


def moment_text(moment: datetime) -> str:
    """A moment in the language of the page and the zone it is shown in, which stands beside it."""
    local = timezone.localtime(moment)
    zone = f"{LEFT_TO_RIGHT_ISOLATE}({_zone(local.utcoffset() or timedelta())}){POP_ISOLATE}"
    return f"{formats.date_format(local, 'DATETIME_FORMAT')} {zone}"


def _zone(offset: timedelta) -> str:
    """What a zone is away from UTC: "UTC", "UTC+3", "UTC−3:30"."""
    if not offset:
        return "UTC"
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    sign = "+" if offset > timedelta() else "\N{MINUS SIGN}"
    return f"UTC{sign}{hours}{f':{minutes:02}' if minutes else ''}"
