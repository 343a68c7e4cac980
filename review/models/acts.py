"""What reviewers did: rows that are only ever added, by triggers of the database."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Table
from review.models.cases import Case, person
from review.models.choices import ActKind


class ReviewAct(models.Model):
    """One act of a reviewer: who, when, what, to whom and at which table, why, and what was before and after."""

    actor = person(_("by"), "review_acts")
    at = models.DateTimeField(_("at"))
    kind = models.CharField(_("what"), max_length=15, choices=ActKind.choices)
    about = person(_("about"), null=True, blank=True)
    table = models.ForeignKey(
        Table, models.PROTECT, null=True, blank=True, related_name="review_acts", verbose_name=_("table")
    )
    case = models.ForeignKey(
        Case, models.PROTECT, null=True, blank=True, related_name="acts", verbose_name=_("case")
    )
    reason = models.CharField(_("reason"), max_length=1000, blank=True, default="")
    before = models.JSONField(_("before"), null=True, blank=True)
    after = models.JSONField(_("after"), null=True, blank=True)
    # Of the form that asked for it: sent twice, it is done once.
    key = models.CharField(max_length=36, null=True, blank=True, unique=True)

    class Meta:
        verbose_name = _("act of a reviewer")
        verbose_name_plural = _("acts of reviewers")
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["about", "-at"], name="review_act_about"),
            models.Index(fields=["table", "-at"], name="review_act_table"),
            models.Index(fields=["-at"], name="review_act_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
