"""What one may look for among the finished matches of a player."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.digits import fold_digits
from games.contracts import LEVELS, ME, OPPONENTS, PARTNER
from games.forms import SPEED_CHOICES
from games.models import Outcome, Ruleset
from games.speeds import CUSTOM

ANY = ("", _("all"))
LONGEST = 60
WHO = [
    (str(ME), _("the player")),
    (str(PARTNER), _("the partner")),
    (str(OPPONENTS), _("the opponents")),
]
TRUMPS = [
    ("S", _("spades")),
    ("H", _("hearts")),
    ("D", _("diamonds")),
    ("C", _("clubs")),
    ("N", _("no trump")),
]
MADE = [("1", pgettext_lazy("contract", "made")), ("0", pgettext_lazy("contract", "failed"))]


class TypedDateField(forms.DateField):
    """A day, from a calendar or typed with the digits of any keyboard, the year first."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    input_formats = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d")

    def to_python(self, value: Any) -> Any:
        return super().to_python(fold_digits(value.strip()) if isinstance(value, str) else value)


def _text(label: Any) -> forms.CharField:
    # What is only looked for needs no address book: a part of the name, in any spelling.
    typed = {"autocomplete": "off", "spellcheck": "false", "dir": "auto"}
    return forms.CharField(
        label=label, max_length=LONGEST, required=False, widget=forms.TextInput(attrs=typed)
    )


def _choice(label: Any, choices: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=[ANY, *choices], required=False)


class HistoryForm(forms.Form):
    """Everything is optional; what is given must all be so."""

    opponent = _text(_("Opponent"))
    partner = _text(_("Partner"))
    tournament = _text(_("Tournament"))
    ruleset = _choice(_("Rules"), Ruleset.choices)
    speed = _choice(_("Speed"), [*SPEED_CHOICES, (CUSTOM, _("Custom"))])
    rated = _choice(_("Rated"), [("1", _("rated")), ("0", _("not rated"))])
    result = _choice(_("Result"), Outcome.choices)
    since = TypedDateField(label=_("From"), required=False)
    until = TypedDateField(label=_("Up to"), required=False)
    who = _choice(_("Declarer"), WHO)
    level = _choice(_("Bid"), [(str(level), str(level)) for level in LEVELS])
    trump = _choice(_("Trump"), TRUMPS)
    made = _choice(_("The contract was"), MADE)

    CONTRACT = ("who", "level", "trump", "made")

    def clean_level(self) -> str:
        """The tricks as they came: a choice."""
        return fold_digits(self.cleaned_data["level"])

    def clean(self) -> dict[str, Any] | None:
        """A span of days runs forwards."""
        found = super().clean() or self.cleaned_data
        since, until = found.get("since"), found.get("until")
        if since and until and since > until:
            self.add_error("until", _("The last day comes before the first."))
        return found

    def contract_fields(self) -> list[forms.BoundField]:
        """The fields about one contract: a match is found where one deal of it fits all of them."""
        return [self[name] for name in self.CONTRACT]

    def match_fields(self) -> list[forms.BoundField]:
        """The other fields."""
        return [self[name] for name in self.fields if name not in self.CONTRACT]


class StatisticsForm(forms.Form):
    """Which matches the numbers are about."""

    ruleset = _choice(_("Rules"), Ruleset.choices)
    speed = _choice(_("Speed"), [*SPEED_CHOICES, (CUSTOM, _("Custom"))])
    rated = _choice(_("Rated"), [("1", _("rated")), ("0", _("not rated"))])
    period = _choice(
        pgettext_lazy("statistics", "Time"),
        [("month", _("the last 30 days")), ("quarter", _("the last 3 months")), ("year", _("the last year"))],
    )
