"""Guests: a table against bots at once, the seat kept when they make an account, and forgetting who never played."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError, Q, QuerySet

from accounts import services as accounts
from accounts.models import User
from games.models import (
    ChatLine,
    Event,
    EventKind,
    Phase,
    Report,
    ResultKind,
    Ruleset,
    Seat,
    SeatKind,
    Table,
    Visibility,
)
from games.rules.ruleset import RULESETS
from games.services.opening import seat_and_start
from games.services.seating import tell_on_commit
from games.speeds import SPEEDS

FORGOTTEN_AFTER = timedelta(days=1)
FORGOTTEN_AT_ONCE = 500


@transaction.atomic(durable=True)
def play_with_bots(*, user: User, ruleset: str = "", speed: str = "", now: datetime) -> Table:
    """A table of the user's with three bots, unrated and only for who has its link; play begins by itself.

    One that is still played, of that ruleset if one is named, is gone on with instead. Raises: Refused.
    """
    # Whoever presses twice plays once.
    user = accounts.held(user)
    played = _against_bots(user, ruleset)
    if played is not None:
        return played
    ruleset = ruleset or Ruleset.KOTCHINA
    return seat_and_start(
        users=(user, None, None, None),
        ruleset=ruleset,
        target=RULESETS[ruleset].targets[0],
        options={},
        speed=SPEEDS[speed or "normal"],
        rated=False,
        free_chat=False,
        host=user,
        visibility=Visibility.LINK,
        now=now,
    )


def _against_bots(user: User, ruleset: str) -> Table | None:
    others = Seat.objects.filter(table=OuterRef("pk")).exclude(kind=SeatKind.BOT).exclude(user=user)
    tables = Table.objects.filter(_unfinished(user), ~Exists(others), host=user, visibility=Visibility.LINK)
    if ruleset:
        tables = tables.filter(ruleset=ruleset)
    return tables.order_by("-pk").first()


def table_of(user: User) -> Table | None:
    """The newest table at which the user sits and whose match is not over; None where there is none."""
    return Table.objects.filter(_unfinished(user)).order_by("-pk").first()


def _unfinished(user: User) -> Q:
    return Q(pk__in=Seat.objects.filter(user=user).values("table")) & ~Q(phase=Phase.OVER)


@transaction.atomic(durable=True)
def keep_seat(*, user: User, name: str, email: str, password: str) -> User:
    """The guest with an account: the same row, so the same seats and the same matches.

    Raises: ValidationError as `accounts.services.settle`.
    """
    user = accounts.settle(user=user, name=name, email=email, password=password)
    for table in Table.objects.filter(_unfinished(user)):
        tell_on_commit(table)
    return user


def forget(*, now: datetime) -> int:
    """Delete guests who were not here for a day and never finished a match; how many that were.

    With them go the tables at which they sat with bots alone and which ended without a result: nobody else's
    history. A second run finds nothing.
    """
    return sum(_forget(guest.pk) for guest in _forgotten(now)[:FORGOTTEN_AT_ONCE])


def _forgotten(now: datetime) -> QuerySet[User]:
    own = Seat.objects.filter(user=OuterRef("pk"))
    others = Seat.objects.filter(table=OuterRef("table"), user__isnull=False).exclude(user=OuterRef("user"))
    needed = own.filter(
        ~Q(table__phase=Phase.OVER) | ~Q(table__result_kind__in=("", ResultKind.NO_RESULT)) | Exists(others)
    )
    complaints = Report.objects.filter(Q(by=OuterRef("pk")) | Q(about=OuterRef("pk")))
    lines = ChatLine.objects.filter(user=OuterRef("pk"))
    return User.objects.filter(
        ~Exists(needed),
        ~Exists(complaints),
        ~Exists(lines),
        is_guest=True,
        last_login__lt=now - FORGOTTEN_AFTER,
    ).order_by("pk")


def _forget(guest_id: int) -> bool:
    try:
        with transaction.atomic():
            guest = (
                User.objects.select_for_update(skip_locked=True).filter(pk=guest_id, is_guest=True).first()
            )
            if guest is None:
                return False
            Table.objects.filter(seats__user=guest).delete()
            # Sat down and left again before the start: at a table of others an unnamed coming and going.
            Event.objects.filter(user=guest, kind__in=(EventKind.SIT, EventKind.LEAVE)).update(user=None)
            guest.delete()
    except ProtectedError:
        return False
    return True
