"""Matches that do not count: what was played stays, but no rating and no standing reads it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.tables import Table


class Void(models.Model):
    """A finished match declared void; in force until it is lifted. The table's own rows stay as they are."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="voids", verbose_name=_("table"))
    # Why, in both languages, as the players read it.
    reason_ar = models.CharField(_("reason"), max_length=500)
    reason_en = models.CharField(_("reason"), max_length=500)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("declared void by")
    )
    at = models.DateTimeField(_("declared void"))
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("restored by"),
    )
    lifted_at = models.DateTimeField(_("restored"), null=True, blank=True)

    class Meta:
        verbose_name = _("void match")
        verbose_name_plural = _("void matches")
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table"], name="void_once", condition=models.Q(lifted_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.at:%F}"


class Overruled(models.Model):
    """A finished match whose result its tournament replaced: while it stands so, it counts in no rating."""

    table = models.OneToOneField(
        Table, models.PROTECT, primary_key=True, related_name="overruled", verbose_name=_("table")
    )
    at = models.DateTimeField(_("overruled"))

    class Meta:
        verbose_name = _("overruled match")
        verbose_name_plural = _("overruled matches")

    def __str__(self) -> str:
        return f"{self.table} {self.at:%F}"
