"""A table: its row, its seats, its deals and its events, numbered without gaps; signs of life."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.models.choices import Absence, EventKind, Phase, ResultKind, Ruleset, SeatKind, Visibility


def four_zeros() -> list[int]:
    return [0, 0, 0, 0]


def two_zeros() -> list[int]:
    return [0, 0]


def four_falses() -> list[bool]:
    return [False] * 4


class Table(models.Model):
    """One table, one match. `version` counts its events; `due_at` is when the steward must look."""

    code = models.CharField(_("code"), max_length=12, unique=True)
    ruleset = models.CharField(_("ruleset"), max_length=10, choices=Ruleset.choices)
    target = models.PositiveSmallIntegerField(_("target"), default=31)
    options = models.JSONField(_("options"), default=dict, blank=True)
    turn_seconds = models.PositiveSmallIntegerField(_("seconds a card"), default=20)
    # Empty: as for a card.
    call_seconds = models.PositiveSmallIntegerField(_("seconds a call"), null=True, blank=True)
    bank_seconds = models.PositiveSmallIntegerField(_("seconds in the time bank"), default=0)
    # Only a match of four people with accounts can be; no longer so once a bot fills a seat.
    rated = models.BooleanField(_("rated"), default=False)
    # Who sits down has at least this reliability, see `games/services/reliability.py`; empty: everybody may.
    min_reliability = models.PositiveSmallIntegerField(_("lowest reliability"), null=True, blank=True)
    absence = models.CharField(
        _("absent players"), max_length=5, choices=Absence.choices, default=Absence.VOTE
    )
    # Seconds, or WHOLE_DEAL.
    watch_delay = models.SmallIntegerField(_("delay of spectators"), default=0)
    free_chat = models.BooleanField(_("free chat"), default=False)
    visibility = models.CharField(
        _("visibility"), max_length=6, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="hosted_tables",
        verbose_name=_("host"),
    )
    # What the table is part of, for the people at it: a heading and a way back. Plain text.
    title = models.CharField(_("title"), max_length=120, blank=True, default="")
    back_url = models.CharField(max_length=1000, blank=True, default="")
    # Where its players call whoever decides disputes, a plain path; empty: nobody can be called.
    call_url = models.CharField(max_length=1000, blank=True, default="")

    version = models.PositiveIntegerField(_("version"), default=0)
    phase = models.CharField(_("phase"), max_length=8, choices=Phase.choices, default=Phase.WAITING)
    due_at = models.DateTimeField(_("due"), null=True, blank=True)
    # While a table is paused its clocks stand still: since when, and the milliseconds that were left till due.
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    paused_ms = models.PositiveIntegerField(null=True, blank=True)
    # The first deal waits for the four to come to the table, and comes so long after the last of them.
    first_deal_seconds = models.FloatField(_("seconds to the first deal"), null=True, blank=True)
    # The deal in play is the last one: the table closes after it.
    stops_after_deal = models.BooleanField(_("last deal"), default=False)
    # Consecutive time-outs of each seat; from the third on the seat counts as away.
    idle = ArrayField(
        models.PositiveSmallIntegerField(), size=4, default=four_zeros, verbose_name=_("time-outs in a row")
    )

    # A bot plays the seat for its absent owner.
    sitting_in = ArrayField(
        models.BooleanField(), size=4, default=four_falses, verbose_name=_("bots sitting in")
    )
    # Milliseconds: what each seat has left in its bank, and what it may still be given for slow lines.
    bank_ms = ArrayField(models.PositiveIntegerField(), size=4, default=four_zeros)
    lag_ms = ArrayField(models.PositiveIntegerField(), size=4, default=four_zeros)
    # What the players wish, by subject; not counted in the version. See `games/services/votes.py`.
    votes = models.JSONField(default=dict, blank=True)
    # Ids of the users whom the host removed before the start.
    removed = ArrayField(models.BigIntegerField(), default=list, blank=True)
    rematch_of = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematch", verbose_name=_("rematch of")
    )

    secret = models.BinaryField(max_length=32)
    commitment = models.CharField(_("promise"), max_length=64)
    salt = models.CharField(max_length=160, blank=True, default="")

    # Facts, written with the event that made them.
    first_dealer = models.PositiveSmallIntegerField(_("first dealer"), null=True, blank=True)
    score = ArrayField(models.IntegerField(), size=2, default=two_zeros, verbose_name=_("score"))
    counted = models.PositiveSmallIntegerField(_("counted rounds"), default=0)
    result_kind = models.CharField(
        _("result"), max_length=10, choices=ResultKind.choices, blank=True, default=""
    )
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    advances = models.PositiveSmallIntegerField(_("goes through"), null=True, blank=True)
    created_at = models.DateTimeField(_("opened"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="table_due", condition=models.Q(due_at__isnull=False)),
            models.Index(fields=["-created_at"], name="table_open", condition=~models.Q(phase="over")),
            models.Index(fields=["commitment"], name="table_commitment"),
            models.Index(fields=["-ended_at"], name="table_ended", condition=models.Q(phase="over")),
        ]
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(ruleset__in=Ruleset.values), name="known_ruleset"),
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.code])


class Seat(models.Model):
    """Who sits where; four rows a table, made with it."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats", verbose_name=_("table"))
    number = models.PositiveSmallIntegerField(_("seat"))
    kind = models.CharField(_("kind"), max_length=6, choices=SeatKind.choices, default=SeatKind.OPEN)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="seats",
        verbose_name=_("player"),
    )
    bot = models.CharField(_("bot"), max_length=12, blank=True, default="")
    salt = models.CharField(max_length=32, blank=True, default="")
    # While a rated match is in play: nobody plays two of them at once.
    engaged = models.BooleanField(_("engaged"), default=False)
    # When the owner first came to a table that waits for its players.
    arrived_at = models.DateTimeField(_("arrived"), null=True, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering: ClassVar = ["table", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "number"], name="one_row_a_seat"),
            models.UniqueConstraint(fields=["table", "user"], name="one_seat_a_player"),
            models.UniqueConstraint(
                fields=["user"], name="one_rated_match_a_player", condition=models.Q(engaged=True)
            ),
            models.CheckConstraint(condition=models.Q(number__lte=3), name="four_seats"),
            models.CheckConstraint(
                condition=models.Q(kind="player", user__isnull=False, bot="")
                | models.Q(kind="bot", user__isnull=True) & ~models.Q(bot="")
                | models.Q(kind="open", user__isnull=True, bot=""),
                name="seat_kind_fits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}"


class Deal(models.Model):
    """One distribution of the cards. `version` is that of its deal event."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="deals", verbose_name=_("table"))
    index = models.PositiveSmallIntegerField(_("deal"))
    version = models.PositiveIntegerField(_("version"))
    dealer = models.PositiveSmallIntegerField(_("dealer"))
    deck = models.CharField(max_length=155)
    finished = models.BooleanField(_("finished"), default=False)
    # Of a finished deal: the contract as in a record (null: nobody bid), both sides' tricks, and both sides'
    # points (null: not a counted round).
    contract = models.JSONField(null=True, blank=True)
    tricks = ArrayField(models.PositiveSmallIntegerField(), size=2, null=True, blank=True)
    change = ArrayField(models.IntegerField(), size=2, null=True, blank=True)

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        ordering: ClassVar = ["table", "index"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["table", "index"], name="one_row_a_deal")]

    def __str__(self) -> str:
        return f"{self.table} #{self.index}"


class Event(models.Model):
    """One thing that happened at a table. `by`: m person, c clock, b bot, s bot sitting in."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="events", verbose_name=_("table"))
    version = models.PositiveIntegerField(_("version"))
    kind = models.CharField(_("kind"), max_length=6, choices=EventKind.choices)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("player"),
    )
    code = models.CharField(_("action"), max_length=4, blank=True, default="")
    by = models.CharField(_("by"), max_length=1, blank=True, default="")
    ms = models.PositiveIntegerField(_("milliseconds"), null=True, blank=True)
    request_id = models.CharField(_("request"), max_length=64, null=True, blank=True)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering: ClassVar = ["table", "version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "version"], name="one_event_a_version"),
            models.UniqueConstraint(fields=["table", "user", "request_id"], name="one_act_a_request"),
        ]

    def __str__(self) -> str:
        return f"{self.table} v{self.version} {self.kind}"


class Heartbeat(models.Model):
    """The last sign of life of a process that has no port to ask."""

    name = models.CharField(_("process"), primary_key=True, max_length=20)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("sign of life")
        verbose_name_plural = _("signs of life")

    def __str__(self) -> str:
        return self.name
