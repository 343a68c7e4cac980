"""Votes, coming back and the timing of lines, over real sockets."""

import pytest

from accounts.models import User
from tests.factories import make_users
from tests.games.live.five import Party
from tests.live import LiveSite


@pytest.fixture(scope="module")
def users(live_site: LiveSite) -> list[User]:
    return make_users(4)


async def test_two_partners_resign_and_all_four_play_again_with_other_partners(live_site, users):
    party = await Party(live_site.url).meet(users)
    await party.playing()
    first, second, third, fourth = party.clients
    await second.send(type="vote", on="resign", choice="yes")
    assert (await fourth.until(lambda view: view["resign"]))["resign"] == [1]
    await fourth.send(type="vote", on="resign", choice="yes")
    view = await first.until(lambda view: view["phase"] == "over")
    assert (view["result"]["kind"], view["result"]["winner"]) == ("resigned", 0)
    for client in party.clients:
        await client.send(type="vote", on="rematch", choice="rotate")
    code = (await third.until(lambda view: view["next"]))["next"]
    again = [await browser.socket(code) for browser in party.browsers]
    assert [client.view["you"] for client in again] == [0, 3, 1, 2]
    spectator = party.spectator
    spectated = await spectator.until(lambda view: view["next"])
    assert all("resign" not in frame["view"] for frame in spectator.frames if frame["type"] == "table")
    assert spectated["votes"]["rematch"] == {str(seat): "rotate" for seat in range(4)}
    await party.leave()


async def test_a_bot_sits_in_for_who_left_until_one_click(live_site, users):
    party = await Party(live_site.url).meet(users)
    client = await party.playing()
    seat = client.view["you"]
    other = party.clients[(seat + 1) % 4]
    answer = await party.browsers[seat].post(f"/tables/{party.code}/leave/")
    assert answer.status_code == 302
    away = await other.until(lambda view: view["seats"][seat]["away"])
    assert away["seats"][seat]["presence"] == "away"
    sat = await other.until(lambda view: view["seats"][seat].get("sitting_in"))
    assert (sat["seats"][seat]["kind"], sat["seats"][seat]["name"]) == ("player", users[seat].username)
    await client.send(type="back")
    back = await other.until(lambda view: not view["seats"][seat]["away"])
    assert "sitting_in" not in back["seats"][seat]
    await party.leave()


NO_VOTES = [
    {"on": "resign", "choice": "no"},
    {"on": 7, "choice": "yes"},
    {"on": "lunch", "choice": "yes"},
    {"choice": "yes"},
    {"on": "rematch", "choice": {"a": 1}},
]


async def test_what_is_no_vote_is_malformed_and_a_spectator_has_none(live_site, users):
    party = await Party(live_site.url).meet(users)
    client = await party.playing()
    version = client.version
    for frame in NO_VOTES:
        await client.send(type="vote", **frame)
        answer = await client.next_of("refused")
        assert (answer["code"], answer["version"]) == ("malformed", version)
    await party.spectator.send(type="vote", on="resign", choice="yes")
    assert (await party.spectator.next_of("refused"))["code"] == "not-seated"
    # To take back what one never said changes nothing.
    await client.send(type="vote", on="resign")
    await client.send(type="ping", version=version)
    assert (await client.next_of("pong"))["version"] == version
    await party.leave()


async def test_a_pong_asks_for_an_echo_and_takes_any(live_site, users):
    party = await Party(live_site.url).meet(users)
    client = await party.playing()
    for answer in ("", "wrong", None):
        await client.send(type="ping", version=client.version)
        echo = (await client.next_of("pong"))["echo"]
        await client.send(type="echo", echo=echo if answer is None else answer)
    await client.send(type="echo", echo="once more")
    await client.send(type="ping", version=client.version)
    assert (await client.next_of("pong"))["version"] == client.version
    await party.leave()
