"""Usual tournaments: what the form of a new one begins with. Everything else is as the form has it by itself."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Preset:
    """`values` are the form's fields; those of a stage have its number in front, as in "s1-groups"."""

    key: str
    name: str | Promise
    about: str | Promise
    values: dict[str, Any]


PRESETS: tuple[Preset, ...] = (
    Preset(
        "cafe",
        _("Café evening"),
        _("Knock-out for up to 16 pairs in one evening; the third place is played for."),
        {"format": "single_elimination", "third_place": True, "capacity": 16}
        | {"call_minutes": 3, "late_minutes": 10},
    ),
    Preset(
        "league",
        _("League"),
        _(
            "Everybody meets everybody. You open each round when it suits you, a week after the other perhaps."
        ),
        {"format": "round_robin", "capacity": 8, "pace": "rounds"}
        | {"call_minutes": 5, "late_minutes": 15, "late_policy": "referee"},
    ),
    Preset(
        "swiss",
        _("Swiss weekend"),
        _("Nobody is out: each round you meet pairs that have done as well as you. Up to 32 pairs."),
        {"format": "swiss", "capacity": 32, "pace": "rounds", "break_minutes": 5}
        | {"check_in_minutes": 30, "seeding_minutes": 10}
        | {"call_minutes": 3, "late_minutes": 10, "limit_minutes": 60},
    ),
    Preset(
        "groups",
        _("Groups, then knock-out"),
        _("Four groups; the two best of each go on to the quarter-finals."),
        {"format": "stages", "capacity": 16}
        | {"s1-format": "round_robin", "s1-groups": 4}
        | {"s2-format": "single_elimination", "s2-qualify": 2, "s2-third_place": True}
        | {"check_in_minutes": 20, "seeding_minutes": 10, "call_minutes": 3, "late_minutes": 10},
    ),
    Preset(
        "double",
        _("Double elimination"),
        _("Only the second lost match puts a pair out. Up to 16 pairs."),
        {"format": "double_elimination", "reset": "1", "capacity": 16}
        | {"check_in_minutes": 20, "call_minutes": 3, "late_minutes": 10},
    ),
    Preset(
        "championship",
        _("Championship"),
        _(
            "Check-in, seeds shown before the start, best of three, results that can be objected to, and officials."
        ),
        {"format": "single_elimination", "third_place": True, "best_of": "3", "capacity": 32}
        | {"verified_only": True, "substitutes": True, "check_in_minutes": 30, "seeding_minutes": 15}
        | {"seeding": "rating", "starts_itself": "0", "pace": "rounds", "break_minutes": 10}
        | {"call_minutes": 3, "late_minutes": 10, "late_policy": "referee", "holds_results": True}
        | {"objection_minutes": 15, "absence": "clock", "watch_delay": -1},
    ),
)


def preset(key: str) -> Preset:
    """The preset of a key; the first where there is none."""
    return next((found for found in PRESETS if found.key == key), PRESETS[0])
