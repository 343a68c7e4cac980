"""What is kept beside finished matches so that a player's history can be searched without reading the matches."""

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.choices import Ruleset
from games.models.tables import Table


class Outcome(models.TextChoices):
    """How a match ended for one of its players."""

    WON = "won", _("won")
    LOST = "lost", _("lost")
    DRAW = "draw", _("draw")
    NO_RESULT = "no-result", _("no result")


class Appearance(models.Model):
    """One player's part in one finished match. Derived from the match; `services/histories.py` can make it anew.

    `contracts` has a number for each counted deal, as `games/contracts.py` writes them, seen from this player;
    `margins` the tricks that the declaring side took above its bid, or below.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="appearances", verbose_name=_("table"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="appearances",
        db_index=False,
        verbose_name=_("player"),
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    # Empty: a bot. Accounts with a finished match are never deleted, so the database need not watch over these.
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        verbose_name=_("partner"),
    )
    right = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        verbose_name=_("opponent to the right"),
    )
    left = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        verbose_name=_("opponent to the left"),
    )
    ended_at = models.DateTimeField(_("ended"))
    ruleset = models.CharField(_("ruleset"), max_length=10, choices=Ruleset.choices)
    speed = models.CharField(_("speed"), max_length=8)
    rated = models.BooleanField(_("rated"))
    # Whether others than the four may find it.
    public = models.BooleanField(_("public"))
    # Whether the cards may be seen: no table with the same cards is in play any more.
    open = models.BooleanField(_("cards may be seen"), default=False)
    # What the table was part of, folded for the search; empty: of nothing.
    title_key = models.CharField(max_length=160, blank=True, default="")
    outcome = models.CharField(_("result"), max_length=9, choices=Outcome.choices)
    ours = models.IntegerField(_("own points"))
    theirs = models.IntegerField(_("points of the others"))
    contracts = ArrayField(models.SmallIntegerField(), default=list, verbose_name=_("contracts"))
    margins = ArrayField(models.SmallIntegerField(), default=list)

    class Meta:
        verbose_name = _("part in a match")
        verbose_name_plural = _("parts in matches")
        ordering: ClassVar = ["-ended_at", "-table"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seat"], name="one_appearance_a_seat"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "-ended_at", "-table"], name="appearance_user"),
            models.Index(fields=["user", "partner", "-ended_at"], name="appearance_pair"),
            # The sweep looks at where the kept ones end.
            models.Index(fields=["-ended_at"], name="appearance_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.seat}"
