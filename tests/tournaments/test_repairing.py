"""A round of a Swiss paired by hand: what may be changed, by whom, and what follows."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from tests.factories import make_user
from tests.tournaments.scenes import NOW, adjudicate, awaited, end, open_table, started
from tournaments.models import Role, Tournament
from tournaments.queries import plan_of
from tournaments.services import rulings
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Lazy words are read after the answer."""
    with translation.override("en"):
        yield


def browser(user: User) -> Client:
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(user)
    return client


def swiss(pairs: int = 5) -> Tournament:
    return started(pairs, format="swiss", settings={"rounds": 3})


def sides(tournament: Tournament) -> list[list[str | None]]:
    return [list(pairing.sides) for pairing in plan_of(tournament).pairings]


def exchange(first: str | None, second: str | None, key: str = "R1") -> dict[str, Any]:
    return {"type": "round", "round": key, "entrant": first, "other": second}


def test_bye_is_given_to_another_pair_with_a_preview_a_reason_and_an_act() -> None:
    tournament = swiss()
    (first, second), other, (resting, _nobody) = sides(tournament)
    table, kept = open_table(tournament, "R1.1"), open_table(tournament, "R1.2")
    address, client = f"/tournaments/{tournament.slug}/decide/", browser(tournament.organiser)
    console = client.get(f"/tournaments/{tournament.slug}/organise/").content.decode()
    shown = client.get(address, exchange(first, resting))
    fields = shown.context["fields"] | {"token": shown.context["token"]}
    before = tournament.log.count()
    silent = client.post(address, fields)
    done = client.post(address, fields | {"reason": "The guests rest first."})

    assert 'name="other"' in console
    assert [change.id for change in shown.context["shown"].changes] == ["R1.1", "R1.3"]
    assert (silent.status_code, done.status_code) == (400, 302)
    assert sides(tournament) == [[resting, second], other, [first, None]]
    assert tournament.log.get(number=before).item == {
        "type": "round",
        "round": 1,
        "pairings": [[resting, second], other],
        "bye": first,
        "by": "hand",
        "reason": "The guests rest first.",
    }
    act = tournament.acts.get(kind="round")
    assert (act.subject, act.actor, act.reason) == ("R1", tournament.organiser, "The guests rest first.")
    assert awaited(tournament) == [("R1.1", 2), ("R1.2", 1)]
    assert open_table(tournament, "R1.2") == kept
    table.refresh_from_db()
    assert table.state == "void"


@pytest.mark.parametrize(
    ("which", "code"), [("R2", "unknown-round"), ("same", "two-pairs"), ("e99", "unknown-entrant")]
)
def test_what_cannot_be_exchanged(which: str, code: str) -> None:
    tournament = swiss()
    [first, second] = sides(tournament)[0]
    asked = [first, {"same": first, "e99": "e99"}.get(which, second)]
    key = which if which == "R2" else "R1"
    with pytest.raises(Refused) as refusal:
        rulings.with_sides(tournament, {"type": "round", "round": key, "exchange": asked})
    assert refusal.value.code == code


def test_round_of_which_something_is_recorded_is_paired_no_more() -> None:
    tournament = swiss()
    (first, _second), (third, _fourth), _bye = sides(tournament)
    end(tournament, "R1.1")
    adjudicate(tournament)
    asked = {"type": "round", "round": "R1", "exchange": [first, third]}
    with pytest.raises(Refused) as refusal:
        rulings.with_sides(tournament, asked)
    page = browser(tournament.organiser).get(f"/tournaments/{tournament.slug}/organise/").content
    assert (refusal.value.code, b'name="other"' in page) == ("unknown-round", False)


def test_nobody_pairs_a_round_in_which_their_own_match_would_be_another() -> None:
    tournament = swiss(6)
    (first, _), (second, _), (third, _) = sides(tournament)
    assert first is not None
    judge = tournament.entries.get(number=int(first[1:])).members.get(place=0).user
    tournament.officials.create(user=judge, role=Role.REFEREE, since=NOW)
    tournament.officials.create(user=make_user(), role=Role.REFEREE, since=NOW)

    def code(*two: str | None) -> str | None:
        item = rulings.with_sides(tournament, {"type": "round", "round": "R1", "exchange": list(two)})
        try:
            rulings.decide(tournament_id=tournament.pk, actor=judge, item=item, reason="x", now=NOW)
        except Refused as refusal:
            return refusal.code
        return None

    assert (code(first, second), code(second, third)) == ("own-match", None)
