"""A tournament's settings in words, and what an organiser should think about before it is published."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from math import ceil, log2
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import Absence
from tournaments.format_form import TIEBREAKS
from tournaments.models import Access, Format, LatePolicy, LimitPolicy, Pace, Seeding

FEWEST = 2


def outline(fields: Mapping[str, Any]) -> list[str]:
    """Sentences that say what such a tournament is; `fields` are those of `making.CHANGEABLE`."""
    return [*_course(fields), *_entering(fields), *_playing(fields)]


def warnings(fields: Mapping[str, Any], pairs: int, now: datetime) -> list[str]:
    """What may not go as the organiser thinks, in a field of so many pairs."""
    return [*_format_warnings(_own(fields), pairs), *_time_warnings(fields, now)]


def _own(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"format": fields["format"], **fields["settings"]}


def _course(fields: Mapping[str, Any]) -> Iterator[str]:
    own, pairs = _own(fields), fields["capacity"]
    if own["format"] != Format.STAGES:
        yield from _stage(own, pairs)
        return
    for place, stage in enumerate(own["stages"], 1):
        pairs = min(pairs, _going_on(own["stages"], place, pairs))
        yield from (
            _("Stage %(place)s: %(what)s") % {"place": place, "what": said} for said in _stage(stage, pairs)
        )


def _going_on(stages: list[dict[str, Any]], place: int, pairs: int) -> int:
    """How many play in a stage, counted from 1."""
    if place == 1:
        return pairs
    return int(stages[place - 1]["qualify"]) * int(stages[place - 2].get("groups", 1))


def _stage(own: Mapping[str, Any], pairs: int) -> Iterator[str]:
    words = {"pairs": pairs, "matches": matches(own, pairs), "rounds": rounds(own, pairs)}
    if own["format"] == Format.SINGLE_ELIMINATION:
        yield (
            _("A lost match and you are out: %(pairs)s pairs, %(matches)s matches, %(rounds)s rounds.")
            % words
        )
        if own.get("third_place"):
            yield _("The losers of the semi-finals play for the third place.")
    elif own["format"] == Format.DOUBLE_ELIMINATION:
        yield _("Two lost matches and you are out: %(pairs)s pairs, at most %(matches)s matches.") % words
    elif own["format"] == Format.ROUND_ROBIN:
        yield from _league(own, words)
    else:
        yield (
            _(
                "Each round pairs that have done equally well meet: "
                "%(pairs)s pairs, %(rounds)s rounds, %(matches)s matches."
            )
            % words
        )
    if own.get("best_of", 1) > 1:
        yield _("Each pairing is best of %(number)s.") % {"number": own["best_of"]}
    if own.get("tiebreaks"):
        yield _("Equal points are told apart by: %(tiebreaks)s.") % {
            "tiebreaks": _listed([str(TIEBREAKS[name]) for name in own["tiebreaks"]])
        }


def _league(own: Mapping[str, Any], words: dict[str, Any]) -> Iterator[str]:
    groups = own.get("groups", 1)
    if groups > 1:
        yield (
            _(
                "In %(groups)s groups everybody meets everybody: "
                "%(pairs)s pairs, %(rounds)s rounds, %(matches)s matches."
            )
            % (words | {"groups": groups})
        )
    else:
        yield _("Everybody meets everybody: %(pairs)s pairs, %(rounds)s rounds, %(matches)s matches.") % words
    if own.get("double"):
        yield _("They meet twice, the second time with sides changed.")


def _listed(words: list[str]) -> str:
    return _(", ").join(words)


def rounds(own: Mapping[str, Any], pairs: int) -> int:
    """How many rounds a format takes with so many pairs."""
    if own["format"] == Format.SWISS:
        return int(own.get("rounds") or _unbeaten(pairs))
    if own["format"] == Format.ROUND_ROBIN:
        size: int = ceil(pairs / own.get("groups", 1))
        return (size - 1 + size % 2) * (1 + bool(own.get("double")))
    return _unbeaten(pairs)


def matches(own: Mapping[str, Any], pairs: int) -> int:
    """How many pairings are played at most, byes not among them."""
    if own["format"] == Format.SINGLE_ELIMINATION:
        return max(0, pairs - 1) + bool(own.get("third_place") and pairs > 3)
    if own["format"] == Format.DOUBLE_ELIMINATION:
        return max(0, 2 * pairs - 2) + bool(own.get("reset", True))
    if own["format"] == Format.SWISS:
        return rounds(own, pairs) * (pairs // 2)
    groups: int = own.get("groups", 1)
    sizes: list[int] = [pairs // groups + (place < pairs % groups) for place in range(groups)]
    return sum(size * (size - 1) // 2 for size in sizes) * (1 + bool(own.get("double")))


def _unbeaten(pairs: int) -> int:
    return max(1, ceil(log2(pairs))) if pairs > 1 else 1


def _entering(fields: Mapping[str, Any]) -> Iterator[str]:
    if fields["is_private"]:
        yield _("Private: seen by its officials and by those who are in it alone.")
    if fields["access"] == Access.CODE:
        yield _("Who knows the code may enter.")
    elif fields["access"] == Access.INVITATION:
        yield _("Only those whom you invite may enter.")
    if fields["verified_only"]:
        yield _("Players need a confirmed e-mail address.")
    if fields["substitutes"]:
        yield _("A pair may name a third member as substitute.")
    if minutes := fields["check_in_minutes"]:
        yield (
            ngettext(
                "Check-in lasts %(minutes)s minute: who does not say that they are there gives their place away.",
                "Check-in lasts %(minutes)s minutes: who does not say that they are there gives their place away.",
                minutes,
            )
            % {"minutes": minutes}
        )
    yield str(_SEEDING[fields["seeding"]])
    if not fields["starts_itself"]:
        yield _("It starts when you say so.")


_SEEDING: dict[str, Any] = {
    Seeding.LOT: gettext_lazy("The seeds are drawn by a lot that anyone can check."),
    Seeding.RATING: gettext_lazy("The seeds follow the ratings."),
    Seeding.HAND: gettext_lazy("You set the seeds."),
}


def _playing(fields: Mapping[str, Any]) -> Iterator[str]:
    if fields["pace"] == Pace.FREE:
        yield _("A match begins as soon as both sides are free.")
    elif fields["break_minutes"] is None:
        yield _("Round by round: you open each.")
    else:
        yield (
            ngettext(
                "Round by round, with %(minutes)s minute in between.",
                "Round by round, with %(minutes)s minutes in between.",
                fields["break_minutes"],
            )
            % {"minutes": fields["break_minutes"]}
        )
    yield from _late(fields)
    if minutes := fields["limit_minutes"]:
        yield (
            _(
                "After %(minutes)s minutes a match is stopped: the deal in play is finished, then the points decide."
            )
            if fields["limit_policy"] == LimitPolicy.DEAL
            else _("After %(minutes)s minutes a match is stopped: the points of the finished deals decide.")
        ) % {"minutes": minutes}
    if fields["absence"] == Absence.CLOCK:
        yield _("For who is away the clock plays, not a bot.")
    if fields["holds_results"]:
        yield _("A result counts once both sides have confirmed it, or after %(minutes)s minutes.") % {
            "minutes": fields["objection_minutes"]
        }


def _late(fields: Mapping[str, Any]) -> Iterator[str]:
    if minutes := fields["late_minutes"]:
        yield (
            _("Who is not at the table after %(minutes)s minutes forfeits the match.")
            if fields["late_policy"] == LatePolicy.FORFEIT
            else _("Who is not at the table after %(minutes)s minutes is a matter for the referee.")
        ) % {"minutes": minutes}
    else:
        yield _("Nobody forfeits for being late: bots or the clock play for them.")


def _format_warnings(own: Mapping[str, Any], pairs: int) -> Iterator[str]:
    if own["format"] == Format.STAGES:
        for place, stage in enumerate(own["stages"], 1):
            yield from _format_warnings(stage, min(pairs, _going_on(own["stages"], place, pairs)))
        yield from _qualifying(own["stages"], pairs)
    if own["format"] == Format.SWISS:
        yield from _rematches(own, pairs)
    if own["format"] == Format.ROUND_ROBIN and pairs < FEWEST * own.get("groups", 1):
        yield _("%(groups)s groups are too many for %(pairs)s pairs: some would have nobody to play.") % {
            "groups": own.get("groups", 1),
            "pairs": pairs,
        }


def _rematches(own: Mapping[str, Any], pairs: int) -> Iterator[str]:
    wanted = rounds(own, pairs)
    most = pairs - 1 + pairs % 2
    words = {"rounds": wanted, "pairs": pairs, "most": most}
    if wanted > most:
        yield (
            _(
                "%(pairs)s pairs can play %(most)s rounds without meeting twice; in %(rounds)s rounds some meet again."
            )
            % words
        )
    elif wanted == most and pairs > FEWEST:
        yield (
            _(
                "In %(rounds)s rounds %(pairs)s pairs all meet each other. "
                "Choose the round robin: it never runs into a rematch."
            )
            % words
        )
    elif wanted > (pairs + 1) // 2 and pairs > FEWEST:
        yield (
            _(
                "%(rounds)s rounds are many for %(pairs)s pairs: in the last ones a rematch may be needed. "
                "It is then avoided as far as possible, and the tournament goes on."
            )
            % words
        )


def _qualifying(stages: list[dict[str, Any]], pairs: int) -> Iterator[str]:
    for place in range(2, len(stages) + 1):
        before = min(pairs, _going_on(stages, place - 1, pairs))
        if _going_on(stages, place, pairs) >= before:
            yield _("Everybody goes on to stage %(place)s: nobody is out before it.") % {"place": place}


def _time_warnings(fields: Mapping[str, Any], now: datetime) -> Iterator[str]:
    if fields["round_cap"] is None and not fields["limit_minutes"]:
        yield _("Without a round cap and without a time limit a match may last very long.")
    starts, minutes = fields.get("starts_at"), fields["check_in_minutes"] + fields["seeding_minutes"]
    if not isinstance(starts, datetime) or starts.tzinfo is None:
        return
    if minutes and starts - timedelta(minutes=minutes) <= now:
        yield _(
            "Check-in or the seeding preview would have to begin before now: there is too little time until the start."
        )
    if starts - now > timedelta(days=400):
        yield _("The start is more than a year away.")
