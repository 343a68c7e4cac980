"""No socket and no page ever gives a card to somebody who may not know it, whatever happens at the table.

Random matches of every ruleset, with people who come, go, come back through another process, are away, are sat in
for, resign or close; with processes that die; with spectators, some of them behind a delay. Every frame that any
socket was sent, and every page that was asked for meanwhile, is held against what its reader may know.
`LEAK_MATCHES=50` plays so many matches of each ruleset.
"""

import asyncio
import os
import random
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.live.hub import Hub
from games.models import WHOLE_DEAL, Table
from games.rules.cards import CODES
from games.rules.ruleset import RULESETS
from games.services import tables
from games.services.play import Request, act
from games.services.refusals import Refused
from games.services.votes import vote
from tests.factories import make_user
from tests.games.live.knowledge import Knowledge, all_leaks, named
from tests.games.live.seated import Seen, four_seated, look

pytestmark = pytest.mark.django_db(transaction=True)

MATCHES = int(os.environ.get("LEAK_MATCHES", "1"))
STEPS = 170


class Chance:
    """A match, and everything that may happen to it and around it."""

    def __init__(self, live: Hub, table: Table, users: list[User], boss: User, seed: int) -> None:
        self.hubs, self.table, self.users, self.boss = [live, Hub()], table, users, boss
        self.chance = random.Random(seed)
        self.sockets: list[tuple[Hub, Seen]] = []
        self.seen: list[Seen] = []
        self.pages: list[tuple[int | None, int, str]] = []
        self.count = 0

    async def come(self, user_id: int | None) -> None:
        """Somebody opens a socket, at a process by chance."""
        live, seen = self.chance.choice(self.hubs), Seen(user_id)
        self.seen.append(seen)
        self.sockets.append((live, seen))
        await live.watch(self.table.pk, 0, seen)

    async def step(self) -> bool:
        """One thing that happens; whether the match goes on."""
        state = await self.chance.choice(self.hubs).memo.reload(self.table.pk)
        if state.phase == "over":
            return False
        if state.phase == "deal":
            await look(self.hubs[0])
            return True
        doings = (self.act, self.time_out, self.come_or_go, self.go, self.send_again, self.die, self.read)
        weights = (60, 8, 4, 6, 4, 2, 1)
        await self.chance.choices(doings, weights)[0](state)
        return True

    async def act(self, state: Any) -> None:
        """The player in turn acts; now and then somebody tries a card that is not theirs."""
        live, user = self.chance.choice(self.hubs), self.users[state.turn]
        self.count += 1
        if self.chance.random() < 0.1:
            await self.tried(
                live, Request(user.pk, self.chance.choice(CODES), state.version, f"x{self.count}")
            )
        legal = state.match.legal()
        # More calls than passes, so that cards are played.
        code = next((c for c in legal if c != "p"), legal[0]) if state.phase == "auction" else None
        request = Request(
            user.pk, code or self.chance.choice(legal), state.version, f"{user.pk}-{self.count}"
        )
        await self.tried(live, request)

    async def tried(self, live: Hub, request: Request) -> None:
        with suppress(Refused):
            await act(live, table_id=self.table.pk, request=request, now=timezone.now())

    async def time_out(self, state: Any) -> None:
        """Nobody acts: the clock, or a bot that sits in."""
        for _ in range(self.chance.choice((1, 1, 4))):
            await look(self.chance.choice(self.hubs))

    async def come_or_go(self, state: Any) -> None:
        """Somebody leaves the table or comes back to it; the others say what is to be done."""
        user = self.chance.choice(self.users)
        door = self.chance.choice((tables.leave, tables.come_back))
        wishes = ("bot", "wait", None)
        for call, wish in (
            (door, {}),
            (vote, {"on": "absence", "choice": self.chance.choice(wishes)}),
        ):
            with suppress(Refused):
                await sync_to_async(call)(table_code=self.table.code, user=user, now=timezone.now(), **wish)

    async def go(self, state: Any) -> None:
        """A socket is lost; a new one comes, of the same user or of anybody."""
        live, seen = self.sockets.pop(self.chance.randrange(len(self.sockets)))
        live.unwatch(self.table.pk, seen)
        await self.come(self.chance.choice((seen.user_id, seen.user_id, None, self.boss.pk)))

    async def send_again(self, state: Any) -> None:
        live, seen = self.chance.choice(self.sockets)
        await live.send_current(self.table.pk, seen)

    async def die(self, state: Any) -> None:
        """A process is killed; another one takes its place, and its sockets come again."""
        dead = self.hubs.pop()
        for job in dead._tasks:
            job.cancel()
        self.hubs.append(Hub())
        lost = [seen for live, seen in self.sockets if live is dead]
        self.sockets = [(live, seen) for live, seen in self.sockets if live is not dead]
        for seen in lost:
            await self.come(seen.user_id)

    async def read(self, state: Any) -> None:
        """Somebody asks for everything that can be asked for about the table."""
        user = self.chance.choice([*self.users, self.boss, None])
        texts = await sync_to_async(asked_for)(self.table, user)
        self.pages += [(user and user.pk, state.version, text) for text in texts]

    async def end(self) -> None:
        """The match does not go on for ever: two resign, or it is closed."""
        if self.chance.random() < 0.5:
            for seat in (0, 2):
                await sync_to_async(vote)(
                    table_code=self.table.code,
                    user=self.users[seat],
                    on="resign",
                    choice="yes",
                    now=timezone.now(),
                )
        else:
            await sync_to_async(tables.close_table)(table_id=self.table.pk, now=timezone.now())
        for live in self.hubs:
            await live.memo.reload(self.table.pk)
        await asyncio.sleep(0.1)


def asked_for(table: Table, user: User | None) -> list[str]:
    """What every door about a table in play answers, records and administration included."""
    browser = Client(raise_request_exception=False)
    if user is not None:
        browser.force_login(user)
    rows = {
        "table": [table.pk],
        "deal": list(table.deals.values_list("pk", flat=True))[-2:],
        "seat": list(table.seats.values_list("pk", flat=True))[:1],
    }
    paths = [f"/tables/{table.code}/", f"/tables/{table.code}/record/", f"/matches/{table.code}/"]
    paths += ["/tables/", f"/tables/{table.code}/nothing/", f"/players/{table.host.username}/"]
    if user is not None and user.is_superuser:
        paths += [f"/admin/games/{name}/" for name in rows]
        paths += [f"/admin/games/{name}/{key}/change/" for name, keys in rows.items() for key in keys]
    answers = [browser.get(path) for path in paths]
    assert {answer.status_code for answer in answers} <= {200, 302, 404}
    return [answer.content.decode() for answer in answers]


async def end_of(match: Chance) -> None:
    for _ in range(STEPS):
        if not await match.step():
            break
    else:
        await match.end()


@pytest.mark.parametrize("number", range(MATCHES))
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_nobody_is_shown_a_card_that_is_not_theirs_to_know(live: Hub, ruleset: str, number: int):
    seed = 31 * number + len(ruleset)
    delay = (0, WHOLE_DEAL, 30)[seed % 3]
    table, users = await four_seated(ruleset=ruleset, target=RULESETS[ruleset].targets[0], watch_delay=delay)
    boss = await sync_to_async(make_user)(is_staff=True, is_superuser=True, language="en")
    match = Chance(live, table, users, boss, seed)
    for user_id in [*(user.pk for user in users), users[0].pk, None, None, boss.pk]:
        await match.come(user_id)

    await end_of(match)
    await asyncio.sleep(0.2)
    for job in match.hubs[1]._tasks:
        job.cancel()

    knowledge = await sync_to_async(lambda: Knowledge(Table.objects.get(pk=table.pk)))()
    frames = [(seen.user_id, frame) for seen in match.seen for frame in seen.frames]
    assert len({frame["version"] for _, frame in frames if frame["type"] == "table"}) > 60
    assert all_leaks(knowledge, frames) == []
    read = [(user, version, named(text) - knowledge.of(user, version)) for user, version, text in match.pages]
    assert [told for told in read if told[2]] == []
    assert [user for user, _, text in match.pages if knowledge.secret in text] == []


async def test_what_is_leaked_would_be_found(live: Hub):
    table, users = await four_seated()
    await look(live)
    seen = Seen(users[0].pk)
    await live.watch(table.pk, 0, seen)
    await asyncio.sleep(0.05)
    knowledge = await sync_to_async(lambda: Knowledge(Table.objects.get(pk=table.pk)))()
    frame = seen.frames[-1]
    assert knowledge.leaks_in(users[0].pk, frame) == set()
    hand = set(frame["view"]["hand"])
    assert len(hand) == 13
    assert knowledge.leaks_in(users[1].pk, frame) == knowledge.leaks_in(None, frame) == hand
    spoilt = frame | {"view": frame["view"] | {"salt": knowledge.secret}}
    assert knowledge.leaks_in(users[0].pk, spoilt) == {"secret"}
