"""What is stored of tables and of who meets there."""

from games.models.choices import (
    WHOLE_DEAL,
    Absence,
    EventKind,
    Phase,
    ReportReason,
    ResultKind,
    Room,
    Ruleset,
    SeatKind,
    Visibility,
)
from games.models.connections import Connection, Move
from games.models.history import Appearance, Outcome
from games.models.meeting import Invitation, Seek
from games.models.tables import Deal, Event, Heartbeat, Seat, Table, four_falses, four_zeros, two_zeros
from games.models.talk import ChatLine, Report
from games.models.voids import Overruled, Void

__all__ = [
    "WHOLE_DEAL",
    "Absence",
    "Appearance",
    "ChatLine",
    "Connection",
    "Deal",
    "Event",
    "EventKind",
    "Heartbeat",
    "Invitation",
    "Move",
    "Outcome",
    "Overruled",
    "Phase",
    "Report",
    "ReportReason",
    "ResultKind",
    "Room",
    "Ruleset",
    "Seat",
    "SeatKind",
    "Seek",
    "Table",
    "Visibility",
    "Void",
    "four_falses",
    "four_zeros",
    "two_zeros",
]
