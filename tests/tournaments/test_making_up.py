"""Making up for a wrong result in a knock-out: a place without play, where there is one; points elsewhere."""

from typing import Any

import pytest
from django.test import Client

from tests.tournaments.scenes import NOW, adjudicate, awaited, end, lines, open_table, started
from tests.tournaments.test_consequences import begin
from tournaments.models import Tournament
from tournaments.queries import plan_of
from tournaments.services import making_up, rulings

pytestmark = pytest.mark.django_db


def played(pairs: int, rounds: int, **more: Any) -> Tournament:
    """So many rounds were played; the first side won every match."""
    tournament = started(pairs, **more)
    for _round in range(rounds):
        for pairing, _attempt in awaited(tournament):
            end(tournament, pairing)
        adjudicate(tournament)
    begin(tournament)
    return tournament


def correction(tournament: Tournament, pairing: str = "R1.1") -> dict[str, Any]:
    sides = list(lines(tournament)[pairing][0])
    return {"type": "correct", "pairing": pairing, "kind": "target", "score": [12, 31], "sides": sides}


def choices(tournament: Tournament, item: dict[str, Any], *also: Any) -> dict[str, tuple[Any, str]]:
    preview = rulings.preview(tournament=tournament, item=item, also=also)
    return {change.pairing: (change.choices, change.chosen) for change in preview.changes}


def decide(tournament: Tournament, item: dict[str, Any], *also: Any) -> None:
    rulings.decide(
        tournament_id=tournament.pk,
        actor=tournament.organiser,
        item=item,
        also=also,
        reason="misread",
        now=NOW,
    )


def test_right_pair_takes_the_place_of_the_wrong_one_as_far_as_it_came() -> None:
    tournament = played(8, 2)
    before = plan_of(tournament)
    item = correction(tournament)
    wrong, right = item["sides"]
    offered = choices(tournament, rulings.suggested(tournament, item))
    assert offered["R2.1"] == (("stand", "swap", "replay", "bye"), "stand")

    byes = making_up.byes(tournament, item, {"R2.1"})
    seen = choices(tournament, item, *byes)
    assert (seen["R2.1"][1], seen["R3.1"]) == ("bye", (("stand", "swap"), "swap"))
    decide(tournament, item, *byes)

    after = lines(tournament)
    assert after["R2.1"][1:] == ("done", "ruling", right)
    assert after["R3.1"][:2] == ((right, before.pairings[-1].sides[1]), "ready")
    assert open_table(tournament, "R3.1").sides[0] == right
    [act] = tournament.acts.filter(kind__in=("correct", "rule"))
    assert {line["id"] for line in act.after} == {"R1.1", "R2.1", "R3.1"}

    decide(tournament, {"type": "undo"})
    assert (plan_of(tournament).pairings, open_table(tournament, "R3.1").sides[0]) == (before.pairings, wrong)


def test_place_is_given_again_and_again_through_rounds_that_are_over() -> None:
    tournament = played(8, 3)
    item = correction(tournament)
    right = item["sides"][1]
    assert "bye" not in choices(tournament, item)["R3.1"][0]

    byes = making_up.byes(tournament, item, {"R2.1", "R3.1"})
    assert [one["pairing"] for one in byes] == ["R2.1", "R3.1"]
    decide(tournament, item, *byes)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.champion.ident) == ("finished", right)


def test_there_is_no_place_where_the_wrong_pair_has_won_nothing_more() -> None:
    tournament = played(8, 1)
    end(tournament, "R2.1", (12, 31))
    adjudicate(tournament)
    item = correction(tournament)

    assert "bye" not in choices(tournament, item)["R2.1"][0]
    assert making_up.byes(tournament, item, {"R2.1"}) == []


def test_double_elimination_has_places_too() -> None:
    tournament = played(8, 2, format="double_elimination", settings={"reset": True})
    item = correction(tournament, "W1.1")
    offered = choices(tournament, item)
    assert "bye" in offered["W2.1"][0]

    byes = making_up.byes(tournament, item, {"W2.1"})
    decide(tournament, item, *byes)
    assert lines(tournament)["W2.1"][1:] == ("done", "ruling", item["sides"][1])


@pytest.mark.parametrize(
    ("format_", "settings", "pairing"),
    [("round_robin", {"groups": 1}, "G1R1.1"), ("swiss", {"rounds": 3}, "R1.1")],
)
def test_where_points_count_there_are_points_and_no_places(
    format_: str, settings: dict[str, Any], pairing: str
) -> None:
    tournament = played(4, 2, format=format_, settings=settings)
    preview = rulings.preview(tournament=tournament, item=correction(tournament, pairing))
    assert all("bye" not in change.choices for change in preview.changes)
    assert len(preview.compensations) == 2


NO_PLACE = "there is no place in a later round that the right pair could be given without play"
A_PLACE = "there the right pair can go on in its place without play"


@pytest.mark.parametrize(("rounds", "said"), [(1, NO_PLACE), (2, A_PLACE)])
def test_page_says_what_can_make_up_for_it(rounds: int, said: str) -> None:
    tournament = played(8, rounds)
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(tournament.organiser)
    asked = {"pairing": "R1.1", "choice": "correct-target", "score_0": "12", "score_1": "31"}
    page = client.get(f"/tournaments/{tournament.slug}/decide/", asked).content.decode()
    assert said in " ".join(page.split())


def test_place_is_chosen_on_the_page() -> None:
    tournament = played(8, 2)
    right = correction(tournament)["sides"][1]
    client = Client()
    client.force_login(tournament.organiser)
    address = f"/tournaments/{tournament.slug}/decide/"
    asked = {"pairing": "R1.1", "choice": "correct-target", "score_0": "12", "score_1": "31"}
    shown = client.get(address, asked)
    chosen = {**shown.context["fields"], "later-R2.1": "bye"}
    looked = client.post(address, chosen | {"look": "1"})
    done = client.post(address, chosen | {"token": looked.context["token"], "reason": "misread"})

    words = {change.id: change.choices for change in looked.context["shown"].changes}
    assert [choice for choice, _words, is_chosen in words["R2.1"] if is_chosen] == ["bye"]
    assert (done.status_code, lines(tournament)["R2.1"][1:]) == (302, ("done", "ruling", right))


def test_points_go_back_with_the_correction_they_came_with_and_only_once() -> None:
    tournament = played(4, 1, format="round_robin", settings={"groups": 1})
    before = {one.entrant: one.points for one in plan_of(tournament).standings}
    item = correction(tournament, "G1R1.1")
    give = {"type": "adjust", "entrant": item["sides"][0], "points": 1}
    decide(tournament, item, give)
    second = correction(tournament, "G1R1.2")
    decide(tournament, second)
    decide(tournament, {"type": "undo"})
    assert making_up.taken_back(tournament, {"type": "undo"}) == [give | {"points": -1}]
    decide(tournament, {"type": "undo"})

    assert {one.entrant: one.points for one in plan_of(tournament).standings} == before
    assert making_up.taken_back(tournament, {"type": "undo"}) == []
    kinds = [act.kind for act in tournament.acts.exclude(actor=None).exclude(kind__in=("start", "state"))]
    assert kinds == ["correct", "correct", "undo", "undo"]
