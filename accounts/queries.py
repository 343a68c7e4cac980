"""Reads about people."""

from allauth.account.models import EmailAddress
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When

from accounts.models import User
from accounts.names import name_key, search_key


def find_player(name: str) -> User | None:
    """The account of a name in any spelling that is the same identity; None where there is none."""
    key = name_key(name)
    return User.objects.filter(name_key=key).first() if key else None


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
