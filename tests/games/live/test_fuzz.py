"""Whatever comes over a socket: it is refused or closed with a documented code, and nobody else notices.

`FUZZ_SECONDS=600` fuzzes for so long instead of a few hundred frames; `FUZZ_SEED` repeats a run.
"""

import asyncio
import json
import os
import random
import re
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from time import monotonic
from typing import Any

import psutil
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.models import User
from games.limits import SOCKETS_OF_USER
from games.protocol import WIRE
from tests.factories import make_users
from tests.games.live import fuzz
from tests.games.live.clients import Browser
from tests.games.live.party import PlayingParty, seated_table, signed_in
from tests.live import ROOT, LiveSite

SECONDS = float(os.environ.get("FUZZ_SECONDS", "0"))
SEED = int(os.environ.get("FUZZ_SEED", "7"))
# Fewer than a socket may send at once.
A_SOCKET = 50
SOCKETS = 12
ANSWERS = {"table", "refused", "pong", "said", "chat"}
CODES = set(re.findall(r"`([a-z-]+)`", (ROOT / "docs" / "protocol.md").read_text()))


@pytest.fixture(scope="module")
def users(live_site: LiveSite) -> list[User]:
    """The four who play, and two who do not."""
    return make_users(6)


@pytest.fixture(scope="module")
def sessions(users: list[User]) -> list[str]:
    return signed_in(users)


@pytest.fixture
def code(users: list[User]) -> str:
    return seated_table(users[:4])


@pytest.fixture
async def party(live_site: LiveSite, sessions: list[str], code: str) -> AsyncIterator[PlayingParty]:
    """A match in play, for as long as a test runs; nobody at it may notice anything of the test."""
    found = PlayingParty(live_site.url)
    await found.begin(code, sessions[:4])
    before = live_site.log("web")
    try:
        yield found
        assert live_site.is_green()
        assert [line for line in live_site.log("web")[len(before) :].splitlines() if is_fault(line)] == []
        version = found.version
        # Longer than the pause between two deals.
        async with asyncio.timeout(20):
            while not found.is_over and found.version < version + 2:
                await asyncio.sleep(0.05)
    finally:
        await found.end()
    slow = sorted(found.seconds)[: -len(found.seconds) // 50 - 1]
    assert max(slow) < 1, "the players at another table were held up"


def is_fault(line: str) -> bool:
    return "Traceback" in line or " ERROR " in line or " CRITICAL " in line


async def answers(connection: ClientConnection, sent: list[fuzz.Frame]) -> list[dict]:
    """What came back for frames sent one after the other, up to the refusal of a last one."""
    for frame in sent:
        await connection.send(frame)
    await connection.send('{"type":"act","action":"p","version":987654321,"id":"the last"}')
    found: list[dict] = []
    async with asyncio.timeout(30):
        while not found or found[-1].get("id") != "the last":
            found.append(json.loads(await connection.recv()))
    assert len([f for f in found if f["type"] in {"pong", "refused"}]) > sum(map(is_surely_answered, sent))
    return found


def is_surely_answered(frame: fuzz.Frame) -> bool:
    """By `pong` or `refused`: not so what may be done after all, or is told to all."""
    text = "".join(frame) if isinstance(frame, list) else frame
    return isinstance(text, bytes) or not re.search(r'"(act|say|vote|back|echo)"', text)


async def test_random_frames_are_answered_and_harm_nobody(live_site, sessions, party):
    strangers = [Browser(live_site.url) for _ in range(3)]
    for browser, session in zip(strangers[:2], sessions[4:], strict=True):
        browser.http.cookies.set("sessionid", session)
    web = psutil.Process(live_site.processes["web"].pid)
    seen: set[str] = set()
    until, memory = monotonic() + SECONDS, 0
    for number in count():
        if number >= SOCKETS and monotonic() >= until:
            break
        # By turns: players of the match themselves, people who only watch it, and guests.
        browser = ([*party.browsers, *strangers])[number % 7]
        # A match that is over is fuzzed all the same.
        connection = await browser.connect(f"/ws/tables/{party.code}/")
        drawn = list(islice(fuzz.frames(SEED + number, lambda: party.version), A_SOCKET))
        found = await answers(connection, drawn)
        assert {frame["type"] for frame in found} <= ANSWERS
        seen |= {frame["code"] for frame in found if frame["type"] == "refused"}
        await connection.close()
        if number == SOCKETS // 2:
            memory = web.memory_info().rss
    assert {"malformed", "not-seated"} <= seen <= CODES
    assert web.memory_info().rss - memory < 40 * 2**20
    for browser in strangers:
        await browser.close()


NO_FRAMES: tuple[tuple[list[Any], int], ...] = (
    (["x" * 4097], 1009),
    (["x" * 2**20], 1009),
    ([b"\0" * 4097], 1009),
    ([["x" * 3000, "x" * 3000]], 1009),
    ([["{"] * 5000], 1009),
    ([b'\xff\xfe{"type":"ping"}'], 1007),
    ([b"\xed\xa0\x80"], 1007),
)
NO_WEBSOCKET = (
    b"\x83\x80\0\0\0\0",  # a kind of frame that there is not
    b"\x81\x05hello",  # not masked
    b"\xf1\x80\0\0\0\0",  # reserved bits
    b"\x89\xfe\x01\x00" + bytes(260),  # a ping that is too long
    b"\x80\x80\0\0\0\0",  # goes on with what was never begun
)


async def test_what_is_no_frame_closes_the_socket_with_a_code(live_site, party):
    async with Browser(live_site.url) as guest:
        codes = []
        for sent, code in NO_FRAMES:
            connection = await guest.connect(f"/ws/tables/{party.code}/")
            for frame in sent:
                # As text, even where it is none.
                with suppress(ConnectionClosed):
                    await connection.send(frame, text=True if code == 1007 else None)
            codes.append(await code_at_the_end(connection))
        assert codes == [code for _, code in NO_FRAMES]
        for raw in NO_WEBSOCKET:
            connection = await guest.connect(f"/ws/tables/{party.code}/")
            connection.transport.write(raw)
            assert await code_at_the_end(connection) == 1002, raw


async def code_at_the_end(connection: ClientConnection) -> int | None:
    """The code that the server closed with."""
    with suppress(ConnectionClosed):
        async with asyncio.timeout(20):
            while True:
                await connection.recv()
    return connection.close_code


async def test_a_thousand_frames_a_second_are_cut_off_and_disturb_nobody(live_site, party):
    async with Browser(live_site.url) as guest:
        for _ in range(3):
            connection = await guest.connect(f"/ws/tables/{party.code}/")
            sending = asyncio.create_task(flood(connection))
            assert await code_at_the_end(connection) == 4429
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)


async def flood(connection: ClientConnection) -> None:
    while True:
        for _ in range(50):
            await connection.send('{"type":"ping","version":0}')
        await asyncio.sleep(0.05)


async def test_old_ids_and_other_peoples_actions_change_nothing(live_site, sessions, party):
    async with Browser(live_site.url) as stranger:
        stranger.http.cookies.set("sessionid", sessions[4])
        theirs = await stranger.socket(party.code)
        own = await party.browsers[0].socket(party.code)
        async with asyncio.timeout(10):
            while not (mine := [f for f in party.clients[0].frames if f.get("id")]):
                await asyncio.sleep(0.05)
        done_id, version = mine[0]["id"], mine[0]["version"]
        before = party.version
        # The same id with another action, and the same act by somebody else.
        await own.act("b13" if mine[0]["view"]["calls"][-1:] != [[0, "b13"]] else "p", version - 1, done_id)
        assert (await own.next_of("refused"))["code"] == "malformed"
        await theirs.act("p", version - 1, done_id)
        assert (await theirs.next_of("refused"))["code"] == "not-seated"
        for action in ("p", "b7", "AS", "tS"):
            await theirs.act(action, party.version)
            assert (await theirs.next_of("refused"))["code"] == "not-seated"
        assert party.version >= before


HALVES = (
    b"",
    b"GET",
    b"GET /ws/tables/AAAAA/ HTTP/1.1\r\n",
    b"GET /ws/tables/AAAAA/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n",
    b"\0" * 2000,
)


async def test_half_handshakes_and_sockets_that_vanish_disturb_nobody(live_site, party):
    web = psutil.Process(live_site.processes["web"].pid)
    before = web.num_fds()
    sockets = []
    for number in range(70):
        half = socket.create_connection(("127.0.0.1", live_site.port), 5)
        half.sendall(HALVES[number % len(HALVES)])
        sockets.append(half)
    async with Browser(live_site.url) as guest:
        for _ in range(20):
            connection = await guest.connect(f"/ws/tables/{party.code}/")
            connection.transport.abort()
        # What comes in the middle of all that is served.
        assert (await guest.http.get("/healthz")).status_code == 200
    for half in sockets:
        # No goodbye: a reset.
        half.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        half.close()
    async with asyncio.timeout(20):
        while web.num_fds() > before + 8:
            await asyncio.sleep(0.1)


async def test_a_crowd_of_foreign_origins_is_refused(live_site, party):
    origins = ["http://evil.example", "null", "", f"{live_site.url}.evil.example", "http://[", "a" * 3000]
    async with Browser(live_site.url) as guest:
        for origin in random.Random(SEED).choices(origins, k=30):
            with pytest.raises(InvalidStatus) as refused:
                await guest.connect(f"/ws/tables/{party.code}/", origin=origin or None)
            # 400: what is no address at all.
            assert refused.value.response.status_code in {400, 403}


async def test_who_opens_too_many_sockets_keeps_those_that_are_open(live_site, sessions, party):
    async with Browser(live_site.url) as hoarder:
        hoarder.http.cookies.set("sessionid", sessions[5])
        path = f"/ws/tables/{party.code}/"
        kept = await asyncio.gather(*(hoarder.connect(path) for _ in range(SOCKETS_OF_USER)))
        assert await code_at_the_end(await hoarder.connect(path)) == 4429
        assert json.loads(await kept[0].recv())["type"] == "table"
        await kept[1].close()
        again = await hoarder.connect(path)
        assert json.loads(await again.recv())["type"] == "table"
        for connection in kept:
            connection.transport.abort()


async def test_a_page_of_another_time_is_told_to_load_anew(live_site, party):
    async with Browser(live_site.url) as guest:
        for query, code in (
            ("wire=999", 4426),
            ("wire=", None),
            (f"wire={WIRE}", None),
            ("wire=1&wire=1", 4426),
        ):
            connection = await guest.connect(f"/ws/tables/{party.code}/?{query}")
            if code is None:
                assert json.loads(await connection.recv())["type"] == "table"
            else:
                assert await code_at_the_end(connection) == code


def test_the_documents_name_every_code_that_closes_a_socket():
    said = Path(ROOT / "docs" / "protocol.md").read_text()
    assert [code for code in (1002, 1007, 1009, 1012, 4401, 4404, 4426, 4429) if str(code) not in said] == []
