"""What decided a pairing, in a sentence with its numbers, as a player understands it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.text import isolate
from tournaments.formats.results import Pairing
from tournaments.points import points_pair
from tournaments.series import matches, points_of

Say = Callable[[str | None], str]
Item = Mapping[str, Any]


def because(
    pairing: Pairing, items: Sequence[Item], name: Say, *, target: int, cap: int | None, best_of: int
) -> str:
    """The sentence; empty where there is nothing to say.

    Args:
        pairing: as it stands.
        items: what the log has of it, in order.
        name: an entrant's name, isolated.
        target: the points a match is played to.
        cap: the round cap.
        best_of: how many matches at most.
    """
    if pairing.status != "done":
        return _so_far(pairing, items, name, best_of)
    item = _deciding(pairing, items)
    said = {"winner": name(pairing.winner), "loser": name(_loser(pairing)), "target": target}
    if best_of > 1 and pairing.score is not None:
        return _of_several(pairing, items, said, best_of)
    match pairing.decided_by:
        case "target" if item.get("cause") == "resigned":
            return _("%(loser)s resigned the match.") % said
        case "target" if item.get("late"):
            return _late(item["late"], said)
        case "target":
            return _("%(winner)s reached %(target)s first, %(score)s.") % (said | _score(pairing))
        case "round-cap" | "last-round" | "draw":
            return _played_out(pairing, item, said, cap)
        case "bye":
            return _("%(winner)s had no opponent.") % said
        case "walkover":
            return _walkover(pairing, said)
        case "forfeit":
            return _forfeit(item, said)
        case "double-forfeit":
            return _nobody(item)
        case "ruling":
            return _ruling(item, said)
    return ""


def _of_several(pairing: Pairing, items: Sequence[Item], said: dict[str, Any], best_of: int) -> str:
    """What the matches of a pairing came to."""
    assert pairing.score is not None
    if pairing.winner is None:
        return _("Each side won as many matches as the other: a draw.")
    said |= {"score": max(pairing.score), "matches": best_of}
    played = matches(pairing, items)
    if not played:
        return _("%(winner)s won %(score)s of at most %(matches)s matches.") % said
    said["points"] = points_of(played, pairing.sides.index(pairing.winner))
    return _("%(winner)s won %(score)s of at most %(matches)s matches: %(points)s.") % said


def _so_far(pairing: Pairing, items: Sequence[Item], name: Say, best_of: int) -> str:
    """How a pairing stands of which a match was played; nothing where it is but one."""
    played = matches(pairing, items) if pairing.status == "ready" and best_of > 1 else []
    if not played:
        return ""
    first, second = pairing.sides
    said = {"first": name(first), "second": name(second), "matches": best_of, "points": points_of(played, 0)}
    return _("So far, of at most %(matches)s matches, %(first)s against %(second)s: %(points)s.") % said


def _deciding(pairing: Pairing, items: Sequence[Item]) -> Item:
    """The newest of these that says what the pairing was decided by, between these two sides."""
    for item in reversed(items):
        if "sides" in item and list(item["sides"]) != list(pairing.sides):
            continue
        if pairing.decided_by in _decides(item):
            return item
    return {}


def _decides(item: Item) -> tuple[str, ...]:
    """What a pairing can be decided by that has this in its record."""
    if "winner" in item:
        return ("ruling",)
    if "side" in item:
        return ("forfeit", "double-forfeit")
    kinds = {"draw": ("draw", "last-round"), "no-result": ("double-forfeit",)}
    return kinds.get(item.get("kind", ""), (item.get("kind", ""),))


def _loser(pairing: Pairing) -> str | None:
    others = [side for side in pairing.sides if side != pairing.winner]
    return others[0] if others else None


def _score(pairing: Pairing) -> dict[str, str]:
    """The points as a sentence has them, the winner's first."""
    if pairing.score is None:
        return {"score": ""}
    first, second = pairing.score
    if pairing.winner is not None and pairing.winner == pairing.sides[1]:
        first, second = second, first
    return {"score": points_pair(first, second)}


def _played_out(pairing: Pairing, item: Item, said: dict[str, Any], cap: int | None) -> str:
    """After the last round allowed, or when the time was up."""
    said |= _score(pairing)
    when = _when(item, cap)
    if pairing.decided_by == "draw":
        return _("Level, %(score)s, %(when)s: a draw.") % (said | {"when": when})
    if pairing.decided_by == "last-round":
        rounds = (item.get("time") or {}).get("rounds", cap)
        said |= {"when": when, "rounds": rounds}
        if rounds is None:
            return (
                _("Level, %(score)s, %(when)s; %(winner)s gained in the last round, so they go through.")
                % said
            )
        return (
            _("Level, %(score)s, %(when)s; %(winner)s gained in round %(rounds)s, so they go through.") % said
        )
    return _("%(winner)s had more points, %(score)s, %(when)s.") % (said | {"when": when})


def _when(item: Item, cap: int | None) -> str:
    time = item.get("time")
    if time:
        return ngettext(
            "when time was up after %(minutes)s minute",
            "when time was up after %(minutes)s minutes",
            time["minutes"] or 0,
        ) % {"minutes": time["minutes"]}
    if cap is None:
        return _("after the last round allowed")
    return ngettext("after %(rounds)s round", "after %(rounds)s rounds", cap) % {"rounds": cap}


def _walkover(pairing: Pairing, said: dict[str, Any]) -> str:
    if None in pairing.sides:
        return _("%(winner)s met nobody: both who could have come are out.") % said
    return _("%(loser)s are out of the tournament, so %(winner)s go through without play.") % said


def _forfeit(item: Item, said: dict[str, Any]) -> str:
    late = item.get("late")
    if late:
        return _late(late, said)
    if item.get("cause") == "resigned":
        return _("%(loser)s resigned the match.") % said
    if item.get("reason"):
        return _("%(loser)s forfeited: %(reason)s") % (said | {"reason": isolate(item["reason"])})
    return _("%(loser)s forfeited the match.") % said


def _late(late: Item, said: dict[str, Any]) -> str:
    said |= {"missing": isolate(_(", ").join(late.get("missing", ()))), "minutes": late.get("minutes")}
    if not late.get("minutes"):
        return _("%(loser)s did not come in time (%(missing)s).") % said
    return (
        ngettext(
            "%(loser)s were not at the table after %(minutes)s minute (%(missing)s).",
            "%(loser)s were not at the table after %(minutes)s minutes (%(missing)s).",
            late["minutes"],
        )
        % said
    )


def _nobody(item: Item) -> str:
    if item.get("late"):
        return _("Neither side was at the table in time: both forfeit.")
    if item.get("kind") == "no-result":
        return _("The table ended without a result, twice: both sides forfeit.")
    return _("Neither side may go on: both are out.")


def _ruling(item: Item, said: dict[str, Any]) -> str:
    if item.get("reason"):
        return _("The referee ruled for %(winner)s: %(reason)s") % (
            said | {"reason": isolate(item["reason"])}
        )
    return _("The referee ruled for %(winner)s.") % said
