"""Administrators read; they change nothing and see no card before its time."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Deal, Event, Heartbeat, Phase, Seat, Table
from tests.factories import make_table, make_user, make_users, seat_user
from tests.games.matches import make_match, make_match_in_play

pytestmark = pytest.mark.django_db
MODELS = (Table, Seat, Deal, Event, Heartbeat)
NAMES = [model._meta.model_name for model in MODELS]


@pytest.fixture
def boss(client: Client) -> Client:
    """A browser of a superuser who reads English."""
    client.force_login(make_user("boss", is_staff=True, is_superuser=True, language="en"))
    return client


def page(boss: Client, path: str, **query: object) -> str:
    response = boss.get(f"/admin/games/{path}", query)
    assert response.status_code == 200, path
    return response.content.decode()


def secrets_of(table: Table) -> list[str]:
    """What must not be seen: the secret in any dress, the deck, each hand's first cards."""
    deck = table.deals.order_by("-index").values_list("deck", flat=True)[0]
    secret = bytes(table.secret)
    return [secret.hex(), str(secret), str(memoryview(secret).tolist()), deck, deck[:8]]


def rows_of(table: Table) -> dict[str, list[int]]:
    return {
        "table": [table.pk],
        "seat": list(table.seats.values_list("pk", flat=True)),
        "deal": list(table.deals.values_list("pk", flat=True)),
        "event": list(table.events.values_list("pk", flat=True)[:3]),
    }


def every_page(boss: Client, table: Table) -> str:
    texts = []
    for name, keys in rows_of(table).items():
        texts.append(page(boss, f"{name}/"))
        for key in keys:
            texts += [page(boss, f"{name}/{key}/change/"), page(boss, f"{name}/{key}/history/")]
    return "".join(texts)


@pytest.mark.parametrize("name", NAMES)
def test_lists_can_be_read_and_searched(boss: Client, name: str) -> None:
    make_match(make_users(4))
    Heartbeat.objects.create(name="steward", at=timezone.now())

    assert page(boss, f"{name}/")
    assert name == "heartbeat" or page(boss, f"{name}/", q="layla")


def test_no_page_shows_a_card_of_a_match_in_play(boss: Client) -> None:
    table = make_match_in_play(make_users(4), seed="2")
    text = every_page(boss, table)

    assert [hidden in text for hidden in secrets_of(table)] == [False] * 5
    assert "Hidden until the match is over" in text


def test_pages_of_a_finished_match_show_the_proof_and_the_decks(boss: Client) -> None:
    table = make_match(make_users(4))
    text = every_page(boss, table)

    assert bytes(table.secret).hex() in text
    assert all(deck in text for deck in table.deals.values_list("deck", flat=True))


def test_decks_stay_hidden_while_another_table_plays_them(boss: Client) -> None:
    table = make_match(make_users(4), seed="5")
    make_match_in_play(make_users(4), seed="5")
    text = every_page(boss, table)

    assert [hidden in text for hidden in secrets_of(table)] == [False] * 5


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("table", {"secret__gt": "x"}),
        ("table", {"salt__startswith": "a"}),
        ("table", {"deals__deck__startswith": "AS"}),
        ("table", {"seats__salt": "a"}),
        ("deal", {"deck__startswith": "AS"}),
        ("deal", {"deck__iregex": "^AS"}),
        ("deal", {"table__secret": "x"}),
        ("seat", {"salt": "a"}),
        ("seat", {"table__deals__deck__contains": "AS"}),
        ("event", {"table__deals__deck__contains": "AS"}),
    ],
)
def test_hidden_fields_answer_no_filter(boss: Client, name: str, query: dict[str, str]) -> None:
    make_match_in_play(make_users(4), seed="2")

    assert boss.get(f"/admin/games/{name}/", query).status_code == 400


@pytest.mark.parametrize("name", [name for name in NAMES if name != "heartbeat"])
def test_nothing_can_be_added_changed_or_deleted(boss: Client, name: str) -> None:
    table = make_match(make_users(4))
    key = rows_of(table)[name][0]
    before = [model.objects.count() for model in MODELS]
    statuses = [
        boss.post(f"/admin/games/{name}/add/", {}).status_code,
        boss.post(f"/admin/games/{name}/{key}/change/", {"code": "X", "phase": "waiting"}).status_code,
        boss.get(f"/admin/games/{name}/{key}/delete/").status_code,
        boss.post(f"/admin/games/{name}/{key}/delete/", {"post": "yes"}).status_code,
    ]
    boss.post(
        f"/admin/games/{name}/", {"action": "delete_selected", "_selected_action": [key], "post": "yes"}
    )

    assert statuses == [403] * 4
    assert [model.objects.count() for model in MODELS] == before
    assert Table.objects.get().phase == Phase.OVER


def test_deleting_a_player_shows_no_card_and_keeps_the_matches(boss: Client) -> None:
    user = make_user()
    table = make_match_in_play([user, *make_users(3)], seed="2")
    response = boss.get(f"/admin/accounts/user/{user.pk}/delete/")

    assert [hidden in response.content.decode() for hidden in secrets_of(table)] == [False] * 5
    boss.post(f"/admin/accounts/user/{user.pk}/delete/", {"post": "yes"})
    assert (User.objects.filter(pk=user.pk).exists(), table.seats.count()) == (True, 4)


def test_reading_leaves_no_entry_in_the_log(boss: Client) -> None:
    every_page(boss, make_match_in_play(make_users(4), seed="2"))

    assert LogEntry.objects.count() == 0


@pytest.mark.parametrize(
    ("typed", "found"), [("T1", ["T1"]), ("t1", ["T1"]), ("Layla", ["T1"]), ("LAYLA", ["T1"]), ("Nobody", [])]
)
def test_tables_are_found_by_code_and_by_a_players_name(boss: Client, typed: str, found: list[str]) -> None:
    seat_user(make_table(code="T1"), 2, make_user("Layla"))
    make_table(code="OTHER")
    response = boss.get("/admin/games/table/", {"q": typed})

    assert [table.code for table in response.context["cl"].result_list] == found


@pytest.mark.parametrize("name", ["table", "seat", "deal", "event"])
def test_list_asks_the_same_number_of_queries_for_one_match_as_for_three(boss: Client, name: str) -> None:
    counts = []
    for _ in range(3):
        make_match(make_users(4), host=make_user())
        with CaptureQueriesContext(connection) as queries:
            page(boss, f"{name}/")
        counts.append(len(queries))

    assert counts[0] == counts[2]


@pytest.mark.parametrize(("age", "alive"), [(1, True), (29, True), (31, False)])
def test_heartbeat_tells_who_is_alive(boss: Client, age: int, alive: bool) -> None:
    Heartbeat.objects.create(name="steward", at=timezone.now() - timedelta(seconds=age))

    assert f'alt="{alive}"' in page(boss, "heartbeat/")
