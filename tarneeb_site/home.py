"""What the home page shows: the reader's own next step, what is live, what comes."""

from dataclasses import dataclass

from django.utils import timezone

from accounts.models import User
from games import pages
from games.models import Invitation
from games.pages import LobbyTable
from games.waiting import people_waiting
from tournaments import queries
from tournaments.models import Entry, PairingTable, Tournament

SHOWN_TABLES = 3
SHOWN_TOURNAMENTS = 5


@dataclass(frozen=True)
class Home:
    """One reader's home page; `next_table` is where the big button leads, None: to quick match.

    `asked`: invitations to tables; `people_waiting`: how many look for a match.
    """

    next_table: LobbyTable | None
    asked: list[Invitation]
    people_waiting: int
    awaited: list[PairingTable]
    invitations: list[Entry]
    playing: list[LobbyTable]
    waiting: list[LobbyTable]
    running: list[Tournament]
    upcoming: list[Tournament]
    crowned: list[Tournament]


def home_of(user: User | None) -> Home:
    """The home page of a reader (None: not logged in)."""
    lobby = pages.lobby(user)
    return Home(
        next_table=lobby.next_table,
        asked=lobby.invitations,
        people_waiting=people_waiting(now=timezone.now()),
        awaited=list(queries.awaited_tables(user)) if user else [],
        invitations=list(queries.invitations(user)) if user else [],
        playing=lobby.playing[:SHOWN_TABLES],
        waiting=sorted(lobby.waiting, key=lambda row: -row.taken)[:SHOWN_TABLES],
        running=list(queries.running()[:SHOWN_TOURNAMENTS]),
        upcoming=list(queries.upcoming()[:SHOWN_TOURNAMENTS]),
        crowned=list(queries.finished()[:1]),
    )
