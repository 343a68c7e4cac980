"""Every door of the live table, for each kind of person who may knock."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import make_guest
from games import limits
from games.models import Invitation, Seek, Table
from tests.factories import NOON, make_table, make_user, seat_user

pytestmark = pytest.mark.django_db

# D: done; an answer's code: refused with it; L: to log in first; 404: nothing there.
PEOPLE = ("nobody", "guest", "other", "staff", "seated", "host")
DOORS: dict[str, tuple[dict[str, str], str]] = {
    "/tables/new/": (
        {"ruleset": "kotchina", "target": "31", "turn_seconds": "20", "visibility": "public"},
        "L 400 D D D D",
    ),
    "/tables/BYLINK77/sit/": ({"seat": "3"}, "L D D D D D"),
    "/tables/BYLINK77/leave/": ({}, "L 400 400 400 D D"),
    "/tables/BYLINK77/fill/": ({}, "L 400 400 400 400 D"),
    "/tables/BYLINK77/remove/": ({"seat": "1"}, "L 400 400 400 400 D"),
    "/tables/BYLINK77/invite/": ({"name": "Invited"}, "L 400 400 400 D D"),
    "/tables/BYLINK77/mute/": ({"name": "Talker", "muted": "1"}, "L D D D D D"),
    "/tables/BYLINK77/report/": ({"name": "Talker", "reason": "words"}, "L D D D D D"),
    "/tables/BYLINK77/invitation/": ({}, "405 405 405 405 405 405"),
    "/play/": ({"ruleset": "kotchina", "speed": "fast", "rated": "on"}, "L 400 D D D D"),
    "/play/seen/": ({}, "L D D D D D"),
    "/play/stop/": ({}, "L D D D D D"),
    "/play/answer/": ({"seek": "SEEK", "answer": "yes"}, "L 400 400 400 400 400"),
    "/invitations/INVITATION/accept/": ({}, "L 400 400 400 400 400"),
    "/invitations/INVITATION/decline/": ({}, "L D D D D D"),
}
PAGES: dict[str, str] = {
    "/invitations/": "L 200 200 200 200 200",
    "/invitations/names/?q=Invited": "L 200 200 200 200 200",
    "/tables/BYLINK77/": "200 200 200 200 200 200",
    "/tables/BYLINK77/record/": "404 404 404 404 404 404",
    "/matches/BYLINK77/": "404 404 404 404 404 404",
    "/admin/games/table/": "302 302 302 200 302 302",
    "/admin/games/chatline/": "302 302 302 200 302 302",
    "/admin/games/report/": "302 302 302 200 302 302",
}


class Scene:
    """A table by link that waits: its host on seat 0, somebody on 1, a talker on 2; questions that wait for others."""

    def __init__(self) -> None:
        host, seated, talker, invited, asked = map(
            make_user, ("Host", "Seated", "Talker", "Invited", "Asked")
        )
        self.people: dict[str, User | None] = {
            "nobody": None,
            "guest": make_guest(language="en", now=timezone.now()),
            "other": make_user("Other"),
            "staff": make_user("Staff", is_staff=True, is_superuser=True),
            "seated": seated,
            "host": host,
        }
        self.table = make_table(code="BYLINK77", host=host, visibility="link")
        for number, user in enumerate((host, seated, talker)):
            seat_user(self.table, number, user)
        now = timezone.now()
        self.invitation = Invitation.objects.create(table=self.table, by=host, to=asked, created_at=NOON)
        self.seek = Seek.objects.create(
            user=talker,
            partner=asked,
            accepted=False,
            ruleset="kotchina",
            speed="fast",
            created_at=now,
            seen_at=now,
        )
        self.invited = invited

    def browser(self, who: str, *, checks: bool = False) -> Client:
        browser = Client(enforce_csrf_checks=checks)
        user = self.people[who]
        if user is not None:
            browser.force_login(user)
        return browser

    def filled(self, text: str) -> str:
        return text.replace("INVITATION", str(self.invitation.pk)).replace("SEEK", str(self.seek.pk))


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(limits, "forms", limits.Buckets())
    return Scene()


def outcome(answer: Any) -> str:
    if answer.status_code == 302 and answer["Location"].startswith("/accounts/login/"):
        return "L"
    return "D" if answer.status_code in (200, 302) else str(answer.status_code)


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("door", DOORS)
def test_a_door_opens_to_those_it_is_for(scene: Scene, door: str, who: str) -> None:
    fields, wanted = DOORS[door]
    before = _stored()
    answer = scene.browser(who).post(
        scene.filled(door), {name: scene.filled(value) for name, value in fields.items()}
    )
    assert outcome(answer) == wanted.split()[PEOPLE.index(who)]
    if outcome(answer) != "D":
        assert _stored() == before


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("who", ["nobody", "guest", "host", "staff"])
def test_no_door_opens_without_a_token(scene: Scene, door: str, who: str) -> None:
    before = _stored()
    answer = scene.browser(who, checks=True).post(scene.filled(door), DOORS[door][0])
    assert (answer.status_code, _stored()) == (403, before)


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_shown_to_those_it_is_for(scene: Scene, page: str, who: str) -> None:
    answer = scene.browser(who).get(page)
    wanted = PAGES[page].split()[PEOPLE.index(who)]
    assert (outcome(answer) if wanted == "L" else str(answer.status_code)) == wanted


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("phase", ["waiting", "auction"])
@pytest.mark.parametrize(
    "page",
    [
        "/",
        "/tables/",
        "/watch/",
        "/watch/?part=list",
        "/players/Talker/",
        "/players/Talker/watch/?part=where",
    ],
)
def test_a_table_by_link_is_listed_to_its_own_alone(scene: Scene, page: str, phase: str, who: str) -> None:
    Table.objects.update(phase=phase)
    is_told = "BYLINK77" in scene.browser(who).get(page).content.decode()
    assert is_told == (page in ("/", "/tables/") and who in ("seated", "host"))


def _stored() -> list[Any]:
    readers: list[Callable[[], Any]] = [
        lambda: list(Table.objects.order_by("pk").values("code", "version", "phase", "removed")),
        lambda: list(Table.objects.order_by("pk").values("seats__number", "seats__user", "seats__kind")),
        lambda: list(Invitation.objects.order_by("pk").values("by", "to", "accepted")),
        lambda: list(Seek.objects.order_by("pk").values("user", "partner", "accepted", "table")),
    ]
    return [read() for read in readers]
