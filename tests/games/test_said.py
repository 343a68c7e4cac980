import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import Block, Mute, User
from games.models import ChatLine, Event, Table
from games.said import lines_of
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match

pytestmark = pytest.mark.django_db


def say(table: Table, user: User, text: str, *, room: str = "table", version: int = 0) -> None:
    ChatLine.objects.create(table=table, user=user, room=room, seat=None, text=text, version=version, at=NOON)


@pytest.fixture
def players() -> list[User]:
    return make_users(4)


@pytest.fixture
def table(players: list[User]) -> Table:
    table = make_match(players, code="T1")
    say(table, players[0], "between us")
    say(table, make_user("Onlooker"), "among us", room="watch")
    return table


def read(table: Table, reader: User | None) -> list[str]:
    return [line["text"] for line in lines_of(table, reader)]


def reviewer() -> User:
    user = make_user(is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_chatline"))
    return user


def test_each_room_is_read_by_whom_it_was_for(table: Table, players: list[User]) -> None:
    readers = [*players, make_user(), make_user(is_guest=True), make_user(is_active=False), None, reviewer()]

    assert [read(table, reader) for reader in readers] == [
        *[["between us"]] * 4,
        ["among us"],
        [],
        [],
        [],
        ["between us", "among us"],
    ]


def test_whoever_is_muted_or_blocked_is_not_heard(table: Table, players: list[User]) -> None:
    Mute.objects.create(user=players[1], muted=players[0])
    Block.objects.create(user=players[2], blocked=players[0], at=NOON)

    assert [read(table, player) for player in players] == [["between us"], [], [], ["between us"]]


def test_a_line_stands_at_the_moment_at_which_it_was_said(players: list[User]) -> None:
    table = make_match(players, code="T1")
    deals = list(
        Event.objects.filter(table=table, kind="deal").order_by("version").values_list("version", flat=True)
    )
    for version, text in [
        (0, "before"),
        (deals[0], "dealt"),
        (deals[0] + 3, "third"),
        (deals[1] - 1, "after"),
    ]:
        say(table, players[0], text, version=version)
    say(table, players[0], "next", version=deals[1] + 1)
    acts = deals[1] - deals[0] - 1

    assert [(line["text"], line["deal"], line["after"]) for line in lines_of(table, players[1])] == [
        ("before", 0, 0),
        ("dealt", 0, 0),
        ("third", 0, 3),
        ("after", 0, acts),
        ("next", 1, 1),
    ]


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="replay-data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_replay_holds_only_what_its_reader_may_read(
    client: Client, table: Table, players: list[User]
) -> None:
    heard = []
    for reader in (None, players[3]):
        if reader is not None:
            client.force_login(reader)
        page = client.get("/matches/T1/").content.decode()
        heard.append([line["text"] for line in data_of(page)["chat"]])
        assert ("between us" in page) == (reader is not None)

    assert heard == [[], ["between us"]]
