"""Who follows, does not hear, does not want to meet whom; and the names one had."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.people import User


class Mute(models.Model):
    """A player whose words another one does not want to see."""

    user = models.ForeignKey(User, models.CASCADE, related_name="mutes", verbose_name=_("player"))
    muted = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("muted"))

    class Meta:
        verbose_name = _("muted player")
        verbose_name_plural = _("muted players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "muted"], name="muted_once"),
            models.CheckConstraint(condition=~models.Q(user=models.F("muted")), name="nobody_mutes_himself"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.muted}"


class Block(models.Model):
    """A player who cannot invite another one, write to them, or choose a seat at their table."""

    user = models.ForeignKey(User, models.CASCADE, related_name="blocks", verbose_name=_("player"))
    blocked = models.ForeignKey(User, models.CASCADE, related_name="blocked_by", verbose_name=_("blocked"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("blocked player")
        verbose_name_plural = _("blocked players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "blocked"], name="blocked_once"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("blocked")), name="nobody_blocks_himself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.blocked}"


class Follow(models.Model):
    """A player whose matches and tournaments another one wants to hear of."""

    user = models.ForeignKey(User, models.CASCADE, related_name="follows", verbose_name=_("player"))
    followed = models.ForeignKey(User, models.CASCADE, related_name="followers", verbose_name=_("followed"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("followed player")
        verbose_name_plural = _("followed players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "followed"], name="followed_once"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("followed")), name="nobody_follows_himself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.followed}"


class NameChange(models.Model):
    """A name that an account had. Nobody else takes it for a while; its address leads to the account.

    Of a closed account the key alone is kept, until the name is free again.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="name_changes", verbose_name=_("player"))
    before = models.CharField(_("before"), max_length=64)
    before_key = models.CharField(max_length=64, db_index=True, editable=False)
    after = models.CharField(_("after"), max_length=64)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("change of name")
        verbose_name_plural = _("changes of names")
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.before} {self.after}"
