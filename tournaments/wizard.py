"""The form of a tournament: all its settings, few of them asked at once, for a new one and for changes."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext

from games.models import Absence
from tournaments.format_form import STAGES, FormatForm
from tournaments.forms import (
    DEFAULT_CAP,
    doubled_words,
    skipped_words,
)
from tournaments.likeness import TIMES, initial_of, moved
from tournaments.models import Access, Format, LatePolicy, LimitPolicy, Pace, Seeding, Tournament
from tournaments.services.making import CHANGEABLE, changeable, without_its_own
from tournaments.setting_fields import SettingFields
from tournaments.zones import DoubledTime, SkippedTime, moment

# What an empty field means where the model has a value of its own.
_UNSAID: dict[str, Any] = {
    "bank_seconds": 0,
    "absence": Absence.BOT,
    "access": Access.OPEN,
    "seeding": Seeding.LOT,
    "pace": Pace.FREE,
    "late_policy": LatePolicy.FORFEIT,
    "limit_policy": LimitPolicy.DEAL,
    "check_in_minutes": 0,
    "seeding_minutes": 0,
    "objection_minutes": 15,
    "time_zone": "UTC",
}


class TournamentForm(SettingFields):
    """A tournament, its format's settings in forms of their own: `main`, or `stages`.

    `tournament`: the one that is changed; what may no longer change in its state is shown, and stays.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        initial: Mapping[str, Any] | None = None,
        tournament: Tournament | None = None,
        like: Tournament | None = None,
    ) -> None:
        """`initial`: of a preset. `like`: a tournament whose settings a new one begins with, at a time to come."""
        self.tournament = tournament
        known = dict(initial or {})
        shown = tournament or like
        if shown is not None:
            known |= initial_of(shown)
        if like is not None:
            known |= moved(like, timezone.now())
        super().__init__(data, initial=known)
        stored = shown.settings if shown else {}
        if like is not None:
            stored = without_its_own(stored)
        self._take_parts(data, known, stored)
        if tournament is not None:
            self._lock(changeable(tournament))

    def _take_parts(self, data: Any, known: Mapping[str, Any], stored: Mapping[str, Any]) -> None:
        chosen = (data or {}).get("format") or known.get("format") or Format.SINGLE_ELIMINATION
        if self.tournament is not None and "format" not in changeable(self.tournament):
            chosen = self.tournament.format
        self.main = FormatForm(data, stored=stored, initial=known, chosen=str(chosen))
        kept = dict(zip(STAGES, stored.get("stages", ()), strict=False))
        self.stages = [
            FormatForm(data, prefix=name, stored=kept.get(name), initial=_under(known, name))
            for name in STAGES
        ]
        self.kept = {key: value for key, value in stored.items() if key == "forbidden"}

    def _lock(self, free: set[str]) -> None:
        for name, field in self.fields.items():
            field.disabled = name in CHANGEABLE and name not in free
        self.fields["later"].disabled = "starts_at" not in free
        for part in (self.main, *self.stages):
            for name, field in part.fields.items():
                in_play = name == "rounds" or name.startswith("tiebreak_")
                field.disabled = "format" not in free and not (
                    part is self.main and in_play and "settings" in free
                )

    @property
    def parts(self) -> list[FormatForm]:
        """The forms of the format that was chosen: its own, or those of its stages."""
        return self.stages if self.main.format == Format.STAGES else [self.main]

    @property
    def locked(self) -> bool:
        """Whether something is shown that can no longer be changed."""
        # That registration has opened goes without saying.
        return any(field.disabled for name, field in self.fields.items() if name != "registration_opens_at")

    def is_valid(self) -> bool:
        return all([super().is_valid(), *(part.is_valid() for part in self.parts)]) and not self.errors

    def clean_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split())
        if not any(letter.isalnum() for letter in name):
            raise forms.ValidationError(gettext("A name has letters or digits."), code="invalid")
        return name

    def clean_round_cap(self) -> int | None:
        cap: int | None = self.cleaned_data["round_cap"]
        return DEFAULT_CAP if cap is None else cap or None

    def clean_starts_itself(self) -> bool:
        return str(self.cleaned_data["starts_itself"]) not in ("0", "False")

    def clean_rated(self) -> bool:
        # A form that does not ask for it, as programs send one, leaves it as it is by itself.
        is_asked = "asks_more" in self.data or "rated" in self.data
        return bool(self.cleaned_data["rated"]) or not is_asked

    def clean_embeddable(self) -> bool:
        # A form that does not ask for it, as programs send one, leaves it as it is by itself.
        return bool(self.cleaned_data["embeddable"]) or "asks_more" not in self.data

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name, value in _UNSAID.items():
            if cleaned.get(name) in (None, "") and name in cleaned:
                cleaned[name] = value
        for name in TIMES:
            if isinstance(cleaned.get(name), datetime):
                self._place(cleaned, name)
        self._check_order(cleaned)
        self._check_entry(cleaned)
        self._check_stages()
        return cleaned

    def settings(self) -> dict[str, Any]:
        """The choices as the services take them."""
        chosen = {name: value for name, value in self.cleaned_data.items() if name in CHANGEABLE}
        return {**chosen, "settings": self._format_settings()}

    def changes(self) -> dict[str, Any]:
        """Those that may still be changed."""
        assert self.tournament is not None
        return {name: value for name, value in self.settings().items() if name in changeable(self.tournament)}

    def so_far(self) -> dict[str, Any] | None:
        """The choices, as far as they can be said in words: a name and a time may be lacking, nothing be wrong."""
        said = CHANGEABLE.keys() - {"name", *TIMES}
        if said & self.errors.keys() or not all(part.is_valid() for part in self.parts):
            return None
        return {"starts_at": None, **self.settings()}

    def as_data(self) -> dict[str, Any]:
        """What the form begins with, as if it had been sent like that."""
        fields = [field for part in (self, self.main, *self.stages) for field in part]
        return {field.html_name: field.initial for field in fields if field.initial not in (None, False)}

    def _format_settings(self) -> dict[str, Any]:
        if self.tournament is not None and "format" not in changeable(self.tournament):
            return self._settings_in_play(self.tournament.settings)
        found: dict[str, Any] = {} if self.main.format == Format.STAGES else self.main.settings()
        if self.main.format == Format.STAGES:
            found["stages"] = [
                {"format": stage.format, **stage.settings()}
                | ({"qualify": stage.cleaned_data["qualify"]} if place else {})
                for place, stage in enumerate(self.stages)
                if stage.format
            ]
        return found | self.kept

    def _settings_in_play(self, stored: Mapping[str, Any]) -> dict[str, Any]:
        # What the form has no say in any more stays to the letter, empty values and all.
        if self.main.format == Format.STAGES:
            return dict(stored)
        chosen = {key: value for key, value in self.main.settings().items() if key in ("rounds", "tiebreaks")}
        return {key: value for key, value in stored.items() if key not in ("rounds", "tiebreaks")} | chosen

    def _place(self, cleaned: dict[str, Any], name: str) -> None:
        at: datetime = cleaned[name]
        later = cleaned.get("later") if name == "starts_at" else False
        try:
            if timezone.is_naive(at):
                at = moment(at, ZoneInfo(cleaned.get("time_zone") or "UTC"), later=later)
        except SkippedTime as error:
            self.add_error(name, skipped_words(error))
            return
        except DoubledTime as error:
            self.add_error("later", doubled_words(error))
            return
        stored: datetime | None = getattr(self.tournament, name, None)
        # The form shows minutes: what it does not change keeps its seconds, and may be past by now.
        same = stored is not None and at == stored.replace(second=0, microsecond=0)
        if name == "starts_at" and at <= timezone.now() and not same and not self.fields[name].disabled:
            self.add_error(name, gettext("This moment has passed. Choose one to come."))
        cleaned[name] = stored if same else at

    def _check_order(self, cleaned: Mapping[str, Any]) -> None:
        starts, opens, closes = (_moment(cleaned, name) for name in TIMES)
        if starts and closes and closes > starts:
            self.add_error("registration_closes_at", gettext("Registration closes before the start."))
        elif closes and opens and opens >= closes:
            self.add_error("registration_closes_at", gettext("Registration closes after it opens."))
        elif starts and opens and opens >= starts:
            self.add_error("registration_opens_at", gettext("Registration opens before the start."))
        call, late = cleaned.get("call_minutes"), cleaned.get("late_minutes")
        if call and late and late < call:
            self.add_error("late_minutes", gettext("Nobody is late before being called."))

    def _check_entry(self, cleaned: Mapping[str, Any]) -> None:
        if cleaned.get("access") == Access.CODE and not (cleaned.get("entry_code") or "").strip():
            self.add_error("entry_code", gettext("Give the code with which one enters."))
        least, most = cleaned.get("min_rating"), cleaned.get("max_rating")
        if least is not None and most is not None and least > most:
            self.add_error("max_rating", gettext("The highest rating is not below the lowest."))

    def _check_stages(self) -> None:
        if self.main.format != Format.STAGES:
            self.main.is_valid()
            return
        for place, stage in enumerate(self.stages):
            if not stage.is_valid():
                continue
            if place < 2 and not stage.format:
                stage.add_error("format", gettext("Choose how this stage is played."))
            if place and stage.format and not stage.cleaned_data.get("qualify"):
                stage.add_error("qualify", gettext("Say how many go on."))


def _moment(cleaned: Mapping[str, Any], name: str) -> datetime | None:
    at = cleaned.get(name)
    return at if isinstance(at, datetime) and timezone.is_aware(at) else None


def _under(known: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {
        key.removeprefix(f"{prefix}-"): value for key, value in known.items() if key.startswith(f"{prefix}-")
    }
