"""Reads about people."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Now

from accounts.countries import country_name
from accounts.models import AskedBy, Block, Follow, NameChange, User
from accounts.names import name_key, search_key


def find_player(name: str) -> User | None:
    """The account of a name in any spelling that is the same identity; None where there is none."""
    key = name_key(name)
    return User.objects.filter(name_key=key).first() if key else None


def formerly(name: str) -> User | None:
    """Who had that name lately, if nobody has it now; nobody whose account is closed."""
    since = Now() - timedelta(days=settings.OLD_NAME_DAYS)
    had = NameChange.objects.filter(before_key=name_key(name), at__gt=since, user__closed_at=None)
    change = had.select_related("user").first()
    return change.user if change and name_key(name) else None


def former_names(user: User) -> list[str]:
    """The names that the user had lately, the last one first."""
    since = Now() - timedelta(days=settings.OLD_NAME_DAYS)
    changes = NameChange.objects.filter(user=user, at__gt=since).exclude(before="")
    return [name for name in changes.values_list("before", flat=True) if name_key(name) != user.name_key]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a player's page: who that is, and how the reader stands to them."""

    country: str
    former_names: list[str]
    is_own: bool
    may_meet: bool
    follows: bool
    blocks: bool
    may_ask: bool


def head_of(player: User, reader: User | None) -> Head:
    """What the head of a player's page shows to a reader; `reader` is None for who has no account."""
    known = reader is not None and not reader.is_guest and reader.pk != player.pk
    may_meet = known and not player.is_guest and player.closed_at is None
    follows = blocks = may_asked = False
    if may_meet and reader is not None:
        follows = Follow.objects.filter(user=reader, followed=player).exists()
        blocks = Block.objects.filter(user=reader, blocked=player).exists()
        may_asked = not blocks and may_ask(reader, player)
    return Head(
        country=country_name(player.country) if player.country else "",
        former_names=former_names(player) if player.closed_at is None else [],
        is_own=reader is not None and reader.pk == player.pk,
        may_meet=may_meet,
        follows=follows,
        blocks=blocks,
        may_ask=may_asked,
    )


def may_ask(user: User, other: User) -> bool:
    """Whether `user` may ask `other` to a table, to be a partner, to a pair."""
    if Block.objects.filter(user=other, blocked=user).exists():
        return False
    if other.asked_by == AskedBy.FOLLOWED:
        return Follow.objects.filter(user=other, followed=user).exists()
    return other.asked_by == AskedBy.ALL


def blocks_among(user_ids: Collection[int]) -> frozenset[frozenset[int]]:
    """The pairs of these users of whom one has blocked the other."""
    found = Block.objects.filter(user__in=user_ids, blocked__in=user_ids)
    return frozenset(frozenset(pair) for pair in found.values_list("user", "blocked"))


def search_players(text: str, *, limit: int = 20) -> list[User]:
    """Active players whose names hold the text under the wide fold: whole names, then beginnings, then the rest.

    Guests are not among them: who has no account is not looked for.
    """
    key = search_key(text)
    if not key:
        return []
    found = User.objects.filter(is_active=True, is_guest=False, search_key__contains=key)
    return list(found.order_by(_rank(text, key), "sort_key", "id")[:limit])


def by_name(players: QuerySet[User]) -> QuerySet[User]:
    """The players in the order of the Arabic alphabet, Latin names after it; ties by id."""
    return players.order_by("sort_key", "id")


def with_email(email: str) -> QuerySet[User]:
    """The accounts of an e-mail address, in any case of its letters: one at most."""
    return User.objects.filter(email__iexact=email.strip()) if email.strip() else User.objects.none()


def is_confirmed(user: User) -> bool:
    """Whether the user has shown that the account's e-mail address is theirs."""
    found = EmailAddress.objects.filter(user=user, verified=True, email__iexact=user.email)
    return bool(user.email) and found.exists()


def _rank(text: str, key: str) -> Case:
    return Case(
        When(name_key=name_key(text), then=Value(0)),
        When(search_key=key, then=Value(1)),
        When(Q(search_key__startswith=key) | Q(search_key__contains=f" {key}"), then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )
