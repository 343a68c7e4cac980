"""What was changed in the settings of a format, by the names of its form: for the log of acts."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments.format_form import SCORES, TIEBREAKS, FormatForm
from tournaments.formats.settings import Points
from tournaments.models import Format

# What it is about; before; after.
Line = tuple[str, str, str]
Say = Callable[[str | None], str]
NOTHING = "—"
PLAIN: Mapping[str, Any] = {"groups": 1, "best_of": 1, "reset": True, "third_place": False, "double": False}


def format_lines(before: Mapping[str, Any], after: Mapping[str, Any], name: Say) -> Iterator[Line]:
    """The lines of what differs. `name` says an entrant's name."""
    yield from _own(before, after, name)
    old, new = before.get("stages") or [], after.get("stages") or []
    for place in range(max(len(old), len(new))):
        stage_before, stage_after = (listed[place] if place < len(listed) else {} for listed in (old, new))
        for what, was, now in _own(stage_before, stage_after, name):
            yield _("Stage %(place)s: %(what)s") % {"place": place + 1, "what": what}, was, now


def _own(before: Mapping[str, Any], after: Mapping[str, Any], name: Say) -> Iterator[Line]:
    for key in [*dict.fromkeys([*_ORDER, *before, *after])]:
        if key == "stages" or before.get(key) == after.get(key):
            continue
        if key == "points":
            yield from _points(before.get(key) or {}, after.get(key) or {})
        else:
            yield _label(key), _said(key, before.get(key), name), _said(key, after.get(key), name)


_ORDER = ("format", "groups", "rounds", "double", "third_place", "reset", "best_of", "qualify", "points")


def _label(key: str) -> str:
    labels = {
        "format": _("Format"),
        "tiebreaks": _("Tie-breaks"),
        "forbidden": _("Pairs that should not meet"),
    }
    if key in labels:
        return labels[key]
    known = FormatForm.base_fields.get(key)
    return str(known.label) if known is not None else key


def _said(key: str, value: Any, name: Say) -> str:
    value = PLAIN.get(key) if value is None else value
    if value is None or value in ([], ""):
        return NOTHING
    if key == "format":
        return str(Format(value).label)
    if key == "tiebreaks":
        return _(", ").join(str(TIEBREAKS.get(one, one)) for one in value)
    if key == "forbidden":
        return _(", ").join(" – ".join(name(ident) for ident in pair) for pair in value)
    if key in ("best_of", "reset"):
        field: Any = FormatForm.base_fields[key]
        return str(dict(field.choices)[str(int(value))])
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


def _points(before: Mapping[str, int], after: Mapping[str, int]) -> Iterator[Line]:
    old, new = Points(**before), Points(**after)
    labels = FormatForm(chosen=Format.SWISS).points
    for score, field in zip(SCORES, labels, strict=True):
        was, now = getattr(old, score), getattr(new, score)
        if was != now:
            yield _("Points: %(what)s") % {"what": field.label}, str(was), str(now)
