"""Tie-breaks: against tables that were published, and term by term."""

from fractions import Fraction
from typing import Any

import pytest

from tests.tournaments.formats.notes import document, drawn, forfeit, plan_of, tournament, withdraw, won
from tournaments.formats.entrants import Entrant
from tournaments.formats.event import read_event
from tournaments.formats.records import Record
from tournaments.formats.results import Adjust, Item, Pairing, Result, Withdraw
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.settings import Points, Settings
from tournaments.formats.swiss import Swiss
from tournaments.formats.tiebreaks import Term, Tiebreaks, lot

Json = dict[str, Any]

# Eighth World Correspondence Chess Championship, final, 1975-80: results row by row (+ won, = drawn, - lost),
# points and Sonneborn-Berger as published (the crosstable in Wikipedia's "Sonneborn-Berger score").
CORRESPONDENCE = """
.==+==++=+=++++ 11   69.5
=.-=+=+++=+++++ 11   66.75
=+.=====++=++++ 10.5 67.5
-==.=+=-++=+=+= 8.5  54.75
=-==.====-++=++ 8    47.75
===-=.==-+==-++ 7    45.25
--====.=+-==++= 7    42.5
--=+===.-=+-+=+ 7    41.5
=---=+-+.+====+ 7    41.5
-=--+-+=-.+++-+ 7    40.5
=-==-==-=-.-+=+ 5.5  33.25
-----==+=-+.==+ 5.5  28.5
---==+--=--=.=+ 4.5  24.75
-------==+===.+ 4.5  22.75
---=--=-------. 1    7.75
"""

# Hamilton Chess Club Championship, New Zealand, 2018: 27 players, six rounds, opponents by final place, as on
# hamiltonchess.net (11 April 2018), which gives for the first two Buchholz 22.5 and 20, Sonneborn-Berger 19.75
# and 17.25. B is a bye: +B a point, =B half a point.
HAMILTON = """
5.5 +10 +17 +12 =2 +4 +3
5.5 +27 +16 +9 =1 +8 +10
4.0 =B +11 +6 =4 +5 -1
4.0 +22 +15 =8 =3 -1 +13
4.0 -16 +14 +22 +15 -3 +8
4.0 -21 +27 -3 +23 +16 +14
4.0 -9 -23 +27 +19 +15 +12
3.5 +25 +21 =4 +13 -2 -5
3.5 +7 +13 -2 =B +18
3.5 -1 +25 +26 =12 +17 -2
3.5 =B -3 -14 +25 +20 +17
3.0 +20 +18 -1 =10 =14 -7
3.0 +23 -9 +19 -8 +21 -4
3.0 =B -5 +11 +22 =12 -6
3.0 +26 -4 +21 -5 -7 +24
3.0 +5 -2 -17 +24 -6 +22
2.5 +24 -1 +16 =B -10 -11
2.5 +19 -12 +23 =B -9
2.5 -18 +20 -13 -7 =25 +21
2.5 -12 -19 =25 +27 -11 +26
2.0 +6 -8 -15 +26 -13 -19
2.0 -4 +24 -5 -14 +26 -16
2.0 -13 +7 -18 -6 -24 +27
2.0 -17 -22 +B -16 +23 -15
2.0 -8 -10 =20 -11 =19 +B
1.0 -15 +B -10 -21 -22 -20
1.0 -2 -6 -7 -20 +B -23
"""
TWICE = Points(win=2, draw=1, loss=0, bye=2)


def test_sonneborn_berger_is_as_published_for_the_correspondence_final() -> None:
    rows = [row.split() for row in CORRESPONDENCE.split("\n") if row]
    players = len(rows)
    settings = Settings("round_robin", points=TWICE, tiebreaks=("sonneborn_berger",))
    event = RoundRobin(settings, [Entrant(str(place), seed=place + 1) for place in range(players)])
    for pairing in event.pairings():
        first, second = pairing.sides
        event.apply(outcome(pairing.id, rows[int(first or "")][0][int(second or "")]))
    published = {str(place): (Fraction(row[1]), Fraction(row[2])) for place, row in enumerate(rows)}
    found = {
        standing.entrant: (Fraction(standing.points, 2), Fraction(standing.tiebreaks["sonneborn_berger"]) / 2)
        for standing in event.standings()
    }
    assert found == published
    assert [standing.entrant for standing in event.standings()] == [str(place) for place in range(players)]
    assert [standing.rank for standing in event.standings()] == [*range(1, 9), 8, *range(10, 16)]


def outcome(pairing: str, sign: str) -> Item:
    if sign == "=":
        return Result(pairing, "draw", (20, 20), 0)
    return Result(pairing, "target", (31, 20) if sign == "+" else (20, 31))


def test_sonneborn_berger_of_a_double_round_robin_is_as_published() -> None:
    """The example under "Sonneborn-Berger" in Sensei's Library: A beat B, C, D and C; scores 11, 9, 6 and 4."""
    beaten = {
        "A": (["B", "C", "D"], ["C"]),
        "B": (["C", "D"], ["A", "D"]),
        "C": (["D"], ["B", "D"]),
        "D": ([], ["A"]),
    }
    settings = Settings(
        "round_robin", double=True, points=Points(win=1, draw=0), tiebreaks=("sonneborn_berger",)
    )
    event = RoundRobin(settings, [Entrant(id_, seed=seed) for seed, id_ in enumerate("ABCD", 1)])
    for pairing in event.pairings():
        first, second = (side or "" for side in pairing.sides)
        leg = 0 if pairing.round <= 3 else 1
        event.apply(outcome(pairing.id, "+" if second in beaten[first][leg] else "-"))
    assert [(one.entrant, one.points, one.tiebreaks["sonneborn_berger"]) for one in event.standings()] == [
        ("A", 4, 11),
        ("B", 4, 9),
        ("C", 3, 6),
        ("D", 1, 4),
    ]


def hamilton() -> tuple[Tiebreaks, list[list[str]]]:
    rows = [row.split() for row in HAMILTON.strip().split("\n")]
    records = [
        record(str(place), entry)
        for place, row in enumerate(rows, 1)
        for entry in row[1:]
        if entry[1:] == "B" or int(entry[1:]) > place
    ]
    return Tiebreaks(records, {}, 0), rows


def record(place: str, entry: str) -> Record:
    won_, opponent = {"+": (2, 0), "=": (1, 1), "-": (0, 2)}[entry[0]], entry[1:]
    if opponent == "B":
        line = Pairing(f"{place}-B", 1, (place, None), "done", place, "bye")
        return Record(line, won_)
    winner = {"+": place, "=": None, "-": opponent}[entry[0]]
    line = Pairing(f"{place}-{opponent}", 1, (place, opponent), "done", winner, "target")
    return Record(line, won_, met=True)


def test_the_crosstable_of_a_swiss_adds_up_to_its_published_points() -> None:
    values, rows = hamilton()
    assert [Fraction(values.points(str(place)), 2) for place in range(1, 28)] == [
        Fraction(row[0]) for row in rows
    ]


@pytest.mark.parametrize(
    ("player", "tiebreak", "published"),
    [
        ("1", "buchholz", "22.5"),
        ("2", "buchholz", "20"),
        ("1", "sonneborn_berger", "19.75"),
        ("2", "sonneborn_berger", "17.25"),
    ],
)
def test_buchholz_and_sonneborn_berger_are_as_published_for_a_swiss(
    player: str, tiebreak: Any, published: str
) -> None:
    values, _ = hamilton()
    assert Fraction(values.value(tiebreak, player)) / 2 == Fraction(published)


def test_the_median_leaves_the_strongest_and_the_weakest_out() -> None:
    """Opponents with 4, 2, 3, 4, 5 and 6 points make 16: the example of gist.github.com/Rapptz/197c80162358d1196145."""
    records = [
        Record(Pairing(f"R{n}.1", n, ("x", f"o{n}"), "done", None, "draw"), (0, 0), met=True)
        for n in range(1, 7)
    ]
    given = {f"o{n}": points for n, points in enumerate((4, 2, 3, 4, 5, 6), 1)}
    values = Tiebreaks(records, given, 0)
    assert (values.value("median_buchholz", "x"), values.value("buchholz", "x")) == (16, 24)
    assert [term.opponent for term in values.terms("median_buchholz", "x")] == ["o1", "o3", "o4", "o5"]


@pytest.mark.parametrize("opponents", [0, 1, 2])
def test_of_two_opponents_or_fewer_the_median_leaves_nothing(opponents: int) -> None:
    records = [
        Record(Pairing(f"R{n}.1", n, ("x", f"o{n}"), "done", "x", "target"), (2, 0), met=True)
        for n in range(opponents)
    ]
    assert Tiebreaks(records, {"o0": 5, "o1": 7}, 0).value("median_buchholz", "x") == 0


# Term by term


def swiss_of_seven() -> tuple[Swiss, Json]:
    """Three rounds of seven, in which three rest, one does not come and one loses a point."""
    log: list[Json] = [
        won("R1.1", 0),
        drawn("R1.2", 1),
        forfeit("R1.3", 1),
        won("R2.1", 0),
        drawn("R2.2", 0),
        won("R2.3", 1),
        won("R3.1", 0),
        won("R3.2", 1),
        drawn("R3.3", 0),
        {"type": "adjust", "entrant": "e5", "points": -1, "reason": "late"},
    ]
    settings: Json = {"format": "swiss", "rounds": 3}
    event = read_event(document(7, *log, **settings))
    swiss = Swiss(event.settings, event.entrants)
    for item in event.log:
        swiss.apply(item)
    return swiss, document(7, *log, **settings)


def test_every_value_of_every_entrant_is_the_sum_of_its_terms() -> None:
    swiss, _ = swiss_of_seven()
    assert swiss.finished()
    for standing in swiss.standings():
        points = swiss.terms("points", standing.entrant)
        assert sum(term.number for term in points) == standing.points
        for tiebreak, value in standing.tiebreaks.items():
            terms = swiss.terms(tiebreak, standing.entrant)  # type: ignore[arg-type]
            assert sum(term.number for term in terms) == value


def test_terms_name_the_opponents_and_leave_out_byes_and_forfeits() -> None:
    swiss, _ = swiss_of_seven()
    points = {standing.entrant: standing.points for standing in swiss.standings()}
    for entrant in points:
        met = [
            (next(side for side in line.sides if side != entrant), line)
            for line in swiss.pairings()
            if entrant in line.sides and line.decided_by not in ("bye", "forfeit")
        ]
        assert list(swiss.terms("buchholz", entrant)) == [
            Term(opponent, line.id, points[str(opponent)]) for opponent, line in met
        ]
        share = {
            line.id: 1 if line.winner == entrant else 0.5 for _, line in met if line.winner in (entrant, None)
        }
        assert list(swiss.terms("sonneborn_berger", entrant)) == [
            Term(opponent, line.id, points[str(opponent)] * share[line.id])
            for opponent, line in met
            if line.id in share
        ]
    assert swiss.terms("points", "e5")[-1] == Term(None, None, -1)
    assert swiss.terms("lot", "e5") == [Term(None, None, lot(0, "e5"))]


def test_head_to_head_counts_only_those_level_on_everything_before_who_have_not_left() -> None:
    """A and B have three wins and three defeats, C three wins and two and has left: A beat B and lost to C."""
    settings = Settings("round_robin", tiebreaks=("head_to_head",))
    event = RoundRobin(settings, [Entrant(id_, seed=seed) for seed, id_ in enumerate("ABCDEFG", 1)])
    beats = {"A": "BDE", "B": "CDF", "C": "AEF", "D": "EFG", "E": "BF", "F": "A", "G": "ABCEF"}
    for pairing in event.pairings():
        first, second = (side or "" for side in pairing.sides)
        if {first, second} != {"C", "D"}:
            event.apply(outcome(pairing.id, "+" if second in beats[first] else "-"))
    event.apply(Withdraw("C"))
    assert [
        (one.entrant, one.rank, one.points, one.tiebreaks["head_to_head"]) for one in event.standings()
    ] == [
        ("G", 1, 10, 0),
        ("D", 2, 8, 0),
        ("A", 3, 6, 2),
        ("B", 4, 6, 0),
        ("C", 4, 6, 0),
        ("E", 6, 4, 0),
        ("F", 7, 2, 0),
    ]
    assert [(term.opponent, term.number) for term in event.terms("head_to_head", "A")] == [("B", 2)]


def test_the_lot_comes_from_the_seed_and_the_entrant_alone() -> None:
    lots = {
        standing.entrant: standing.tiebreaks["lot"]
        for standing in plan_of(5, format="swiss", seed=3).standings
    }
    assert lots == {f"e{n}": lot(3, f"e{n}") for n in range(1, 6)}
    assert lots == {
        one.entrant: one.tiebreaks["lot"] for one in plan_of(5, format="round_robin", seed=3).standings
    }
    assert len(set(lots.values())) == 5
    assert lot(4, "e1") != lot(3, "e1")


def test_a_drawn_match_counts_for_who_gained_its_last_round() -> None:
    plan = plan_of(2, drawn("R1.1", 1), format="swiss", tiebreaks=["last_round"])
    assert [(one.entrant, dict(one.tiebreaks)) for one in plan.standings] == [
        ("e2", {"last_round": 1}),
        ("e1", {"last_round": 0}),
    ]


def test_matches_deals_and_contracts_are_counted_over_the_matches_played() -> None:
    log = [
        {**won("R1.1", 0), "deals": [5, 3], "contracts": [4, 1]},
        {**won("R1.1", 1), "deals": [2, 6], "contracts": [1, 1]},
        {**won("R1.1", 0), "deals": [4, 4]},
    ]
    values = ["match_points", "deals_won", "contracts_made"]
    plan = plan_of(2, *log, format="swiss", best_of=3, tiebreaks=values)
    assert {one.entrant: tuple(one.tiebreaks[value] for value in values) for one in plan.standings} == {
        "e1": (2, 11, 5),
        "e2": (1, 13, 2),
    }


def test_values_that_are_whole_are_printed_so_and_halves_as_halves() -> None:
    log = [won("R1.1", 0), drawn("R1.2", 0)]
    running = tournament(4, *log, format="swiss", tiebreaks=["sonneborn_berger"])
    values = {one.entrant: one.tiebreaks["sonneborn_berger"] for one in running.plan().standings}
    assert {entrant: repr(value) for entrant, value in values.items()} == {
        "e1": "0",
        "e2": "0.5",
        "e4": "0.5",
        "e3": "0",
    }


def test_with_no_tie_breaks_equals_share_a_rank_in_seed_order() -> None:
    plan = plan_of(4, format="round_robin", tiebreaks=[])
    assert [(one.entrant, one.rank) for one in plan.standings] == [("e1", 1), ("e2", 1), ("e3", 1), ("e4", 1)]


def test_who_has_left_is_ordered_by_the_same_values() -> None:
    log = [won("R1.1", 0), won("R1.2", 0), withdraw("e1")]
    plan = plan_of(4, *log, format="swiss", tiebreaks=["score_difference"], rounds=1)
    assert [(one.entrant, one.rank, one.still_in) for one in plan.standings] == [
        ("e1", 1, False),
        ("e2", 1, True),
        ("e3", 3, True),
        ("e4", 3, True),
    ]


def test_points_given_show_as_a_term_of_their_own() -> None:
    swiss = Swiss(Settings("swiss"), [Entrant("a"), Entrant("b")])
    swiss.apply(Adjust("a", 2))
    swiss.apply(Adjust("a", -2))
    assert swiss.terms("points", "a") == []
    swiss.apply(Adjust("a", 3))
    assert swiss.terms("points", "a") == [Term(None, None, 3)]
