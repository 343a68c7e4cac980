"""Who takes part in a tournament: pairs, and the two or three people of each."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournaments import Tournament


class Entry(models.Model):
    """Two partners. Counts once the partner has accepted; `seed` is fixed at the start."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="entries", verbose_name=_("tournament")
    )
    # Counts the entries of a tournament from 1, in the order they were made.
    number = models.PositiveIntegerField(_("number"))
    # The name of the team, where it has one beside its players'.
    name = models.CharField(_("team name"), max_length=60, blank=True, default="")
    club = models.CharField(_("club"), max_length=60, blank=True, default="")
    # As the organiser knows it; for the order of seeds.
    rating = models.PositiveSmallIntegerField(_("rating"), null=True, blank=True)
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    created_at = models.DateTimeField(_("entered"))
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    declined_at = models.DateTimeField(_("declined"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering: ClassVar = ["tournament", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(fields=["tournament", "seed"], name="one_entry_a_seed"),
            models.CheckConstraint(
                condition=models.Q(accepted_at__isnull=True) | models.Q(declined_at__isnull=True),
                name="accepted_or_declined",
            ),
        ]

    def __str__(self) -> str:
        return self.ident

    @property
    def ident(self) -> str:
        """The entry's id in the tournament's file."""
        return f"e{self.number}"

    @property
    def playing(self) -> "list[Member]":
        """The two of its members who play, in the order of their places."""
        return [member for member in self.members.all() if member.plays]


class Member(models.Model):
    """A player of an entry; place 0 entered, place 1 was asked, place 2 may be a substitute.

    One living entry a player. Without `user` nobody has claimed the place yet; who has the link may.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="members")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="members")
    place = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="memberships"
    )
    # As somebody else wrote it, until the place is claimed.
    name = models.CharField(_("name"), max_length=60, blank=True, default="")
    claim = models.CharField(max_length=32, blank=True, default="", editable=False)
    # Two of an entry's members sit at its tables.
    plays = models.BooleanField(_("plays"), default=True)
    # False while invited and once withdrawn, so that a player may be asked by several.
    active = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["entry", "place"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "place"], name="two_places"),
            models.CheckConstraint(condition=models.Q(place__lte=2), name="three_members_at_most"),
            models.UniqueConstraint(
                fields=["claim"], name="one_place_a_claim", condition=~models.Q(claim="")
            ),
            models.CheckConstraint(
                condition=models.Q(user__isnull=False) | models.Q(active=False), name="active_is_somebody"
            ),
            models.UniqueConstraint(
                fields=["tournament", "user"],
                name="one_living_entry_a_player",
                condition=models.Q(active=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}.{self.place}"

    @property
    def shown(self) -> str:
        """The name everybody sees: the player's, or as it was written while the place is not claimed."""
        return self.user.username if self.user else self.name
