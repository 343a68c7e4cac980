"""The doors by which people come together: quick match, invitations, a table's link, the host's word."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import Mute, User
from games import limits
from games.models import WHOLE_DEAL, Invitation, Phase, Seek, Table
from tests.factories import make_table, make_user, make_users, seat_user

pytestmark = pytest.mark.django_db
WISH = {"ruleset": "kotchina", "speed": "fast"}
IN_SHORT = {"headers": {"accept": "application/json"}}


@pytest.fixture(autouse=True)
def english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture(autouse=True)
def fresh_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests have used up of the limits does not count."""
    monkeypatch.setattr(limits, "forms", limits.Buckets())


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def waiting(user: User, **more: Any) -> Seek:
    now = timezone.now()
    return Seek.objects.create(user=user, **(WISH | {"created_at": now, "seen_at": now} | more))


# Who may not


@pytest.mark.parametrize(
    "door",
    [
        "/play/",
        "/play/seen/",
        "/play/answer/",
        "/play/stop/",
        "/invitations/1/accept/",
        "/invitations/1/decline/",
        "/tables/T1/invite/",
        "/tables/T1/remove/",
    ],
)
def test_who_is_not_logged_in_is_sent_to_the_entrance(client: Client, door: str) -> None:
    make_table(code="T1")
    response = client.post(door, WISH)

    assert (response.status_code, response["Location"]) == (302, f"/accounts/login/?next={door}")


@pytest.mark.parametrize("path", ["/invitations/", "/invitations/names/?q=al"])
def test_news_and_names_are_for_who_is_logged_in(client: Client, path: str) -> None:
    assert client.get(path)["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/play/seen/", "POST"),
        ("/play/stop/", "POST"),
        ("/play/answer/", "POST"),
        ("/invitations/1/accept/", "POST"),
    ],
)
def test_what_changes_something_is_no_link(path: str, allowed: str) -> None:
    response = logged_in(make_user()).get(path)
    assert (response.status_code, response["Allow"]) == (405, allowed)


@pytest.mark.parametrize("door", ["invite", "invitation", "qr.svg", "remove"])
def test_a_table_that_is_not_there_has_no_doors(door: str) -> None:
    assert logged_in(make_user()).post(f"/tables/NONE/{door}/".replace("svg/", "svg")).status_code in (
        404,
        405,
    )
    assert logged_in(make_user()).get(f"/tables/NONE/{door}/".replace("svg/", "svg")).status_code == 404


# Quick match


def test_everybody_may_look_at_the_page(client: Client) -> None:
    waiting(make_user())
    page = client.get("/play/").content.decode()

    assert "1 player waits" in page
    assert 'href="/accounts/login/?next=/play/"' in page


def test_fourth_to_seek_is_led_to_the_table_the_others_are_told() -> None:
    clients = [logged_in(user) for user in make_users(4)]
    answers = [client.post("/play/", WISH) for client in clients]
    table = Table.objects.get()
    told = [client.post("/play/seen/", **IN_SHORT).json() for client in clients[:3]]

    assert [answer["Location"] for answer in answers] == ["/play/"] * 3 + [f"/tables/{table.code}/"]
    assert [(one["state"], one["table"]) for one in told] == [("found", table.code)] * 3


def test_page_tells_how_one_stands() -> None:
    one, other = make_users(2)
    client = logged_in(one)
    before = client.post("/play/seen/", **IN_SHORT).json()
    waiting(other)
    client.post("/play/", WISH)
    after = client.post("/play/seen/", **IN_SHORT).json()

    assert before == {"state": "none", "table": None, "partner": None, "waited_seconds": 0, "people": 0}
    assert after == {"state": "waiting", "table": None, "partner": None, "waited_seconds": 0, "people": 2}


def test_partner_is_asked_by_name_and_agrees() -> None:
    one, other = make_user(), make_user("Abu Samra")
    asking, asked = logged_in(one), logged_in(other)
    asking.post("/play/", WISH | {"partner": "abu SAMRA", "bots": "on"})
    number = asked.get("/invitations/", **IN_SHORT).json()["asks"][0]["seek"]
    states = [client.post("/play/seen/", **IN_SHORT).json()["state"] for client in (asking, asked)]
    answer = asked.post("/play/answer/", {"seek": number, "answer": "yes"})
    after = [client.post("/play/seen/", **IN_SHORT).json() for client in (asking, asked)]

    assert (states, answer["Location"]) == (["asking", "none"], "/play/")
    assert [(one["state"], one["partner"]) for one in after] == [
        ("waiting", "Abu Samra"),
        ("waiting", one.username),
    ]


@pytest.mark.parametrize(
    ("fields", "where", "sentence"),
    [
        (
            {"ruleset": "whist"},
            "ruleset",
            "Select a valid choice. whist is not one of the available choices.",
        ),
        ({"speed": "custom"}, "speed", "Select a valid choice. custom is not one of the available choices."),
        ({"partner": "nobody"}, "partner", "There is no player of this name."),
        ({"partner": "me"}, "partner", "Name somebody else: nobody is their own partner."),
        ({"partner": "visitor"}, "partner", "There is no player of this name."),
    ],
)
def test_refused_wish_shows_the_form_with_the_reason(
    fields: dict[str, str], where: str, sentence: str
) -> None:
    make_user("visitor", is_guest=True)
    response = logged_in(make_user("me")).post("/play/", WISH | fields)

    assert (response.status_code, response.context["form"].errors) == (400, {where: [sentence]})
    assert not Seek.objects.exists()


def test_who_plays_a_match_that_counts_is_shown_the_way_to_it() -> None:
    user = make_user()
    table = make_table(code="CUP", phase=Phase.PLAY, title="Evening cup")
    seat_user(table, 2, user)
    response = logged_in(user).post("/play/", WISH | {"rated": "on"})

    assert response.context["form"].errors == {
        "rated": ["You are in another match that counts. Finish it first."]
    }
    assert 'href="/tables/CUP/"' in response.content.decode()


def test_answer_to_a_question_that_is_gone_is_refused_in_a_sentence() -> None:
    client = logged_in(make_user())
    response = client.post("/play/answer/", {"seek": "7", "answer": "yes"})
    in_short = client.post("/play/answer/", {"seek": "7", "answer": "yes"}, **IN_SHORT)

    assert (response.status_code, "This question is no longer open." in response.content.decode()) == (
        400,
        True,
    )
    assert (in_short.status_code, in_short.json()["code"]) == (400, "lapsed")
    assert client.post("/play/answer/", {"seek": "x", "answer": "yes"}).status_code == 404


def test_stopping_takes_the_wish_back_and_keeps_the_form_as_it_was() -> None:
    client = logged_in(make_user())
    client.post("/play/", {"ruleset": "classic", "speed": "slow", "rated": "on"})
    client.post("/play/stop/")
    form = client.get("/play/").context["form"]

    assert not Seek.objects.exists()
    assert [form[name].value() for name in ("ruleset", "speed", "rated", "bots")] == [
        "classic",
        "slow",
        True,
        False,
    ]


def test_joining_who_waits_begins_with_what_they_want() -> None:
    client = logged_in(make_user())
    form = client.get("/play/?ruleset=kings&speed=fast&rated=1").context["form"]
    odd = client.get("/play/?ruleset=whist&speed=\0").context["form"]
    partner = client.get("/play/", {"partner": "Abu Samra"}).context["form"]["partner"].value()

    assert [form[name].value() for name in ("ruleset", "speed", "rated", "bots")] == [
        "kings",
        "fast",
        True,
        True,
    ]
    assert [odd[name].value() for name in ("ruleset", "speed")] == ["kotchina", "normal"]
    assert partner == "Abu Samra"


def test_a_page_that_says_goodbye_keeps_its_wish_for_five_seconds() -> None:
    user = make_user()
    wish = waiting(user)
    logged_in(user).post("/play/seen/", {"leaving": "1"})
    wish.refresh_from_db()

    left = wish.seen_at + timedelta(seconds=15) - timezone.now()
    assert timedelta(seconds=3) < left <= timedelta(seconds=5)


@pytest.mark.parametrize("others", [0, 3])
def test_saying_that_one_is_there_costs_the_same_whoever_waits(
    others: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = make_user()
    for other in make_users(others):
        waiting(other)
    waiting(user)
    client = logged_in(user)
    # Session and user; two updates; how one stands, who waits (for oneself and for the list), who asks.
    with django_assert_num_queries(8):
        client.post("/play/seen/")


# Invitations


def at_table(**more: Any) -> tuple[Table, User]:
    host = make_user()
    return make_table(code="T1", host=host, **more), host


def test_inviting_by_name_and_coming() -> None:
    table, host = at_table()
    friend = make_user("Abu Samra")
    seat_user(table, 1, host)
    sent = logged_in(host).post("/tables/T1/invite/", {"name": "abu samra"}, **IN_SHORT)
    news = logged_in(friend).get("/invitations/", **IN_SHORT).json()["invitations"]
    answer = logged_in(friend).post(f"/invitations/{news[0]['id']}/accept/")

    assert sent.status_code == 200
    assert [(one["by"], one["table"]) for one in news] == [(host.username, "T1")]
    assert (answer.status_code, answer["Location"]) == (302, "/tables/T1/")
    assert table.seats.get(user=friend).number == 3


def test_who_asked_is_told_of_a_no() -> None:
    table, host = at_table()
    friend = make_user()
    invitation = Invitation.objects.create(table=table, by=host, to=friend, created_at=timezone.now())
    back = logged_in(friend).post(f"/invitations/{invitation.pk}/decline/", {"next": "/rules/"})
    away = logged_in(friend).post(f"/invitations/{invitation.pk}/decline/", {"next": "//elsewhere.example/"})
    declined = logged_in(host).get("/invitations/", **IN_SHORT).json()["declined"]

    assert (back["Location"], away["Location"]) == ("/rules/", "/tables/")
    assert [(one["by"], one["table"]) for one in declined] == [(friend.username, "T1")]
    assert "cannot come" in logged_in(host).get("/tables/T1/invitation/").content.decode()


def test_muted_host_is_answered_as_anybody_and_the_player_sees_nothing() -> None:
    _, host = at_table()
    friend, other = make_users(2)
    Mute.objects.create(user=friend, muted=host)
    answers = [
        logged_in(host).post("/tables/T1/invite/", {"name": user.username}, **IN_SHORT).json()["message"]
        for user in (friend, other)
    ]
    waiting(host, partner=friend, accepted=False)
    news = logged_in(friend).get("/invitations/", **IN_SHORT).json()

    assert answers[0].replace(friend.username, "") == answers[1].replace(other.username, "")
    assert news == {"invitations": [], "asks": [], "declined": [], "notices": []}


@pytest.mark.parametrize(
    ("who", "status"), [("host", 200), ("seated", 200), ("stranger", 400), ("guest", 400)]
)
def test_who_invites(who: str, status: int) -> None:
    table, host = at_table()
    people = {"host": host, "seated": make_user(), "stranger": make_user(), "guest": make_user(is_guest=True)}
    seat_user(table, 0, people["seated"])
    seat_user(table, 1, people["guest"])
    client = logged_in(people[who])
    form = "Invite by name" in client.get("/tables/T1/invitation/").content.decode()
    sent = client.post("/tables/T1/invite/", {"name": make_user().username}, **IN_SHORT)

    assert (sent.status_code, form) == (status, status == 200)


def test_refused_invitation_stands_on_the_page_with_what_was_typed() -> None:
    _, host = at_table()
    response = logged_in(host).post("/tables/T1/invite/", {"name": "nobody <b>"})
    page = response.content.decode()

    assert response.status_code == 400
    assert "There is no player of this name." in page
    assert 'value="nobody &lt;b&gt;"' in page


def test_lapsed_invitation_is_explained() -> None:
    response = logged_in(make_user()).post("/invitations/7/accept/")

    assert response.status_code == 400
    assert "This question is no longer open." in response.content.decode()


@pytest.mark.parametrize("rows", [1, 3])
def test_news_cost_five_queries_whatever_there_is(
    rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = make_user()
    for host in make_users(rows):
        now = timezone.now()
        Invitation.objects.create(table=make_table(host=host), by=host, to=user, created_at=now)
        waiting(host, partner=user, accepted=False)
    client = logged_in(user)
    # Session and user before them.
    with django_assert_num_queries(7):
        client.get("/invitations/?part=news")


@pytest.mark.parametrize(
    ("title", "phase", "called"),
    [
        ("Evening Cup", Phase.DEAL, True),
        ("Evening Cup", Phase.PLAY, True),
        ("Evening Cup", Phase.OVER, False),
        ("", Phase.PLAY, False),
    ],
)
def test_news_call_a_player_to_the_table_of_a_tournament(title: str, phase: Phase, called: bool) -> None:
    user = make_user()
    seat_user(make_table(code="T1", title=title, phase=phase, back_url="/tournaments/cup/"), 2, user)

    page = logged_in(user).get("/invitations/?part=news").content.decode()

    assert ('data-news="table-T1"' in page) == called


def test_questions_stand_on_the_page_of_invitations_and_in_the_lobby() -> None:
    user, other = make_users(2)
    wish = waiting(other, partner=user, accepted=False)
    client = logged_in(user)
    shown = [
        f'data-ask="{wish.pk}"' in client.get(path).content.decode() for path in ("/invitations/", "/tables/")
    ]
    stranger = logged_in(make_user()).get("/invitations/").content.decode()

    assert (shown, "No invitation waits for your answer." in stranger) == ([True, True], True)


# Names


def named(client: Client, text: str) -> list[str]:
    return list(client.get("/invitations/names/", {"q": text}).json()["names"])


def test_names_are_suggested_from_two_letters_on_of_players_alone() -> None:
    me = make_user("Samira")
    make_user("Samir")
    make_user("Abu Samra")
    make_user("Samguest", is_guest=True)
    make_user("Samgone", is_active=False)
    client = logged_in(me)

    assert [named(client, text) for text in ("s", "sam", "zz", "")] == [[], ["Abu Samra", "Samir"], [], []]


def test_names_come_a_few_at_a_time_and_not_without_end(settings: Any) -> None:
    settings.LIMITS_ON_LOOPBACK = True
    client = logged_in(make_user())
    for number in range(12):
        make_user(f"Rami {number}")
    answers = [client.get("/invitations/names/?q=rami") for _ in range(40)]

    assert len(answers[0].json()["names"]) == 8
    assert (answers[0].status_code, answers[-1].status_code, answers[-1].json()) == (200, 429, {"names": []})


# A table's link


def test_link_and_its_code_are_for_whoever_knows_the_table(client: Client) -> None:
    make_table(code="SECRETCODE", visibility="link")
    page = client.get("/tables/SECRETCODE/invitation/").content.decode()
    drawn = client.get("/tables/secretcode/qr.svg")

    assert "http://testserver/tables/SECRETCODE/" in page
    assert (drawn["Content-Type"], drawn.content[:4]) == ("image/svg+xml", b"<svg")
    assert client.get("/tables/secretcode/invitation/")["Location"] == "/tables/SECRETCODE/invitation/"


# The host's word


def test_host_asks_somebody_off_a_seat() -> None:
    table, host = at_table()
    seat_user(table, 2, make_user())
    response = logged_in(host).post("/tables/T1/remove/", {"seat": "2"})

    assert (response.status_code, response["Location"]) == (302, "/tables/T1/")
    assert table.seats.get(number=2).user is None


@pytest.mark.parametrize(
    ("who", "fields", "sentence"),
    [
        ("seated", {"seat": "2"}, "Only the host of the table can do this."),
        ("host", {"seat": "1"}, "There is no such seat at this table."),
        ("host", {"seat": "9"}, "There is no such seat at this table."),
        ("host", {}, "There is no such seat at this table."),
    ],
)
def test_refused_removal_shows_the_table_with_the_reason(
    who: str, fields: dict[str, str], sentence: str
) -> None:
    table, host = at_table()
    seated = make_user()
    seat_user(table, 2, seated)
    response = logged_in(host if who == "host" else seated).post("/tables/T1/remove/", fields)

    assert (response.status_code, sentence in response.content.decode()) == (400, True)
    assert table.seats.get(number=2).user == seated


# A new table


def opened(**more: str) -> Table:
    fields = {"ruleset": "kings", "target": "41", "visibility": "public"}
    response = logged_in(make_user()).post("/tables/new/", fields | more)
    assert response.status_code == 302
    return Table.objects.get()


@pytest.mark.parametrize(
    ("fields", "seconds"),
    [
        ({"turn_seconds": "20"}, (None, 20, 0)),
        ({"speed": "fast"}, (10, 8, 30)),
        ({"speed": "normal", "turn_seconds": "99", "call_seconds": "x"}, (20, 15, 60)),
        ({"speed": "custom", "turn_seconds": "12"}, (None, 12, 0)),
        (
            {"speed": "custom", "turn_seconds": "12", "call_seconds": "٤٠", "bank_seconds": "600"},
            (40, 12, 600),
        ),
    ],
)
def test_pace_of_a_new_table(fields: dict[str, str], seconds: tuple[int | None, int, int]) -> None:
    table = opened(**fields)

    assert (table.call_seconds, table.turn_seconds, table.bank_seconds) == seconds
    assert (table.rated, table.free_chat, table.watch_delay) == (False, False, 0)


def test_choices_of_a_new_table() -> None:
    table = opened(speed="slow", rated="on", free_chat="on", watch_delay="-1")

    assert (table.rated, table.free_chat, table.watch_delay) == (True, True, WHOLE_DEAL)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({}, "turn_seconds"),
        ({"speed": "custom"}, "turn_seconds"),
        ({"speed": "warp", "turn_seconds": "20"}, "speed"),
        ({"turn_seconds": "20", "call_seconds": "601"}, "call_seconds"),
        ({"turn_seconds": "20", "bank_seconds": "1801"}, "bank_seconds"),
        ({"turn_seconds": "20", "watch_delay": "20"}, "watch_delay"),
    ],
)
def test_refused_pace_opens_no_table(fields: dict[str, str], where: str) -> None:
    response = logged_in(make_user()).post(
        "/tables/new/", {"ruleset": "kings", "target": "41", "visibility": "public"} | fields
    )

    assert (response.status_code, list(response.context["form"].errors)) == (400, [where])
    assert not Table.objects.exists()


def test_a_table_like_another_begins_with_its_choices() -> None:
    like = make_table(
        code="LIKE",
        ruleset="egyptian",
        options={"redouble": True, "round_cap": None},
        call_seconds=45,
        turn_seconds=30,
        bank_seconds=180,
        rated=True,
        free_chat=True,
        watch_delay=60,
        visibility="link",
    )
    client = logged_in(make_user())
    form = client.get("/tables/new/?like=like").context["form"]
    fields = ("ruleset", "speed", "rated", "free_chat", "watch_delay", "visibility", "redouble", "round_cap")

    assert [form[name].value() for name in fields] == ["egyptian", "slow", True, True, 60, "link", True, 0]
    assert 'data-create="/tables/new/?like=LIKE"' in client.get(like.get_absolute_url()).content.decode()
    for unknown in ("none", "%00"):
        assert client.get(f"/tables/new/?like={unknown}").status_code == 200


@pytest.mark.parametrize(
    ("who", "offered"),
    [
        ("host", ["invite/", "remove/", "qr.svg"]),
        ("seated", ["invite/", "qr.svg"]),
        ("guest", ["qr.svg"]),
        ("stranger", ["qr.svg"]),
    ],
)
def test_page_of_a_table_has_the_doors_that_are_for_its_reader(who: str, offered: list[str]) -> None:
    table, host = at_table()
    people = {"host": host, "seated": make_user(), "stranger": make_user(), "guest": make_user(is_guest=True)}
    seat_user(table, 0, people["seated"])
    seat_user(table, 1, people["guest"])
    page = logged_in(people[who]).get("/tables/T1/").content.decode()

    assert [door for door in ("invite/", "remove/", "qr.svg") if f'"/tables/T1/{door}"' in page] == offered


def soon() -> datetime:
    return timezone.now() + timedelta(minutes=12)


def test_card_says_when_the_table_closes_by_itself() -> None:
    due = soon()
    _, host = at_table(due_at=due)

    assert f'datetime="{due.isoformat()}"' in logged_in(host).get("/tables/T1/invitation/").content.decode()
