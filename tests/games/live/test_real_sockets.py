"""Five real sockets at one real Daphne: four players and a spectator."""

import asyncio
import hashlib
import json

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.models import User
from games.limits import PHRASES
from games.models import Deal, Table
from games.rules import shuffle
from games.rules.cards import CODES
from games.rules.record import replay
from games.services.pauses import pause_tables, resume_tables
from games.services.stopping import stop_after_deal
from tests.factories import PASSWORD, make_users
from tests.games.live.clients import Browser, TableClient
from tests.games.live.five import Party, sensible
from tests.games.live.knowledge import Knowledge, all_leaks
from tests.games.live.party import signed_in
from tests.games.live.seated import four_called, together
from tests.live import LiveSite
from tests.tampering import rewrite


@pytest.fixture(scope="module")
def users(live_site: LiveSite) -> list[User]:
    return make_users(4)


async def test_a_whole_match_over_five_sockets_leaks_nothing_and_replays_to_its_score(live_site, users):
    party = await Party(live_site.url).meet(users)
    while True:
        first = party.clients[0]
        while first.view["phase"] in {"waiting", "deal"}:
            deal = first.view["deal"]
            await first.next()
        await party.all_at(first.version)
        if first.view["phase"] == "over":
            break
        client = party.clients[first.view["turn"]]
        deal = first.view["deal"]
        frame_id = await client.act(sensible(client.view))
        before = client.version
        while client.version == before:
            frame = await client.next()
            assert frame["type"] == "table", frame
        assert client.frames[-1]["id"] == frame_id
        assert client.version == before + 1
        await party.all_at(client.version)
    assert deal is not None
    await assert_no_leak(party, users)
    await assert_record(party)
    await party.leave()


async def assert_no_leak(party: Party, users: list[User]) -> None:
    """Nobody was sent a card that they might not know."""
    knowledge = await sync_to_async(lambda: Knowledge(Table.objects.get(code=party.code)))()
    readers = [user.pk for user in users] + [None]
    sockets = [*party.clients, party.spectator]
    frames = [
        (reader, frame) for reader, socket in zip(readers, sockets, strict=True) for frame in socket.frames
    ]
    assert all_leaks(knowledge, frames) == []
    views = [frame["view"] for frame in party.spectator.frames if frame["type"] == "table"]
    assert [view for view in views if {"hand", "legal"} & view.keys()] == []


async def assert_record(party: Party) -> None:
    view = party.spectator.view
    record = (await party.guest.http.get(f"/tables/{party.code}/record/")).json()
    read = replay(record)
    assert (read["ok"], read["score"], read["result"]) == (True, view["score"], view["result"])
    assert hashlib.sha256(bytes.fromhex(view["secret"])).hexdigest() == view["commitment"]
    secret = bytes.fromhex(record["proof"]["secret"])
    assert record["proof"]["salt"] == f"{party.code}:0000:1111:2222:3333"
    dealt = [" ".join(CODES[c] for c in shuffle.deck(secret, view["salt"], n)) for n in range(read["deals"])]
    assert [deal["deck"] for deal in record["deals"]] == dealt


async def test_out_of_turn_stale_and_foreign_cards_are_refused_and_change_nothing(live_site, users):
    party = await Party(live_site.url).meet(users)
    client = await party.playing()
    version, seat = client.version, client.view["you"]
    other = party.clients[(seat + 1) % 4]
    await other.act("p")
    assert (await other.next_of("refused"))["code"] == "not-your-turn"
    await client.act("p", version=version + 5)
    assert (await client.next())["type"] == "table"
    assert (await client.next())["code"] == "stale"
    await client.act("AS")
    assert (await client.next_of("refused"))["code"] == "wrong-phase"
    await party.spectator.act("p")
    refused = await party.spectator.next_of("refused")
    assert (refused["code"], refused["version"]) == ("not-seated", version)
    await party.leave()


async def test_a_double_click_plays_once(live_site, users):
    party = await Party(live_site.url).meet(users)
    client = await party.playing()
    version = client.version
    second_tab = await party.browsers[client.view["you"]].socket(party.code)
    await asyncio.gather(
        client.act("b7", version, "first"),
        client.act("b8", version, "second"),
        second_tab.act("b7", version, "third"),
    )
    await party.all_at(version + 1)
    for tab in (client, second_tab):
        await tab.send(type="ping", version=version + 1)
        await tab.next_of("pong")
    refused = [frame for tab in (client, second_tab) for frame in tab.frames if frame["type"] == "refused"]
    assert [frame["code"] for frame in refused] == ["stale", "stale"]
    assert party.spectator.view["calls"] == [[client.view["you"], "b7"]]
    # The same act once more is answered with the table and its id.
    (done,) = {"first", "second", "third"} - {frame["id"] for frame in refused}
    await client.act("b7", version, done)
    again = await client.next_of("table")
    assert (again["id"], again["version"]) == (done, version + 1)
    await party.leave()


async def test_reconnecting_in_mid_trick_shows_exactly_the_current_view(live_site, users):
    party = await Party(live_site.url).meet(users)
    for _ in range(30):
        client = await party.playing()
        if client.view["phase"] == "play" and len(client.view["trick"]) == 2:
            break
        await client.act(sensible(client.view))
        await party.all_at(client.version + 1)
    seat = client.view["you"]
    before = client.view
    await client.close()
    party.clients[seat] = await party.browsers[seat].socket(party.code)
    after = party.clients[seat].view
    for view in (before, after):
        view.pop("deadline_ms")
        view["seats"] = [seat | {"connected": True} for seat in view["seats"]]
    assert after == before
    await party.clients[seat].act(after["legal"][0])
    await party.all_at(party.clients[seat].version + 1)
    await party.leave()


@pytest.mark.parametrize("origin", [None, "https://evil.example", "http://sub.127.0.0.1", "null"])
async def test_a_foreign_or_missing_origin_is_refused(live_site, users, origin):
    browser = Browser(live_site.url)
    await browser.sign_in(users[0].username, PASSWORD)
    code = await browser.open_table()
    with pytest.raises(InvalidStatus) as refused:
        await browser.connect(f"/ws/tables/{code}/", origin=origin)
    assert refused.value.response.status_code == 403
    await browser.close()


async def test_logging_out_closes_the_socket(live_site, users):
    browser = Browser(live_site.url)
    await browser.sign_in(users[0].username, PASSWORD)
    client = await browser.socket(await browser.open_table())
    await browser.post("/accounts/logout/")
    with pytest.raises(ConnectionClosed) as closed:
        await client.until(lambda view: False)
    assert closed.value.rcvd.code == 4401
    await browser.close()


async def test_bad_frames_are_answered_and_the_socket_stays_open(live_site, users):
    browser = Browser(live_site.url)
    await browser.sign_in(users[0].username, PASSWORD)
    client = await browser.socket(await browser.open_table())
    act = {"type": "act", "action": "p", "version": 0, "id": "x"}
    bad: list[object] = [
        *("", "[", "[]", "null", "17", '"act"', "{}", '{"type":"resign"}', '{"type":[]}'),
        *(act | {"action": action} for action in ("ZZ", "1H", "ah", "", 52, {}, ["AS", "KS"], "b-7", "AS\n")),
        *(act | {"version": version} for version in (-1, "1", None, True, 1.5)),
        *(act | {"id": frame_id} for frame_id in ("", "x" * 65, 7, None, "a\0b", "\ud800")),
        {"type": "say", "phrase": "<b>"},
    ]
    for frame in bad:
        await client.connection.send(frame if isinstance(frame, str) else json.dumps(frame))
        assert (await client.next_of("refused"))["code"] == "malformed", frame
    await client.connection.send(b"\x00")
    assert (await client.next_of("refused"))["code"] == "malformed"
    await client.send(type="ping", version=0)
    assert (await client.next_of("pong"))["version"] == client.version
    await client.connection.send("x" * 5000)
    with pytest.raises(ConnectionClosed) as closed:
        await client.next()
    assert closed.value.rcvd.code == 1009
    await browser.close()


async def test_a_player_calls_out_a_few_phrases_at_once_and_no_more(live_site, users):
    browser = Browser(live_site.url)
    await browser.sign_in(users[0].username, PASSWORD)
    code = await browser.open_table()
    await browser.post(f"/tables/{code}/sit/", seat=0)
    client = await browser.socket(code)
    for _ in range(10):
        await client.send(type="say", phrase="come-on")
    assert (await client.next_of("refused"))["code"] == "too-fast"
    said = [frame for frame in client.frames if frame["type"] == "said"]
    assert len(said) == PHRASES.at_once
    await browser.close()


async def test_a_flood_is_slowed_and_then_cut_off(live_site, users):
    browser = Browser(live_site.url)
    client = await browser.socket(await signed_in_table(live_site, users[0]))
    sending = asyncio.gather(
        *(client.send(type="ping", version=0) for _ in range(400)), return_exceptions=True
    )
    with pytest.raises(ConnectionClosed) as closed:
        await client.until(lambda view: False)
    await sending
    assert closed.value.rcvd.code == 4429
    assert {frame.get("code") for frame in client.frames} >= {"too-fast"}
    await browser.close()


async def test_a_bell_that_is_flooded_is_cut_off_too(live_site):
    async with Browser(live_site.url) as visitor:
        bell = await visitor.connect("/ws/bells/lobby/")
        await asyncio.gather(*(bell.send("x") for _ in range(400)), return_exceptions=True)
        await asyncio.wait_for(bell.wait_closed(), 10)
    assert bell.close_code == 4429


async def signed_in_table(live_site: LiveSite, user: User) -> str:
    async with Browser(live_site.url) as browser:
        await browser.sign_in(user.username, PASSWORD)
        return await browser.open_table()


async def test_a_table_that_does_not_exist_closes_with_its_code(live_site):
    async with Browser(live_site.url) as guest:
        connection = await guest.connect("/ws/tables/NOPE9/")
        with pytest.raises(ConnectionClosed) as closed:
            await connection.recv()
        assert closed.value.rcvd.code == 4404


@pytest.mark.parametrize(
    "path", ["/ws/tables/%00/", "/ws/tables/%D9%83/", "/ws/tables/AB/CD/", "/ws/nothing/", "/"]
)
async def test_a_socket_to_nowhere_is_refused_without_an_error(live_site, path):
    async with Browser(live_site.url) as guest:
        with pytest.raises(InvalidStatus) as refused:
            await guest.connect(path)
    assert refused.value.response.status_code == 403
    assert "Traceback" not in live_site.log("web")


async def test_a_table_outlives_the_web_server(live_site, users):
    party = await Party(live_site.url).meet(users)
    client = await party.playing()
    seat, hand = client.view["you"], client.view["hand"]
    await client.act("b7")
    await party.all_at(client.version + 1)
    version = client.version
    live_site.kill("web")
    live_site.start("web")
    live_site.wait_until_green()
    back = await party.browsers[seat].socket(party.code)
    assert (back.version, back.view["hand"], back.view["calls"]) == (version, hand, [[seat, "b7"]])
    await party.leave()


async def test_a_server_that_is_told_to_end_tells_its_sockets_to_come_back(live_site, users):
    async with Browser(live_site.url) as guest:
        client = await guest.socket(await signed_in_table(live_site, users[0]))
        live_site.processes["web"].terminate()
        with pytest.raises(ConnectionClosed) as closed:
            await client.until(lambda view: False)
    live_site.processes["web"].wait()
    live_site.start("web")
    live_site.wait_until_green()
    assert closed.value.rcvd.code == 1012


@sync_to_async
def as_if_long_played(code: str, deals: int) -> None:
    """The running deal becomes the last of many, whose points come to nothing."""
    table = Table.objects.get(code=code)
    rewrite(table.deals.all(), index=deals)
    earlier = {"table": table, "version": 0, "dealer": 0, "finished": True}
    Deal.objects.bulk_create(
        Deal(index=index, change=[7, -7] if index % 2 else [-7, 7], **earlier) for index in range(deals)
    )


async def test_the_view_of_a_long_match_reaches_everybody(live_site, users):
    party = await Party(live_site.url).meet(users, ruleset="classic")
    client = await party.playing()
    await as_if_long_played(party.code, 500)
    await party.browsers[0].post(f"/tables/{party.code}/leave/")
    await party.all_at(client.version + 1)
    assert {len(each.view["changes"]) for each in [*party.clients, party.spectator]} == {500}
    again = await party.guest.socket(party.code)
    assert len(json.dumps(again.view)) > 8000
    await party.leave()


async def test_refusals_speak_the_language_of_the_reader(live_site, users):
    async with Browser(live_site.url) as guest:
        code = await signed_in_table(live_site, users[0])
        arabic = await guest.socket(code)
        await arabic.act("p")
        guest.http.cookies.set("django_language", "en")
        english = await guest.socket(code)
        await english.act("p")
        messages = [(await client.next_of("refused"))["message"] for client in (arabic, english)]
        assert messages[1] == "Only the four players of this table can do this."
        assert messages[0] != messages[1]


async def test_a_called_match_waits_for_its_four_stands_still_in_a_break_and_ends_after_its_last_deal(
    live_site, users
):
    table, called = await four_called(first_deal_seconds=0.2, arrival_seconds=600)
    browsers = [Browser(live_site.url) for _ in called]
    for browser, session in zip(browsers, await sync_to_async(signed_in)(called), strict=True):
        browser.http.cookies.set("sessionid", session)
    clients = [await browser.socket(table.code) for browser in browsers[:3]]
    assert (await clients[0].until(lambda view: sum(view["arrived"]) == 3))["phase"] == "deal"
    clients.append(await browsers[3].socket(table.code))
    for client in clients:
        await client.until(lambda view: view["phase"] == "auction")
    turn = clients[0].view["turn"]

    await together(pause_tables, [table.pk], timezone.now())
    for client in clients:
        await client.until(lambda view: view["paused"])
    await clients[turn].act("b7")
    assert (await clients[turn].next_of("refused"))["code"] == "paused"
    await together(resume_tables, [table.pk], timezone.now())
    for client in clients:
        await client.until(lambda view: not view["paused"])

    await together(stop_after_deal, table.pk, timezone.now())
    for client in clients:
        await client.until(lambda view: view["last_deal"])
    await played_out(clients)
    assert (clients[0].view["phase"], clients[0].view["result"]) == ("over", None)
    record = (await browsers[0].http.get(f"/tables/{table.code}/record/")).json()
    read = replay(record)
    assert (read["ok"], read["score"], len(record["deals"])) == (True, clients[0].view["score"], 1)
    for browser in browsers:
        await browser.close()


async def played_out(clients: list[TableClient]) -> None:
    """The four play, each at the first chance, until the table is over."""

    async def play(client: TableClient) -> None:
        while client.view["phase"] != "over":
            version = client.version
            if client.view["legal"]:
                await client.act(sensible(client.view))
            while client.version == version:
                await client.next()

    await asyncio.gather(*map(play, clients))
