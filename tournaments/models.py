"""What is stored of a tournament: its settings, its entries and its log. The rest is computed."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models import Absence, Ruleset, Table


class Format(models.TextChoices):
    SINGLE_ELIMINATION = "single_elimination", _("Single elimination")


class State(models.TextChoices):
    OPEN = "open", _("registration open")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class CancelReason(models.TextChoices):
    ORGANISER = "organiser", _("called off by the organiser")
    TOO_FEW = "too-few", _("fewer than two pairs had entered when it was due")


class TableState(models.TextChoices):
    OPEN = "open", _("its result is awaited")
    RECORDED = "recorded", _("its result is in the log")
    VOID = "void", _("no longer counts")


def drawn_lot() -> str:
    """A secret nobody can foresee: the order of the seeds follows from it (see `seed_order`)."""
    return secrets.token_hex(16)


class Tournament(models.Model):
    slug = models.SlugField(_("address"), max_length=80, unique=True, allow_unicode=True)
    name = models.CharField(_("name"), max_length=80)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="tournaments", verbose_name=_("organiser")
    )
    format = models.CharField(
        _("format"), max_length=24, choices=Format.choices, default=Format.SINGLE_ELIMINATION
    )
    # Further settings of the format, as in a tournament file.
    settings = models.JSONField(_("settings"), default=dict, blank=True)
    ruleset = models.CharField(_("ruleset"), max_length=10, choices=Ruleset.choices, default=Ruleset.KOTCHINA)
    target = models.PositiveSmallIntegerField(_("target"), default=31)
    turn_seconds = models.PositiveSmallIntegerField(_("seconds a turn"), default=20)
    call_seconds = models.PositiveSmallIntegerField(_("seconds a call"), null=True, blank=True)
    bank_seconds = models.PositiveSmallIntegerField(_("seconds in the time bank"), default=0)
    absence = models.CharField(
        _("absent players"), max_length=5, choices=Absence.choices, default=Absence.BOT
    )
    watch_delay = models.SmallIntegerField(_("delay of spectators"), default=0)
    round_cap = models.PositiveSmallIntegerField(_("round cap"), null=True, blank=True, default=50)
    capacity = models.PositiveSmallIntegerField(_("capacity in pairs"), default=16)
    starts_at = models.DateTimeField(_("starts at"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    cancel_reason = models.CharField(
        _("why cancelled"), max_length=10, choices=CancelReason.choices, blank=True, default=""
    )
    # Drawn when the tournament is made, shown when it starts: nobody chooses the seeds.
    lot = models.CharField(max_length=32, default=drawn_lot, editable=False)
    created_at = models.DateTimeField(_("created"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    # A fact of the plan, kept so that lists need not fold it.
    champion = models.ForeignKey(
        "Entry", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("champion")
    )

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes: ClassVar = [
            models.Index(fields=["starts_at"], name="tournament_due", condition=models.Q(state="open")),
            models.Index(fields=["started_at"], name="tournament_live", condition=models.Q(state="running")),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(state="cancelled") ^ models.Q(cancel_reason=""), name="cancelled_says_why"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "cancelled"]) | models.Q(started_at__isnull=False),
                name="running_has_started",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])


class Entry(models.Model):
    """Two partners. Counts once the partner has accepted; `seed` is fixed at the start."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="entries", verbose_name=_("tournament")
    )
    # Counts the entries of a tournament from 1, in the order they were made.
    number = models.PositiveIntegerField(_("number"))
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    created_at = models.DateTimeField(_("entered"))
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    declined_at = models.DateTimeField(_("declined"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering: ClassVar = ["tournament", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(fields=["tournament", "seed"], name="one_entry_a_seed"),
            models.CheckConstraint(
                condition=models.Q(accepted_at__isnull=True) | models.Q(declined_at__isnull=True),
                name="accepted_or_declined",
            ),
        ]

    def __str__(self) -> str:
        return self.ident

    @property
    def ident(self) -> str:
        """The entry's id in the tournament's file."""
        return f"e{self.number}"


class Member(models.Model):
    """A player of an entry; place 0 entered, place 1 was asked. One living entry a player."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="members")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="members")
    place = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships")
    # False while invited and once withdrawn, so that a player may be asked by several.
    active = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["entry", "place"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "place"], name="two_places"),
            models.UniqueConstraint(
                fields=["tournament", "user"],
                name="one_living_entry_a_player",
                condition=models.Q(active=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}.{self.place}"


class LogItem(models.Model):
    """One item of the tournament's log, as in a tournament file; numbered without gaps from 0."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="log", verbose_name=_("tournament")
    )
    number = models.PositiveIntegerField(_("number"))
    item = models.JSONField(_("item"))
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("decided by"),
    )
    # The table whose finish made the item: recorded once, however often it is told.
    table = models.OneToOneField(
        Table, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("table")
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("item of the log")
        verbose_name_plural = _("items of the log")
        ordering: ClassVar = ["tournament", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_item_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} #{self.number}"


class PairingTable(models.Model):
    """The table opened for a pairing; a replay opens another attempt."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="tables", verbose_name=_("tournament")
    )
    pairing = models.CharField(_("pairing"), max_length=16)
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    # The two entrants' ids (side 0, side 1) it was opened for.
    sides = models.JSONField(_("sides"))
    table = models.OneToOneField(Table, models.PROTECT, related_name="pairing", verbose_name=_("table"))
    state = models.CharField(_("state"), max_length=8, choices=TableState.choices, default=TableState.OPEN)

    class Meta:
        verbose_name = _("table of a pairing")
        verbose_name_plural = _("tables of pairings")
        ordering: ClassVar = ["tournament", "pairing", "attempt"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "pairing", "attempt"], name="one_table_an_attempt"),
            models.UniqueConstraint(
                fields=["tournament", "pairing"],
                name="one_open_table_a_pairing",
                condition=models.Q(state="open"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pairing} ({self.attempt})"
