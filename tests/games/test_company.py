"""Following and blocking: the lists, what each ends, and that nobody is told more than no."""

from contextlib import suppress
from datetime import timedelta
from threading import Barrier, Thread

import pytest
from asgiref.sync import sync_to_async
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block, Follow, Mute, Notice, NoticeChoice, User
from games.live.store import Store
from games.models import Invitation, Phase, Seek, Visibility
from games.services import company, conduct, following, invitations, quick, tables
from games.services.chat import LISTENER_SQL
from games.services.refusals import Refused
from tests.factories import make_table, make_user, seat_user

pytestmark = pytest.mark.django_db(transaction=True)
NOW = timezone.now()


@pytest.fixture
def me() -> User:
    return make_user("Karim", language="en")


@pytest.fixture
def pest() -> User:
    return make_user("Salim", language="en")


def block(me: User, pest: User) -> None:
    company.block(user=me, name=pest.username, now=NOW)


def refusal(act) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def test_followed_players_are_listed_those_who_play_first(client: Client, me: User) -> None:
    names = ["Adam", "Badr", "Camil"]
    for name in names:
        company.follow(user=me, name=make_user(name).username, now=NOW)
    table = make_table(phase=Phase.PLAY, visibility=Visibility.PUBLIC, started_at=NOW)
    seat_user(table, 1, User.objects.get(username="Camil"))
    client.force_login(me)
    page = client.get("/people/")
    assert [row.user.username for row in page.context["followed"]] == ["Camil", "Adam", "Badr"]
    assert f"/tables/{table.code}/?follow=Camil" in page.content.decode()
    User.objects.filter(username="Camil").update(shows_play=False)
    assert [row.table for row in client.get("/people/").context["followed"]] == [None] * 3


def test_list_asks_the_same_whatever_its_length(client: Client, me: User, django_assert_num_queries) -> None:
    client.force_login(me)
    counts = []
    for many in (1, 3):
        for _ in range(many):
            company.follow(user=me, name=make_user().username, now=NOW)
        client.get("/people/")
        with CaptureQueriesContext(connection) as asked:
            client.get("/people/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("follow", "You follow this player now."),
        ("unfollow", "You follow this player no more."),
        ("block", "This player is blocked."),
        ("unblock", "This player is not blocked any more."),
        ("marry", "This message could not be understood. Nothing changed."),
    ],
)
def test_people_are_followed_and_blocked_by_form(
    client: Client, me: User, pest: User, act: str, said: str
) -> None:
    client.force_login(me)
    answer = client.post("/people/", {"act": act, "name": "salim", "next": "/players/Salim/"}, follow=True)
    assert answer.redirect_chain == [("/players/Salim/", 302)]
    assert [str(message) for message in answer.context["messages"]] == [said]


@pytest.mark.parametrize(
    ("name", "said"), [("Nobody7", "There is no player of this name."), ("Karim", "That is you.")]
)
def test_nobody_follows_who_is_not_there(client: Client, me: User, name: str, said: str) -> None:
    client.force_login(me)
    answer = client.post("/people/", {"act": "follow", "name": name}, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [said]


def test_guests_have_no_people(client: Client) -> None:
    client.force_login(make_user(is_guest=True))
    assert client.get("/people/").url == "/accounts/keep/"


def test_block_ends_following_both_ways_and_closes_it(me: User, pest: User) -> None:
    company.follow(user=me, name="Salim", now=NOW)
    company.follow(user=pest, name="Karim", now=NOW)
    block(me, pest)
    assert Follow.objects.count() == 0
    with pytest.raises(ValidationError):
        company.follow(user=pest, name="Karim", now=NOW)


def test_blocked_player_cannot_invite_and_hears_a_neutral_no(me: User, pest: User) -> None:
    table = make_table(host=pest)
    invitations.invite(table_code=table.code, user=pest, name="Karim", now=NOW)
    block(me, pest)
    assert Invitation.objects.count() == 0
    ask = lambda user, name: invitations.invite(table_code=table.code, user=user, name=name, now=NOW)  # noqa: E731
    assert refusal(lambda: ask(pest, "Karim")) == "not-invitable"
    User.objects.filter(pk=me.pk).update(asked_by="nobody")
    Block.objects.all().delete()
    assert refusal(lambda: ask(pest, "Karim")) == "not-invitable"


@pytest.mark.parametrize(
    ("asked_by", "follows", "is_told"),
    [("all", False, 1), ("followed", False, 0), ("followed", True, 1), ("nobody", True, 0)],
)
def test_who_may_invite_is_the_invited_player_s_choice(
    me: User, pest: User, asked_by: str, follows: bool, is_told: int
) -> None:
    User.objects.filter(pk=me.pk).update(asked_by=asked_by)
    if follows:
        company.follow(user=me, name="Salim", now=NOW)
    table = make_table(host=pest)
    with suppress(Refused):
        invitations.invite(table_code=table.code, user=pest, name="Karim", now=NOW)
    told = Notice.objects.filter(user=me, kind="invitations", read_at__isnull=False)
    assert (Invitation.objects.count(), told.count()) == (is_told, is_told)


def test_blocked_player_cannot_ask_to_be_partners(me: User, pest: User) -> None:
    wanted = {"ruleset": "classic", "speed": "normal", "now": NOW}
    quick.seek(user=pest, partner=me, **wanted)
    block(me, pest)
    assert Seek.objects.count() == 0
    assert refusal(lambda: quick.seek(user=pest, partner=me, **wanted)) == "not-invitable"
    assert refusal(lambda: quick.seek(user=me, partner=pest, **wanted)) == "you-block-them"


@pytest.mark.parametrize("is_host", [True, False])
def test_blocked_player_cannot_sit_down_at_the_blocker_s_table(me: User, pest: User, is_host: bool) -> None:
    block(me, pest)
    table = make_table(host=me if is_host else make_user())
    sit = lambda user, seat: tables.sit(table_code=table.code, user=user, seat=seat, now=NOW)  # noqa: E731
    if not is_host:
        sit(me, 0)
    assert refusal(lambda: sit(pest, 1)) == "not-welcome"
    free = make_table(host=make_user())
    tables.sit(table_code=free.code, user=pest, seat=1, now=NOW)
    tables.sit(table_code=free.code, user=me, seat=0, now=NOW)
    tables.sit(table_code=free.code, user=pest, seat=2, now=NOW)


def test_block_takes_the_player_off_one_s_own_waiting_table(me: User, pest: User) -> None:
    own, foreign = make_table(host=me), make_table(host=make_user())
    for table in (own, foreign):
        tables.sit(table_code=table.code, user=pest, seat=1, now=NOW)
    block(me, pest)
    assert [table.seats.get(number=1).user for table in (own, foreign)] == [None, pest]


def test_sitting_down_and_blocking_at_once_never_end_together(me: User, pest: User) -> None:
    for _ in range(5):
        Block.objects.all().delete()
        table = make_table(host=me)
        at_once = Barrier(2)

        def sit(table=table, at_once=at_once) -> None:
            at_once.wait()
            try:
                tables.sit(table_code=table.code, user=pest, seat=1, now=NOW)
            except Refused:
                pass
            finally:
                connection.close()

        def keep_away(at_once=at_once) -> None:
            at_once.wait()
            try:
                block(me, pest)
            finally:
                connection.close()

        threads = [Thread(target=sit), Thread(target=keep_away)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert table.seats.filter(user=pest).count() == 0


def test_quick_match_brings_others_together_before_the_two(me: User, pest: User) -> None:
    wanted = {"ruleset": "classic", "speed": "normal"}
    block(me, pest)
    others = [make_user() for _ in range(3)]
    for user in (me, pest, *others[:2]):
        quick.seek(user=user, now=NOW, **wanted)
    assert quick.match_waiting(NOW) == 0
    found = quick.seek(user=others[2], now=NOW, **wanted)
    assert found.table is not None
    assert not found.table.seats.filter(user=pest).exists()


def test_quick_match_brings_the_two_together_only_after_a_long_wait(me: User, pest: User) -> None:
    wanted = {"ruleset": "classic", "speed": "normal"}
    block(me, pest)
    people = [me, pest, make_user(), make_user()]
    for user in people:
        quick.seek(user=user, now=NOW, **wanted)
    later = NOW + quick.FOES_AFTER + timedelta(seconds=1)
    assert quick.match_waiting(NOW) == 0
    for user in people:
        quick.seen(user=user, now=NOW + timedelta(seconds=1))
    Seek.objects.update(seen_at=later)
    assert quick.match_waiting(later) == 1


def test_followers_hear_of_a_public_match_once_if_they_want_to(me: User, pest: User) -> None:
    NoticeChoice.objects.create(user=me, kind="follows", here=True, mail=False, push=False)
    for user in (me, make_user()):
        company.follow(user=user, name="Salim", now=NOW)
    begun = {"phase": Phase.PLAY, "started_at": NOW, "created_at": NOW}
    table = make_table(visibility=Visibility.PUBLIC, **begun)
    hidden = make_table(visibility=Visibility.LINK, **begun)
    for one in (table, hidden):
        seat_user(one, 1, pest)
    told = [following.tell_followers(now=NOW) for _ in range(2)]
    assert told == [1, 1]
    [notice] = Notice.objects.all()
    assert (notice.user, notice.url) == (me, f"/tables/{table.code}/")
    assert "Salim" in notice.text_en
    User.objects.filter(pk=pest.pk).update(shows_play=False)
    assert following.tell_followers(now=NOW) == 0


def test_who_blocks_hears_again_by_unblocking_alone(me: User, pest: User) -> None:
    block(me, pest)
    assert refusal(lambda: conduct.mute(user=me, name="Salim", muted=False)) == "you-block-them"
    company.unblock(user=me, name="Salim")
    conduct.mute(user=me, name="Salim", muted=False)
    assert (Block.objects.count(), Mute.objects.count()) == (0, 0)


async def test_words_of_a_blocked_player_are_not_delivered(me: User, pest: User) -> None:
    await sync_to_async(block)(me, pest)
    table = await sync_to_async(make_table)()
    store = Store()
    try:
        [row] = await store.fetch(LISTENER_SQL, [me.pk, me.pk, me.pk, table.pk])
        [other] = await store.fetch(LISTENER_SQL, [pest.pk, pest.pk, pest.pk, table.pk])
    finally:
        await store.close()
    assert (row["muted"], row["muted_names"], other["muted"]) == ([pest.pk], ["Salim"], [])


def test_profile_offers_what_the_reader_may_do(client: Client, me: User, pest: User) -> None:
    client.force_login(me)
    page = client.get("/players/Salim/").content.decode()
    offered = [act for act in ("follow", "block", "unfollow", "unblock") if f'value="{act}"' in page]
    assert offered == ["follow", "block"]
    block(me, pest)
    page = client.get("/players/Salim/").content.decode()
    assert ['value="unblock"' in page, "/play/?partner=Salim" in page] == [True, False]
    client.force_login(pest)
    page = client.get("/players/Karim/").content.decode()
    assert "/play/?partner=Karim" not in page
    anonymous = Client().get("/players/Salim/").content.decode()
    assert 'value="block"' not in anonymous
