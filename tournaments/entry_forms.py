"""What people fill in to enter a tournament: a partner's name, a team's, a code; and what officials enter for them."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.digits import fold_digits
from accounts.fields import DigitsField
from accounts.models import User
from tournaments.forms import PartnerForm, known_player
from tournaments.models import Access, Tournament

LONGEST_NAME = 60
HIGHEST_RATING = 9999
MOST_INVITED = 500


class SpacedField(forms.CharField):
    """Words with single spaces between them."""

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        return " ".join(text.split())


class PlayerField(forms.CharField):
    """A player, by the name everybody sees."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=64, **more)

    def clean(self, value: Any) -> Any:
        name = super().clean(value).strip()
        return known_player(name) if name else None


class TeamForm(forms.Form):
    """A pair's name and club, both free to be empty."""

    name = SpacedField(label=_("Team name"), max_length=LONGEST_NAME, required=False)
    club = SpacedField(label=_("Club or town"), max_length=LONGEST_NAME, required=False)


class EntryForm(PartnerForm, TeamForm):
    """Whom to enter with; a third player and a code where the tournament knows such."""

    third = PlayerField(
        label=_("Third player, as a substitute"),
        required=False,
        help_text=_("Is asked too, and may sit in for one of you before a match."),
    )
    code = forms.CharField(label=_("Code of the tournament"), max_length=40)

    field_order = ("code", "partner", "name", "club", "third")

    def __init__(
        self, tournament: Tournament, data: Mapping[str, Any] | None = None, *, code: str = ""
    ) -> None:
        super().__init__(data, auto_id="id_%s", initial={"code": code})
        if not tournament.substitutes:
            del self.fields["third"]
        if tournament.access != Access.CODE:
            del self.fields["code"]

    def said(self) -> dict[str, Any]:
        """The choices as the service takes them."""
        given = self.cleaned_data
        return {key: given[key] for key in ("partner", "name", "club", "third", "code") if key in given}

    def field_of(self, code: str) -> str:
        """The field a refusal speaks of."""
        named = {
            "code-missing": "code",
            "code-wrong": "code",
            "name-taken": "name",
            "no-substitutes": "third",
        }.get(code, "partner")
        return named if named in self.fields else "partner"


class ThirdForm(forms.Form):
    """Whom a pair asks to be its third player."""

    third = PlayerField(label=_("Third player's name"))


class AddForm(TeamForm):
    """A pair that an official enters."""

    first = PlayerField(label=_("First player"))
    second = PlayerField(label=_("Second player"))
    rating = DigitsField(label=_("Rating"), required=False, min_value=0, max_value=HIGHEST_RATING)

    field_order = ("first", "second", "name", "club", "rating")


class RatingForm(forms.Form):
    """A pair's rating; empty: not known."""

    rating = DigitsField(label=_("Rating"), required=False, min_value=0, max_value=HIGHEST_RATING)


class GuestsForm(forms.Form):
    """Players who are invited: a name a line, or several with commas between them."""

    names = forms.CharField(
        label=_("Names of players"),
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("A name a line, or with commas between them."),
    )

    def clean_names(self) -> list[User]:
        text = self.cleaned_data["names"].replace("،", "\n").replace(",", "\n")
        names = [" ".join(line.split()) for line in text.splitlines() if line.strip()][:MOST_INVITED]
        found: list[User] = []
        for name in names:
            try:
                found.append(known_player(name))
            except forms.ValidationError as error:
                said = gettext("%(name)s: %(problem)s") % {"name": name, "problem": error.message}
                self.add_error("names", said)
        return found


class SeedsForm:
    """The seeds that were typed beside the entries, by their numbers; what is no number is left out."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.seeds: dict[int, int] = {}
        for key, value in data.items():
            entry, seed = key.removeprefix("seed-"), fold_digits(str(value)).strip()
            if key.startswith("seed-") and _is_number(entry) and _is_number(seed):
                self.seeds[int(entry)] = int(seed)


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 7
