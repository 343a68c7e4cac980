import json
from typing import Any

import pytest
from django.test import Client

from games.models import Phase, SeatKind, Table, Visibility
from games.rules.record import replay
from tests.factories import make_table, make_user, make_users, seat_user
from tests.games.matches import make_match, make_match_in_play

pytestmark = pytest.mark.django_db
NEW = "/tables/new/"
FORM = {"ruleset": "kotchina", "target": "31", "turn_seconds": "20", "visibility": "public"}


@pytest.fixture
def player(client: Client) -> Client:
    """A browser whose user is logged in and reads English."""
    client.force_login(make_user("Layla", language="en"))
    return client


# A new table


def test_form_of_a_new_table_is_shown(player: Client) -> None:
    assert player.get(NEW).status_code == 200


def opened(player: Client, **fields: str) -> Table:
    response = player.post(NEW, FORM | fields)
    table = Table.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/tables/{table.code}/")
    return table


@pytest.mark.parametrize(
    ("fields", "facts"),
    [
        ({}, ("kotchina", 31, 20, "public", {})),
        ({"ruleset": "kings", "target": "61"}, ("kings", 61, 20, "public", {})),
        ({"ruleset": "kings", "target": "٤١", "turn_seconds": "۱۵"}, ("kings", 41, 15, "public", {})),
        ({"visibility": "link"}, ("kotchina", 31, 20, "link", {})),
        ({"round_cap": ""}, ("kotchina", 31, 20, "public", {})),
        ({"round_cap": "50"}, ("kotchina", 31, 20, "public", {})),
        ({"round_cap": "0"}, ("kotchina", 31, 20, "public", {"round_cap": None})),
        ({"ruleset": "classic", "round_cap": "12"}, ("classic", 31, 20, "public", {"round_cap": 12})),
        ({"ruleset": "egyptian", "redouble": "on"}, ("egyptian", 31, 20, "public", {"redouble": True})),
    ],
)
def test_new_table_is_what_the_form_says(
    player: Client, fields: dict[str, str], facts: tuple[Any, ...]
) -> None:
    table = opened(player, **fields)

    assert (table.ruleset, table.target, table.turn_seconds, table.visibility, table.options) == facts


def test_who_opens_a_table_is_its_host_and_sits_nowhere_yet(player: Client) -> None:
    table = opened(player)

    assert (str(table.host), list(table.seats.values_list("kind", flat=True))) == ("Layla", ["open"] * 4)


@pytest.mark.parametrize(
    "wrong",
    [
        {"ruleset": "bridge"},
        {"ruleset": ""},
        {"target": "41"},
        {"target": "32"},
        {"target": "٣١٫٥"},
        {"ruleset": "kings", "target": "-31"},
        {"turn_seconds": "0"},
        {"turn_seconds": "601"},
        {"turn_seconds": "twenty"},
        {"visibility": "secret"},
        {"round_cap": "-1"},
        {"round_cap": "501"},
        {"redouble": "on"},
        {"double_defenders": "on", "ruleset": "classic"},
    ],
)
def test_wrong_form_comes_back_with_its_errors(player: Client, wrong: dict[str, str]) -> None:
    response = player.post(NEW, FORM | wrong)

    assert (response.status_code, Table.objects.count()) == (400, 0)
    assert "errorlist" in response.content.decode()


def test_wrong_target_is_named_in_words(player: Client) -> None:
    page = player.post(NEW, FORM | {"ruleset": "kings", "target": "51"}).content.decode()

    assert "These rules are played to 31 · 41 · 61." in page


# The doors for strangers


@pytest.mark.parametrize("door", ["new", "T1/sit", "T1/leave", "T1/fill"])
def test_anonymous_post_leads_to_the_login(client: Client, door: str) -> None:
    make_table(code="T1")
    response = client.post(f"/tables/{door}/", {"seat": "0"})

    assert (response.status_code, response["Location"]) == (302, f"/accounts/login/?next=/tables/{door}/")


@pytest.mark.parametrize("door", ["new", "T1/sit", "T1/leave", "T1/fill"])
def test_post_without_a_token_is_refused(door: str) -> None:
    make_table(code="T1")
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user())

    assert client.post(f"/tables/{door}/", FORM | {"seat": "0"}).status_code == 403


@pytest.mark.parametrize("door", ["sit", "leave", "fill"])
def test_coming_back_from_the_login_leads_to_the_table(player: Client, door: str) -> None:
    make_table(code="T1")

    assert player.get(f"/tables/T1/{door}/")["Location"] == "/tables/T1/"


@pytest.mark.parametrize("door", ["", "sit/", "leave/", "fill/", "record/"])
def test_table_that_is_not_there_is_not_found(player: Client, door: str) -> None:
    assert player.post(f"/tables/NOONE/{door}", {"seat": "0"}).status_code == (
        405 if door in {"", "record/"} else 404
    )
    assert player.get(f"/tables/NOONE/{door}").status_code == 404


# The table


def test_table_page_is_shown_to_anybody(client: Client) -> None:
    make_table(code="T1")

    assert client.get("/tables/T1/").status_code == 200


def test_table_by_link_is_shown_to_who_knows_its_code(client: Client) -> None:
    make_table(code="LINKED2345", visibility=Visibility.LINK)

    assert client.get("/tables/LINKED2345/").status_code == 200


def test_code_in_small_letters_leads_to_the_table(client: Client) -> None:
    make_table(code="T1")
    response = client.get("/tables/t1/")

    assert (response.status_code, response["Location"]) == (302, "/tables/T1/")


def test_sitting_takes_the_seat_and_returns_to_the_table(player: Client) -> None:
    table = make_table(code="T1")
    response = player.post("/tables/T1/sit/", {"seat": "2", "salt": "aB3"})

    assert (response.status_code, response["Location"]) == (302, "/tables/T1/")
    assert list(table.seats.values_list("user__username", "salt")) == [
        (None, ""),
        (None, ""),
        ("Layla", "aB3"),
        (None, ""),
    ]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "There is no such seat at this table."),
        ({"seat": "4"}, "There is no such seat at this table."),
        ({"seat": "north"}, "There is no such seat at this table."),
        ({"seat": "0"}, "Somebody else took this seat a moment ago. Choose another one."),
        ({"seat": "1", "salt": "xyz"}, "A salt has at most 32 digits from 0 to 9 and a to f."),
        ({"seat": "1", "salt": "0" * 33}, "A salt has at most 32 digits from 0 to 9 and a to f."),
    ],
)
def test_refused_seat_shows_the_table_with_the_reason(
    player: Client, fields: dict[str, str], sentence: str
) -> None:
    table = make_table(code="T1")
    seat_user(table, 0, make_user())
    response = player.post("/tables/T1/sit/", fields)

    assert (response.status_code, response.templates[0].name) == (400, "games/table.html")
    assert sentence in response.content.decode()
    assert table.seats.filter(kind=SeatKind.PLAYER).count() == 1


def test_fourth_to_sit_starts_the_match(player: Client) -> None:
    table = make_table(code="T1")
    for number, user in enumerate(make_users(3)):
        seat_user(table, number, user)
    player.post("/tables/T1/sit/", {"seat": "3"})

    assert Table.objects.get().phase == Phase.DEAL


def test_leaving_gives_the_seat_up(player: Client) -> None:
    table = make_table(code="T1")
    player.post("/tables/T1/sit/", {"seat": "1"})
    response = player.post("/tables/T1/leave/")

    assert (response.status_code, response["Location"]) == (302, "/tables/T1/")
    assert table.seats.filter(kind=SeatKind.OPEN).count() == 4


def test_leaving_a_table_where_one_does_not_sit_is_refused(player: Client) -> None:
    make_table(code="T1")

    assert player.post("/tables/T1/leave/").status_code == 400


def test_host_fills_the_open_seats_with_bots(player: Client) -> None:
    table = opened(player)
    player.post(f"/tables/{table.code}/sit/", {"seat": "0"})
    response = player.post(f"/tables/{table.code}/fill/")

    assert (response.status_code, response["Location"]) == (302, f"/tables/{table.code}/")
    assert list(table.seats.values_list("kind", flat=True)) == ["player", "bot", "bot", "bot"]
    assert Table.objects.get().phase == Phase.DEAL


def test_only_the_host_fills_the_seats(player: Client) -> None:
    table = make_table(code="T1", host=make_user())
    response = player.post("/tables/T1/fill/")

    assert response.status_code == 400
    assert "Only the host of the table can do this." in response.content.decode()
    assert table.seats.filter(kind=SeatKind.OPEN).count() == 4


# The record


def test_record_of_a_finished_match_replays_to_the_same_end(client: Client) -> None:
    table = make_match([*make_users(3), None], code="T1", ruleset="kings")
    response = client.get("/tables/T1/record/")
    replayed = replay(json.loads(response.content))

    assert (response["Content-Type"], response["Content-Disposition"]) == (
        "application/json",
        'attachment; filename="tarneeb-T1.json"',
    )
    assert (replayed["ok"], replayed["score"], replayed["result"]["winner"]) == (
        True,
        table.score,
        table.winner,
    )


def unfinished() -> list[Table]:
    return [make_table(), make_table(phase=Phase.OVER), make_match_in_play(make_users(4), seed="2")]


def test_only_a_finished_match_has_a_record_and_a_replay(player: Client) -> None:
    codes = [table.code for table in unfinished()]

    assert [player.get(f"/tables/{code}/record/").status_code for code in codes] == [404] * 3
    assert [player.get(f"/matches/{code}/").status_code for code in codes] == [404] * 3


def test_cards_stay_hidden_while_another_table_plays_the_same_deals(client: Client) -> None:
    make_match(make_users(4), code="OVER", seed="5")
    playing = make_match_in_play(make_users(4), seed="5")

    before = [client.get(url).status_code for url in ("/matches/OVER/", "/tables/OVER/record/")]
    Table.objects.filter(pk=playing.pk).update(phase=Phase.OVER)
    after = [client.get(url).status_code for url in ("/matches/OVER/", "/tables/OVER/record/")]

    assert (before, after) == ([404, 404], [200, 200])


def test_page_of_a_table_in_play_holds_no_secret_and_no_card(player: Client) -> None:
    table = make_match_in_play(make_users(4), code="T1", seed="2")
    page = player.get("/tables/T1/").content.decode()
    deck = table.deals.get().deck

    assert bytes(table.secret).hex() not in page
    assert deck not in page
    assert not any(card in page for card in (f'"{code}"' for code in deck.split()))
