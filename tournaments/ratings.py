"""How strong players are in what a tournament plays, as far as it is known.

A player's rating is that of the tournament's ruleset at its speed, else of all speeds of that ruleset. One that is
not known well enough yet, after too few matches or a long time without one, is as good as none.
"""

from collections.abc import Collection, Sequence

from django.utils import timezone

from accounts.models import User
from games.speeds import speed_of
from games.strengths import points_of
from tournaments.models import Entry, Tournament


def rating_of(user: User, tournament: Tournament) -> int | None:
    """A player's rating in what this tournament plays; None while it is not known."""
    return ratings_of([user.pk], tournament).get(user.pk)


def ratings_of(user_ids: Collection[int], tournament: Tournament) -> dict[int, int]:
    """The ratings of many players in one question; whose is not known is left out."""
    call = tournament.call_seconds or tournament.turn_seconds
    speed = speed_of(call, tournament.turn_seconds, tournament.bank_seconds)
    return points_of(user_ids, tournament.ruleset, speed, known_at=timezone.now())


def pair_rating(entry: Entry, tournament: Tournament) -> int | None:
    """What the organiser entered, or the mean of the two who play; None where one of them is not known."""
    return pair_ratings([entry], tournament)[entry.number]


def pair_ratings(entries: Sequence[Entry], tournament: Tournament) -> dict[int, int | None]:
    """The same of many entries, by their numbers. Their members and users should be at hand."""
    players = {entry.number: _players(entry) for entry in entries if entry.rating is None}
    known = ratings_of({pk for both in players.values() for pk in both}, tournament)
    return {entry.number: entry.rating for entry in entries} | {
        number: _mean([known[pk] for pk in both if pk in known]) for number, both in players.items()
    }


def _players(entry: Entry) -> list[int]:
    return [member.user_id for member in entry.members.all() if member.plays and member.user_id]


def _mean(known: Sequence[int]) -> int | None:
    return round(sum(known) / 2) if len(known) == 2 else None
