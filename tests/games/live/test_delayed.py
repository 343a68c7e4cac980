"""What spectators of delayed tables, and of tables with shared cards, are shown while matches are played."""

import asyncio
import json
import random
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live.hub import Hub
from games.models import WHOLE_DEAL, Table
from games.rules.cards import CODES
from games.services import tables
from games.services.play import Request, act, append_deal
from tests.factories import make_user
from tests.games.live.seated import Seen, four_seated

pytestmark = pytest.mark.django_db(transaction=True)

OPTIONS = {"round_cap": 3}


class Happened(NamedTuple):
    version: int
    at: datetime
    code: str  # empty for a deal


class Play:
    """A match whose time is the test's own, and what happened in it."""

    def __init__(self, live: Hub, table: Table, users: list[Any], seed: int = 1) -> None:
        self.live, self.table, self.users = live, table, users
        self.now = timezone.now()
        self.chance = random.Random(seed)
        self.started, self.phase = table.version, "deal"
        self.happened: list[Happened] = []
        live.stage.delayed.clock = lambda: self.now

    async def step(self, seconds: float = 1.0) -> str:
        """The next deal or action, so many seconds later; the phase after it."""
        self.now += timedelta(seconds=seconds)
        state = await self.live.memo.current(self.table.pk)
        code = ""
        if state.phase == "deal":
            after = await append_deal(self.live, state, now=self.now)
        else:
            code = self.chance.choice(state.match.legal())
            request = Request(self.users[state.turn].pk, code, state.version, f"v{state.version}")
            after, _ = await act(self.live, table_id=self.table.pk, request=request, now=self.now)
        self.happened.append(Happened(after.version, self.now, code))
        self.phase = after.phase
        return after.phase

    async def deal_out(self, seconds: float = 1.0) -> None:
        """Until the deal in play, or the next one, is finished."""
        while await self.step(seconds) not in {"deal", "over"}:
            pass

    async def look(self, seconds: float = 0.0) -> None:
        """Time goes by, and spectators are shown what is due."""
        self.now += timedelta(seconds=seconds)
        await self.live.stage.delayed.look()
        await asyncio.sleep(0.002)

    def allowed(self, delay: int) -> int:
        """The newest version that spectators may see now."""
        if delay == WHOLE_DEAL:
            deals = [event.version for event in self.happened if not event.code]
            return self.happened[-1].version if self.phase in {"deal", "over"} else deals[-1] - 1
        until = self.now - timedelta(seconds=delay)
        return max((event.version for event in self.happened if event.at <= until), default=self.started)

    def open_cards(self, version: int) -> set[str]:
        """The cards that lay open in the deal that stood at a version, and in the one before it."""
        deals = [event.version for event in self.happened if not event.code and event.version <= version]
        since = deals[-2:][0] if deals else 0
        return {event.code for event in self.happened if since <= event.version <= version} & set(CODES)


async def spectate(live: Hub, table: Table, user_id: int | None = None) -> Seen:
    seen = Seen(user_id)
    await live.watch(table.pk, 0, seen)
    return seen


def views(seen: Seen) -> list[dict[str, Any]]:
    return [frame for frame in seen.frames if frame["type"] == "table"]


def versions(seen: Seen) -> list[int]:
    return [frame["version"] for frame in views(seen)]


def cards_in(frame: dict[str, Any]) -> set[str]:
    text = json.dumps(frame)
    return {code for code in CODES if f'"{code}"' in text}


@pytest.mark.parametrize(("delay", "seed"), [(1, 1), (25, 2), (WHOLE_DEAL, 3)])
async def test_a_spectator_never_sees_what_is_newer_than_allowed(live: Hub, delay, seed):
    table, users = await four_seated(options=OPTIONS, watch_delay=delay)
    play = Play(live, table, users, seed)
    crowd = [await spectate(live, table), await spectate(live, table, 10**6)]
    player = await spectate(live, table, users[0].pk)
    faults: list[Any] = []
    while play.phase != "over":
        await play.step(play.chance.choice((0.2, 1, 3, 40, 0.5, 0.5, 0.5, 0.5)))
        counts = [len(seen.frames) for seen in crowd]
        await play.look()
        if play.chance.random() < 0.1:
            live.stage.redraw(table.pk)
            crowd.append(await spectate(live, table))
            counts.append(0)
        for seen, count in zip(crowd, counts, strict=True):
            faults += [v for v in versions(seen)[count:] if v > play.allowed(delay)]
            faults += [
                found
                for frame in views(seen)[count:]
                if (found := cards_in(frame) - play.open_cards(frame["version"]))
            ]
    assert faults == []
    behind = versions(crowd[0])
    assert behind == sorted(behind)
    while live.stage.delayed.holds(final := await live.memo.current(table.pk)):
        await play.look(5)
    await play.look(5)
    # The crowd is served beside everything else.
    for _ in range(200):
        if all(views(seen)[-1]["version"] == final.version for seen in crowd):
            break
        await asyncio.sleep(0.05)
    for seen in crowd:
        last = views(seen)[-1]
        assert (last["version"], last["view"]["phase"]) == (final.version, "over")
        assert {"hand", "legal"} & {key for frame in views(seen) for key in frame["view"]} == set()
        assert {f["version"] for f in views(seen) if "secret" in f["view"]} == {final.version}
    # The players were never kept waiting.
    assert set(versions(player)) >= {event.version for event in play.happened}


async def test_each_deal_is_shown_step_by_step_as_it_was_played(live: Hub):
    table, users = await four_seated(watch_delay=WHOLE_DEAL)
    play, seen = Play(live, table, users), await spectate(live, table)
    await play.deal_out(seconds=2)
    assert set(versions(seen)) == {table.version}
    await play.look()
    for _ in play.happened[1:]:
        await play.look(2)
    steps = list(dict.fromkeys(versions(seen)))
    assert steps == [table.version, *(event.version for event in play.happened)]


async def test_a_delayed_spectator_is_served_what_others_see_however_he_asks(live: Hub):
    table, users = await four_seated(watch_delay=10)
    play = Play(live, table, users)
    seen, player = await spectate(live, table), await spectate(live, table, users[2].pk)
    for _ in range(4):
        await play.step(seconds=6)
    await play.look()
    shown, now = play.happened[1].version, play.happened[-1].version
    await live.send_current(table.pk, seen)
    assert (versions(seen)[-1], await live.version_for(table.pk, seen)) == (shown, shown)
    assert (versions(player)[-1], await live.version_for(table.pk, player)) == (now, now)


async def test_a_table_that_waits_for_players_is_shown_at_once_whatever_its_delay(live: Hub):
    table = await sync_to_async(waiting_table)()
    seen = await spectate(live, table)
    guest = await sync_to_async(make_user)("Salma")
    await sync_to_async(tables.sit)(table_code=table.code, user=guest, seat=3, now=timezone.now())
    await live.memo.reload(table.pk)
    await asyncio.sleep(0.05)
    assert views(seen)[-1]["view"]["seats"][3]["name"] == "Salma"


def waiting_table() -> Table:
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}
    return tables.open_table(host=make_user(), watch_delay=WHOLE_DEAL, now=timezone.now(), **asked)


async def test_a_phrase_is_heard_by_spectators_when_they_see_what_it_is_about(live: Hub):
    table, users = await four_seated(watch_delay=10)
    play = Play(live, table, users)
    seen, player = await spectate(live, table), await spectate(live, table, users[1].pk)
    await play.step()
    live.say(table.pk, 0, "good-luck")
    await play.look(5)
    assert [frame["type"] for frame in player.frames].count("said") == 1
    assert "said" not in [frame["type"] for frame in seen.frames]
    await play.look(5)
    assert [frame["type"] for frame in seen.frames][-2:] == ["table", "said"]


async def test_who_sits_is_told_from_who_watches_by_the_seat_alone(live: Hub):
    """The owner of a seat sees the table as it is, also after he left the match for a while."""
    table, users = await four_seated(watch_delay=WHOLE_DEAL)
    play = Play(live, table, users)
    await play.step()
    away = await sync_to_async(tables.leave)(table_code=table.code, user=users[3], now=play.now)
    seen = await spectate(live, table, users[3].pk)
    await live.send_current(table.pk, seen, at_least=away.version)
    assert (versions(seen)[-1], len(views(seen)[-1]["view"]["hand"])) == (away.version, 13)


async def shared_pair(live: Hub) -> tuple[Play, Play]:
    """Two tables with the same cards."""
    plays = []
    for _ in range(2):
        table, users = await four_seated(options=OPTIONS)
        plays.append(Play(live, table, users))
    one, other = (play.table for play in plays)
    same = {"secret": bytes(one.secret), "commitment": one.commitment}
    await Table.objects.filter(pk=other.pk).aupdate(**same)
    return plays[0], plays[1]


async def test_a_deal_with_shared_cards_is_shown_once_it_was_finished_at_every_table(live: Hub):
    first, second = await shared_pair(live)
    seen = await spectate(live, first.table)
    await first.deal_out()
    await second.step()
    second.now = first.now
    for _ in range(5):
        await second.look(30)
    assert set(versions(seen)) == {first.started}
    second.now += timedelta(seconds=1)
    await second.deal_out()
    for _ in range(25):
        await second.look(5)
    assert versions(seen)[-1] == first.happened[-1].version


async def test_what_is_played_later_than_elsewhere_is_shown_when_it_is_finished_here(live: Hub):
    first, second = await shared_pair(live)
    await first.deal_out()
    seen = await spectate(live, second.table)
    await second.step()
    await second.look(1000)
    assert set(versions(seen)) == {second.started}


async def test_the_secret_is_out_when_the_last_table_with_the_same_cards_is_over(live: Hub):
    first, second = await shared_pair(live)
    seen, player = await spectate(live, first.table), await spectate(live, first.table, first.users[0].pk)
    while first.phase != "over":
        await first.deal_out()
    second.now = first.now
    await second.look(3600)
    assert [frame for frame in (*views(seen), *views(player)) if "secret" in frame["view"]] == []
    assert views(player)[-1]["view"]["phase"] == "over"
    while second.phase != "over":
        await second.deal_out()
    for _ in range(20):
        await second.look(30)
    for watcher in (seen, player):
        last = views(watcher)[-1]["view"]
        assert (last["phase"], last["secret"]) == ("over", bytes(first.table.secret).hex())
