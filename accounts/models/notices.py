"""What a player is told."""

from typing import ClassVar

from django.db import models
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models.people import User


class NoticeKind(models.TextChoices):
    """What a notice is about; for each a player says on which ways it comes."""

    INVITATIONS = "invitations", _("Invitations to tables and to be somebody's partner")
    TOURNAMENTS = "tournaments", _("Tournaments: entries, check-in, tables, results")
    REVIEWS = "reviews", _("Objections, reports, and what was decided about them")
    FOLLOWS = "follows", _("Players whom you follow start a match that all may watch")


class Notice(models.Model):
    """A sentence for one player, in both languages; the same `key` is told once, however often a job runs."""

    user = models.ForeignKey(User, models.CASCADE, related_name="notices", verbose_name=_("player"))
    kind = models.CharField(
        _("kind"),
        max_length=11,
        choices=NoticeKind.choices,
        default=NoticeKind.TOURNAMENTS,
        db_default=NoticeKind.TOURNAMENTS,
    )
    key = models.CharField(max_length=120)
    text_ar = models.CharField(max_length=1100)
    text_en = models.CharField(max_length=1100)
    url = models.CharField(max_length=1000, blank=True, default="")
    at = models.DateTimeField(_("at"))
    read_at = models.DateTimeField(_("read"), null=True, blank=True)
    # Whether it also goes out by e-mail; `mail_at`: when that is tried next, empty once it is done or given up.
    by_mail = models.BooleanField(_("by e-mail"), default=False)
    mail_at = models.DateTimeField(_("to be mailed"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    # The same for the browsers that the player asked to be told by.
    push_at = models.DateTimeField(_("to be pushed"), null=True, blank=True)
    push_tries = models.PositiveSmallIntegerField(_("attempts to push"), default=0, db_default=0)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "key"], name="one_notice_a_key")]
        indexes: ClassVar = [
            models.Index(fields=["user"], name="notice_unread", condition=models.Q(read_at__isnull=True)),
            models.Index(
                fields=["mail_at"], name="notice_to_mail", condition=models.Q(mail_at__isnull=False)
            ),
            models.Index(
                fields=["push_at"], name="notice_to_push", condition=models.Q(push_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def text(self) -> str:
        """The sentence in the language of the page."""
        return self.text_ar if (get_language() or "ar").startswith("ar") else self.text_en


class NoticeChoice(models.Model):
    """On which ways the notices of a kind come to a player; without a row, as `accounts.notices` has it."""

    user = models.ForeignKey(User, models.CASCADE, related_name="notice_choices", verbose_name=_("player"))
    kind = models.CharField(_("kind"), max_length=11, choices=NoticeKind.choices)
    here = models.BooleanField(_("on the site"))
    mail = models.BooleanField(_("by e-mail"))
    push = models.BooleanField(_("on this device"))

    class Meta:
        verbose_name = _("choice of notices")
        verbose_name_plural = _("choices of notices")
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "kind"], name="one_choice_a_kind")]

    def __str__(self) -> str:
        return f"{self.user} {self.kind}"


class PushAddress(models.Model):
    """A browser that a player asked to be told by, though the page is closed."""

    user = models.ForeignKey(User, models.CASCADE, related_name="push_addresses", verbose_name=_("player"))
    endpoint = models.CharField(max_length=700, unique=True)
    p256dh = models.CharField(max_length=120)
    auth = models.CharField(max_length=60)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("browser to be told by")
        verbose_name_plural = _("browsers to be told by")

    def __str__(self) -> str:
        return f"{self.user} {self.pk}"
