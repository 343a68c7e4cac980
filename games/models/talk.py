"""What people say at a table in their own words, and complaints about them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.choices import ReportReason, Room
from games.models.tables import Table


class ChatLine(models.Model):
    """Something said in free words. Players and spectators have rooms of their own."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="chat", verbose_name=_("table"))
    room = models.CharField(_("room"), max_length=5, choices=Room.choices, default=Room.TABLE)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player")
    )
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    text = models.CharField(_("text"), max_length=200)
    # The table's version when it was said.
    version = models.PositiveIntegerField(_("version"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("line of chat")
        verbose_name_plural = _("lines of chat")
        ordering: ClassVar = ["table", "pk"]

    def __str__(self) -> str:
        return f"{self.table} {self.user}"


class Report(models.Model):
    """A complaint about somebody at a table, for those who review."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="reports", verbose_name=_("table"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("reported by")
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="reports", verbose_name=_("about")
    )
    reason = models.CharField(_("reason"), max_length=9, choices=ReportReason.choices)
    text = models.CharField(_("in your words"), max_length=500, blank=True, default="")
    version = models.PositiveIntegerField(_("version"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "by", "about", "reason"], name="one_report_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.about}"
