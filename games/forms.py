"""What people fill in to open a table and to take a seat."""

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.fields import DigitsField
from games.models import WHOLE_DEAL, Ruleset, Visibility
from games.rules.ruleset import RULESETS, UnknownOption, read_options

TARGETS = sorted({target for ruleset in RULESETS.values() for target in ruleset.targets})
TURN_SECONDS = (10, 15, 20, 30, 60)
SHORTEST_TURN, LONGEST_TURN = 1, 600
LONGEST_BANK = 1800
LONGEST_CAP = 500
WATCH_DELAYS = [
    (0, _("the table as it is")),
    *((seconds, ngettext_lazy("%d second later", "%d seconds later") % seconds) for seconds in (10, 30, 60)),
    (WHOLE_DEAL, _("each deal once it is over")),
]
_SWITCHES = ("redouble", "double_defenders")


class MatchForm(forms.Form):
    """What is played: a ruleset, to one of its targets, at a pace."""

    ruleset = forms.ChoiceField(
        label=_("Rules"), choices=Ruleset.choices, initial=Ruleset.KOTCHINA, widget=forms.RadioSelect
    )
    target = DigitsField(
        label=_("Play to"),
        initial=31,
        widget=forms.RadioSelect(choices=[(target, target) for target in TARGETS]),
    )
    turn_seconds = DigitsField(
        label=_("Seconds a turn"),
        initial=20,
        min_value=SHORTEST_TURN,
        max_value=LONGEST_TURN,
        widget=forms.RadioSelect(choices=[(seconds, seconds) for seconds in TURN_SECONDS]),
    )

    @property
    def targets(self) -> dict[str, tuple[int, ...]]:
        """What each ruleset is played to."""
        return {name: ruleset.targets for name, ruleset in RULESETS.items()}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        ruleset, target = cleaned.get("ruleset"), cleaned.get("target")
        if ruleset and target is not None and target not in RULESETS[ruleset].targets:
            listed = " · ".join(str(number) for number in RULESETS[ruleset].targets)
            self.add_error("target", gettext("These rules are played to %(targets)s.") % {"targets": listed})
        return cleaned


class TableForm(MatchForm):
    """A new table. An empty `round_cap` is the ruleset's own, 0 is none."""

    visibility = forms.ChoiceField(
        label=_("Who may come"),
        choices=[(Visibility.PUBLIC, _("Everybody")), (Visibility.LINK, _("Only who has the link"))],
        initial=Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )
    round_cap = DigitsField(
        label=_("Most counted rounds"),
        required=False,
        min_value=0,
        max_value=LONGEST_CAP,
        help_text=_("Empty: as the rules say (50 in Kotchina, no limit elsewhere). 0: no limit."),
    )
    redouble = forms.BooleanField(
        label=_("Redouble"),
        required=False,
        help_text=_("The bidding side may answer a double: its points count four times."),
    )
    double_defenders = forms.BooleanField(
        label=_("A double counts for both sides"),
        required=False,
        help_text=_("The defenders' points are multiplied as well."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if name := cleaned.get("ruleset"):
            cleaned["options"] = self._options(name, cleaned)
        return cleaned

    def _options(self, name: str, cleaned: dict[str, Any]) -> dict[str, int | bool | None]:
        ruleset = RULESETS[name]
        given: dict[str, int | bool | None] = {switch: True for switch in _SWITCHES if cleaned.get(switch)}
        if cleaned.get("round_cap") is not None:
            given["round_cap"] = cleaned["round_cap"] or None
        try:
            return read_options(ruleset, given).changed(ruleset)
        except UnknownOption:
            self.add_error(None, gettext("Only Egyptian Tarneeb has doubles to choose."))
            return {}


class SitForm(forms.Form):
    """A seat to take. `salt`: the hex digits that the player adds to the shuffle."""

    seat = forms.IntegerField(min_value=0, max_value=3)
    salt = forms.RegexField(r"\A[0-9a-fA-F]*\Z", max_length=32, required=False, strip=False)
