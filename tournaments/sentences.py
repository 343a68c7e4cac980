"""What was done in a tournament, in words: items of its log that people put there, acts that everybody may see."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.text import isolate, moment_text
from tournaments.models import Act, State
from tournaments.words import REASONS, Names

Item = Mapping[str, Any]
Say = Callable[[str | None], str]


def item_sentence(item: Item, names: Names, name: Say) -> str:
    """An item of the log. `name` says an entrant's name, isolated."""
    kind = item["type"]
    if kind in _LEAVING:
        return str(_LEAVING[kind]) % {"pair": name(item["entrant"])}
    match kind:
        case "enter":
            return _("%(pair)s came in late.") % {"pair": name(item["entrant"]["id"])}
        case "adjust":
            return _adjusted(item, name)
        case "play_off":
            first, second = item["entrants"]
            return _("%(first)s and %(second)s play off.") % {"first": name(first), "second": name(second)}
        case "round" if item.get("by") == "hand":
            return _("Round %(round)s was paired by hand.") % {"round": item["round"]}
        case "round":
            return _("Round %(round)s was paired.") % {"round": item["round"]}
        case "undo":
            return _("The newest correction was taken back.")
        case "correct" if item.get("match"):
            said = _said(item, names, name) | {"match": item["match"]}
            return _("%(pairing)s, match %(match)s, was corrected: %(outcome)s.") % said
        case "correct":
            return _("%(pairing)s was corrected: %(outcome)s.") % _said(item, names, name)
    return _("%(pairing)s was decided: %(outcome)s.") % _said(item, names, name)


_LEAVING: dict[str, Promise] = {
    "withdraw": gettext_lazy("%(pair)s withdrew."),
    "disqualify": gettext_lazy("%(pair)s were disqualified."),
    "reenter": gettext_lazy("%(pair)s came back."),
}


def _said(item: Item, names: Names, name: Say) -> dict[str, str]:
    return {"pairing": names.pairing(item["pairing"]), "outcome": _outcome(item, name)}


def _outcome(item: Item, name: Say) -> str:
    sides = [name(side) for side in item.get("sides") or (None, None)]
    if "winner" in item:
        return _("%(pair)s go through by ruling") % {"pair": sides[item["winner"]]}
    if item.get("side") == "both":
        return _("both sides forfeit")
    if "side" in item:
        return _("%(pair)s forfeit") % {"pair": sides[item["side"]]}
    if item.get("kind") == "no-result":
        return _("the table ended without a result")
    reason = REASONS.get("last-round" if item["kind"] == "draw" else item["kind"], item["kind"])
    return f"{versus(sides, item['score'])} ({reason})"


def versus(names: Sequence[str], score: Sequence[int] | None) -> str:
    """Two sides, each with its points behind its name, so that neither language has to guess whose they are."""
    if score is None:
        return " – ".join(names)
    return " – ".join(f"{name} {points_words(points)}" for name, points in zip(names, score, strict=True))


def points_words(points: int) -> str:
    """A number of points inside a sentence: left to right, with a true minus."""
    return isolate(f"\N{LEFT-TO-RIGHT MARK}{points}".replace("-", "\N{MINUS SIGN}"))


def _adjusted(item: Item, name: Say) -> str:
    points = item["points"]
    said = {"pair": name(item["entrant"]), "points": abs(points)}
    if points < 0:
        return (
            ngettext("%(pair)s: %(points)s point taken.", "%(pair)s: %(points)s points taken.", -points)
            % said
        )
    return ngettext("%(pair)s: %(points)s point given.", "%(pair)s: %(points)s points given.", points) % said


def act_sentence(act: Act, names: Names | None) -> str:
    """A public act in words; empty for one that is told elsewhere."""
    if act.kind == "round-time" and names is not None:
        return _round_time(act, names)
    if act.kind == "open-round" and names is not None:
        return _("%(round)s was opened.") % {"round": names.round(act.subject)}
    if act.kind == "time-limit" and names is not None:
        return _("%(pairing)s: the time is up.") % {"pairing": names.pairing(act.subject)}
    if act.kind in _ANSWERS and names is not None:
        return str(_ANSWERS[act.kind]) % {"pairing": names.pairing(act.subject)}
    if act.kind == "state" and act.after in State.values:
        return _("The tournament is now: %(state)s.") % {"state": State(act.after).label}
    return str(_ACTS.get(act.kind, ""))


def with_own_note(sentence: str, act: Act | None) -> str:
    """The sentence of an act, and that whoever did it plays in the match it was about, where it was so."""
    if act is None or not act.is_own or act.actor is None:
        return sentence
    note = _("%(official)s plays in this match.") % {"official": isolate(act.actor.username)}
    return f"{sentence} {note}"


_ACTS: dict[str, Promise] = {
    "pause": gettext_lazy("The tournament was paused: all clocks stand still."),
    "resume": gettext_lazy("The tournament goes on."),
    "settings": gettext_lazy("The settings were changed."),
    "start": gettext_lazy("The tournament was started."),
    "seeds": gettext_lazy("The order of the seeds was changed."),
    "outage": gettext_lazy("The site was away: all deadlines were moved by that time."),
}


_ANSWERS: dict[str, Promise] = {
    "objection-upheld": gettext_lazy("%(pairing)s: an objection was upheld."),
    "objection-dismissed": gettext_lazy("%(pairing)s: an objection was dismissed."),
}


def _round_time(act: Act, names: Names) -> str:
    said = {"round": names.round(act.subject)}
    if not act.after:
        return _("%(round)s has no fixed hour any more.") % said
    when = isolate(moment_text(datetime.fromisoformat(act.after)))
    return _("%(round)s begins %(when)s.") % (said | {"when": when})
