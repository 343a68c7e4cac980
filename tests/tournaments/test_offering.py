"""What an official may do now, as programs read it; and who may be let play off."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.factories import make_user
from tests.tournaments.scenes import NOW, adjudicate, awaited, end, end_level, make_tournament, started
from tournaments.models import Role, State, Tournament
from tournaments.queries import plan_of
from tournaments.services import certify
from tournaments.services.actions import ACTS, Desk
from tournaments.services.refusals import Refused
from tournaments.services.whole import OFFERED

pytestmark = pytest.mark.django_db


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def asked(client: Client, tournament: Tournament, about: str = "") -> dict[str, Any]:
    return client.get(f"/tournaments/{tournament.slug}/actions/{about}").json()


def kinds(told: dict[str, Any]) -> set[str]:
    return {action["kind"] for action in told["actions"]}


ALWAYS = {"settings", "announce", "officials"}
BEFORE = {"add", "import", "invite", "round-time", "open-round", "cancel"}
WHOLE = {
    State.DRAFT: ALWAYS | BEFORE | {"publish"},
    State.PUBLISHED: ALWAYS | BEFORE | {"open"},
    State.OPEN: ALWAYS | BEFORE | {"close", "start"},
    State.READY: ALWAYS | BEFORE | {"reopen", "seeds", "start"},
    State.RUNNING: ALWAYS | {"round-time", "open-round", "pause", "cancel"},
    State.FINISHED: ALWAYS | {"certify"},
    State.CERTIFIED: ALWAYS | {"uncertify", "archive"},
    State.ARCHIVED: {"announce", "officials", "unarchive"},
    State.CANCELLED: {"announce", "officials"},
}


@pytest.mark.parametrize("state", WHOLE)
def test_whole_is_offered_what_its_state_allows(state: State) -> None:
    tournament = make_tournament() if state in (State.DRAFT, State.PUBLISHED, State.OPEN) else started(2)
    reason = {"cancel_reason": "organiser"} if state == State.CANCELLED else {}
    Tournament.objects.filter(pk=tournament.pk).update(state=state, **reason)
    tournament.refresh_from_db()
    told = asked(browser(tournament.organiser), tournament)

    assert (told["tournament"], told["state"]) == (tournament.slug, state)
    assert kinds(told) == WHOLE[state]
    assert all(action["address"].startswith(f"/tournaments/{tournament.slug}/") for action in told["actions"])


def test_every_kind_has_its_act_and_every_offer_is_seen_in_some_state() -> None:
    seen = set().union(*WHOLE.values()) | {"resume", "undo", "accept-plan", "round"}
    assert seen == set(OFFERED)
    assert set(OFFERED) <= set(ACTS)


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        (Role.ORGANISER, WHOLE[State.RUNNING] - {"officials"}),
        (Role.REFEREE, set()),
        (Role.SCOREKEEPER, set()),
    ],
)
def test_role_is_offered_what_it_may(role: Role, expected: set[str]) -> None:
    tournament, user = started(2), make_user()
    tournament.officials.create(user=user, role=role, since=NOW)
    assert kinds(asked(browser(user), tournament)) == expected


def test_rounds_that_can_be_opened_are_named() -> None:
    tournament = started(4)
    told = asked(browser(tournament.organiser), tournament)
    [opening] = [action for action in told["actions"] if action["kind"] == "open-round"]
    assert (opening["fields"], opening["options"]) == (["round"], ["R1", "R2"])


def test_pair_is_told_of_before_and_after_the_start() -> None:
    before, running = make_tournament(), started(3)
    before.entries.create(number=1, created_at=NOW, accepted_at=NOW)
    client = browser(before.organiser)
    desk = asked(client, before, "entrants/e1/")
    assert (desk["entrant"], desk["own"]) == ("e1", False)
    assert kinds(desk) == {"check-in", "rate", "remove"}

    client = browser(running.organiser)
    told = asked(client, running, "entrants/e2/")
    assert [action["item"] for action in told["actions"]] == [
        {"type": "withdraw", "entrant": "e2"},
        {"type": "disqualify", "entrant": "e2"},
    ]
    for unknown in ("entrants/e9/", "entrants/x/", "entrants/%D9%A1/", "R9.9/"):
        assert client.get(f"/tournaments/{running.slug}/actions/{unknown}").status_code == 404


def test_what_is_offered_for_a_pairing_says_where() -> None:
    tournament = started(4, holds_results=True)
    end(tournament, "R1.1")
    adjudicate(tournament)
    told = asked(browser(tournament.organiser), tournament, "R1.1/")
    assert {action["kind"]: action["address"].split("/")[-2] for action in told["actions"]} == {
        "confirm": "confirm",
        "forfeit": "decide",
        "rule": "decide",
    }


def test_door_refuses_what_is_not_offered() -> None:
    tournament = started(2)
    Tournament.objects.filter(pk=tournament.pk).update(state=State.RUNNING)
    desk = Desk(tournament.organiser, tournament, plan_of(tournament), now=NOW)
    for kind in ("certify", "archive", "publish", "resume", "undo"):
        with pytest.raises(Refused) as refusal:
            desk.check(kind)
        assert refusal.value.code == "not-offered"
    with pytest.raises(Refused) as refusal:
        certify.archive(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)
    assert refusal.value.code == "not-certified"


# Play-offs


def level(**more: Any) -> Tournament:
    """A finished group of three in which everybody won once, by as much."""
    settings = {"groups": 1, "tiebreaks": ["wins", "play_off", "lot"]} | more
    tournament = started(3, format="round_robin", settings=settings)
    while waiting := awaited(tournament):
        for pairing, _attempt in waiting:
            end_level(tournament, pairing, last_gainer=0)
        adjudicate(tournament)
    tournament.refresh_from_db()
    return tournament


def offered(tournament: Tournament, user: User | None = None) -> list[list[str]]:
    desk = Desk(user or tournament.organiser, tournament, plan_of(tournament), now=NOW)
    return [action.item["entrants"] for action in desk.play_offs() if action.item]


def test_neighbours_who_are_level_may_play_off_and_are_shown_it() -> None:
    tournament = level()
    order = [standing.entrant for standing in plan_of(tournament).standings]
    assert offered(tournament) == [order[:2], order[1:]]

    client = browser(tournament.organiser)
    client.cookies["django_language"] = "en"
    for page in ("?tab=standings", "organise/"):
        shown = client.get(f"{tournament.get_absolute_url()}{page}").content.decode()
        assert shown.count("Let them play off") == 2
    asked_for = {"type": "play_off", "entrant": order[0], "other": order[1]}
    address = f"{tournament.get_absolute_url()}decide/"
    preview = client.get(address, asked_for)
    client.post(address, {**preview.context["fields"], "token": preview.context["token"]})
    assert awaited(tournament) == [("PO1", 1)]
    assert offered(tournament) == []


@pytest.mark.parametrize(
    "more",
    [{"tiebreaks": ["wins", "lot"]}, {"tiebreaks": ["lot", "play_off"]}, {"tiebreaks": ["wins"]}],
)
def test_nobody_is_let_play_off_where_it_would_part_nobody(more: dict[str, Any]) -> None:
    assert offered(level(**more)) == []


def test_only_who_decides_is_shown_who_is_level() -> None:
    tournament, user = level(), make_user()
    tournament.officials.create(user=user, role=Role.SCOREKEEPER, since=NOW)
    player = tournament.entries.get(number=1).members.get(place=0).user
    assert (offered(tournament, user), offered(tournament, player)) == ([], [])
    tournament.officials.update(role=Role.REFEREE)
    assert len(offered(tournament, user)) == 2
