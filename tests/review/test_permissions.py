"""Who may look at what and do what: every page and every act, by role."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import get_resolver, reverse

from accounts import sanctions
from accounts.models import Scope, User
from games.models import Table
from review.models import ActKind, Case, ReviewAct
from review.roles import ALLOWED, ROLES, allowed_acts
from review.services import cases, sanctioning, voiding
from review.services.groups import make_groups
from review.services.refusals import Refused
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match
from tests.review.scenes import case_of, connected, reported, reviewer
from tests.tournaments.scenes import adjudicate, end, started

pytestmark = pytest.mark.django_db
WHO = ("moderator", "referee", "support", "superuser")


class Scene:
    """One case with all that can be asked for about it."""

    def __init__(self) -> None:
        self.table: Table = make_match(make_users(4))
        self.report = reported(self.table)
        self.case: Case = case_of(self.report)
        self.person: User = self.report.about
        self.sanction = sanctions.impose(
            self.person, Scope.CHAT, reason_ar="س", reason_en="x", until=None, now=NOON
        )


PAGES: dict[str, tuple[str, Callable[[Scene], list[Any]]]] = {
    "review_desk": ("desk", lambda scene: []),
    "review_case": ("desk", lambda scene: [scene.case.pk]),
    "review_table": ("match", lambda scene: [scene.table.code]),
    "review_annul": ("annul", lambda scene: [scene.table.code]),
    "review_person": ("person", lambda scene: [scene.person.username]),
    "review_hints": ("hints", lambda scene: []),
    "review_log": ("log", lambda scene: []),
}
DOORS: dict[str, tuple[str, Callable[[Scene], list[Any]]]] = {
    "review_claim": ("claim", lambda scene: [scene.case.pk]),
    "review_note": ("note", lambda scene: [scene.case.pk]),
    "review_close": ("close", lambda scene: [scene.case.pk]),
    "review_void": ("void", lambda scene: [scene.table.code]),
    "review_restore": ("restore", lambda scene: [scene.table.code]),
    "review_annul": ("annul", lambda scene: [scene.table.code]),
    "review_sanction": ("warn", lambda scene: [scene.person.username]),
    "review_lift": ("lift", lambda scene: [scene.sanction.pk]),
    "review_open_hint": ("open-hint", lambda scene: []),
}


def test_every_address_of_the_reviewers_is_in_the_tables_of_this_file() -> None:
    (review,) = [one for one in get_resolver().url_patterns if str(one.pattern) == "review/"]
    assert {one.name for one in review.url_patterns} == {*PAGES, *DOORS}


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_for_the_roles_that_may_see_it(name: str) -> None:
    scene = Scene()
    act, arguments = PAGES[name]
    url = reverse(name, args=arguments(scene))
    given = {role: client_of(reviewer(role)).get(url).status_code for role in WHO}
    # The match of no tournament has no result to change: who may come in is led back.
    inside = 302 if name == "review_annul" else 200
    assert given == {role: inside if role == "superuser" or role in ALLOWED[act] else 403 for role in WHO}


@pytest.mark.parametrize("name", DOORS)
def test_an_act_is_for_the_roles_that_may_do_it(name: str) -> None:
    scene = Scene()
    act, arguments = DOORS[name]
    url = reverse(name, args=arguments(scene))
    refused = {role for role in WHO if client_of(reviewer(role)).post(url, {}).status_code == 403}
    assert refused == {role for role in WHO if role != "superuser" and role not in ALLOWED[act]}


@pytest.mark.parametrize("name", sorted({*PAGES, *DOORS}))
def test_nobody_else_comes_in(name: str) -> None:
    scene = Scene()
    _, arguments = (PAGES | DOORS)[name]
    url = reverse(name, args=arguments(scene))
    closed = make_user(is_staff=True)
    closed.groups.add(Group.objects.get(name="moderator"))
    others = {
        "player": scene.person,
        "staff": make_user(is_staff=True),
        "guest": make_user(is_guest=True),
    }
    given = {
        who: [client_of(user).get(url).status_code, client_of(user).post(url).status_code]
        for who, user in others.items()
    }
    doors = [403, 403] if name in PAGES and name in DOORS else ([403, 405] if name in PAGES else [405, 403])
    assert given == dict.fromkeys(others, doors)
    strangers = [client_of(None).get(url), client_of(None).post(url)]
    assert [answer.status_code for answer in strangers] == [302 if code == 403 else code for code in doors]


# Behind the views every service asks again.

ACTS: dict[str, Callable[[Scene, User], object]] = {
    "claim": lambda scene, user: cases.claim(number=scene.case.pk, actor=user, now=NOON),
    "note": lambda scene, user: cases.add_note(number=scene.case.pk, actor=user, text="x", now=NOON),
    "close": lambda scene, user: cases.close(
        number=scene.case.pk, actor=user, outcome="dismissed", answer_ar="لا", answer_en="no", now=NOON
    ),
    "lift": lambda scene, user: sanctioning.lift(
        actor=user, sanction_id=scene.sanction.pk, reason="x", now=NOON
    ),
    "void": lambda scene, user: voiding.void_match(
        actor=user, table_code=scene.table.code, reason_ar="س", reason_en="x", now=NOON
    ),
    **{
        kind.value: lambda scene, user, kind=kind: sanctioning.impose(
            actor=user, user=scene.person, wish=sanctioning.Wish(kind, "س", "x", 7), now=NOON
        )
        for kind in sanctioning.SCOPES
    },
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("role", [*WHO, "nobody"])
def test_services_refuse_who_has_not_the_right(act: str, role: str) -> None:
    scene = Scene()
    user = make_user() if role == "nobody" else reviewer(role)
    allowed = role == "superuser" or role in ALLOWED[act]
    if act == "close" and allowed:
        cases.claim(number=scene.case.pk, actor=user, now=NOON)
    before = ReviewAct.objects.count()
    try:
        ACTS[act](scene, user)
        said = ""
    except Refused as refused:
        said = refused.code
    assert said == ("" if allowed else "not-your-role")
    assert ReviewAct.objects.count() - before == (1 if allowed and act != "note" else 0)


def test_a_match_can_be_restored_by_referees_alone() -> None:
    scene = Scene()
    void = {"table_code": scene.table.code, "now": NOON}
    voiding.void_match(actor=reviewer("referee"), reason_ar="س", reason_en="x", **void)
    for role in ("moderator", "support"):
        with pytest.raises(Refused) as refused:
            voiding.restore_match(actor=reviewer(role), reason="x", **void)
        assert refused.value.code == "not-your-role"
    voiding.restore_match(actor=reviewer("referee"), reason="x", **void)
    assert not scene.table.voids.filter(lifted_at=None).exists()


@pytest.mark.parametrize(
    ("role", "days", "code"),
    [
        ("moderator", 90, ""),
        ("moderator", 91, "term-too-long"),
        ("moderator", None, "term-too-long"),
        ("superuser", None, ""),
    ],
)
def test_only_superusers_ban_for_good(role: str, days: int | None, code: str) -> None:
    scene = Scene()
    wish = sanctioning.Wish(ActKind.BAN_PLAY, "س", "x", days)
    said = ""
    try:
        sanctioning.impose(actor=reviewer(role), user=scene.person, wish=wish, now=NOON)
    except Refused as refused:
        said = refused.code
    assert said == code


def test_staff_are_judged_by_superusers_alone() -> None:
    colleague = reviewer("support")
    wish = sanctioning.Wish(ActKind.WARN, "س", "x", None)
    with pytest.raises(Refused) as refused:
        sanctioning.impose(actor=reviewer("moderator"), user=colleague, wish=wish, now=NOON)
    assert refused.value.code == "staff"
    sanctioning.impose(actor=reviewer("superuser"), user=colleague, wish=wish, now=NOON)


def test_a_role_that_was_taken_away_or_an_account_that_is_closed_may_nothing() -> None:
    user = reviewer("moderator")
    assert "warn" in allowed_acts(user)
    user.is_active = False
    assert allowed_acts(user) == frozenset()
    user.is_active = True
    user.groups.clear()
    assert allowed_acts(user) == frozenset()


def test_groups_are_made_once_and_read_the_administration() -> None:
    make_groups()
    make_groups()
    assert sorted(Group.objects.values_list("name", flat=True)) == sorted(ROLES)
    client = client_of(reviewer("moderator", language="en"))
    pages = [
        "review/reviewact",
        "review/case",
        "games/table",
        "games/seek",
        "games/invitation",
        "games/connection",
    ]
    assert [client.get(f"/admin/{page}/").status_code for page in pages] == [200] * 6
    assert [client.get(f"/admin/{page}/add/").status_code for page in pages] == [403] * 6
    assert client.get("/admin/accounts/user/").status_code == 403


@pytest.mark.parametrize("name", ["seek", "invitation", "connection", "void"])
def test_superusers_change_nothing_there_either(name: str) -> None:
    scene = Scene()
    connected(scene.table, scene.person, "came", NOON)
    client = client_of(reviewer("superuser"))
    assert (
        client.get(f"/admin/games/{name}/").status_code,
        client.get(f"/admin/games/{name}/add/").status_code,
    ) == (
        200,
        403,
    )


def test_a_referee_changes_a_result_and_a_moderator_does_not() -> None:
    tournament = started(4)
    table = end(tournament, "R1.1")
    adjudicate(tournament)
    url = reverse("review_annul", args=[table.code])
    given = {role: client_of(reviewer(role)).get(url).status_code for role in WHO}
    assert given == {"moderator": 403, "referee": 200, "support": 403, "superuser": 200}
