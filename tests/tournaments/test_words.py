"""What rounds and pairings are called: the same wherever they are spoken of, in both languages."""

import pytest
from django.utils import translation

from tournaments.feeding import Feed, feeds
from tournaments.formats.bracket import Feeder
from tournaments.formats.double_bracket import double_elimination
from tournaments.formats.seeding import first_round
from tournaments.words import Names, pairing_name, round_name

ENDS = {
    "en": [
        "Final",
        "Semi-finals",
        "Quarter-finals",
        "Round of 16",
        "Round of 32",
        "Round of 64",
        "Round of 128",
    ],
    "ar": ["النهائي", "نصف النهائي", "ربع النهائي", "دور الـ16", "دور الـ32", "دور الـ64", "دور الـ128"],
}
GROUPS_THEN_CUP = {
    "format": "stages",
    "stages": [{"format": "round_robin", "groups": 2}, {"format": "single_elimination", "qualify": 2}],
}
TWO_SWISS = {"format": "stages", "stages": [{"format": "swiss"}, {"format": "swiss", "qualify": 4}]}


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize(("pairs", "rounds"), [(2, 1), (4, 2), (8, 3), (16, 4), (32, 5), (64, 6), (100, 7)])
def test_rounds_of_a_knock_out_are_named_from_the_end(pairs: int, rounds: int, language: str):
    ids = [f"R{round_}.{n}" for round_ in range(1, rounds + 1) for n in range(1, 2 ** (rounds - round_) + 1)]
    names = Names({"format": "single_elimination"}, ids)

    with translation.override(language):
        said = [names.round(f"R{round_}") for round_ in range(rounds, 0, -1)]
        assert said == ENDS[language][:rounds]
        assert said == [round_name(distance) for distance in range(rounds)]
        assert [names.pairing(id_) for id_ in ids] == [
            pairing_name(id_, int(id_[1:].partition(".")[0]), rounds) for id_ in ids
        ]


@pytest.mark.parametrize(
    ("settings", "ids", "asked", "words"),
    [
        (
            {"format": "double_elimination"},
            ["W1.1", "W2.1", "W3.1", "L4.1"],
            "W1.2",
            "Winners' round 1, match 2",
        ),
        ({"format": "double_elimination"}, ["W1.1", "W2.1", "W3.1"], "W2.2", "Winners' semi-final 2"),
        ({"format": "double_elimination"}, ["W3.1"], "W3.1", "Winners' final"),
        ({"format": "double_elimination"}, ["L4.1"], "L3.1", "Losers' round 3, match 1"),
        ({"format": "double_elimination"}, ["L4.1"], "L4.1", "Losers' final"),
        ({"format": "double_elimination"}, [], "GF1", "Grand final"),
        ({"format": "double_elimination"}, [], "GF2", "Grand final, second match"),
        ({"format": "round_robin"}, ["R3.1"], "R2.1", "Round 2, match 1"),
        ({"format": "round_robin", "groups": 2}, ["G2R3.1"], "G2R3.1", "Group 2, Round 3, match 1"),
        ({"format": "swiss"}, ["R5.1"], "R5.1", "Round 5, match 1"),
        ({"format": "swiss"}, ["R5.1"], "PO1", "Play-off 1"),
        (GROUPS_THEN_CUP, ["1:G1R3.1", "2:R1.1", "2:R2.1"], "1:G1R3.1", "Group 1, Round 3, match 1"),
        (GROUPS_THEN_CUP, ["1:G1R3.1", "2:R1.1", "2:R2.1"], "2:R1.2", "Semi-final 2"),
        (GROUPS_THEN_CUP, ["2:R1.1", "2:R2.1"], "2:P3", "Third place"),
        (TWO_SWISS, ["1:R3.1", "2:R2.1"], "2:R2.1", "Stage 2: Round 2, match 1"),
    ],
)
def test_pairings_of_every_format_have_a_name(settings: dict, ids: list[str], asked: str, words: str):
    with translation.override("en"):
        assert Names(settings, ids).pairing(asked) == words


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 8, 11, 16, 23, 33, 64])
def test_empty_places_tell_of_the_pairings_that_feed_them(entrants: int):
    nodes = double_elimination(first_round([f"e{n}" for n in range(1, entrants + 1)]), reset=True)
    names = Names({"format": "double_elimination"}, [node.id for node in nodes])

    for node in nodes:
        told = feeds(node.id, names)
        for source, feed in zip(node.sources, told, strict=True):
            if isinstance(source, Feeder) and source.takes in ("winner", "loser"):
                assert feed == Feed(source.pairing, source.takes)
