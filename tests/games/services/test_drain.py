from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.models import Heartbeat, Seek, Table
from games.services import drain, quick, tables
from games.services.refusals import Refused
from tarneeb_site.health import forget_signs
from tests.factories import make_user, make_users
from tests.games.matches import make_match_in_play

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}


def opened(host: Any) -> Table:
    return tables.open_table(host=host, **ASKED, now=timezone.now())


def refusal(door: Any, **asked: Any) -> str:
    with pytest.raises(Refused) as refused:
        door(**asked, now=timezone.now())
    return refused.value.code


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("drain", *arguments, stdout=out)
    return out.getvalue().strip()


def test_nothing_new_starts_while_the_site_drains() -> None:
    users = make_users(4)
    table = opened(users[0])
    for seat in range(3):
        tables.sit(table_code=table.code, user=users[seat], seat=seat, now=timezone.now())
    drain.begin(now=timezone.now())

    assert refusal(tables.open_table, host=users[0], **ASKED) == "draining"
    assert refusal(tables.sit, table_code=table.code, user=users[3], seat=3) == "draining"
    assert refusal(tables.fill, table_code=table.code, user=users[0]) == "draining"
    assert refusal(quick.seek, user=users[3], ruleset="kotchina", speed="fast") == "draining"
    table.refresh_from_db()
    assert (table.phase, table.version, Seek.objects.count()) == ("waiting", 3, 0)

    assert drain.undo()
    tables.sit(table_code=table.code, user=users[3], seat=3, now=timezone.now())
    table.refresh_from_db()
    assert table.phase == "deal"


def test_what_is_in_play_goes_on_and_may_be_left_and_come_back_to() -> None:
    users = make_users(4)
    table = opened(users[0])
    for seat, user in enumerate(users):
        tables.sit(table_code=table.code, user=user, seat=seat, now=timezone.now())
    drain.begin(now=timezone.now())
    tables.leave(table_code=table.code, user=users[0], now=timezone.now())
    tables.come_back(table_code=table.code, user=users[0], now=timezone.now())
    assert drain.in_play() == 1


def test_command_says_how_many_matches_remain_and_can_be_undone() -> None:
    assert command("--status") == "not draining: 0 matches in play"
    make_match_in_play(make_users(4), seed="2")
    said = command()
    assert said.startswith("draining since ")
    assert said.endswith("UTC: 1 match in play")
    # Once more begins nothing anew.
    assert command() == said == command("--status")
    assert command("--undo") == "new matches start again"
    assert command("--undo") == "the site was not draining"


def test_waiting_ends_with_the_last_match_or_after_its_time() -> None:
    assert command("--wait", "1").endswith("UTC: 0 matches in play")
    make_match_in_play(make_users(4), seed="2")
    with pytest.raises(CommandError, match="1 still in play"):
        command("--wait", "0.001")


def test_starting_the_site_anew_ends_it() -> None:
    drain.begin(now=timezone.now())
    forget_signs()
    assert drain.since() is None
    assert not Heartbeat.objects.exists()


@pytest.mark.parametrize("path", ["/tables/", "/tables/new/"])
def test_pages_say_so(client: Any, path: str) -> None:
    client.force_login(make_user(language="en"))
    sentence = "no new match starts now"
    assert sentence not in client.get(path).content.decode()
    drain.begin(now=timezone.now())
    assert sentence in client.get(path).content.decode()
    answer = client.post("/tables/new/", ASKED)
    assert (answer.status_code, sentence in answer.content.decode()) == (400, True)
