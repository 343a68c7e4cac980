"""Who among the site's staff may do what. A superuser may do everything; nobody else is a reviewer by default."""

from typing import Final

from django.contrib.auth.models import AnonymousUser

from accounts.models import User

MODERATOR: Final = "moderator"
REFEREE: Final = "referee"
SUPPORT: Final = "support"
ROLES: Final = (MODERATOR, REFEREE, SUPPORT)

_ALL = frozenset(ROLES)
_MODERATORS = frozenset({MODERATOR})
_REFEREES = frozenset({REFEREE})
_JUDGES = _MODERATORS | _REFEREES

# What a reviewer looks at or does, and the groups that may. No group: superusers alone.
ALLOWED: Final[dict[str, frozenset[str]]] = {
    # To look at.
    "desk": _ALL,
    "match": _ALL,
    "person": _ALL,
    "log": _ALL,
    # Whether two connections had the same address or browser; neither is ever shown.
    "marks": _JUDGES,
    "hints": _MODERATORS,
    # To do.
    "note": _ALL,
    "claim": _JUDGES,
    "close": _JUDGES,
    "answer-objection": _REFEREES,
    "answer-appeal": _MODERATORS,
    "open-hint": _MODERATORS,
    "warn": _MODERATORS,
    "mute": _MODERATORS,
    "ban-play": _MODERATORS,
    "ban-tournaments": _MODERATORS,
    "ban-all": frozenset(),
    # For longer than `LONGEST_BAN`, or for good.
    "ban-for-good": frozenset(),
    "lift": _MODERATORS,
    "void": _REFEREES,
    "restore": _REFEREES,
    "annul": _REFEREES,
}


def allowed_acts(user: User | AnonymousUser) -> frozenset[str]:
    """Everything of `ALLOWED` that this user may do: one query, none for a superuser."""
    if not isinstance(user, User) or not user.is_active or user.is_guest:
        return frozenset()
    if user.is_superuser:
        return frozenset(ALLOWED)
    groups = set(user.groups.filter(name__in=ROLES).values_list("name", flat=True))
    return frozenset(act for act, roles in ALLOWED.items() if not roles.isdisjoint(groups))


def may(user: User | AnonymousUser, act: str) -> bool:
    """Whether a user may do this act of `ALLOWED`."""
    return act in allowed_acts(user)
