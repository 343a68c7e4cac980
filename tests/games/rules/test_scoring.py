"""The points of a deal: all 98 cells of the two tables, written out; and how a match is decided."""

import pytest

from games.rules.ruleset import RULESETS, Options
from games.rules.scoring import Result, outcome, points

# Rows: the bid, 7 to 13. Columns: the tricks of the bidding side, 0 to 13. The defenders' points stand below.
KOTCHINA_BIDDERS = """
 -7  -7  -7  -7  -7  -7  -7   7   7   7   7   7   7   7
 -8  -8  -8  -8  -8  -8  -8  -8   8   8   8   8   8   8
 -9  -9  -9  -9  -9  -9  -9  -9  -9   9   9   9   9   9
-10 -10 -10 -10 -10 -10 -10 -10 -10 -10  10  10  10  10
-11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11  11  11  11
-12 -12 -12 -12 -12 -12 -12 -12 -12 -12 -12 -12  12  12
-13 -13 -13 -13 -13 -13 -13 -13 -13 -13 -13 -13 -13  13
"""
KOTCHINA_DEFENDERS = """
 13  12  11  10   9   8   7   0   0   0   0   0   0   0
 13  12  11  10   9   8   7   6   0   0   0   0   0   0
 13  12  11  10   9   8   7   6   5   0   0   0   0   0
 13  12  11  10   9   8   7   6   5   4   0   0   0   0
 13  12  11  10   9   8   7   6   5   4   3   0   0   0
 13  12  11  10   9   8   7   6   5   4   3   2   0   0
 13  12  11  10   9   8   7   6   5   4   3   2   1   0
"""
TRICKS_BIDDERS = """
 -7  -7  -7  -7  -7  -7  -7   7   8   9  10  11  12  16
 -8  -8  -8  -8  -8  -8  -8  -8   8   9  10  11  12  16
 -9  -9  -9  -9  -9  -9  -9  -9  -9   9  10  11  12  16
-10 -10 -10 -10 -10 -10 -10 -10 -10 -10  10  11  12  16
-11 -11 -11 -11 -11 -11 -11 -11 -11 -11 -11  11  12  16
-12 -12 -12 -12 -12 -12 -12 -12 -12 -12 -12 -12  12  16
-16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16 -16  26
"""
TRICKS_DEFENDERS = """
 13  12  11  10   9   8   7   0   0   0   0   0   0   0
 13  12  11  10   9   8   7   6   0   0   0   0   0   0
 13  12  11  10   9   8   7   6   5   0   0   0   0   0
 13  12  11  10   9   8   7   6   5   4   0   0   0   0
 13  12  11  10   9   8   7   6   5   4   3   0   0   0
 13  12  11  10   9   8   7   6   5   4   3   2   0   0
 26  24  22  20  18  16  14  12  10   8   6   4   2   0
"""
TABLES = {
    "kotchina": (KOTCHINA_BIDDERS, KOTCHINA_DEFENDERS),
    "classic": (TRICKS_BIDDERS, TRICKS_DEFENDERS),
    "egyptian": (TRICKS_BIDDERS, TRICKS_DEFENDERS),
    "kings": (TRICKS_BIDDERS, TRICKS_DEFENDERS),
}
CELLS = [(bid, tricks) for bid in range(7, 14) for tricks in range(14)]


def cells(table: str) -> list[int]:
    return [int(number) for number in table.split()]


@pytest.mark.parametrize("ruleset", TABLES)
def test_points_fill_all_98_cells(ruleset: str) -> None:
    expected = list(zip(*map(cells, TABLES[ruleset]), strict=True))
    assert [points(RULESETS[ruleset], bid, tricks) for bid, tricks in CELLS] == expected


@pytest.mark.parametrize(
    ("doubled", "double_defenders", "defenders_factor"),
    [(2, False, 1), (4, False, 1), (2, True, 2), (4, True, 4)],
)
def test_double_multiplies_the_bidders_and_the_defenders_only_by_option(
    doubled: int, double_defenders: bool, defenders_factor: int
) -> None:
    ruleset = RULESETS["egyptian"]
    plain = [points(ruleset, bid, tricks) for bid, tricks in CELLS]
    assert [
        points(ruleset, bid, tricks, doubled=doubled, double_defenders=double_defenders)
        for bid, tricks in CELLS
    ] == [(bidders * doubled, defenders * defenders_factor) for bidders, defenders in plain]


def test_kotchina_and_kings_differ_in_35_cells() -> None:
    differ = [
        (bid, tricks)
        for bid, tricks in CELLS
        if points(RULESETS["kotchina"], bid, tricks) != points(RULESETS["kings"], bid, tricks)
    ]
    overtricks = [(bid, tricks) for bid in range(7, 13) for tricks in range(bid + 1, 14)]
    assert differ == overtricks + [(13, tricks) for tricks in range(14)]
    assert len(differ) == 35


@pytest.mark.parametrize("ruleset", RULESETS)
def test_one_side_gains_in_every_cell(ruleset: str) -> None:
    signs = {
        (bidders > 0, defenders > 0)
        for bidders, defenders in (points(RULESETS[ruleset], bid, tricks) for bid, tricks in CELLS)
    }
    assert signs == {(True, False), (False, True)}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("bid", range(7, 14))
def test_more_tricks_never_hurt_the_bidders(ruleset: str, bid: int) -> None:
    bidders, defenders = zip(*(points(RULESETS[ruleset], bid, tricks) for tricks in range(14)), strict=True)
    assert list(bidders) == sorted(bidders)
    assert list(defenders) == sorted(defenders, reverse=True)


@pytest.mark.parametrize(
    ("ruleset", "swing"), [("kotchina", 26), ("classic", 42), ("egyptian", 42), ("kings", 42)]
)
def test_largest_swing(ruleset: str, swing: int) -> None:
    changes = [points(RULESETS[ruleset], bid, tricks) for bid, tricks in CELLS]
    assert max(abs(bidders - defenders) for bidders, defenders in changes) == swing


NO_CAP = Options()
CAP = Options(round_cap=50)
GAINED = {0: [7, -8], 1: [-8, 7]}


def won(kind: str, winner: int) -> Result:
    return {"kind": kind, "winner": winner, "advances": winner}  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("options", "rounds", "gainer", "score", "target", "expected"),
    [
        (NO_CAP, 9, 0, [30, 12], 31, None),
        (NO_CAP, 9, 0, [31, 12], 31, won("target", 0)),
        (NO_CAP, 9, 1, [12, 32], 31, won("target", 1)),
        (NO_CAP, 9, 1, [12, 40], 41, None),
        (NO_CAP, 9, 1, [12, 41], 41, won("target", 1)),
        (NO_CAP, 9, 0, [61, 60], 61, won("target", 0)),
        (NO_CAP, 9, 0, [-40, 12], 31, None),
        (NO_CAP, 9, 0, [33, 35], 31, won("target", 1)),
        (NO_CAP, 9, 0, [34, 34], 31, None),
        (NO_CAP, 600, 0, [12, 12], 31, None),
        (CAP, 49, 0, [28, 25], 31, None),
        (CAP, 50, 0, [28, 25], 31, won("round-cap", 0)),
        (CAP, 50, 0, [-9, -8], 31, won("round-cap", 1)),
        (CAP, 50, 0, [18, 31], 31, won("target", 1)),
        (CAP, 50, 0, [22, 22], 31, {"kind": "draw", "winner": None, "advances": 0}),
        (CAP, 50, 1, [22, 22], 31, {"kind": "draw", "winner": None, "advances": 1}),
        (CAP, 50, 1, [34, 34], 31, {"kind": "draw", "winner": None, "advances": 1}),
    ],
)
def test_match_is_decided(
    options: Options, rounds: int, gainer: int, score: list[int], target: int, expected: Result | None
) -> None:
    changes = [[0, 0]] * (rounds - 1) + [GAINED[gainer]]
    assert outcome(target, options, changes, score) == expected
