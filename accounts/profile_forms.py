"""The forms of what a player says of himself, and of how he wants to be told and seen."""

from collections.abc import Iterable
from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts import pushing
from accounts.countries import countries
from accounts.models import AskedBy, CardStyle, Digits, NoticeKind, User
from accounts.names import name_key
from accounts.pictures import LARGEST_FILE
from accounts.profiles import plain_line
from accounts.ways import OPTIONAL_HERE, Ways

LONGEST = 60


class PlaceForm(forms.Form):
    """Where a player is at home, if that is to be known; some tournaments are for some countries."""

    country = forms.ChoiceField(label=_("Country"), required=False)
    city = forms.CharField(label=_("City"), required=False, max_length=LONGEST)
    club = forms.CharField(
        label=_("Club"),
        required=False,
        max_length=LONGEST,
        help_text=_(
            "Your club, café or circle. However it is spelled, its players stand together in the lists."
        ),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        now = {"country": user.country, "city": user.city, "club": user.club}
        kwargs.setdefault("initial", now)
        super().__init__(*args, **kwargs)
        country = cast(forms.ChoiceField, self.fields["country"])
        country.choices = [("", _("not told")), *countries()]
        for name in ("city", "club"):
            self.fields[name].widget.attrs["dir"] = "auto"

    def clean_city(self) -> str:
        return plain_line(self.cleaned_data["city"])

    def clean_club(self) -> str:
        return plain_line(self.cleaned_data["club"])


class LooksForm(forms.Form):
    """How a player reads numbers and cards, in every browser."""

    digits = forms.ChoiceField(label=_("Digits"), required=False)
    card_style = forms.ChoiceField(label=_("Letters on the cards"), required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"digits": user.digits, "card_style": user.card_style})
        super().__init__(*args, **kwargs)
        each = ("", _("as each browser has it"))
        for name, choices in (("digits", Digits.choices), ("card_style", CardStyle.choices)):
            cast(forms.ChoiceField, self.fields[name]).choices = [each, *choices]


class PictureForm(forms.Form):
    picture = forms.FileField(
        label=_("Picture"),
        help_text=_(
            "JPEG, PNG, WebP or GIF, 2 MB at most. We keep the middle of it as a small square, and nothing else."
        ),
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png,image/webp,image/gif"}),
    )

    def clean_picture(self) -> Any:
        sent = self.cleaned_data["picture"]
        if sent.size > LARGEST_FILE:
            raise ValidationError(_("This file is larger than 2 MB."), code="too_large")
        return sent


class OpennessForm(forms.Form):
    """Who may ask, and who sees."""

    asked_by = forms.ChoiceField(
        label=_("Who may invite me by name"), choices=AskedBy.choices, widget=forms.RadioSelect
    )
    shows_play = forms.BooleanField(
        label=_("Others are led to the table where I play, and who follows me is told"),
        required=False,
        help_text=_("A public table is in the list of those to watch in any case."),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"asked_by": user.asked_by, "shows_play": user.shows_play})
        super().__init__(*args, **kwargs)


class WaysForm(forms.Form):
    """For each kind of notice, on which ways it comes."""

    wants_mail = forms.BooleanField(label=_("Send me letters at all"), required=False)

    def __init__(self, *args: Any, ways: dict[str, Ways], wants_mail: bool, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"wants_mail": wants_mail} | _initial(ways))
        super().__init__(*args, **kwargs)
        for kind in ways:
            for way in _offered(kind):
                self.fields[f"{kind}_{way}"] = forms.BooleanField(required=False, label=_WORDS[way])

    @property
    def rows(self) -> Iterable[tuple[str, list[forms.BoundField | None]]]:
        """By kind its name, and a box for each way, None where it is not a matter of choice."""
        columns = ("here", "mail", *(("push",) if pushing.is_offered() else ()))
        for kind in NoticeKind:
            fields = [self[f"{kind}_{way}"] if f"{kind}_{way}" in self.fields else None for way in columns]
            yield str(kind.label), fields

    def ways(self) -> dict[str, Ways]:
        """What was chosen; where pushing is not offered its choice stays as it was."""
        said = self.cleaned_data | {
            name: value for name, value in self.initial.items() if name not in self.fields
        }
        return {
            kind: Ways(said[f"{kind}_here"], said[f"{kind}_mail"], said[f"{kind}_push"])
            for kind in NoticeKind.values
        }


_WORDS = {"here": _("On the site"), "mail": _("By e-mail"), "push": _("On my devices")}


def _offered(kind: str) -> list[str]:
    ways = ["here"] if kind in OPTIONAL_HERE else []
    return [*ways, "mail", *(["push"] if pushing.is_offered() else [])]


def _initial(ways: dict[str, Ways]) -> dict[str, bool]:
    return {f"{kind}_{way}": getattr(chosen, way) for kind, chosen in ways.items() for way in _WORDS}


class ClosingForm(forms.Form):
    """Whoever closes the account writes its name, so that nobody does it by a slip."""

    name = forms.CharField(label=_("Write your name to go on"), max_length=LONGEST)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["name"].widget.attrs |= {"dir": "auto", "autocomplete": "off"}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name_key(name) != self.user.name_key:
            raise ValidationError(_("This is not the name of this account."), code="other_name")
        return name


def name_rule() -> str:
    """How often a name may be changed, in words."""
    said = _("You may change it once in %(rest)d days; nobody else can take the old one for %(kept)d days.")
    return str(said) % {"rest": settings.NAME_CHANGE_DAYS, "kept": settings.OLD_NAME_DAYS}
