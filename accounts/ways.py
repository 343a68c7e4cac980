"""On which ways notices come: for each kind, on the site, by e-mail, to browsers that are closed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db import transaction

from accounts.models import NoticeChoice, NoticeKind, PushAddress, User
from accounts.pushing import is_offered


@dataclass(frozen=True, slots=True)
class Ways:
    """Whether the notices of a kind stand on the site, come by e-mail, and are pushed."""

    here: bool
    mail: bool
    push: bool


# What holds for who chose nothing. Whom one follows is told of by wish alone.
DEFAULTS: dict[str, Ways] = {
    NoticeKind.INVITATIONS: Ways(here=True, mail=False, push=True),
    NoticeKind.TOURNAMENTS: Ways(here=True, mail=True, push=True),
    NoticeKind.REVIEWS: Ways(here=True, mail=True, push=True),
    NoticeKind.FOLLOWS: Ways(here=False, mail=False, push=False),
}
# All other kinds always stand on the site.
OPTIONAL_HERE = frozenset({NoticeKind.FOLLOWS})


def ways_of(user: User) -> dict[str, Ways]:
    """By kind, on which ways this user's notices come."""
    chosen = {choice.kind: _ways(choice) for choice in NoticeChoice.objects.filter(user=user)}
    return {kind: chosen.get(kind, ways) for kind, ways in DEFAULTS.items()}


@transaction.atomic(durable=True)
def choose(*, user: User, ways: Mapping[str, Ways], wants_mail: bool) -> None:
    """The user's choice for each of these kinds; and whether letters come at all."""
    for kind, way in ways.items():
        here = way.here or kind not in OPTIONAL_HERE
        NoticeChoice.objects.update_or_create(
            user=user, kind=kind, defaults={"here": here, "mail": way.mail, "push": way.push}
        )
    User.objects.filter(pk=user.pk).update(wants_mail=wants_mail)


def wanted(kind: str, user_ids: Collection[int]) -> dict[int, Ways]:
    """By user, on which ways notices of a kind come; nothing is pushed to who has no browser for it."""
    chosen = NoticeChoice.objects.filter(kind=kind, user__in=user_ids)
    found = {choice.user_id: _ways(choice) for choice in chosen}
    reached: set[int] = set()
    if is_offered():
        reached = set(PushAddress.objects.filter(user__in=user_ids).values_list("user", flat=True))
    ways = {user_id: found.get(user_id, DEFAULTS[kind]) for user_id in user_ids}
    return {
        user_id: Ways(way.here, way.mail, way.push and user_id in reached) for user_id, way in ways.items()
    }


def _ways(choice: NoticeChoice) -> Ways:
    return Ways(choice.here, choice.mail, choice.push)
