"""What is opened for a pairing, and when its round may begin."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Table
from tournaments.models.choices import TableState
from tournaments.models.tournaments import Tournament


def nobody_confirmed() -> list[bool]:
    return [False, False]


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
    # As it stands on the call list.
    number = models.PositiveIntegerField(_("table number"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)
    call_at = models.DateTimeField(_("absent players are called"), null=True, blank=True)
    called_at = models.DateTimeField(_("absent players called"), null=True, blank=True)
    late_at = models.DateTimeField(_("late from"), null=True, blank=True)
    # When the match must end; `limited_at`: when it was told to.
    limit_at = models.DateTimeField(_("time is up"), null=True, blank=True)
    limited_at = models.DateTimeField(_("stopped for time"), null=True, blank=True)
    # Which side says that the result is right.
    confirmed = ArrayField(
        models.BooleanField(), size=2, default=nobody_confirmed, verbose_name=_("confirmed by side")
    )
    final_at = models.DateTimeField(_("final"), null=True, blank=True)

    class Meta:
        verbose_name = _("table of a pairing")
        verbose_name_plural = _("tables of pairings")
        ordering: ClassVar = ["tournament", "pairing", "attempt"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "pairing", "attempt"], name="one_table_an_attempt"),
            models.UniqueConstraint(
                fields=["tournament", "pairing"],
                name="one_open_table_a_pairing",
                condition=models.Q(state__in=["open", "held"]),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["late_at"], name="pairing_late", condition=models.Q(state="open")),
            models.Index(fields=["limit_at"], name="pairing_limit", condition=models.Q(state="open")),
        ]

    def __str__(self) -> str:
        return f"{self.pairing} ({self.attempt})"


class RoundTime(models.Model):
    """When a round may begin: at its hour, or once it is opened. `key` names the round ("R2", "2:W1")."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="rounds", verbose_name=_("tournament")
    )
    key = models.CharField(_("round"), max_length=12)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    opened_at = models.DateTimeField(_("opened"), null=True, blank=True)

    class Meta:
        verbose_name = _("time of a round")
        verbose_name_plural = _("times of rounds")
        ordering: ClassVar = ["tournament", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "key"], name="one_time_a_round")
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.key}"
