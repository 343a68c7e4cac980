"""The settings of a tournament as fields of a form, but for those of its format."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.countries import countries
from accounts.fields import DigitsField
from games.forms import LONGEST_BANK, LONGEST_CAP, MatchForm
from games.models import Absence
from tournaments.forms import DEFAULT_CAP, LARGEST, SMALLEST, LocalTimeField
from tournaments.models import Access, Format, LatePolicy, LimitPolicy, Pace, Seeding
from tournaments.zone_names import ZoneField

DAY = 24 * 60
LARGEST_RATING = 9999


def _minutes(label: Any, help_text: Any = "", *, least: int = 0, most: int = DAY, initial: Any = None) -> Any:
    return DigitsField(
        label=label, help_text=help_text, required=False, min_value=least, max_value=most, initial=initial
    )


def _radio(label: Any, choices: Any, initial: str, help_text: Any = "") -> Any:
    return forms.ChoiceField(
        label=label,
        choices=choices,
        initial=initial,
        help_text=help_text,
        required=False,
        widget=forms.RadioSelect,
    )


def _box(label: Any, help_text: Any = "") -> Any:
    return forms.BooleanField(label=label, help_text=help_text, required=False)


class SettingFields(MatchForm):
    """An empty `round_cap` is 50 whatever the rules, 0 none. Times are local to `time_zone`."""

    name = forms.CharField(label=_("Name"), min_length=2, max_length=80)
    format = forms.ChoiceField(
        label=_("Format"), choices=Format.choices, initial=Format.SINGLE_ELIMINATION, widget=forms.RadioSelect
    )
    capacity = DigitsField(
        label=_("Pairs, at most"),
        initial=16,
        min_value=SMALLEST,
        max_value=LARGEST,
        help_text=_("Who comes later stands on the waiting list."),
    )
    round_cap = DigitsField(
        label=_("Most counted rounds in a match"),
        initial=DEFAULT_CAP,
        required=False,
        min_value=0,
        max_value=LONGEST_CAP,
        help_text=_(
            "Then more points win; if level, who gained in the last round goes through. 0: no limit."
        ),
    )
    bank_seconds = DigitsField(
        label=_("Seconds in the time bank"),
        initial=60,
        required=False,
        min_value=0,
        max_value=LONGEST_BANK,
        help_text=_("Each player's for a whole match, drawn once the time of a turn is up."),
    )
    absence = _radio(
        _("For absent players"),
        [(Absence.BOT, _("a bot sits in")), (Absence.CLOCK, _("the clock plays"))],
        Absence.BOT,
    )
    starts_at = LocalTimeField(label=_("Starts at"))
    time_zone = ZoneField(label=_("Time zone"), required=False)
    later = forms.TypedChoiceField(
        label=_("Which of the two?"),
        choices=[("0", _("the first")), ("1", _("the second"))],
        coerce=lambda value: value == "1",
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )
    description = forms.CharField(
        label=_("What players should know"),
        max_length=4000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Prizes, where to ask, house rules."),
    )
    is_private = _box(_("Private"), _("Seen by its officials and by those who are in it alone."))
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        initial=True,
        help_text=_("Matches played to their end move the ratings; forfeits and rulings never do."),
    )
    embeddable = forms.BooleanField(label=_("Other sites may show its bracket"), required=False, initial=True)

    access = _radio(_("Who may enter"), Access.choices, Access.OPEN)
    entry_code = forms.CharField(
        label=_("Code"), max_length=24, required=False, help_text=_("You give it to whom you want to play.")
    )
    registration_opens_at = LocalTimeField(
        label=_("Registration opens"), required=False, help_text=_("Empty: at once.")
    )
    registration_closes_at = LocalTimeField(
        label=_("Registration closes"), required=False, help_text=_("Empty: as late as possible.")
    )
    verified_only = _box(_("Only players with a confirmed e-mail address"))
    min_rating = DigitsField(label=_("Lowest rating"), required=False, min_value=0, max_value=LARGEST_RATING)
    max_rating = DigitsField(label=_("Highest rating"), required=False, min_value=0, max_value=LARGEST_RATING)
    min_reliability = DigitsField(
        label=_("Lowest reliability"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=_("Of each player, from 1 to 100; see the page of ratings. Empty: everybody may enter."),
    )
    regions = forms.MultipleChoiceField(
        label=_("Only players from"),
        choices=countries,
        required=False,
        help_text=_("None chosen: everywhere."),
    )
    substitutes = _box(_("Pairs may name a third member as substitute"))
    check_in_minutes = _minutes(
        _("Minutes of check-in"), _("In them each pair says that it is there. 0: no check-in."), initial=0
    )
    seeding_minutes = _minutes(
        _("Minutes of seeding preview"),
        _("Before the start the seeds are shown, and you may change them. 0: none."),
        initial=0,
    )
    seeding = _radio(_("Seeding"), Seeding.choices, Seeding.LOT)
    starts_itself = _radio(
        _("At the hour"),
        [("1", _("it starts by itself")), ("0", _("it waits until you start it"))],
        "1",
    )

    pace = _radio(_("Played"), Pace.choices, Pace.FREE)
    break_minutes = _minutes(
        _("Minutes between rounds"), _("Empty: you open each round yourself."), most=7 * DAY
    )
    call_minutes = _minutes(
        _("Absent players are called after minutes"), _("Empty: nobody is called."), least=1
    )
    late_minutes = _minutes(_("They are late after minutes"), _("Empty: they are waited for."), least=1)
    late_policy = _radio(_("Who is late"), LatePolicy.choices, LatePolicy.FORFEIT)
    limit_minutes = _minutes(_("Longest match in minutes"), _("Empty: no limit."), least=5)
    limit_policy = _radio(_("When that time is up"), LimitPolicy.choices, LimitPolicy.DEAL)
    holds_results = _box(
        _("Results wait until both sides confirm them, or until the time for objections is over")
    )
    objection_minutes = _minutes(_("Minutes to object"), least=1, initial=15)
