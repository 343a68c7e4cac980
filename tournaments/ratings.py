"""How strong players are, as far as it is known."""

from accounts.models import User
from tournaments.models import Entry, Tournament


def rating_of(user: User, tournament: Tournament) -> int | None:
    """A player's rating in what this tournament plays; None while it is not known."""
    return None


def pair_rating(entry: Entry, tournament: Tournament) -> int | None:
    """What the organiser entered, or the mean of the two who play; None where one of them is not known."""
    if entry.rating is not None:
        return entry.rating
    players = [member.user for member in entry.members.all() if member.plays and member.user]
    known = [rating for user in players if (rating := rating_of(user, tournament)) is not None]
    return round(sum(known) / len(known)) if known and len(known) == len(players) else None
