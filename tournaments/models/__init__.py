"""What is stored of a tournament: its settings, its entries and its log, its officials. The rest is computed."""

from tournaments.models.choices import (
    Access,
    CancelReason,
    Format,
    LatePolicy,
    LimitPolicy,
    ObjectionState,
    Pace,
    Role,
    Seeding,
    State,
    TableState,
)
from tournaments.models.entries import Entry, Member
from tournaments.models.officials import Act, Announcement, Invited, Objection, Official, RoleInvite
from tournaments.models.pairings import PairingTable, RoundTime
from tournaments.models.tournaments import LogItem, Tournament, drawn_lot, secret_word

__all__ = [
    "Access",
    "Act",
    "Announcement",
    "CancelReason",
    "Entry",
    "Format",
    "Invited",
    "LatePolicy",
    "LimitPolicy",
    "LogItem",
    "Member",
    "Objection",
    "ObjectionState",
    "Official",
    "Pace",
    "PairingTable",
    "Role",
    "RoleInvite",
    "RoundTime",
    "Seeding",
    "State",
    "TableState",
    "Tournament",
    "drawn_lot",
    "secret_word",
]
