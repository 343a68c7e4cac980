"""Who may say what where; whom one hears; complaints."""

import json

import pytest
from django.test import Client

from accounts.models import Mute
from games.live.talk import TABLE, WATCHERS, Ears, hears
from games.models import ChatLine, Report
from games.protocol import Say, parse
from games.services.chat import clean_line, room_to_read, room_to_speak
from games.services.refusals import Refused
from tests.factories import NOON, make_table, make_user, seat_user

PLAYER = {
    "is_guest": False,
    "is_active": True,
    "seat": 2,
    "free_chat": True,
    "rated": False,
    "title": "",
    "phase": "play",
}


@pytest.mark.parametrize(
    ("facts", "room"),
    [
        ({}, TABLE),
        ({"phase": "auction"}, TABLE),
        ({"rated": True, "phase": "waiting"}, TABLE),
        ({"rated": True, "phase": "deal"}, TABLE),
        ({"title": "Cup", "phase": "over"}, TABLE),
        ({"seat": None}, WATCHERS),
        ({"seat": None, "free_chat": False}, WATCHERS),
        ({"seat": None, "rated": True, "title": "Cup"}, WATCHERS),
    ],
)
def test_who_may_talk_where(facts, room):
    assert room_to_speak(PLAYER | facts) == room


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        ({"rated": True}, "chat-between-deals"),
        ({"rated": True, "phase": "auction"}, "chat-between-deals"),
        ({"title": "Cup", "phase": "trump"}, "chat-between-deals"),
        ({"free_chat": False}, "chat-off"),
        ({"free_chat": False, "phase": "over"}, "chat-off"),
        ({"is_guest": True}, "chat-needs-account"),
        ({"is_guest": True, "seat": None}, "chat-needs-account"),
        ({"is_active": False}, "chat-needs-account"),
    ],
)
def test_who_may_not_talk(facts, code):
    with pytest.raises(Refused) as refused:
        room_to_speak(PLAYER | facts)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("facts", "room"),
    [
        ({}, TABLE),
        ({"is_guest": True}, TABLE),
        ({"free_chat": False}, TABLE),
        ({"seat": None}, WATCHERS),
        ({"seat": None, "is_guest": True}, None),
    ],
)
def test_who_reads_which_room(facts, room):
    assert room_to_read(PLAYER | facts) == room


@pytest.mark.parametrize(
    ("ears", "seat", "room", "heard"),
    [
        (Ears(), None, None, True),
        (Ears(), 1, None, True),
        (Ears(has_account=True), 1, TABLE, True),
        (Ears(), 1, TABLE, True),
        (Ears(has_account=True), None, TABLE, False),
        (Ears(has_account=True), None, WATCHERS, True),
        (Ears(), None, WATCHERS, False),
        (Ears(has_account=True), 1, WATCHERS, False),
        (Ears(has_account=True, muted={7}), 1, TABLE, False),
        (Ears(has_account=True, muted={7}), None, WATCHERS, False),
        (Ears(has_account=True, muted={7}), 1, None, False),
        (Ears(has_account=True, muted={8}), 1, None, True),
    ],
)
def test_what_user_7_says_reaches_its_room_but_for_who_muted_him(ears, seat, room, heard):
    assert hears(ears, seat, room, 7) == heard


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  good   game ", "good game"),
        ("سلام", "سلام"),
        ("two\nlines\r\nor\u2028more", "two lines or more"),
        ("a\0b\x07c", "a b c"),
        ("\u202eevil\u202c \u2066x\u2069 \u200f!", "evil x !"),
        ("<b>&amp;</b> https://example.org", "<b>&amp;</b> https://example.org"),
        ("x" + "\u0301" * 40, "x" + "\u0301" * 3),
        ("قَالَّ", "قَالَّ"),
        ("👩\u200d👧 ok", "👩\u200d👧 ok"),
        ("x" * 200, "x" * 200),
    ],
)
def test_a_line_is_visible_text_in_one_direction(text, line):
    assert clean_line(text) == line


@pytest.mark.parametrize("text", ["", " \n ", "\u202e", "\u200d\u200c", "x" * 201])
def test_a_line_of_nothing_or_too_much_is_malformed(text):
    with pytest.raises(Refused) as refused:
        clean_line(text)
    assert refused.value.code == "malformed"


@pytest.mark.parametrize(
    ("given", "frame"),
    [
        ({"phrase": "bravo"}, Say(phrase="bravo")),
        ({"text": "Hi"}, Say(text="Hi")),
        ({"text": "x" * 200}, Say(text="x" * 200)),
        ({"text": ""}, None),
        ({"text": "x" * 201}, None),
        ({"text": "\ud800"}, None),
        ({"text": None}, None),
        ({"text": ["Hi"]}, None),
        ({"text": "Hi", "phrase": "bravo"}, None),
        ({"phrase": []}, None),
        ({"phrase": "Hi"}, None),
        ({}, None),
    ],
)
def test_something_said_is_a_known_phrase_or_a_short_text(given, frame):
    assert parse(json.dumps({"type": "say"} | given))[0] == frame


@pytest.fixture
def scene(client: Client):
    """Layla at a table where Samir sits too; her browser, the table, both users."""
    layla, samir = make_user("Layla", language="en"), make_user("Samir")
    table = make_table(version=9)
    seat_user(table, 0, layla)
    seat_user(table, 1, samir)
    client.force_login(layla)
    return client, table, layla, samir


@pytest.mark.django_db
def test_a_player_is_muted_and_heard_again(scene):
    client, table, layla, samir = scene
    door = f"/tables/{table.code}/mute/"
    for _ in range(2):
        assert client.post(door, {"name": "SAMIR", "muted": "1"}).status_code == 200
        assert list(Mute.objects.values_list("user", "muted")) == [(layla.pk, samir.pk)]
    assert client.post(door, {"name": "Samir", "muted": "0"}).status_code == 200
    assert Mute.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Layla", "Nobody", ""])
def test_nobody_mutes_himself_or_who_is_not(scene, name):
    client, table, *_ = scene
    answer = client.post(f"/tables/{table.code}/mute/", {"name": name, "muted": "1"})
    assert (answer.status_code, answer.json()["code"]) == (400, "no-such-player")


@pytest.mark.django_db
def test_a_report_keeps_the_moment_and_is_one_for_each_reason(scene):
    client, table, layla, samir = scene
    door = f"/tables/{table.code}/report/"
    for text in (" He \0shouts. ", "Again!"):
        answer = client.post(door, {"name": "Samir", "reason": "words", "text": text})
        assert answer.status_code == 200
        assert answer.json()["message"].startswith("Thank you.")
    client.post(door, {"name": "Samir", "reason": "left"})
    kept = Report.objects.order_by("pk").values_list("by", "about", "reason", "text", "version")
    both = layla.pk, samir.pk
    assert list(kept) == [(*both, "words", "He shouts.", 9), (*both, "left", "", 9)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"name": "Samir", "reason": "taste"}, "malformed"),
        ({"name": "Samir"}, "malformed"),
        ({"name": "Layla", "reason": "words"}, "no-such-player"),
        ({"name": "Absent", "reason": "words"}, "no-such-player"),
    ],
)
def test_a_report_is_about_another_one_who_was_there(scene, fields, code):
    client, table, *_ = scene
    make_user("Absent")
    answer = client.post(f"/tables/{table.code}/report/", fields)
    assert (answer.status_code, answer.json()["code"], Report.objects.count()) == (400, code, 0)


@pytest.mark.django_db
def test_a_spectator_who_spoke_may_be_reported(scene):
    client, table, *_ = scene
    watcher = make_user("Absent")
    ChatLine.objects.create(table=table, room="watch", user=watcher, text="…", version=3, at=NOON)
    answer = client.post(f"/tables/{table.code}/report/", {"name": "Absent", "reason": "words"})
    assert answer.status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("door", ["mute", "report"])
def test_doors_of_conduct_are_for_the_logged_in_by_post(client: Client, door):
    path = f"/tables/{make_table().code}/{door}/"
    assert client.get(path).status_code == 405
    assert client.post(path).headers["Location"] == f"/accounts/login/?next={path}"
    client.force_login(make_user())
    assert client.post(f"/tables/NONE/{door}/", {"name": "x"}).status_code == 404
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(make_user())
    assert strict.post(path, {"name": "x"}).status_code == 403


@pytest.mark.django_db
def test_administrators_read_reports_with_the_way_to_the_table(scene):
    client, table, layla, samir = scene
    report = Report.objects.create(table=table, by=layla, about=samir, reason="words", version=9, at=NOON)
    client.force_login(make_user("Boss", is_staff=True, is_superuser=True, language="en"))
    page = client.get(f"/admin/games/report/{report.pk}/change/").content.decode()
    assert f'href="/tables/{table.code}/"' in page
    assert f"/admin/games/chatline/?table__id__exact={table.pk}" in page
    assert 'name="_save"' not in page
    assert client.get("/admin/games/report/").status_code == 200
    assert client.get("/admin/games/chatline/").status_code == 200
