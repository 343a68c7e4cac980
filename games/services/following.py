"""Telling players that somebody whom they follow has begun a match that all may watch."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Follow, NoticeChoice, NoticeKind, User
from accounts.notices import Telling, notify_each
from accounts.text import isolate
from games.models import Phase, Ruleset, Seat, Table, Visibility

# What began earlier is no news any more.
NEWS_FOR = timedelta(minutes=3)
MOST_TABLES = 500


@transaction.atomic(durable=True)
def tell_followers(*, now: datetime) -> int:
    """Those who want to hear of it are told of matches that began lately, each once; how many sentences."""
    begun = Table.objects.filter(
        started_at__gt=now - NEWS_FOR, created_at__gt=now - timedelta(days=1), visibility=Visibility.PUBLIC
    ).exclude(phase__in=(Phase.WAITING, Phase.OVER))
    wanted = NoticeChoice.objects.filter(kind=NoticeKind.FOLLOWS, here=True).values("user")
    seats = Seat.objects.filter(
        table__in=begun.order_by("-pk")[:MOST_TABLES].values("pk"),
        user__shows_play=True,
        user__followers__user__in=wanted,
    )
    tellings: list[Telling] = []
    sitting = _sitting(seats.values_list("table", flat=True))
    for seat in seats.select_related("user", "table").distinct():
        follows = Follow.objects.filter(followed=seat.user, user__in=wanted).exclude(
            user__in=sitting[seat.table_id]
        )
        followers = [one.user for one in follows.select_related("user")]
        if followers and seat.user is not None:
            tellings.append(_telling(followers, seat.user, seat.table))
    if tellings:
        notify_each(tellings, kind=NoticeKind.FOLLOWS, by_mail=True, now=now)
    return len(tellings)


def _sitting(table_ids: Iterable[int]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for table_id, user_id in Seat.objects.filter(table__in=table_ids).values_list("table", "user"):
        if user_id is not None:
            found[table_id].add(user_id)
    return found


def _telling(followers: list[User], player: User, table: Table) -> Telling:
    def say() -> str:
        said = _("%(player)s has begun a match: %(ruleset)s. You can watch it.")
        return said % {"player": isolate(player.username), "ruleset": Ruleset(table.ruleset).label}

    return Telling(followers, f"begun-{table.pk}-{player.pk}", say, table.get_absolute_url())
