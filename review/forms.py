"""The forms of reviewers. Each carries a key: sent twice, it is done once."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from review.models import ActKind, Outcome
from review.presets import ANSWERS, REASONS, both
from review.roles import allowed_acts
from review.services.cases import LONGEST_ANSWER
from review.services.sanctioning import LONGEST_BAN, LONGEST_TEXT, SCOPES, Wish

OWN_WORDS = ("", _("in my own words below"))


def _area(label: Any, longest: int, language: str) -> forms.CharField:
    attrs = {"rows": 3, "lang": language, "dir": "rtl" if language == "ar" else "ltr"}
    return forms.CharField(
        label=label, required=False, max_length=longest, widget=forms.Textarea(attrs), strip=True
    )


class Keyed(forms.Form):
    key = forms.CharField(widget=forms.HiddenInput, required=False, max_length=36)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.initial.setdefault("key", str(uuid4()))


class InBothLanguages(Keyed):
    """A preset, or own words in both languages; own words count where there are any."""

    presets: dict[str, Promise | str]
    preset = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        field = self.fields["preset"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [OWN_WORDS, *self.presets.items()]
        for name in ("words_ar", "words_en"):
            self.fields[name].widget.attrs["id"] = f"{self.prefix or 'answer'}-{name}"

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        own = data.get("words_ar", ""), data.get("words_en", "")
        chosen = self.presets.get(data.get("preset", ""))
        if chosen is not None and not any(own):
            data["words_ar"], data["words_en"] = both(chosen)
        elif not all(own):
            raise forms.ValidationError(
                _("Say it in both languages: people read it in theirs."), code="no-answer"
            )
        return data


class CloseForm(InBothLanguages):
    presets = ANSWERS
    preset = forms.ChoiceField(label=_("What those who reported are told"), required=False)
    words_ar = _area(_("In Arabic"), LONGEST_ANSWER, "ar")
    words_en = _area(_("In English"), LONGEST_ANSWER, "en")
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        choices=[(one.value, one.label) for one in (Outcome.DISMISSED, Outcome.UPHELD)],
    )


class ReasonForm(Keyed):
    """One reason, for the log: of a hint that is closed, a sanction that is lifted, a match that is restored."""

    reason = forms.CharField(
        label=_("Why, for the log"), max_length=1000, widget=forms.Textarea({"rows": 2, "dir": "auto"})
    )


class HintForm(ReasonForm):
    outcome = CloseForm.base_fields["outcome"]


class VoidForm(InBothLanguages):
    presets = REASONS
    preset = forms.ChoiceField(label=_("Why, as the players read it"), required=False)
    words_ar = _area(_("In Arabic"), LONGEST_TEXT, "ar")
    words_en = _area(_("In English"), LONGEST_TEXT, "en")


class SanctionForm(VoidForm):
    act = forms.ChoiceField(label=_("What"))
    days = forms.IntegerField(
        label=_("For how many days"),
        required=False,
        min_value=1,
        max_value=3650,
        help_text=_("Empty: for good. A warning has no term."),
    )
    note = forms.CharField(
        label=_("For the log alone"),
        required=False,
        max_length=400,
        widget=forms.Textarea({"rows": 2, "dir": "auto"}),
    )
    field_order = ("act", "days", "preset", "words_ar", "words_en", "note")

    def __init__(self, *args: Any, acts: frozenset[str], **more: Any) -> None:
        super().__init__(*args, **more)
        act, days = self.fields["act"], self.fields["days"]
        assert isinstance(act, forms.ChoiceField)
        act.choices = [(one.value, one.label) for one in SCOPES if one in acts]
        if "ban-for-good" not in acts:
            days.help_text = _("90 days at most. A warning has no term.")
            days.widget.attrs["max"] = LONGEST_BAN.days

    def wish(self) -> Wish:
        """What the form asks for."""
        data = self.cleaned_data
        return Wish(ActKind(data["act"]), data["words_ar"], data["words_en"], data["days"])


class AppealForm(Keyed):
    answer = forms.CharField(
        label=_("Answer, as the player reads it"),
        max_length=900,
        widget=forms.Textarea({"rows": 3, "dir": "auto"}),
    )
    grant = forms.ChoiceField(
        label=_("The sanction"),
        choices=[("0", _("stays")), ("1", _("is lifted"))],
        widget=forms.RadioSelect,
        initial="0",
    )


class ObjectionForm(Keyed):
    words = forms.CharField(
        label=_("Your ruling, in words both sides read"),
        max_length=900,
        widget=forms.Textarea({"rows": 3, "dir": "auto"}),
    )
    upheld = forms.ChoiceField(
        label=_("The objection"),
        choices=[("0", _("is dismissed")), ("1", _("is upheld"))],
        widget=forms.RadioSelect,
        initial="0",
    )


class NoteForm(forms.Form):
    text = forms.CharField(
        label=_("A note for the other reviewers"),
        max_length=1000,
        widget=forms.Textarea({"rows": 2, "dir": "auto"}),
    )


class AnnulForm(Keyed):
    choice = forms.ChoiceField(label=_("The match goes to"), widget=forms.RadioSelect)
    reason = forms.CharField(
        label=_("Reason, for everybody to read"),
        max_length=300,
        required=False,
        widget=forms.TextInput({"dir": "auto"}),
    )
    token = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)

    def __init__(self, *args: Any, sides: list[str], **more: Any) -> None:
        super().__init__(*args, **more)
        field = self.fields["choice"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [*((str(n), name) for n, name in enumerate(sides)), ("nobody", _("nobody"))]


def sanction_form(user: Any, *args: Any, **more: Any) -> SanctionForm:
    """The form of sanctions with what this reviewer may impose."""
    return SanctionForm(*args, acts=allowed_acts(user), **more)
