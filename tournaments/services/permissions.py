"""Who may do what in a tournament. The owner and the site's administrators may do everything."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from tournaments.models import Role, State, Tournament
from tournaments.services.refusals import Refused

OWNER = "owner"
_ORGANISERS = frozenset({Role.ORGANISER})
_REFEREES = _ORGANISERS | {Role.REFEREE}
_SCORERS = _REFEREES | {Role.SCOREKEEPER}

# What an official does, and which roles may. No role: the owner alone.
ALLOWED: dict[str, frozenset[Role]] = {
    "view": frozenset(Role),
    "console": _SCORERS,
    "settings": _ORGANISERS,
    "entries": _ORGANISERS,
    "check-in": _SCORERS,
    "seeds": _ORGANISERS,
    "start": _ORGANISERS,
    "cancel": _ORGANISERS,
    "rounds": _ORGANISERS,
    "pause": _ORGANISERS,
    "announce": _ORGANISERS,
    "certify": _ORGANISERS,
    "archive": _ORGANISERS,
    "decide": _REFEREES,
    "objections": _REFEREES,
    "score": _SCORERS,
    "officials": frozenset(),
}


def role_of(tournament: Tournament, user: User | AnonymousUser) -> str | None:
    """The role of a user in a tournament: `OWNER`, a Role, or None."""
    if not isinstance(user, User):
        return None
    if tournament.organiser_id == user.pk or user.is_superuser:
        return OWNER
    return tournament.officials.filter(user=user).values_list("role", flat=True).first()


def may(tournament: Tournament, user: User | AnonymousUser, act: str) -> bool:
    """Whether the user's role allows the act, one of `ALLOWED`."""
    role = role_of(tournament, user)
    return role is not None and (role == OWNER or role in ALLOWED[act])


def require(tournament: Tournament, user: User, act: str) -> None:
    """Raises: Refused `not-organiser` for who is no official, `not-your-role` for who may not do this."""
    role = role_of(tournament, user)
    if role is None:
        raise Refused("not-organiser")
    if role != OWNER and role not in ALLOWED[act]:
        raise Refused("not-your-role")


def is_seen_by(tournament: Tournament, user: User | AnonymousUser) -> bool:
    """Whether a tournament is there for this reader.

    A draft is for its officials, a private one also for who is in it or asked to be.
    """
    if role_of(tournament, user) is not None:
        return True
    if tournament.state == State.DRAFT:
        return False
    if not tournament.is_private:
        return True
    if not isinstance(user, User):
        return False
    return tournament.members.filter(user=user).exists() or tournament.invited.filter(user=user).exists()
