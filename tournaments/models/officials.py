"""Who runs a tournament with its owner, what they did, what they were asked and what they told."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.choices import ObjectionState, Role
from tournaments.models.entries import Entry
from tournaments.models.pairings import PairingTable
from tournaments.models.tournaments import LogItem, Tournament, secret_word


def user_key(related_name: str, name: Any, **more: Any) -> "models.ForeignKey[Any, Any]":
    """A reference to a person who must not vanish from a tournament's history."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name=related_name, verbose_name=name, **more
    )


class Official(models.Model):
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="officials", verbose_name=_("tournament")
    )
    user = user_key("offices", _("official"))
    role = models.CharField(_("role"), max_length=12, choices=Role.choices)
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("official")
        verbose_name_plural = _("officials")
        ordering: ClassVar = ["tournament", "since", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "user"], name="one_role_an_official")
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.role}"


class RoleInvite(models.Model):
    """A link that makes whoever opens it first an official."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="role_invites")
    role = models.CharField(_("role"), max_length=12, choices=Role.choices)
    token = models.CharField(max_length=32, unique=True, default=secret_word, editable=False)
    made_by = user_key("+", _("made by"))
    made_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    used_by = user_key("+", _("used by"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation of an official")
        verbose_name_plural = _("invitations of officials")

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.role}"


class Invited(models.Model):
    """A player who may enter a tournament by invitation."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invited")
    user = user_key("+", _("player"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("invited player")
        verbose_name_plural = _("invited players")
        constraints: ClassVar = [models.UniqueConstraint(fields=["tournament", "user"], name="invited_once")]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.user_id}"


class Act(models.Model):
    """What an official did, or a deadline; for other officials whole, for the public where `is_public`."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="acts", verbose_name=_("tournament")
    )
    # Counts the acts of a tournament from 1.
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=24)
    # What it was done to: a pairing, an entry ("e3"), a round, a setting; empty for the whole.
    subject = models.CharField(_("subject"), max_length=80, blank=True, default="")
    before = models.JSONField(_("before"), null=True, blank=True)
    after = models.JSONField(_("after"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=300, blank=True, default="")
    actor = user_key("+", _("by"), null=True, blank=True)
    item = models.OneToOneField(
        LogItem, models.PROTECT, null=True, blank=True, related_name="act", verbose_name=_("item of the log")
    )
    is_public = models.BooleanField(_("public"), default=False)
    # Whoever did it plays in the match that it was about, and nobody else could have.
    is_own = models.BooleanField(_("in a match of their own"), default=False)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("act")
        verbose_name_plural = _("acts")
        ordering: ClassVar = ["tournament", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_act_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.number} {self.kind}"


class Objection(models.Model):
    """A player asks for a referee: about a pairing, and where known the deal (from 1) and the act in it (from 0)."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="objections", verbose_name=_("tournament")
    )
    pairing = models.CharField(_("pairing"), max_length=16)
    table = models.ForeignKey(
        PairingTable,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="objections",
        verbose_name=_("table"),
    )
    deal = models.PositiveSmallIntegerField(_("deal"), null=True, blank=True)
    act = models.PositiveSmallIntegerField(_("act"), null=True, blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="objections", verbose_name=_("entry"))
    made_by = user_key("objections", _("made by"))
    made_at = models.DateTimeField(_("made"))
    text = models.CharField(_("text"), max_length=1000)
    state = models.CharField(
        _("state"), max_length=10, choices=ObjectionState.choices, default=ObjectionState.OPEN
    )
    taken_by = user_key("+", _("taken by"), null=True, blank=True)
    ruled_by = user_key("+", _("ruled by"), null=True, blank=True)
    ruled_at = models.DateTimeField(_("ruled"), null=True, blank=True)
    ruling = models.CharField(_("ruling"), max_length=1000, blank=True, default="")
    item = models.ForeignKey(
        LogItem, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("item of the log")
    )

    class Meta:
        verbose_name = _("objection")
        verbose_name_plural = _("objections")
        ordering: ClassVar = ["tournament", "made_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "entry"],
                name="one_open_objection_a_match",
                condition=models.Q(state="open"),
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["open", "withdrawn"]) | models.Q(ruled_by__isnull=False),
                name="ruled_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.pairing} {self.state}"


class Announcement(models.Model):
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="announcements", verbose_name=_("tournament")
    )
    text = models.CharField(_("text"), max_length=1000)
    by = user_key("+", _("by"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering: ClassVar = ["tournament", "at", "pk"]

    def __str__(self) -> str:
        return self.text[:40]
