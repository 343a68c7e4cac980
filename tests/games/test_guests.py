"""Playing with bots at once, keeping the seat by making an account, and what a guest may not."""

import re
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import make_guest
from games.models import Event, EventKind, Phase, Report, ResultKind, Seat, SeatKind, Table, Visibility
from games.services import guests, tables
from games.services.refusals import Refused
from games.speeds import SPEEDS
from games.tasks import forget_guests
from tests.factories import NOON, PASSWORD, make_table, make_user, seat_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_tries_yet() -> None:
    cache.clear()


def a_guest(**more: object) -> User:
    guest = make_guest(language="en", now=NOON)
    User.objects.filter(pk=guest.pk).update(**more)
    guest.refresh_from_db()
    return guest


def account(**changed: str) -> dict[str, str]:
    said = {"username": "Salma", "email": "s@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return said | changed


def kinds(table: Table) -> list[str]:
    return [seat.kind for seat in table.seats.order_by("number")]


def test_anonymous_plays_with_bots_at_one_press(client: Client) -> None:
    answer = client.post("/play/bots/", {"ruleset": "egyptian", "speed": "fast"})
    table, guest = Table.objects.get(), User.objects.get()
    assert answer.url == table.get_absolute_url()
    assert (guest.is_guest, client.session["_auth_user_id"]) == (True, str(guest.pk))
    assert (table.ruleset, table.rated, table.visibility) == ("egyptian", False, Visibility.LINK)
    assert (table.phase, table.host, table.seats.get(number=0).user) == (Phase.DEAL, guest, guest)
    assert kinds(table) == [SeatKind.PLAYER, *[SeatKind.BOT] * 3]
    assert (table.call_seconds, table.turn_seconds, table.bank_seconds) == SPEEDS["fast"]


def test_nothing_said_is_kotchina_at_the_usual_pace(client: Client) -> None:
    client.post("/play/bots/")
    table = Table.objects.get()
    assert (table.ruleset, table.target) == ("kotchina", 31)
    assert (table.call_seconds, table.turn_seconds, table.bank_seconds) == SPEEDS["normal"]


def test_player_with_an_account_gets_a_table_and_no_new_account(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    client.post("/play/bots/")
    assert (Table.objects.get().host, User.objects.count()) == (user, 1)


@pytest.mark.parametrize(
    ("second", "tables_now"), [({}, 1), ({"ruleset": "kotchina"}, 1), ({"ruleset": "kings"}, 2)]
)
def test_pressing_again_goes_on_with_the_match(
    client: Client, second: dict[str, str], tables_now: int
) -> None:
    first = client.post("/play/bots/")
    again = client.post("/play/bots/", second)
    assert (Table.objects.count(), again.url == first.url) == (tables_now, tables_now == 1)


def test_match_with_bots_that_is_over_is_not_gone_on_with(client: Client) -> None:
    first = client.post("/play/bots/")
    tables.close_table(table_id=Table.objects.get().pk, now=NOON)
    assert client.post("/play/bots/").url != first.url


@pytest.mark.parametrize("said", [{"ruleset": "bridge"}, {"speed": "instant"}])
def test_unknown_wish_opens_nothing(client: Client, said: dict[str, str]) -> None:
    assert client.post("/play/bots/", said).url == "/tables/"
    assert (Table.objects.count(), User.objects.count()) == (0, 0)


def test_link_to_the_door_leads_to_the_tables(client: Client) -> None:
    assert client.get("/play/bots/").url == "/tables/"
    assert Client(enforce_csrf_checks=True).post("/play/bots/").status_code == 403
    assert not User.objects.exists()


@pytest.mark.parametrize("path", ["/", "/tables/", "/rules/", "/rules/kings/"])
def test_door_stands_on_the_page(client: Client, path: str) -> None:
    assert b'action="/play/bots/"' in client.get(path).content


def test_account_takes_over_the_very_same_row_and_seat(client: Client) -> None:
    at = client.post("/play/bots/").url
    guest, before = User.objects.get(), client.session.session_key
    assert client.post("/accounts/keep/", account(next=at)).url == at
    user = User.objects.get()
    assert (user.pk, user.username, user.is_guest) == (guest.pk, "Salma", False)
    assert (user.email, user.emailaddress_set.get().email) == ("s@example.org", "s@example.org")
    assert (user.check_password(PASSWORD), Seat.objects.get(user=user).table.get_absolute_url()) == (True, at)
    assert (client.session["_auth_user_id"], client.get("/accounts/settings/").status_code) == (
        str(user.pk),
        200,
    )
    assert client.session.session_key != before


def test_keeping_asks_to_confirm_the_address_and_waits_for_no_mail_server(client: Client, settings) -> None:
    client.post("/play/bots/")
    client.post("/accounts/keep/", account())
    [letter] = mail.outbox
    [link] = re.findall(r"http://testserver(\S+/confirm-email/\S+)", letter.body)
    client.post(link)
    user = User.objects.get()
    assert (user.emailaddress_set.get().verified, Seat.objects.filter(user=user).count()) == (True, 1)
    settings.EMAIL_BACKEND = "tests.accounts.test_notices.Away"
    other = Client()
    other.post("/play/bots/")
    answer = other.post("/accounts/keep/", account(username="Huda", email="h@example.org"))
    assert answer.status_code == 302


def test_old_key_opens_nothing_and_takes_no_cookie_away(client: Client) -> None:
    client.post("/play/bots/")
    other_tab = Client()
    other_tab.cookies["sessionid"] = client.session.session_key
    client.post("/accounts/keep/", account())
    late = other_tab.get("/accounts/settings/")
    assert (late.url, "sessionid" in late.cookies) == ("/accounts/login/?next=/accounts/settings/", False)
    left = Session.objects.get(pk=other_tab.cookies["sessionid"].value)
    assert left.expire_date < timezone.now() + timedelta(minutes=1)
    assert left.get_decoded() == {"renewed": True}


def test_keeping_leads_back_to_the_table_though_nobody_asked(client: Client) -> None:
    at = client.post("/play/bots/").url
    page = client.get("/accounts/keep/")
    assert f'href="{at}"'.encode() in page.content
    assert client.post("/accounts/keep/", account()).url == at


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"username": "Guest 4821"}, "username"),
        ({"username": "ALI"}, "username"),
        ({"username": "admin"}, "username"),
        ({"email": "taken@example.org"}, "email"),
        ({"email": ""}, "email"),
        ({"password1": "short", "password2": "short"}, "password1"),
        ({"password2": "another-long-phrase"}, "password2"),
    ],
)
def test_rules_of_signing_up_hold(client: Client, changed: dict[str, str], field: str) -> None:
    make_user("Ali")
    User.objects.update(email="taken@example.org")
    client.post("/play/bots/")
    answer = client.post("/accounts/keep/", account(**changed))
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])
    assert User.objects.get(pk=client.session["_auth_user_id"]).is_guest


def test_guests_own_name_is_not_taken_along(client: Client) -> None:
    client.post("/play/bots/")
    answer = client.post("/accounts/keep/", account(username=User.objects.get().username))
    assert answer.context["form"].errors.as_data()["username"][0].code == "reserved"


@pytest.mark.parametrize(
    ("is_logged_in", "leads_to"), [(False, "/accounts/signup/?next=%2Ftables%2F"), (True, "/tables/")]
)
def test_page_is_for_guests_alone(client: Client, is_logged_in: bool, leads_to: str) -> None:
    if is_logged_in:
        client.force_login(make_user())
    assert client.get("/accounts/keep/?next=/tables/").url == leads_to


def test_account_is_made_once() -> None:
    guest = a_guest()
    said = {"user": guest, "email": "s@example.org", "password": PASSWORD}
    guests.keep_seat(name="Salma", **said)
    with pytest.raises(ValidationError) as refused:
        guests.keep_seat(name="Huda", **said)
    assert (refused.value.code, User.objects.get().username) == ("no_guest", "Salma")


# What a guest may and may not.


def test_guest_sits_at_casual_tables_and_not_at_rated_ones() -> None:
    guest = a_guest()
    casual, rated = make_table(), make_table(rated=True)
    tables.sit(table_code=casual.code, user=guest, seat=0, now=NOON)
    with pytest.raises(Refused) as refused:
        tables.sit(table_code=rated.code, user=guest, seat=0, now=NOON)
    assert refused.value.code == "guests-only-casual"
    assert list(Seat.objects.filter(user=guest).values_list("table", flat=True)) == [casual.pk]


@pytest.mark.parametrize(
    ("visibility", "rated", "code"),
    [
        ("public", False, "guests-cannot-host"),
        ("public", True, "guests-only-casual"),
        ("link", True, "guests-only-casual"),
        ("link", False, None),
    ],
)
def test_guest_opens_casual_tables_by_link_only(visibility: str, rated: bool, code: str | None) -> None:
    asked = {
        "ruleset": "kotchina",
        "target": 31,
        "turn_seconds": 20,
        "visibility": visibility,
        "rated": rated,
    }
    said = None
    try:
        tables.open_table(host=a_guest(), now=NOON, **asked)
    except Refused as refused:
        said = refused.code
    assert (said, Table.objects.count()) == (code, 0 if code else 1)


# Forgetting.


def ended(*users: User, result: str = "", **more: object) -> Table:
    table = make_table(phase=Phase.OVER, result_kind=result, ended_at=NOON, **more)
    for number, user in enumerate(users):
        seat_user(table, number, user)
    for number in range(len(users), 4):
        table.seats.filter(number=number).update(kind=SeatKind.BOT, bot="cautious")
    Event.objects.create(table=table, version=1, kind=EventKind.SIT, seat=0, user=users[0], at=NOON)
    return table


LATER = NOON + timedelta(days=1, seconds=1)


def test_guest_who_never_played_is_forgotten_after_a_day() -> None:
    a_guest()
    assert (guests.forget(now=NOON + timedelta(hours=23)), User.objects.count()) == (0, 1)
    assert (guests.forget(now=LATER), User.objects.count()) == (1, 0)
    assert guests.forget(now=LATER) == 0


@pytest.mark.parametrize("result", ["", ResultKind.NO_RESULT])
def test_matches_with_bots_that_came_to_nothing_go_too(result: str) -> None:
    ended(a_guest(), result=result)
    assert (guests.forget(now=LATER), Table.objects.count(), User.objects.count()) == (1, 0, 0)


@pytest.mark.parametrize("result", [ResultKind.TARGET, ResultKind.RESIGNED, ResultKind.DRAW])
def test_guest_with_a_finished_match_stays(result: str) -> None:
    ended(a_guest(), result=result)
    assert (guests.forget(now=LATER), User.objects.count()) == (0, 1)


def test_guest_stays_with_what_is_history_of_others_too() -> None:
    guest, other = a_guest(), make_user()
    ended(guest, other, result=ResultKind.NO_RESULT)
    assert (guests.forget(now=LATER), Table.objects.count()) == (0, 1)


def test_guest_at_a_table_in_play_or_in_a_complaint_stays() -> None:
    playing, complained = a_guest(), a_guest()
    seat_user(make_table(phase=Phase.PLAY), 0, playing)
    complaint = {"about": complained, "by": make_user(), "reason": "words", "version": 3, "at": NOON}
    Report.objects.create(table=make_table(), **complaint)
    assert guests.forget(now=LATER) == 0


def test_guest_who_got_up_before_the_start_goes_and_the_table_stays() -> None:
    guest, host = a_guest(), make_user()
    table = make_table(host=host)
    tables.sit(table_code=table.code, user=guest, seat=2, now=NOON)
    tables.leave(table_code=table.code, user=guest, now=NOON)
    assert guests.forget(now=LATER) == 1
    events = Event.objects.filter(table=table).order_by("version")
    assert list(events.values_list("kind", "seat", "user")) == [("sit", 2, None), ("leave", 2, None)]


def test_players_with_accounts_and_guests_seen_lately_are_left_alone() -> None:
    make_user(last_login=NOON)
    a_guest(last_login=timezone.now())
    assert (forget_guests(), User.objects.count()) == (0, 2)
