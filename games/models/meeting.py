"""How four come together: wishes for a match now, and invitations."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.choices import Ruleset
from games.models.tables import Table


class Seek(models.Model):
    """A player, or two partners, who want a match now. Found: `table` names it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="seek", verbose_name=_("player")
    )
    partner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="partner_seeks",
        verbose_name=_("partner"),
    )
    # A named partner has to agree first.
    accepted = models.BooleanField(_("accepted"), default=True)
    ruleset = models.CharField(_("ruleset"), max_length=10, choices=Ruleset.choices)
    speed = models.CharField(_("speed"), max_length=8)
    rated = models.BooleanField(_("rated"), default=False)
    # Whether bots may fill the seats after the stated wait.
    bots = models.BooleanField(_("bots may fill"), default=False)
    created_at = models.DateTimeField(_("since"))
    # The pages say again and again that somebody still waits.
    seen_at = models.DateTimeField(_("seen"))
    partner_seen_at = models.DateTimeField(_("partner seen"), null=True, blank=True)
    table = models.ForeignKey(
        Table, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("table")
    )

    class Meta:
        verbose_name = _("wish for a match")
        verbose_name_plural = _("wishes for a match")
        ordering: ClassVar = ["created_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["partner"], name="one_wish_a_partner", condition=models.Q(accepted=True)
            ),
            models.CheckConstraint(condition=~models.Q(user=models.F("partner")), name="partner_is_another"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.ruleset} {self.speed}"


class Invitation(models.Model):
    """A player asked to a table by name. `answer`: empty while open."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="invitations", verbose_name=_("table"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("invited by")
    )
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations", verbose_name=_("invited")
    )
    created_at = models.DateTimeField(_("at"))
    accepted = models.BooleanField(_("accepted"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering: ClassVar = ["-created_at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "to"], name="one_invitation_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.to}"
