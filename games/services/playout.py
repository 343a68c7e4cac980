"""A whole match between built-in players, stored at once: for rehearsals and demonstrations."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from games.live.store import load_sync
from games.models import Deal, Event, EventKind, Table
from games.rules.cards import CODES
from games.rules.match import Match
from games.rules.players import PLAYERS
from games.rules.shuffle import deck
from games.rules.views import seat_view
from games.services.play import facts
from games.services.refusals import Refused
from games.services.seating import CHANGING, tell_on_commit

# Random bidders without a cap may go on for thousands of rounds.
MOST_DEALS = 5000


def play_out(
    *, table_id: int, players: Sequence[str], chance: Callable[[int], int], by: str = "b", now: datetime
) -> Table:
    """Play a started table's match to its end; seat i is played by the i-mod-k-th of `players`.

    `chance(n)` gives a number in [0, n). `by` is who the actions are said to be done by.
    Raises: Refused `not-in-play`, `paused`.
    """
    with transaction.atomic(durable=True):
        return play_out_inside(table_id=table_id, players=players, chance=chance, by=by, now=now)


def play_out_inside(
    *, table_id: int, players: Sequence[str], chance: Callable[[int], int], by: str, now: datetime
) -> Table:
    """Inside an open transaction: the same as `play_out`."""
    table = Table.objects.select_for_update().get(pk=table_id)
    state = load_sync(table_id)
    if state is None or state.match is None or state.phase == "over":
        raise Refused("not-in-play")
    if state.paused:
        raise Refused("paused")
    writer = _Writer(table, state.match, by, now)
    while writer.match.phase != "over" and writer.match.deals < MOST_DEALS:
        match = writer.match
        if match.turn is None:
            writer.deal(deck(state.secret, state.salt, match.deals))
        else:
            player = PLAYERS[players[match.turn % len(players)]]
            writer.act(player(seat_view(match, match.turn), chance))
    writer.store()
    return table


class _Writer:
    """Collects the events of a match and stores them in bulk."""

    def __init__(self, table: Table, match: Match, by: str, now: datetime) -> None:
        self.table, self.match, self._by, self._now = table, match.copy(), by, now
        self._events: list[Event] = []
        self._deals: list[Deal] = list(table.deals.filter(finished=False))

    def deal(self, cards: Sequence[int]) -> None:
        self.match.start_deal(cards)
        self._add(kind=EventKind.DEAL)
        self._deals.append(
            Deal(
                table=self.table,
                index=self.match.deals - 1,
                version=self.table.version,
                dealer=self.match.dealer,
                deck=" ".join(CODES[card] for card in cards),
            )
        )

    def act(self, code: str) -> None:
        before, seat = self.match.copy(), self.match.turn
        self.match.act(code, self._by)
        self._add(kind=EventKind.ACT, seat=seat, code=code, by=self._by, ms=0)
        found = facts(before, self.match, self._now)
        if "finished_index" in found:
            deal = self._deals[-1]
            deal.finished, deal.change = True, found["change"]
            deal.contract, deal.tricks = found["contract"], found["tricks"]

    def store(self) -> None:
        found = facts(self.match, self.match, self._now)
        for name, value in found.items():
            setattr(self.table, name, value)
        self.table.seats.filter(engaged=True).update(engaged=False)
        self.table.due_at = None if self.match.result is not None else self._now
        Event.objects.bulk_create(self._events, batch_size=2000)
        Deal.objects.bulk_create(
            self._deals,
            update_conflicts=True,
            unique_fields=["table", "index"],
            update_fields=["finished", "contract", "tricks", "change"],
        )
        self.table.save(update_fields={*CHANGING, *found})
        tell_on_commit(self.table)

    def _add(self, **event: Any) -> None:
        self.table.version += 1
        self._events.append(Event(table=self.table, version=self.table.version, at=self._now, **event))
