"""When registration, check-in and the preview of the seeds begin and end: all of it follows from the row."""

from datetime import datetime, timedelta

from tournaments.models import State, Tournament

# Before the end of check-in those who are not checked in are told once more.
LAST_CALL = timedelta(minutes=10)
NOT_STARTED = (State.DRAFT, State.PUBLISHED, State.OPEN, State.READY)


def has_check_in(tournament: Tournament) -> bool:
    """Whether pairs have to say that they are there."""
    return tournament.check_in_minutes > 0


def check_in_ends_at(tournament: Tournament) -> datetime:
    """When check-in is over; without one, when the preview of the seeds begins."""
    return tournament.starts_at - timedelta(minutes=tournament.seeding_minutes)


def check_in_opens_at(tournament: Tournament) -> datetime:
    """When check-in begins."""
    return check_in_ends_at(tournament) - timedelta(minutes=tournament.check_in_minutes)


def last_call_at(tournament: Tournament) -> datetime | None:
    """When those not checked in are reminded; None where check-in is not longer than that."""
    if tournament.check_in_minutes * 60 <= LAST_CALL.total_seconds():
        return None
    return check_in_ends_at(tournament) - LAST_CALL


def opens_at(tournament: Tournament) -> datetime | None:
    """When a tournament that was announced takes entries; None: at once."""
    return tournament.registration_opens_at


def closes_at(tournament: Tournament) -> datetime:
    """When the last entry can be made: where nothing else is said, as check-in ends."""
    end = check_in_ends_at(tournament)
    chosen = tournament.registration_closes_at
    return end if chosen is None else min(chosen, end)


def ready_at(tournament: Tournament) -> datetime:
    """When the field is fixed: at the end of check-in, or without one as registration closes."""
    return check_in_ends_at(tournament) if has_check_in(tournament) else closes_at(tournament)


def is_entering(tournament: Tournament, now: datetime) -> bool:
    """Whether entries are taken now."""
    opens = opens_at(tournament)
    begun = opens is None or opens <= now
    return tournament.state == State.OPEN and begun and now < closes_at(tournament)


def is_checking_in(tournament: Tournament, now: datetime) -> bool:
    """Whether pairs can check in now; a sweep that is late cuts nobody off."""
    return (
        has_check_in(tournament) and tournament.state == State.OPEN and check_in_opens_at(tournament) <= now
    )
