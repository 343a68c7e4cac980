"""What is stored of a tournament: its settings, its entries and its log. The rest is computed."""

import secrets
from typing import ClassVar

from django.conf import settings as site
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models import Absence, Ruleset, Table
from tournaments.models.choices import (
    Access,
    CancelReason,
    Format,
    LatePolicy,
    LimitPolicy,
    Pace,
    Seeding,
    State,
)


def drawn_lot() -> str:
    """A secret nobody can foresee: the order of the seeds follows from it (see `seed_order`)."""
    return secrets.token_hex(16)


def secret_word() -> str:
    """What stands in a link that only those who got it may use."""
    return secrets.token_urlsafe(18)


class Tournament(models.Model):
    slug = models.SlugField(_("address"), max_length=80, unique=True, allow_unicode=True)
    name = models.CharField(_("name"), max_length=80)
    organiser = models.ForeignKey(
        site.AUTH_USER_MODEL, models.PROTECT, related_name="tournaments", verbose_name=_("organiser")
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
    # The organiser's: in which the form speaks, and what is printed.
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    description = models.TextField(_("description"), max_length=4000, blank=True, default="")
    # Seen by its officials and those who have entered alone.
    is_private = models.BooleanField(_("private"), default=False)

    # Who may enter, and when. Empty: registration opens on publication, and closes when check-in does.
    access = models.CharField(_("who may enter"), max_length=8, choices=Access.choices, default=Access.OPEN)
    entry_code = models.CharField(_("code to enter"), max_length=24, blank=True, default="")
    registration_opens_at = models.DateTimeField(_("registration opens"), null=True, blank=True)
    registration_closes_at = models.DateTimeField(_("registration closes"), null=True, blank=True)
    verified_only = models.BooleanField(_("confirmed e-mail needed"), default=False)
    min_rating = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    min_reliability = models.PositiveSmallIntegerField(_("lowest reliability"), null=True, blank=True)
    # Country codes; empty: everywhere.
    regions = models.JSONField(_("regions"), default=list, blank=True)
    substitutes = models.BooleanField(_("a third member as substitute"), default=False)
    # Check-in ends `seeding_minutes` before the start, and lasts `check_in_minutes`; 0: there is none.
    check_in_minutes = models.PositiveSmallIntegerField(_("minutes of check-in"), default=0)
    seeding_minutes = models.PositiveSmallIntegerField(_("minutes of seeding preview"), default=0)
    seeding = models.CharField(_("seeding"), max_length=6, choices=Seeding.choices, default=Seeding.LOT)
    starts_itself = models.BooleanField(_("starts by itself"), default=True)

    # How it is played.
    pace = models.CharField(_("pace"), max_length=6, choices=Pace.choices, default=Pace.FREE)
    # Between two rounds played round by round; empty: the organiser opens each.
    break_minutes = models.PositiveSmallIntegerField(_("minutes between rounds"), null=True, blank=True)
    # A seat not taken for so long is called, then dealt with; empty: nobody waits.
    call_minutes = models.PositiveSmallIntegerField(_("called after minutes"), null=True, blank=True)
    late_minutes = models.PositiveSmallIntegerField(_("late after minutes"), null=True, blank=True)
    late_policy = models.CharField(
        _("who is late"), max_length=8, choices=LatePolicy.choices, default=LatePolicy.FORFEIT
    )
    limit_minutes = models.PositiveSmallIntegerField(_("longest match in minutes"), null=True, blank=True)
    limit_policy = models.CharField(
        _("at the limit"), max_length=6, choices=LimitPolicy.choices, default=LimitPolicy.DEAL
    )
    # Results count only once both sides confirm, or the time for objections is over.
    holds_results = models.BooleanField(_("results wait to be confirmed"), default=False)
    objection_minutes = models.PositiveSmallIntegerField(_("minutes to object"), default=15)
    # Whether its matches count for the ratings, by the rules of any other.
    rated = models.BooleanField(_("rated"), default=True, db_default=False)
    embeddable = models.BooleanField(_("other sites may show the bracket"), default=True)

    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    # Items of the log that its tables were last brought in line with; a plan that differs without a further one
    # waits for an official's word.
    settled_items = models.PositiveIntegerField(default=0)
    differs_since = models.DateTimeField(_("plan differs since"), null=True, blank=True)
    # A digest of who met whom then: what changes it without an item is not taken over by itself.
    settled_plan = models.CharField(max_length=64, blank=True, default="", editable=False)
    # While it runs: when the sweep must look next.
    due_at = models.DateTimeField(_("due"), null=True, blank=True)
    certified_at = models.DateTimeField(_("certified"), null=True, blank=True)
    certified_by = models.ForeignKey(
        site.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("certified by"),
    )
    cloned_from = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("made after")
    )
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
            models.Index(fields=["due_at"], name="tournament_to_sweep", condition=models.Q(state="running")),
            models.Index(
                fields=["starts_at"],
                name="tournament_to_come",
                condition=models.Q(state__in=["published", "ready"]),
            ),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(state="cancelled") ^ models.Q(cancel_reason=""), name="cancelled_says_why"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "published", "open", "ready", "cancelled"])
                | models.Q(started_at__isnull=False),
                name="running_has_started",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])


class LogItem(models.Model):
    """One item of the tournament's log, as in a tournament file; numbered without gaps from 0."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="log", verbose_name=_("tournament")
    )
    number = models.PositiveIntegerField(_("number"))
    item = models.JSONField(_("item"))
    actor = models.ForeignKey(
        site.AUTH_USER_MODEL,
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
