"""What an act changed, in words: what was and what is, for the log of acts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.text import isolate, moment_text
from tournaments.format_changes import format_lines
from tournaments.models import Act, ObjectionState, Role, Seeding, State, Tournament

# What it is about, empty where that is clear; before; after.
Line = tuple[str, str, str]
Say = Callable[[str | None], str]
# A long list of entrants would bury the log.
MOST_NAMED = 20
ANSWERS = dict(ObjectionState.choices)
LABELS: Mapping[str, Mapping[str, Any]] = {
    "objection-upheld": ANSWERS,
    "objection-dismissed": ANSWERS,
    "withdraw-objection": ANSWERS,
    "official": dict(Role.choices),
    "state": dict(State.choices),
    "seeds": dict(Seeding.choices),
}


# Acts that note a moment: an hour that was set, when something began.
MOMENTS = (
    *("round-time", "open-round", "pause", "resume", "check-in", "check-out"),
    *("invite-official", "revoke-invite"),
)


def told(act: Act, name: Say) -> Iterator[Line]:
    """The lines of an act. `name` says an entrant's name, isolated. What its sentence tells is not told again."""
    if act.kind == "settings":
        yield from _settings(act.before or {}, act.after or {}, name)
    elif act.kind == "import" and isinstance(act.after, dict):
        yield from _imported(act.after, name)
    elif act.kind == "seeds" and isinstance(act.after, dict):
        before = act.before or {}
        yield from ((name(ident), _text(before.get(ident)), _text(seed)) for ident, seed in act.after.items())
    else:
        line = ("", _words(act.kind, act.before, name), _words(act.kind, act.after, name))
        if any(line):
            yield line


def moment_words(text: str) -> str:
    """A moment as JSON holds it, in words; other text as it is."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return isolate(moment_text(moment)) if moment.tzinfo else text


def _words(kind: str, value: Any, name: Say) -> str:
    """One side of an act that changed one thing."""
    if value is None or kind == "announce":
        return ""
    if isinstance(value, str):
        return moment_words(value) if kind in MOMENTS else str(LABELS.get(kind, {}).get(value, value))
    if isinstance(value, dict):
        return _facts(value)
    if isinstance(value, list):
        return _listed(_meeting(one, name) for one in value)
    if kind == "start":
        return ngettext("%(count)s pair", "%(count)s pairs", value) % {"count": value}
    return _text(value)


def _facts(value: Mapping[str, Any]) -> str:
    """Facts that a service noted beside its act."""
    if "missing" in value:
        return _listed(isolate(one) for one in value["missing"])
    if "seconds" in value:
        minutes = max(1, round(value["seconds"] / 60))
        return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    if "score" in value and "type" not in value:
        return isolate("{}:{}".format(*value["score"]))
    return ""


def _meeting(one: Any, name: Say) -> str:
    """An entrant or a player of a list, or two entrants that must not meet."""
    if isinstance(one, list):
        return " – ".join(name(ident) for ident in one)
    return name(one) if is_ident(one) else isolate(_text(one))


def is_ident(value: Any) -> bool:
    """Whether this is an entrant's id."""
    return isinstance(value, str) and value[:1] == "e" and value[1:].isdecimal()


def _imported(value: Mapping[str, Any], name: Say) -> Iterator[Line]:
    made = value.get("new", [])
    if made:
        yield _("new pairs"), "", _listed(name(ident) for ident in made)
    for ident, columns in value.get("changed", {}).items():
        pairs = list(columns.values())
        yield (
            name(ident),
            _listed(_text(old) for old, _new in pairs),
            _listed(_text(new) for _old, new in pairs),
        )


def _settings(before: Mapping[str, Any], after: Mapping[str, Any], name: Say) -> Iterator[Line]:
    for key in sorted({**before, **after}):
        if key == "settings":
            yield from format_lines(before.get(key) or {}, after.get(key) or {}, name)
            continue
        try:
            field: Any = Tournament._meta.get_field(key)
        except FieldDoesNotExist:
            continue
        old, new = _value(field, before.get(key)), _value(field, after.get(key))
        # What is nobody's to read, as the code to enter.
        yield (str(field.verbose_name), *(("", _("changed")) if old == new else (old, new)))


def _value(field: Any, value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if value is None or value == "" or value == []:
        return "—"
    if isinstance(value, dict):
        return ""
    if isinstance(value, list):
        return _listed(_text(one) for one in value)
    if field.get_internal_type() == "DateTimeField":
        return moment_words(value)
    return str(dict(field.flatchoices).get(value, value))


def _text(value: Any) -> str:
    return "—" if value is None or value == "" else str(value)


def _listed(words: Iterable[str]) -> str:
    listed = list(words)
    shown, more = listed[:MOST_NAMED], len(listed) - MOST_NAMED
    if more > 0:
        shown.append(ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more})
    return _(", ").join(shown)
