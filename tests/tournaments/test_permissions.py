"""Who may do what over HTTP: every address of tournaments and every act at it, for every role.

A new address, and a new act of a page that has several, fails here until its line is written.
"""

from typing import Any

import pytest
from django.db import transaction
from django.template.base import NodeList
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from accounts.models import User
from tests.factories import make_user
from tests.tournaments.scenes import NOW, adjudicate, end, started
from tournaments import desk, officiating, urls
from tournaments.models import Role, Tournament
from tournaments.services import officials

pytestmark = pytest.mark.django_db

# The columns of the tables below. The tournament is a private one that runs: to who has nothing to do with it, it is
# not there. `foreign` runs another tournament.
ROLES = (
    *("anonymous", "stranger", "foreign", "player"),
    *("viewer", "scorekeeper", "referee", "organiser", "owner", "superuser"),
)
# What is answered: L to the login; - it is not there; x refused because of the role; + the role may: it is done,
# or refused for another reason; s only safe methods.

PAGES: dict[str, str] = {
    "tournaments": "++++++++++",
    "tournament_new": "L+++++++++",
    "tournament_preview": "L+++++++++",
    "tournament": "---+++++++",
    "tournament_event": "---+++++++",
    "tournament_embed": "----------",
    "tournament_sharing": "----------",
    "tournament_screen": "---+++++++",
    "tournament_calls": "---+++++++",
    "tournament_desk": "L----+++++",
    "tournament_seeding": "L------+++",
    "tournament_certify": "L------+++",
    "tournament_certificate": "----------",
    "my_calendar": "----------",
    "tournament_calendar": "---+++++++",
    "tournament_files": "---+++++++",
    "tournament_records": "---+++++++",
    "tournament_table": "---+++++++",
    "tournament_import": "L------+++",
    "tournament_claims": "L------+++",
    "tournament_claim": "----------",
    "tournament_settings": "L------+++",
    "tournament_organise": "-----+++++",
    "tournament_office": "L+++++++++",
    "tournament_officials": "L---++++++",
    "tournament_object": "L--+------",
    "tournament_objections": "L-----++++",
    "tournament_acts": "L----+++++",
    "tournament_announce": "-------+++",
    "tournament_decide": "------++++",
    "tournament_whole_actions": "-----+++++",
    "tournament_pair_actions": "-----+++++",
    "tournament_actions": "-----+++++",
}

DOORS: dict[tuple[str, str], str] = {
    ("tournament_new", ""): "L+++++++++",
    ("tournament_enter", ""): "L--+++++++",
    ("tournament_accept", ""): "L---------",
    ("tournament_decline", ""): "L---------",
    ("tournament_check_in", ""): "L--+++++++",
    ("tournament_withdraw", ""): "L--+++++++",
    ("tournament_team", ""): "L--+++++++",
    ("tournament_ask_third", ""): "L--+++++++",
    ("tournament_drop_third", ""): "L--+++++++",
    ("tournament_substitute", ""): "L--+xxx+++",
    ("tournament_desk", "publish"): "L----xx+++",
    ("tournament_desk", "open"): "L----xx+++",
    ("tournament_desk", "close"): "L----xx+++",
    ("tournament_desk", "reopen"): "L----xx+++",
    ("tournament_desk", "check-in"): "L----+++++",
    ("tournament_desk", "check-out"): "L----+++++",
    ("tournament_desk", "remove"): "L----xx+++",
    ("tournament_desk", "add"): "L----xx+++",
    ("tournament_desk", "rate"): "L----xx+++",
    ("tournament_desk", "substitute"): "L----xx+++",
    ("tournament_desk", "invite"): "L----xx+++",
    ("tournament_desk", "uninvite"): "L----xx+++",
    ("tournament_seeding", "choose"): "L------+++",
    ("tournament_seeding", "place"): "L------+++",
    ("tournament_seeding", "forbid"): "L------+++",
    ("tournament_seeding", "allow"): "L------+++",
    ("tournament_seeding", "clubs"): "L------+++",
    ("tournament_certify", ""): "L---xxx+++",
    ("tournament_uncertify", ""): "L---xxx+++",
    ("tournament_archive", ""): "L---xxx+++",
    ("tournament_unarchive", ""): "L---xxx+++",
    ("tournament_import", ""): "L------+++",
    ("tournament_claim_renew", ""): "L------+++",
    ("tournament_claim", ""): "----------",
    ("tournament_settings", ""): "L------+++",
    ("tournament_start", ""): "L------+++",
    ("tournament_cancel", ""): "L------+++",
    ("tournament_remove", ""): "L------+++",
    ("tournament_office", ""): "L+++++++++",
    ("tournament_officials", "invite"): "L---xxxx++",
    ("tournament_officials", "revoke"): "L---xxxx++",
    ("tournament_officials", "change"): "L---xxxx++",
    ("tournament_officials", "let-go"): "L---xxxx++",
    ("tournament_officials", "hand-over"): "L---xxxx++",
    ("tournament_object", "object"): "L--+------",
    ("tournament_object", "withdraw"): "L---------",
    ("tournament_objections", "take"): "L-----++++",
    ("tournament_objections", "leave"): "L-----++++",
    ("tournament_objections", "dismiss"): "L-----++++",
    ("tournament_objections", "uphold"): "L-----++++",
    ("tournament_acts", ""): "L----+++++",
    ("tournament_announce", ""): "-------+++",
    ("tournament_decide", ""): "------++++",
    ("tournament_confirm", ""): "L--+++++++",
    ("tournament_pause", ""): "L---xxx+++",
    ("tournament_resume", ""): "L---xxx+++",
    ("tournament_accept_plan", ""): "L---xx++++",
    ("tournament_round_open", ""): "L---xxx+++",
    ("tournament_round_time", ""): "L---xxx+++",
    ("tournament_score", ""): "L---x+++++",
}
ACTS = {
    "tournament_desk": desk.DESK_ACTS,
    "tournament_seeding": desk.SEED_ACTS,
    "tournament_officials": officiating.OFFICIAL_ACTS,
    "tournament_object": officiating.PLAYER_ACTS,
    "tournament_objections": officiating.REFEREE_ACTS,
}
# What makes sense for a door, so that its service is asked.
SAID: dict[str, dict[str, str]] = {
    "tournament_enter": {"partner": "nobody"},
    "tournament_team": {"name": "x"},
    "tournament_remove": {"entry": "1"},
    "tournament_decide": {"type": "withdraw", "entrant": "e1", "token": "0.x"},
    "tournament_score": {"pairing": "R1.2", "kind": "target", "score": "31:2"},
    "tournament_confirm": {"pairing": "R1.1"},
    "tournament_announce": {"text": "Tea is ready."},
    "tournament_round_open": {"round": "R9"},
    "tournament_round_time": {"round": "R9"},
    "tournament_substitute": {"entry": "1", "rests": "0"},
    "tournament_desk": {
        "entry": "1",
        "rests": "0",
        "rating": "1500",
        "guest": "{helper}",
        "first": "Helper",
        "second": "Helped",
        "names": "Helper",
    },
    "tournament_officials": {"name": "Helper", "role": "referee", "days": "3", "invite": "{link}"},
    "tournament_seeding": {"method": "hand", "pair": "e1-e2", "first": "e1", "second": "e2"},
    "tournament_objections": {"objection": "1", "words": "x"},
    "tournament_claim_renew": {"entry": "1", "place": "1"},
}


@pytest.fixture(autouse=True)
def nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is let in is decided before anything is drawn; hundreds of whole pages would take a minute."""
    monkeypatch.setattr(NodeList, "render", lambda self, context: SafeString(""))


def scene() -> tuple[dict[str, str], dict[str, User | None]]:
    """What addresses and forms are filled with, and somebody of every role."""
    tournament = started(4)
    end(tournament, "R1.1")
    adjudicate(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(is_private=True)
    made = tournament.entries.get(number=1)
    player = made.members.get(place=0).user
    people: dict[str, User | None] = {"anonymous": None, "stranger": make_user(), "player": player}
    people |= {"foreign": started(2).organiser, "owner": tournament.organiser}
    people["superuser"] = make_user(is_superuser=True, is_staff=True)
    for role in Role.values:
        people[role] = make_user()
        tournament.officials.create(user=people[role], role=role, since=NOW)
    tournament.objections.create(pairing="R1.1", entry=made, made_by=player, made_at=NOW, text="x", pk=1)
    helper = make_user("Helper")
    make_user("Helped")
    tournament.invited.create(user=helper, at=NOW)
    tournament.officials.create(user=helper, role=Role.ORGANISER, since=NOW)
    link = officials.invite(
        tournament_id=tournament.pk, actor=tournament.organiser, role=Role.VIEWER, now=timezone.now()
    )
    known = {
        "slug": tournament.slug,
        "pairing": "R1.2",
        "ident": "e1",
        "token": link.token,
        "key": "x",
        "what": "standings",
        "kind": "csv",
        "helper": str(helper.pk),
        "link": str(link.pk),
    }
    return known, people


def address(known: dict[str, str], name: str) -> str:
    pattern = next(pattern for pattern in urls.urlpatterns if pattern.name == name)
    return reverse(name, kwargs={key: known[key] for key in pattern.pattern.converters})


def outcome(response: Any) -> str:
    if response.status_code == 302 and response["Location"].startswith("/accounts/login/"):
        return "L"
    if response.status_code in (403, 404):
        return "-"
    if response.status_code == 405:
        return "s"
    error = (response.context or {}).get("error") if response.status_code == 400 else None
    if getattr(error, "code", "") in ("not-organiser", "not-your-role"):
        return "x"
    return "+"


def browsers(people: dict[str, User | None]) -> dict[str, Client]:
    clients = {}
    for role in ROLES:
        clients[role] = Client()
        user = people[role]
        if user is not None:
            clients[role].force_login(user)
    return clients


def asked(client: Client, method: str, place: str, data: dict[str, str]) -> str:
    """What is answered; whatever it did is undone."""
    mark = transaction.savepoint()
    answer = client.get(place, data) if method == "get" else client.post(place, data)
    transaction.savepoint_rollback(mark)
    return outcome(answer)


def row(clients: dict[str, Client], method: str, place: str, data: dict[str, str]) -> str:
    return "".join(asked(clients[role], method, place, data) for role in ROLES)


def test_every_address_and_every_act_has_its_line() -> None:
    named = {pattern.name for pattern in urls.urlpatterns}
    assert {*PAGES, *(name for name, _act in DOORS)} == named
    for name, acts in ACTS.items():
        assert {act for door, act in DOORS if door == name} == set(acts)


def test_pages_are_there_for_whom_they_are_for() -> None:
    known, people = scene()
    clients = browsers(people)
    query = {"tournament_decide": {"type": "withdraw", "entrant": "e1"}}
    found = {name: row(clients, "get", address(known, name), query.get(name, {})) for name in PAGES}
    assert found == PAGES


def test_doors_are_open_to_who_may() -> None:
    known, people = scene()
    clients = browsers(people)
    found = {}
    for name, act in DOORS:
        said = SAID.get(name, {}) | ({"act": act} if act else {})
        data = {key: value.format(**known) for key, value in said.items()}
        found[name, act] = row(clients, "post", address(known, name), data)
    assert found == DOORS


def test_pages_that_only_show_take_nothing() -> None:
    known, people = scene()
    owner = browsers(people)["owner"]
    only_shown = set(PAGES) - {name for name, _act in DOORS}
    answers = {name: asked(owner, "post", address(known, name), {}) for name in only_shown}
    assert answers == dict.fromkeys(only_shown, "s")
