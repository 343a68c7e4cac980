"""What people fill in about tournaments: times, a partner's name, an organiser's decision."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.digits import fold_digits
from accounts.fields import DigitsField
from accounts.models import User
from accounts.queries import find_player, search_players
from accounts.text import isolate
from tournaments.services import rulings
from tournaments.services.deciding import ABOUT_ENTRANTS
from tournaments.zones import DoubledTime, SkippedTime

DEFAULT_CAP = 50
SMALLEST, LARGEST = 2, 10_240
LAST_YEAR = 2200
LARGEST_SCORE = 9999
MOST_ALIKE = 3


def _as_choices(*values: str) -> list[tuple[str, str]]:
    return [(value, value) for value in values]


class LocalTimeField(forms.CharField):
    """A local date and time as browsers send it, or a moment with its offset; any keyboard's digits."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        try:
            read = parse_datetime(fold_digits(text).strip().replace(" ", "T", 1))
        except ValueError:
            read = None
        if read is None or read.year > LAST_YEAR:
            raise forms.ValidationError(
                gettext("Enter a date and a time, as in 2027-03-20 20:30."), code="invalid"
            )
        return read


def skipped_words(error: SkippedTime) -> str:
    """Why a local time cannot be meant, and which are near."""
    return gettext(
        "The clocks go forward over this time: it does not exist there. Choose %(before)s or earlier, or %(after)s."
    ) % {"before": f"{error.before:%H:%M}", "after": f"{error.after:%H:%M}"}


def doubled_words(error: DoubledTime) -> str:
    """Why a local time can be meant in two ways."""
    return gettext(
        "The clocks go back that night and show this time twice: first at UTC%(first)s, then at UTC%(second)s."
    ) % {"first": error.first.isoformat()[-6:], "second": error.second.isoformat()[-6:]}


class PartnerForm(forms.Form):
    """Whom to enter with, by the name everybody sees."""

    partner = forms.CharField(label=_("Your partner's name"), max_length=64)

    def clean_partner(self) -> User:
        return known_player(self.cleaned_data["partner"])


def known_player(name: str) -> User:
    """The player of a name. Raises: ValidationError that names whom it may mean."""
    player = find_player(name)
    if player is None or not player.is_active:
        raise forms.ValidationError(_unknown(name), code="unknown")
    return player


def _unknown(name: str) -> str:
    alike = [isolate(player.username) for player in search_players(name, limit=MOST_ALIKE)]
    if not alike:
        return gettext("There is no player of this name.")
    return gettext("There is no player of this name. Did you mean: %(names)s?") % {"names": " · ".join(alike)}


class DecisionForm(forms.Form):
    """An organiser's decision, as the fields of its log item. Which of them count depends on `type`.

    `choice` says several at once, as a button can: `forfeit-0`, `rule-1`, `correct-draw-0`, `correct-target`,
    `correct-no-result`.
    `later-<pairing>`, as often as needed: `stand`, `swap`, `replay` or `bye`. `give-<entrant>`: points to make up
    for it.
    """

    type = forms.ChoiceField(choices=_as_choices(*rulings.OFFERED))
    pairing = forms.CharField(max_length=16, required=False)
    entrant = forms.CharField(max_length=16, required=False)
    side = forms.ChoiceField(choices=_as_choices("0", "1", "both"), required=False)
    winner = forms.ChoiceField(choices=_as_choices("0", "1"), required=False)
    outcome = forms.ChoiceField(
        choices=_as_choices("target", "round-cap", "draw", "no-result", "forfeit", "rule"), required=False
    )
    score_0 = DigitsField(required=False, min_value=-LARGEST_SCORE, max_value=LARGEST_SCORE)
    score_1 = DigitsField(required=False, min_value=-LARGEST_SCORE, max_value=LARGEST_SCORE)
    match = DigitsField(required=False, min_value=1, max_value=9)
    points = DigitsField(required=False, min_value=-LARGEST_SCORE, max_value=LARGEST_SCORE)
    other = forms.CharField(max_length=16, required=False)
    round = forms.CharField(max_length=12, required=False)
    reason = forms.CharField(max_length=300, required=False)
    token = forms.CharField(max_length=64, required=False)

    def __init__(self, data: Mapping[str, str]) -> None:
        given = {key: str(value) for key, value in data.items()}
        super().__init__(given | _spelt_out(given.pop("choice", "")))

    def item(self) -> dict[str, Any]:
        """The log item that was meant; the services check whether it is possible."""
        given = self.cleaned_data
        kind = given["type"]
        why = {"reason": given["reason"]} if given["reason"] else {}
        if kind in ABOUT_ENTRANTS:
            return {"type": kind, "entrant": given["entrant"]} | why
        if kind == "undo":
            return {"type": kind} | why
        if kind == "adjust":
            return {"type": kind, "entrant": given["entrant"], "points": given["points"]} | why
        if kind == "round":
            return {
                "type": kind,
                "round": given["round"],
                "exchange": [given["entrant"], given["other"]],
            } | why
        if kind == "play_off":
            return {"type": kind, "entrants": [given["entrant"], given["other"]]}
        fact = self._fact(given["outcome"] if kind == "correct" else kind)
        later = {"later": self._later()} if kind == "correct" and self._later() else {}
        match = {"match": given["match"]} if kind == "correct" and given["match"] else {}
        return {"type": kind, "pairing": given["pairing"]} | match | fact | why | later

    @property
    def has_chosen(self) -> bool:
        """Whether it says what becomes of later pairings."""
        return any(self._said_of_later())

    def _said_of_later(self) -> Iterator[tuple[str, str]]:
        return ((key, value) for key, value in self.data.items() if key.startswith("later-"))

    def also(self) -> list[dict[str, Any]]:
        """What comes with it: points that make up for a wrong."""
        return [
            {"type": "adjust", "entrant": entrant, "points": points}
            for entrant, points in self.given_points().items()
            if points
        ]

    @property
    def byes(self) -> set[str]:
        """The later pairings in which the right pair is to go on without play."""
        return {key.removeprefix("later-") for key, value in self._said_of_later() if value == "bye"}

    def given_points(self) -> dict[str, int]:
        """Points by entrant, where they can be read."""
        read = {entrant: _points(text) for entrant, text in self.typed_points().items()}
        return {entrant: points for entrant, points in read.items() if points is not None}

    def typed_points(self) -> dict[str, str]:
        """Points by entrant, as typed; not those that were left empty."""
        typed = {key[5:]: value.strip() for key, value in self.data.items() if key[:5] == "give-"}
        return {entrant: text for entrant, text in typed.items() if text}

    @property
    def has_unread_points(self) -> bool:
        """Whether something was typed as points that are none."""
        return len(self.given_points()) < len(self.typed_points())

    @property
    def is_about_points(self) -> bool:
        """Whether it says with how many points a match ended."""
        return self.data.get("outcome") in ("target", "round-cap", "draw")

    def kept(self) -> dict[str, str]:
        """The fields as they were sent, but for what the preview asks itself."""
        names = [name for name in self.fields if name not in ("token", "reason")]
        return {name: self.data[name] for name in names if self.data.get(name)}

    def _fact(self, kind: str) -> dict[str, Any]:
        given = self.cleaned_data
        if kind == "forfeit":
            return {"side": "both" if given["side"] == "both" else _number(given["side"])}
        if kind == "rule":
            return {"winner": _number(given["winner"])}
        if kind == "no-result":
            return {"kind": kind}
        fact = {"kind": kind, "score": [given["score_0"], given["score_1"]]}
        return fact | ({"last_gainer": _number(given["winner"])} if kind == "draw" else {})

    def _later(self) -> dict[str, str]:
        named = {key.removeprefix("later-"): choice for key, choice in self._said_of_later()}
        return {pairing: choice for pairing, choice in named.items() if choice in ("stand", "replay")}


def _points(text: str) -> int | None:
    # What was copied from a page has a mark of direction before its sign.
    folded = fold_digits(text).strip("\N{LEFT-TO-RIGHT MARK} ")
    if not re.fullmatch("[+-]?[0-9]{1,5}", folded) or abs(int(folded)) > LARGEST_SCORE:
        return None
    return int(folded)


def _spelt_out(choice: str) -> dict[str, str]:
    """A button's choice as the fields it stands for."""
    if not choice:
        return {}
    corrects = choice.startswith("correct-")
    outcome, _, which = choice.removeprefix("correct-").rpartition("-")
    if which not in ("0", "1", "both"):
        outcome, which = choice.removeprefix("correct-"), ""
    fields = {"type": "correct", "outcome": outcome} if corrects else {"type": outcome}
    if which:
        fields["side" if outcome == "forfeit" else "winner"] = which
    return fields


def _number(text: str) -> int | None:
    return int(text) if text else None
