"""Officials: roles by link, changed, let go, handed over; who may do what."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from tests.factories import make_user, make_users
from tests.tournaments.scenes import NOW, started
from tournaments.models import Official, Role, RoleInvite, Tournament
from tournaments.services import officials
from tournaments.services.permissions import ALLOWED, may
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def invite(tournament: Tournament, role: str = Role.REFEREE, **more: object) -> RoleInvite:
    return officials.invite(
        tournament_id=tournament.pk, actor=tournament.organiser, role=role, now=NOW, **more
    )


def official(tournament: Tournament, role: str) -> User:
    user = make_user()
    tournament.officials.create(user=user, role=role, since=NOW)
    return user


def code_of(work, **arguments: object) -> str | None:
    try:
        work(**arguments)
    except Refused as refusal:
        return refusal.code
    return None


def test_who_opens_the_link_first_has_the_role() -> None:
    tournament = started(2)
    link = invite(tournament)
    first, second = make_users(2)

    made = officials.accept_invite(token=link.token, user=first, now=NOW)
    again = officials.accept_invite(token=link.token, user=first, now=NOW)

    assert (made.role, again) == (Role.REFEREE, made)
    assert code_of(officials.accept_invite, token=link.token, user=second, now=NOW) == "lapsed-link"
    assert [act.kind for act in tournament.acts.order_by("number")][-2:] == ["invite-official", "official"]


def test_link_lapses_and_is_taken_back() -> None:
    tournament = started(2)
    late, taken = invite(tournament, days=1), invite(tournament)
    officials.revoke_invite(tournament_id=tournament.pk, actor=tournament.organiser, number=taken.pk, now=NOW)
    user, tomorrow = make_user(), NOW + timedelta(days=1)

    assert code_of(officials.accept_invite, token=late.token, user=user, now=tomorrow) == "lapsed-link"
    assert code_of(officials.accept_invite, token=taken.token, user=user, now=NOW) == "lapsed-link"
    assert not tournament.officials.exists()


def test_guests_and_the_owner_take_no_role() -> None:
    tournament = started(2)
    link = invite(tournament)
    guest = make_user(is_guest=True)

    assert code_of(officials.accept_invite, token=link.token, user=guest, now=NOW) == "guests-cannot-organise"
    assert (
        code_of(officials.accept_invite, token=link.token, user=tournament.organiser, now=NOW)
        == "owner-already"
    )


@pytest.mark.parametrize("role", [*Role.values, None])
def test_officials_are_the_owner_s_alone(role: str | None) -> None:
    tournament = started(2)
    user = official(tournament, role) if role else make_user()
    other = official(tournament, Role.VIEWER)
    about = {"tournament_id": tournament.pk, "actor": user, "now": NOW}
    expected = "not-your-role" if role else "not-organiser"

    assert code_of(officials.invite, role=Role.REFEREE, **about) == expected
    assert code_of(officials.change_role, user=other, role=Role.REFEREE, **about) == expected
    assert code_of(officials.let_go, user=other, **about) == expected
    assert code_of(officials.hand_over, user=other, **about) == expected


def test_official_gives_the_role_up() -> None:
    tournament = started(2)
    user = official(tournament, Role.REFEREE)
    officials.let_go(tournament_id=tournament.pk, actor=user, user=user, now=NOW)
    officials.let_go(tournament_id=tournament.pk, actor=user, user=user, now=NOW)
    assert not tournament.officials.exists()
    assert tournament.acts.filter(kind="official").count() == 1


def test_tournament_is_handed_over_to_one_of_its_organisers() -> None:
    tournament = started(2)
    former, heir, referee = tournament.organiser, *(official(tournament, r) for r in ("organiser", "referee"))
    about = {"tournament_id": tournament.pk, "actor": former, "now": NOW}

    assert code_of(officials.hand_over, user=referee, **about) == "no-organiser"
    officials.hand_over(user=heir, **about)

    tournament.refresh_from_db()
    assert tournament.organiser == heir
    assert set(tournament.officials.values_list("user", "role")) == {
        (former.pk, "organiser"),
        (referee.pk, "referee"),
    }


# Which act each role may do; the owner may all.
MAY = {
    "organiser": set(ALLOWED) - {"officials"},
    "referee": {"view", "console", "check-in", "decide", "objections", "score"},
    "scorekeeper": {"view", "console", "check-in", "score"},
    "viewer": {"view"},
    "stranger": set(),
}


@pytest.mark.parametrize("role", [*MAY, "owner"])
def test_every_act_of_every_role(role: str) -> None:
    tournament = started(2)
    if role == "owner":
        user, expected = tournament.organiser, set(ALLOWED)
    else:
        user = make_user() if role == "stranger" else official(tournament, role)
        expected = MAY[role]
    assert {act for act in ALLOWED if may(tournament, user, act)} == expected


# Pages of officials, and the roles that see them.
PAGES = {
    "organise/": {"owner", "organiser", "referee", "scorekeeper"},
    "decide/?type=withdraw&entrant=e1": {"owner", "organiser", "referee"},
    "objections/": {"owner", "organiser", "referee"},
    "log/": {"owner", "organiser", "referee", "scorekeeper"},
    "officials/": {"owner", "organiser", "referee", "scorekeeper", "viewer"},
    "announce/": {"owner", "organiser"},
    "settings/": {"owner", "organiser"},
    "actions/R1.1/": {"owner", "organiser", "referee", "scorekeeper"},
}


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("page", PAGES)
def test_pages_are_there_for_who_may_see_them_alone(page: str, language: str) -> None:
    tournament = started(4)
    player = tournament.entries.first().members.first().user
    people = {"owner": tournament.organiser, "player": player, "stranger": make_user()}
    people |= {role: official(tournament, role) for role in Role.values}
    seen = set()
    for name, user in people.items():
        client = Client()
        client.force_login(user)
        client.cookies["django_language"] = language
        answer = client.get(f"/tournaments/{tournament.slug}/{page}")
        assert answer.status_code in (200, 404), (name, answer.status_code)
        if answer.status_code == 200:
            seen.add(name)
    assert seen == PAGES[page]
    assert Client().get(f"/tournaments/{tournament.slug}/{page}").status_code in (302, 404)


def test_link_page_asks_and_then_makes_an_official(client: Client) -> None:
    tournament = started(2)
    link = invite(tournament, Role.SCOREKEEPER)
    user = make_user()
    client.force_login(user)
    address = f"/tournaments/office/{link.token}/"

    assert client.get(address).status_code == 200
    assert not Official.objects.exists()
    assert client.post(address).url == f"/tournaments/{tournament.slug}/organise/"
    assert Official.objects.get().user == user
    assert Client().get(address).status_code == 302


def test_link_page_offers_the_role_only_while_it_can_be_taken(client: Client) -> None:
    tournament = started(2)
    used, old, unused = (invite(tournament, Role.REFEREE) for _ in range(3))
    RoleInvite.objects.filter(pk=old.pk).update(expires_at=NOW - timedelta(hours=1))
    taker, late = make_user(language="en"), make_user(language="en")
    officials.accept_invite(token=used.token, user=taker, now=NOW)

    def offered(user: User, link: RoleInvite) -> tuple[bool, str]:
        client.force_login(user)
        html = client.get(f"/tournaments/office/{link.token}/").content.decode()
        words = ("This role is yours", "used this link already", "has lapsed", "yours already")
        return "I take it" in html, next((said for said in words if said in html), "")

    tournament.organiser.language = "en"
    tournament.organiser.save(update_fields=["language"])
    assert offered(taker, used) == (False, "This role is yours")
    assert offered(late, used) == (False, "used this link already")
    assert offered(late, old) == (False, "has lapsed")
    assert offered(tournament.organiser, unused) == (False, "yours already")
    assert offered(late, unused) == (True, "")


def test_officials_page_makes_changes_and_takes_back(client: Client) -> None:
    tournament = started(2)
    user = official(tournament, Role.VIEWER)
    client.force_login(tournament.organiser)
    address = f"/tournaments/{tournament.slug}/officials/"

    client.post(address, {"act": "invite", "role": "referee", "days": "٣"})
    link = RoleInvite.objects.get()
    page = client.get(address).content.decode()
    client.post(address, {"act": "change", "name": user.username, "role": "referee"})
    client.post(address, {"act": "revoke", "invite": str(link.pk)})

    assert link.expires_at - link.made_at == timedelta(days=3)
    assert link.token in page
    assert "<svg" in page
    assert tournament.officials.get().role == "referee"
    assert client.post(address, {"act": "nonsense"}).status_code == 400
    assert client.post(address, {"act": "change", "name": "nobody", "role": "referee"}).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_two_who_open_one_link_at_once_make_one_official() -> None:
    tournament = started(2)
    link = invite(tournament)
    users, barrier, codes = make_users(4), threading.Barrier(4), []

    def open_it(user: User) -> None:
        barrier.wait()
        codes.append(code_of(officials.accept_invite, token=link.token, user=user, now=NOW))
        connection.close()

    threads = [threading.Thread(target=open_it, args=[user]) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes, key=str) == [None, "lapsed-link", "lapsed-link", "lapsed-link"]
    assert tournament.officials.count() == 1
