"""What an organiser chooses about a format, or about one of its stages, as a tournament file states it."""

from collections.abc import Mapping
from typing import Any, get_args

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.fields import DigitsField
from tournaments.formats.settings import Points, Tiebreak
from tournaments.models import Format

MOST_GROUPS = 64
MOST_ROUNDS = 60
MOST_POINTS = 100
LARGEST_SEED = 2**31 - 1
STAGES = ("s1", "s2", "s3")
SCORES = ("win", "draw", "loss", "bye", "forfeit")

TIEBREAKS: dict[str, str | Promise] = {
    "match_points": _("match points"),
    "wins": _("wins"),
    "head_to_head": _("head-to-head"),
    "score_difference": _("score difference"),
    "deals_won": _("deals won"),
    "contracts_made": _("contracts made"),
    "buchholz": _("Buchholz (the opponents' points)"),
    "median_buchholz": _("median Buchholz"),
    "sonneborn_berger": _("Sonneborn-Berger"),
    "last_round": _("who won the last round"),
    "play_off": _("a play-off"),
    "lot": _("the lot"),
}
TIEBREAK_FIELDS = tuple(f"tiebreak_{place}" for place in range(1, len(get_args(Tiebreak)) + 1))

# Which of the fields each format reads. What is as a tournament file has it by itself is not written down.
_TABLE = ("seed", "points", "tiebreaks")
READ: dict[str, tuple[str, ...]] = {
    Format.SINGLE_ELIMINATION: ("third_place", "best_of"),
    Format.DOUBLE_ELIMINATION: ("reset", "best_of"),
    Format.ROUND_ROBIN: ("groups", "double", "best_of", *_TABLE),
    Format.SWISS: ("rounds", "best_of", *_TABLE),
}
_PLAIN = {"third_place": False, "reset": True, "groups": 1, "double": False, "rounds": None, "best_of": 1}

_YES_OR_NO = {"coerce": lambda value: value == "1", "required": False, "widget": forms.RadioSelect}


class FormatForm(forms.Form):
    """A format that is played at once, or a stage. `READ` says which fields count for which format."""

    third_place = forms.BooleanField(
        label=_("The losers of the semi-finals play for the third place"), required=False
    )
    reset = forms.TypedChoiceField(
        label=_("Grand final"),
        choices=[
            ("1", _("who has not lost yet must be beaten twice")),
            ("0", _("one match decides")),
        ],
        initial="1",
        empty_value=True,  # type: ignore[arg-type]
        **_YES_OR_NO,  # type: ignore[arg-type]
    )
    groups = DigitsField(
        label=_("Groups"),
        required=False,
        initial=1,
        min_value=1,
        max_value=MOST_GROUPS,
        help_text=_("Pairs are spread over them by their seeds."),
    )
    double = forms.BooleanField(label=_("Everybody meets everybody twice"), required=False)
    rounds = DigitsField(
        label=_("Rounds"),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text=_("Empty: as many as it takes to leave one unbeaten, 5 for 32 pairs."),
    )
    best_of = forms.TypedChoiceField(
        label=_("A pairing is"),
        choices=[("1", _("one match")), ("3", _("best of 3")), ("5", _("best of 5"))],
        coerce=int,
        empty_value=1,  # type: ignore[arg-type]
        initial="1",
        required=False,
        widget=forms.RadioSelect,
    )
    qualify = DigitsField(
        label=_("How many go on"),
        required=False,
        min_value=1,
        max_value=1024,
        help_text=_("From each group, where there are groups."),
    )
    seed = DigitsField(
        label=_("Number for lots"),
        required=False,
        min_value=0,
        max_value=LARGEST_SEED,
        help_text=_(
            "Every lot follows from it and can be checked. Empty: drawn, and published at the start."
        ),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        prefix: str | None = None,
        stored: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        chosen: str = "",
    ) -> None:
        """`stored`: settings to begin with. `chosen`: the format, where that is asked elsewhere."""
        known = fields_of(stored or {}) | dict(initial or {})
        super().__init__(data, prefix=prefix, initial=known)
        self.chosen = chosen
        if prefix is not None:
            self.fields["format"] = forms.ChoiceField(
                label=_("Format"), choices=_stage_choices(prefix), required=False
            )
        for name, standard in zip(SCORES, _points_of({}), strict=True):
            self.fields[f"points_{name}"] = _points_field(name, standard)
        for place, name in enumerate(TIEBREAK_FIELDS, 1):
            self.fields[name] = forms.ChoiceField(
                label=str(place), choices=[("", "—"), *TIEBREAKS.items()], required=False
            )

    @property
    def format(self) -> str:
        """The format that was chosen; empty for a stage that there is not."""
        return self.chosen or self.cleaned_data.get("format", "")

    @property
    def points(self) -> list[forms.BoundField]:
        return [self[f"points_{name}"] for name in SCORES]

    @property
    def tiebreaks(self) -> list[forms.BoundField]:
        return [self[name] for name in TIEBREAK_FIELDS]

    def clean_best_of(self) -> int:
        return int(self.cleaned_data["best_of"] or 1)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chosen = [cleaned[name] for name in TIEBREAK_FIELDS if cleaned.get(name)]
        if len(set(chosen)) < len(chosen):
            self.add_error(TIEBREAK_FIELDS[0], gettext("Each tie-break stands in the list once."))
        cleaned["tiebreaks"] = chosen or None
        given = {name: cleaned.get(f"points_{name}") for name in SCORES}
        standard = dict(zip(SCORES, _points_of({}), strict=True))
        cleaned["points"] = {
            name: value for name, value in given.items() if value is not None and value != standard[name]
        }
        return cleaned

    def settings(self) -> dict[str, Any]:
        """What a tournament file says of it, but for `format` and `qualify`."""
        chosen = {name: self.cleaned_data.get(name) for name in READ.get(self.format, ())}
        return {
            name: value
            for name, value in chosen.items()
            if value not in (None, {}) and value != _PLAIN.get(name)
        }


def fields_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The form's fields, as they say what a tournament file says."""
    plain = ("format", "third_place", "groups", "double", "rounds", "best_of", "qualify", "seed")
    found: dict[str, Any] = {name: settings[name] for name in plain if name in settings}
    if "reset" in settings:
        found["reset"] = "1" if settings["reset"] else "0"
    for name, points in settings.get("points", {}).items():
        found[f"points_{name}"] = points
    return found | dict(zip(TIEBREAK_FIELDS, settings.get("tiebreaks") or (), strict=False))


def _points_of(given: Mapping[str, int]) -> tuple[int, ...]:
    points = Points(**given)
    return tuple(getattr(points, name) for name in SCORES)


def _points_field(name: str, standard: int) -> DigitsField:
    labels = {
        "win": _("A win"),
        "draw": _("A draw"),
        "loss": _("A loss"),
        "bye": _("A round without an opponent"),
        "forfeit": _("A match forfeited"),
    }
    field = DigitsField(label=labels[name], required=False, min_value=-MOST_POINTS, max_value=MOST_POINTS)
    field.widget.attrs["placeholder"] = str(standard)
    return field


def _stage_choices(prefix: str) -> list[tuple[str, Any]]:
    played: list[tuple[str, Any]] = [choice for choice in Format.choices if choice[0] != Format.STAGES]
    return played if prefix != STAGES[-1] else [("", _("none")), *played]
