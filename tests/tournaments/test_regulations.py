"""The rules of a tournament in words: what players ask about is answered, and only what holds there."""

from typing import Any

import pytest
from django.utils import translation

from tests.tournaments.scenes import make_tournament
from tournaments.regulations import chapters

pytestmark = pytest.mark.django_db

OUT_IN_A_KNOCK_OUT = "Knock-out: who is disqualified is out like one who withdrew; matches won before stand."
ALL_FORFEITED = (
    "Where points are given: all matches of who is disqualified count as forfeited, also those played before."
)
BEATEN_TWICE = (
    "Who comes to the grand final without a loss must be beaten twice: then a second match decides."
)
ONE_GRAND_FINAL = "One match decides the grand final, whoever has lost before."
RESTS = "A round without an opponent gives 3; who forfeits or does not come gets 1, and the other the points of a win."
IN_ORDER = (
    "Equal points are told apart by, in this order: Buchholz (the opponents' points), Sonneborn-Berger, "
    "score difference, the lot. Who is equal in all of it shares a place."
)
BUCHHOLZ = (
    "Buchholz (the opponents' points): "
    "The points of the opponents met at a table; byes and forfeits give nothing."
)
ASKED = {OUT_IN_A_KNOCK_OUT, ALL_FORFEITED, BEATEN_TWICE, ONE_GRAND_FINAL, RESTS, IN_ORDER, BUCHHOLZ}
RESIGNS_ONE = "Of several matches that decide a pairing, who resigns one loses that one."
LATE_FOR_ONE = (
    "Of several matches that decide a pairing, that one is lost, and the next one is opened. "
    "Who comes to none of them, and whose pair is not complete, forfeits the pairing."
)
SWISS: dict[str, Any] = {"rounds": 3, "points": {"bye": 3, "forfeit": 1}}
GROUPS_THEN_CUP = {
    "stages": [{"format": "round_robin", "groups": 2}, {"format": "single_elimination", "qualify": 2}]
}


@pytest.mark.parametrize(
    ("format_", "settings", "said"),
    [
        ("single_elimination", {}, {OUT_IN_A_KNOCK_OUT}),
        ("double_elimination", {"reset": True}, {OUT_IN_A_KNOCK_OUT, BEATEN_TWICE}),
        ("double_elimination", {"reset": False}, {OUT_IN_A_KNOCK_OUT, ONE_GRAND_FINAL}),
        ("round_robin", {}, {ALL_FORFEITED}),
        ("swiss", SWISS, {ALL_FORFEITED, RESTS, IN_ORDER, BUCHHOLZ}),
        ("stages", GROUPS_THEN_CUP, {OUT_IN_A_KNOCK_OUT, ALL_FORFEITED}),
    ],
)
def test_rules_say_how_rests_ties_finals_and_disqualifications_count(
    format_: str, settings: dict[str, Any], said: set[str]
) -> None:
    tournament = make_tournament(format=format_, settings=settings)

    with translation.override("en"):
        sentences = {str(sentence) for chapter in chapters(tournament) for sentence in chapter.sentences}

    assert sentences & ASKED == said


@pytest.mark.parametrize(
    ("best_of", "late", "said"),
    [(1, 10, set()), (3, None, {RESIGNS_ONE}), (3, 10, {RESIGNS_ONE, LATE_FOR_ONE})],
)
def test_rules_say_what_one_match_of_several_is_worth(best_of: int, late: int | None, said: set[str]) -> None:
    tournament = make_tournament(settings={"best_of": best_of})
    tournament.late_minutes = late

    with translation.override("en"):
        sentences = {str(sentence) for chapter in chapters(tournament) for sentence in chapter.sentences}

    assert sentences & {RESIGNS_ONE, LATE_FOR_ONE} == said


@pytest.mark.parametrize("format_", ["single_elimination", "double_elimination", "round_robin", "swiss"])
def test_every_rule_is_there_in_both_languages(format_: str) -> None:
    tournament = make_tournament(format=format_, settings={})
    spoken = {}
    for language in ("en", "ar"):
        with translation.override(language):
            spoken[language] = [str(said) for chapter in chapters(tournament) for said in chapter.sentences]

    assert len(spoken["ar"]) == len(spoken["en"])
    assert [said for said in spoken["ar"] if said in spoken["en"]] == []
