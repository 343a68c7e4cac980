"""What tournaments hold of a player, for the file of all data that they may ask for."""

from django.db.models import F, Q

from accounts.models import User
from accounts.own_data import Part, part
from tournaments.models import (
    Act,
    Announcement,
    Invited,
    LogItem,
    Member,
    Objection,
    Official,
    RoleInvite,
    Tournament,
)


def data_of(user: User) -> list[Part]:
    """Entries, offices, invitations, objections, and what the user did as an official."""
    own = Q(user=user)
    slug = F("tournament__slug")
    return [
        part(
            "tournaments_run",
            Tournament.objects.filter(Q(organiser=user) | Q(certified_by=user)),
            *("slug", "name", "description", "state", "created_at", "certified_at"),
            covered=("organiser", "certified_by"),
        ),
        part(
            "entries",
            Member.objects.filter(own),
            *("place", "plays", "active"),
            tournament=slug,
            team=F("entry__name"),
            club=F("entry__club"),
        ),
        part("offices", Official.objects.filter(own), "role", "since", tournament=slug),
        part(
            "invitations_of_officials",
            RoleInvite.objects.filter(Q(made_by=user) | Q(used_by=user)),
            *("role", "made_at", "expires_at", "used_at"),
            covered=("made_by", "used_by"),
            tournament=slug,
        ),
        part("tournaments_invited_to", Invited.objects.filter(own), "at", tournament=slug),
        part(
            "acts_as_official",
            Act.objects.filter(actor=user),
            *("kind", "subject", "before", "after", "reason", "at"),
            covered=("actor",),
            tournament=slug,
        ),
        part(
            "items_of_logs",
            LogItem.objects.filter(actor=user),
            *("number", "item", "at"),
            covered=("actor",),
            tournament=slug,
        ),
        part(
            "objections",
            Objection.objects.filter(Q(made_by=user) | Q(taken_by=user) | Q(ruled_by=user)),
            *("pairing", "deal", "act", "made_at", "text", "state", "ruled_at", "ruling"),
            covered=("made_by", "taken_by", "ruled_by"),
            tournament=slug,
        ),
        part(
            "announcements",
            Announcement.objects.filter(by=user),
            "text",
            "at",
            covered=("by",),
            tournament=slug,
        ),
    ]
