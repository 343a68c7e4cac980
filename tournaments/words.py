"""What is said of pairings in words: the names of rounds, the reasons of a win."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments.formats.names import Name, read_name
from tournaments.models.choices import Format

Words = str | Promise

# One word under the score.
REASONS: dict[str, Words] = {
    "target": pgettext_lazy("decided by", "target"),
    "round-cap": pgettext_lazy("decided by", "round cap"),
    "last-round": pgettext_lazy("decided by", "last round"),
    "draw": pgettext_lazy("decided by", "draw"),
    "bye": pgettext_lazy("decided by", "bye"),
    "walkover": pgettext_lazy("decided by", "walkover"),
    "forfeit": pgettext_lazy("decided by", "forfeit"),
    "double-forfeit": pgettext_lazy("decided by", "both out"),
    "ruling": pgettext_lazy("decided by", "ruling"),
}

# The whole of it, for who wants to know.
SENTENCES: dict[str, Words] = {
    "target": gettext_lazy("Reached the target first."),
    "round-cap": gettext_lazy("Had more points when the last round allowed was played."),
    "last-round": gettext_lazy(
        "Level at the round cap: recorded as a draw. The side that gained in the last counted round goes through."
    ),
    "draw": gettext_lazy("Level at the round cap: a draw."),
    "bye": gettext_lazy("Nobody was to come on the other side: goes through without play."),
    "walkover": gettext_lazy("The other side is out of the tournament: goes through without play."),
    "forfeit": gettext_lazy("The other side gave the match up or did not come."),
    "double-forfeit": gettext_lazy(
        "Nobody played, or neither side may go on: both are out. The next opponent goes through without play."
    ),
    "ruling": gettext_lazy("The organiser decided."),
}

# What standings order by: its name, and what it is.
TIEBREAKS: dict[str, tuple[Words, Words]] = {
    "points": (
        gettext_lazy("Points"),
        gettext_lazy("What the pairings gave, as the rules of this tournament say."),
    ),
    "match_points": (gettext_lazy("match points"), gettext_lazy("Single matches won at a table.")),
    "wins": (
        gettext_lazy("wins"),
        gettext_lazy("Pairings won, by play, forfeit, ruling or without an opponent."),
    ),
    "head_to_head": (
        gettext_lazy("head-to-head"),
        gettext_lazy("Points from the pairings with those who are level so far."),
    ),
    "score_difference": (
        gettext_lazy("score difference"),
        gettext_lazy("Own score less the opponents', over all pairings that have one."),
    ),
    "deals_won": (gettext_lazy("deals won"), gettext_lazy("Counted rounds won at a table.")),
    "contracts_made": (gettext_lazy("contracts made"), gettext_lazy("Own contracts made at a table.")),
    "buchholz": (
        gettext_lazy("Buchholz (the opponents' points)"),
        gettext_lazy("The points of the opponents met at a table; byes and forfeits give nothing."),
    ),
    "median_buchholz": (
        gettext_lazy("median Buchholz"),
        gettext_lazy("The opponents' points without the strongest and the weakest of them."),
    ),
    "sonneborn_berger": (
        gettext_lazy("Sonneborn-Berger"),
        gettext_lazy("The points of those beaten, and half of those drawn with, at a table."),
    ),
    "last_round": (
        gettext_lazy("who won the last round"),
        gettext_lazy("Drawn matches in which the last counted round was gained."),
    ),
    "play_off": (gettext_lazy("a play-off"), gettext_lazy("Play-offs won.")),
    "lot": (
        gettext_lazy("the lot"),
        gettext_lazy("A number drawn for each pair; the greater goes first. Anyone can check it."),
    ),
}


def round_name(distance: int) -> str:
    """A round's name by its distance to the final: 0 the final, 1 the semi-finals, 4 the round of 32."""
    if distance == 0:
        return _("Final")
    if distance == 1:
        return _("Semi-finals")
    if distance == 2:
        return _("Quarter-finals")
    return _("Round of %(pairs)s") % {"pairs": 2 ** (distance + 1)}


class Names:
    """What the rounds and pairings of one tournament are called, the same wherever they are spoken of.

    An elimination's rounds go by their distance to the final, from the end; so they are worked out once, of all
    pairings that there are. The words are chosen when they are asked for, in the reader's language.
    """

    def __init__(self, settings: Mapping[str, Any], pairings: Iterable[str]) -> None:
        """
        Args:
            settings: as a tournament file has them.
            pairings: the ids of all pairings.
        """
        stages = settings.get("stages") if settings["format"] == "stages" else None
        self.formats: dict[int, str] = (
            {number: stage["format"] for number, stage in enumerate(stages, 1)}
            if stages
            else {0: settings["format"]}
        )
        self._last: dict[tuple[int, str], int] = {}
        for pairing in pairings:
            name = read_name(pairing)
            part = name.stage, name.part
            self._last[part] = max(self._last.get(part, 0), name.round)

    def last(self, stage: int, part: str) -> int:
        """The number of the last round of a part; 0 where there is none."""
        return self._last.get((stage, part), 0)

    def stage(self, number: int) -> str:
        """A stage with its format: "Stage 1: Swiss"."""
        said = {"place": number, "what": Format(self.formats[number]).label}
        return _("Stage %(place)s: %(what)s") % said

    def round(self, key: str) -> str:
        """A round by its name in the file: "Quarter-finals", "Losers' round 2", "Round 3"."""
        name = read_name(key)
        return self._staged(name, self._round(name))

    def pairing(self, pairing: str) -> str:
        """A pairing as a sentence calls it: "Semi-final 2", "Losers' round 2, match 1", "Third place"."""
        name = read_name(pairing)
        return self._staged(name, self._pairing(name))

    def _round(self, name: Name) -> str:
        match name.part:
            case "P":
                return _("Third place")
            case "PO":
                return _("Play-off %(number)s") % {"number": name.round}
            case "GF":
                return _("Grand final") if name.round == 1 else _("Grand final, second match")
            case "W" | "L":
                return _side_round(name, self._distance(name))
        if self._is_elimination(name):
            return round_name(self._distance(name))
        return _("Round %(round)s") % {"round": name.round}

    def _pairing(self, name: Name) -> str:
        if name.number is None:
            return self._round(name)
        distance = self._distance(name)
        if self._is_elimination(name):
            return _match_name(distance, name.number)
        said = {"round": self._round(name), "number": name.number, "group": name.group}
        if name.part == "W" and distance == 1:
            return _("Winners' semi-final %(number)s") % said
        if name.part in "WL" and distance == 0:
            return self._round(name)
        if name.group:
            return _("Group %(group)s, %(round)s, match %(number)s") % said
        return _("%(round)s, match %(number)s") % said

    def _is_elimination(self, name: Name) -> bool:
        return name.part == "R" and self.formats.get(name.stage) == Format.SINGLE_ELIMINATION

    def _distance(self, name: Name) -> int:
        return max(0, self.last(name.stage, name.part) - name.round)

    def _staged(self, name: Name, words: str) -> str:
        """With the stage in front, where another stage has rounds of the same names."""
        if not name.stage or len(self._alike(name.stage)) < 2:
            return words
        return _("Stage %(place)s: %(what)s") % {"place": name.stage, "what": words}

    def _alike(self, stage: int) -> list[int]:
        kind = _KINDS.get(self.formats.get(stage, ""))
        return [number for number, format_ in self.formats.items() if _KINDS[format_] == kind]


# Formats whose rounds have the same names.
_KINDS: dict[str, int] = {
    Format.SINGLE_ELIMINATION: 1,
    Format.DOUBLE_ELIMINATION: 2,
    Format.ROUND_ROBIN: 3,
    Format.SWISS: 3,
}


def _side_round(name: Name, distance: int) -> str:
    said = {"round": name.round}
    if name.part == "L":
        return _("Losers' final") if distance == 0 else _("Losers' round %(round)s") % said
    if distance == 0:
        return _("Winners' final")
    return _("Winners' semi-finals") if distance == 1 else _("Winners' round %(round)s") % said


def _match_name(distance: int, match: int) -> str:
    number = {"number": match}
    if distance == 0:
        return _("Final")
    if distance == 1:
        return _("Semi-final %(number)s") % number
    if distance == 2:
        return _("Quarter-final %(number)s") % number
    return _("Round of %(pairs)s, match %(number)s") % {"pairs": 2 ** (distance + 1), **number}


def part_name(part: str) -> str:
    """A part of a bracket: the one where nobody has lost yet, and the one of those who have lost once."""
    return {"W": _("Winners' bracket"), "L": _("Losers' bracket")}.get(part, _("Bracket"))


def group_name(number: int) -> str:
    """A group of a round robin."""
    return _("Group %(number)s") % {"number": number}


def pairing_name(pairing: str, round_: int, last: int) -> str:
    """What a pairing of a single elimination with so many rounds is called."""
    return _("Third place") if pairing == "P3" else _match_name(last - round_, read_name(pairing).number or 1)
