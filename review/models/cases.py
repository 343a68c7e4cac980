"""What waits for a reviewer: complaints about a player at a table, objections, appeals, hints."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction
from games.models import Report, Table
from review.models.choices import CaseKind, Outcome
from tournaments.models import Objection


def person(name: Any, related_name: str = "+", **more: Any) -> "models.ForeignKey[Any, Any]":
    """A reference to a person who must not vanish from what was decided."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name=related_name, verbose_name=name, **more
    )


class Case(models.Model):
    """One matter to be looked at. Several reports about one player at one table are one case.

    `table`: where it happened, if at one. `about`: whom it concerns; of a hint `other` is the second account.
    """

    kind = models.CharField(_("kind"), max_length=9, choices=CaseKind.choices)
    table = models.ForeignKey(
        Table, models.PROTECT, null=True, blank=True, related_name="cases", verbose_name=_("table")
    )
    about = person(_("about"), "cases", null=True, blank=True)
    other = person(_("and"), null=True, blank=True)
    objection = models.OneToOneField(
        Objection, models.PROTECT, null=True, blank=True, related_name="case", verbose_name=_("objection")
    )
    sanction = models.OneToOneField(
        Sanction, models.PROTECT, null=True, blank=True, related_name="case", verbose_name=_("sanction")
    )
    opened_at = models.DateTimeField(_("opened"))
    claimed_by = person(_("taken by"), null=True, blank=True)
    claimed_at = models.DateTimeField(_("taken"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = person(_("closed by"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=9, choices=Outcome.choices, blank=True, default="")
    # What those who complained were told, in both languages.
    answer_ar = models.CharField(_("answer"), max_length=1000, blank=True, default="")
    answer_en = models.CharField(_("answer"), max_length=1000, blank=True, default="")

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        ordering: ClassVar = ["opened_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "about"],
                name="one_open_case_a_player",
                condition=models.Q(kind="report", closed_at__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["about", "other"], name="one_case_a_hint", condition=models.Q(kind="hint")
            ),
            models.CheckConstraint(
                condition=models.Q(closed_at__isnull=True, outcome="")
                | models.Q(closed_at__isnull=False) & ~models.Q(outcome=""),
                name="closed_with_outcome",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["opened_at"], name="case_open", condition=models.Q(closed_at__isnull=True)),
            models.Index(fields=["-closed_at"], name="case_closed"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("review_case", args=[self.pk])

    @property
    def is_open(self) -> bool:
        return self.closed_at is None


class Filing(models.Model):
    """A report, in the case that it belongs to."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="filings", verbose_name=_("case"))
    report = models.OneToOneField(Report, models.PROTECT, related_name="filing", verbose_name=_("report"))

    class Meta:
        verbose_name = _("report of a case")
        verbose_name_plural = _("reports of cases")
        ordering: ClassVar = ["report__at", "pk"]

    def __str__(self) -> str:
        return f"{self.case_id} {self.report_id}"


class Note(models.Model):
    """What one reviewer leaves for the others; nobody else reads it."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="notes", verbose_name=_("case"))
    by = person(_("by"))
    at = models.DateTimeField(_("at"))
    text = models.CharField(_("text"), max_length=1000)

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.case_id} {self.by}"
