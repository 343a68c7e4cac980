"""Running tournaments of any format for tests of pages: rows put in at once, and results as the log has them."""

from datetime import timedelta
from typing import Any

from tests.factories import make_users
from tests.tournaments.scenes import NOW, make_tournament
from tournaments.formats.notation import read_item
from tournaments.models import Entry, LogItem, Member, State, Tournament
from tournaments.queries import folded

Item = dict[str, Any]


def drawn(format_: str, pairs: int, played: int = 0, **more: Any) -> Tournament:
    """A tournament of so many pairs, e1 the best seed, in which the first of two sides has won so many pairings."""
    tournament = make_tournament(format=format_, capacity=max(2, pairs), **more)
    Tournament.objects.filter(pk=tournament.pk).update(
        state=State.RUNNING, started_at=NOW - timedelta(hours=1)
    )
    tournament.refresh_from_db()
    users = make_users(2 * pairs)
    entries = Entry.objects.bulk_create(
        [
            Entry(tournament=tournament, number=n, seed=n, created_at=NOW, accepted_at=NOW)
            for n in range(1, pairs + 1)
        ]
    )
    Member.objects.bulk_create(
        [
            Member(tournament=tournament, entry=entry, place=place, user=users[2 * at + place], active=True)
            for at, entry in enumerate(entries)
            for place in (0, 1)
        ]
    )
    play(tournament, played)
    return tournament


def play(tournament: Tournament, count: int) -> None:
    """So many more pairings, won by the first of two sides at the target."""
    fold = folded(tournament)
    items: list[Item] = []
    while len(items) < count:
        ready = [pairing.id for pairing in fold.plan().pairings if pairing.status == "ready"]
        if not ready:
            break
        for id_ in ready[: count - len(items)]:
            item = {"type": "result", "pairing": id_, "kind": "target", "score": [31, 12]}
            fold.add(read_item(item))
            items.append(item)
    log(tournament, *items)


def log(tournament: Tournament, *items: Item, **more: Any) -> None:
    """These items, behind all others."""
    first = tournament.log.count()
    LogItem.objects.bulk_create(
        [
            LogItem(tournament=tournament, number=first + at, item=item, at=NOW, **more)
            for at, item in enumerate(items)
        ]
    )
