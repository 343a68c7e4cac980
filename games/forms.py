"""What people fill in to find a match, to open a table and to take a seat."""

from typing import Any

from django import forms
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.fields import DigitsField
from accounts.models import User
from accounts.queries import find_player, search_players
from accounts.text import isolate
from games.models import WHOLE_DEAL, Ruleset, Table, Visibility
from games.rules.ruleset import RULESETS, UnknownOption, read_options
from games.speeds import CUSTOM, SPEEDS, speed_of

TARGETS = sorted({target for ruleset in RULESETS.values() for target in ruleset.targets})
TURN_SECONDS = (10, 15, 20, 30, 60)
SHORTEST_TURN, LONGEST_TURN = 1, 600
LONGEST_BANK = 1800
LONGEST_CAP = 500
MOST_ALIKE = 3


def _said_later(seconds: int) -> str:
    return ngettext("%d second later", "%d seconds later", seconds) % seconds


# A lazy plural is no longer lazy once its number is in it.
_later = lazy(_said_later, str)


WATCH_DELAYS = [
    (0, _("the table as it is")),
    *((seconds, _later(seconds)) for seconds in (10, 30, 60)),
    (WHOLE_DEAL, _("each deal once it is over")),
]
RELIABILITIES = [
    ("", _("everybody")),
    *((str(least), format_lazy(_("reliability {least} or more"), least=least)) for least in (50, 70, 85, 95)),
]
SPEED_CHOICES = [("fast", _("Fast")), ("normal", _("Normal")), ("slow", _("Slow"))]
_SWITCHES = ("redouble", "double_defenders")


class PlayerField(forms.CharField):
    """A player with an account, by name in any spelling; who was meant is suggested where there is none."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=64, **more)

    def clean(self, value: Any) -> Any:
        name = super().clean(value)
        if not name:
            return None
        player = find_player(name)
        if player is None or not player.is_active or player.is_guest:
            raise forms.ValidationError(_unknown(name), code="unknown")
        return player

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        typed = {"autocomplete": "off", "spellcheck": "false", "dir": "auto", "data-names": ""}
        return {**super().widget_attrs(widget), **typed}


def _unknown(name: str) -> str:
    alike = [isolate(player.username) for player in search_players(name, limit=MOST_ALIKE)]
    if not alike:
        return gettext("There is no player of this name.")
    return gettext("There is no player of this name. Did you mean: %(names)s?") % {"names": " · ".join(alike)}


class QuickForm(forms.Form):
    """What one wants to play at once, and with whom."""

    ruleset = forms.ChoiceField(
        label=_("Rules"), choices=Ruleset.choices, initial=Ruleset.KOTCHINA, widget=forms.RadioSelect
    )
    speed = forms.ChoiceField(
        label=_("Speed"), choices=SPEED_CHOICES, initial="normal", widget=forms.RadioSelect
    )
    partner = PlayerField(
        label=_("With a partner"),
        required=False,
        help_text=_("A player's name; they are asked first. Empty: you play with whoever comes."),
    )
    rated = forms.BooleanField(
        label=_("Rated"), required=False, help_text=_("Only with four people who have accounts.")
    )
    bots = forms.BooleanField(
        label=_("After 30 seconds bots may take the free seats"),
        required=False,
        initial=True,
        help_text=_("Only where all who wait with you agree; such a match is not rated."),
    )

    def __init__(self, *args: Any, reader: User | None = None, **more: Any) -> None:
        super().__init__(*args, **more)
        self.reader = reader

    def clean_partner(self) -> User | None:
        partner: User | None = self.cleaned_data["partner"]
        if partner is not None and self.reader is not None and partner.pk == self.reader.pk:
            raise forms.ValidationError(gettext("Name somebody else: nobody is their own partner."))
        return partner


def quick_initial(text: str) -> dict[str, Any]:
    """What the form of quick match begins with, from what `quick_memory` noted, where anything may stand."""
    ruleset, speed, rated, bots = (text.split(".") + [""] * 4)[:4]
    if ruleset not in Ruleset.values or speed not in SPEEDS:
        return {}
    return {"ruleset": ruleset, "speed": speed, "rated": rated == "1", "bots": bots == "1"}


def quick_memory(chosen: dict[str, Any]) -> str:
    """What was chosen for quick match, for the next time."""
    return f"{chosen['ruleset']}.{chosen['speed']}.{int(chosen['rated'])}.{int(chosen['bots'])}"


class MatchForm(forms.Form):
    """What is played: a ruleset, to one of its targets, at a pace; when spectators see it."""

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
    call_seconds = DigitsField(
        label=_("Seconds a call"),
        required=False,
        min_value=SHORTEST_TURN,
        max_value=LONGEST_TURN,
        help_text=_("Empty: as for a card."),
    )
    watch_delay = forms.TypedChoiceField(
        label=_("What spectators see"),
        choices=WATCH_DELAYS,
        coerce=int,
        required=False,
        empty_value=0,  # type: ignore[arg-type]
        initial=0,
        widget=forms.RadioSelect,
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
    """A new table. An empty `round_cap` is the ruleset's own, 0 is none.

    Without a `speed`, or with a custom one, `turn_seconds` are for a card and, where `call_seconds` is empty,
    for a call as well.
    """

    speed = forms.ChoiceField(
        label=_("Speed"),
        choices=[*SPEED_CHOICES, (CUSTOM, _("Custom"))],
        initial="normal",
        required=False,
        widget=forms.RadioSelect,
    )
    turn_seconds = DigitsField(
        label=_("Seconds a card"),
        initial=20,
        required=False,
        min_value=SHORTEST_TURN,
        max_value=LONGEST_TURN,
    )
    bank_seconds = DigitsField(
        label=_("Time bank, in seconds"),
        required=False,
        min_value=0,
        max_value=LONGEST_BANK,
        help_text=_("For each player and the whole match; it runs only once a turn's own time is over."),
    )
    visibility = forms.ChoiceField(
        label=_("Who may come"),
        choices=[(Visibility.PUBLIC, _("Everybody")), (Visibility.LINK, _("Only who has the link"))],
        initial=Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )
    rated = forms.BooleanField(
        label=_("Rated"), required=False, help_text=_("Only with four people who have accounts.")
    )
    free_chat = forms.BooleanField(
        label=_("Free chat"),
        required=False,
        help_text=_(
            "Beside the phrases, words of one's own. In rated matches not while the cards are in play."
        ),
    )
    min_reliability = forms.TypedChoiceField(
        label=_("Who may sit down"),
        choices=RELIABILITIES,
        coerce=int,
        required=False,
        empty_value=None,
        widget=forms.RadioSelect,
        help_text=_(
            "Reliability is the memory of the last thirty matches: who leaves, or lets the clock play, loses some."
        ),
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
        self._settle_pace(cleaned)
        if name := cleaned.get("ruleset"):
            cleaned["options"] = self._options(name, cleaned)
        return cleaned

    def opening(self) -> dict[str, Any]:
        """The choices as the service takes them."""
        return {name: self.cleaned_data[name] for name in _OPENING}

    def _settle_pace(self, cleaned: dict[str, Any]) -> None:
        speed = SPEEDS.get(cleaned.get("speed", ""))
        if speed is not None:
            for name in ("call_seconds", "turn_seconds", "bank_seconds"):
                self.errors.pop(name, None)
            cleaned.update(call_seconds=speed.call, turn_seconds=speed.card, bank_seconds=speed.bank)
        elif cleaned.get("turn_seconds") is None and "turn_seconds" not in self.errors:
            self.add_error("turn_seconds", self.fields["turn_seconds"].error_messages["required"])
        else:
            cleaned["bank_seconds"] = cleaned.get("bank_seconds") or 0

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


_OPENING = (
    *("ruleset", "target", "options", "visibility", "rated", "free_chat", "watch_delay", "min_reliability"),
    *("call_seconds", "turn_seconds", "bank_seconds"),
)


def initial_like(table: Table) -> dict[str, Any]:
    """What the form of a new table begins with, so that it opens one like another."""
    call = table.call_seconds or table.turn_seconds
    cap = table.options.get("round_cap", "")
    return {
        **{name: getattr(table, name) for name in _OPENING if name != "options"},
        "speed": speed_of(call, table.turn_seconds, table.bank_seconds),
        "round_cap": 0 if cap is None else cap,
        **{switch: bool(table.options.get(switch)) for switch in _SWITCHES},
    }


class SeatForm(forms.Form):
    """A seat."""

    seat = forms.IntegerField(min_value=0, max_value=3)


class SitForm(SeatForm):
    """A seat to take. `salt`: the hex digits that the player adds to the shuffle."""

    salt = forms.RegexField(r"\A[0-9a-fA-F]*\Z", max_length=32, required=False, strip=False)
