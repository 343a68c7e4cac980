"""Built-in players: what they choose, and how strong they are."""

from time import perf_counter

import pytest

from games.rules.match import Match
from games.rules.players import PLAYERS, timeout_action
from games.rules.ruleset import RULESETS
from games.rules.shuffle import chance, deck
from games.rules.simulation import simulated
from games.rules.views import SeatView, seat_view
from tests.games.rules.playing import act_all, deck_dealing, match_in

STRONG_SPADES = ["AS", "KS", "QS", "JS", "TS", "9S", "AH", "KH", "AD", "2D", "3D", "AC", "2C"]
WEAK = ["2S", "3S", "4S", "2H", "3H", "4H", "5H", "2D", "3D", "4D", "2C", "3C", "4C"]


def never(n: int) -> int:
    raise AssertionError("this player leaves nothing to chance")


def choice(match: Match) -> str:
    assert match.turn is not None
    return PLAYERS["cautious"](seat_view(match, match.turn), never)


def after(ruleset: str, hands: dict[int, list[str]], acts: str) -> Match:
    return act_all(match_in(ruleset, deck_dealing(3, hands), dealer=3), acts)


# ---- The time-out player


@pytest.mark.parametrize(
    ("hand", "trump"),
    [
        ("2S 3S 4S AH KH AD KD AC KC QC 5H 6H 7D", "H"),
        ("AS KS QS JS 2H 3H 4H 5H 2D 3D 2C 3C 4C", "S"),
        ("2S 3S 4S 6S 2H 3H 4H 5H 2D 3D 2C 3C 4C", "S"),
        ("2S 3S 4S 5S 2H 3H 4H 5H 2D 3D 2C 3C 4C", "S"),
        ("2S 3S 4S 2H 3H 4H 2D 3D 4D 5D 2C 3C 4C", "D"),
        ("2S 3S 2H 3H 4H AD KD JD 2D AC KC QC 2C", "C"),
    ],
)
def test_time_out_names_the_longest_suit_then_the_one_higher_from_the_top(hand: str, trump: str) -> None:
    match = after("kotchina", {0: hand.split()}, "b7 p p p")
    assert timeout_action(seat_view(match, 0)) == f"t{trump}"


@pytest.mark.parametrize(
    ("hand", "acts", "card"),
    [
        (["AS", "3S", "4H"], "b7 p p p tH 2S", "3S"),
        (["2H", "4C", "4D", *[f"{rank}D" for rank in "56789TJQKA"]], "b7 p p p tH 2S", "4C"),
        (["2H", "3H", *[f"{rank}D" for rank in "456789TJQKA"]], "b7 p p p tH 2S", "4D"),
        ([f"{rank}H" for rank in "3456789TJQKA2"], "b7 p p p tH 2S", "2H"),
    ],
)
def test_time_out_plays_the_weakest_legal_card(hand: list[str], acts: str, card: str) -> None:
    match = after("kotchina", {0: ["2S"], 1: hand}, acts)
    assert timeout_action(seat_view(match, 1)) == card


def test_time_out_without_trump_counts_rank_alone() -> None:
    match = after(
        "egyptian", {0: ["AS"], 1: ["2H", "3C", *[f"{rank}D" for rank in "456789TJQKA"]]}, "b7N p p p p AS"
    )
    assert timeout_action(seat_view(match, 1)) == "2H"


# ---- The random player


def test_random_player_takes_the_code_that_chance_points_at() -> None:
    match = match_in("kotchina")
    assert match.turn is not None
    view = seat_view(match, match.turn)
    assert [PLAYERS["random"](view, lambda n, place=place: place) for place in range(8)] == view["legal"]


# ---- The cautious player


@pytest.mark.parametrize(
    ("ruleset", "hand", "acts", "expected"),
    [
        ("kotchina", STRONG_SPADES, "", "b7"),
        ("kotchina", WEAK, "", "p"),
        ("kings", WEAK, "", "p"),
        ("egyptian", STRONG_SPADES, "", "b7S"),
        ("egyptian", WEAK, "", "p"),
    ],
)
def test_cautious_bids_on_length_and_high_cards(
    ruleset: str, hand: list[str], acts: str, expected: str
) -> None:
    assert choice(after(ruleset, {0: hand}, acts)) == expected


def test_cautious_leaves_its_partners_bid_alone() -> None:
    assert choice(after("kotchina", {2: STRONG_SPADES}, "b7 p")) == "p"


def test_cautious_does_not_raise_itself() -> None:
    """Three passes after its own bid: the auction comes back to the bidder, in one ruleset."""
    assert choice(after("egyptian", {0: STRONG_SPADES}, "b7S p p p")) == "p"


def test_cautious_goes_higher_after_its_partners_bid_was_beaten() -> None:
    """A hand that alone is worth no 9 is worth it beside a partner who bid 7."""
    hand = ["AS", "KS", "QS", "6S", "5S", "AH", "3H", "2H", "KD", "5D", "2D", "3C", "2C"]
    assert choice(after("kotchina", {2: hand}, "b7 b8")) == "b9"
    assert choice(after("kotchina", {2: hand}, "p b8")) == "p"


def test_cautious_bids_seven_where_it_must() -> None:
    assert choice(after("kings", {3: WEAK}, "p p p")) == "b7"


@pytest.mark.parametrize(("bid", "expected"), [("b13C", "x"), ("b7C", "p")])
def test_cautious_doubles_what_it_expects_to_break(bid: str, expected: str) -> None:
    hand = ["AC", "KC", "4C", "AS", "3S", "4S", "KH", "3H", "4H", "3D", "4D", "5D", "6D"]
    assert choice(after("egyptian", {1: hand}, bid)) == expected


def test_cautious_names_its_best_suit() -> None:
    assert choice(after("kotchina", {0: STRONG_SPADES}, "b7 p p p")) == "tS"


def test_cautious_draws_trumps_as_declarer() -> None:
    assert choice(after("kotchina", {0: STRONG_SPADES}, "b7 p p p tS")) == "AS"


def test_cautious_stops_drawing_when_no_trump_is_out() -> None:
    """Thirteen trumps between three rounds of four: the ace of another suit comes next."""
    spades = {
        0: ["AS", "KS", "QS", "JS", "AH"],
        1: ["2S", "3S", "4S"],
        2: ["5S", "6S", "7S"],
        3: ["8S", "9S", "TS"],
    }
    rounds = "AS 2S 5S 8S KS 3S 6S 9S QS 4S 7S TS"
    match = after("kotchina", spades, f"b7 p p p tS {rounds}")
    assert choice(match)[1] != "S"


def test_cautious_does_not_trump_its_partners_winner() -> None:
    hands = {0: ["KH"], 1: ["2H"], 2: ["AS", "2S", *[f"{rank}C" for rank in "23456789TJQ"]]}
    assert choice(after("kotchina", hands, "b7 p p p tS KH 2H")) == "2C"


def test_cautious_trumps_low_against_an_opponents_winner() -> None:
    hands = {0: ["2H"], 1: ["AH"], 2: ["AS", "2S", *[f"{rank}C" for rank in "23456789TJQ"]]}
    assert choice(after("kotchina", hands, "b7 p p p tS 2H AH")) == "2S"


def test_cautious_wins_as_cheaply_as_it_can_when_last() -> None:
    hands = {0: ["9H"], 1: ["2H"], 2: ["3H"], 3: ["AH", "TH", "4H"]}
    assert choice(after("kotchina", hands, "b7 p p p tS 9H 2H 3H")) == "TH"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_cautious_beats_random_nearly_always(ruleset: str) -> None:
    matches = 40
    won = 0
    for index in range(matches):
        players = ["cautious", "random"] if index % 2 else ["random", "cautious"]
        match, _, _ = simulated(
            RULESETS[ruleset], target=31, seed="strength", index=index // 2, players=players
        )
        won += match.result is not None and match.result["winner"] == (index + 1) % 2
    assert won >= 0.95 * matches


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_players_are_legal_in_every_ruleset(ruleset: str, player: str) -> None:
    draw = chance(b"legal", player)
    match = Match(RULESETS[ruleset])
    for index in range(20):
        if match.result is not None:
            match = Match(RULESETS[ruleset])
        match.start_deal(deck(b"legal", ruleset, index))
        while match.turn is not None:
            match.act(PLAYERS[player](seat_view(match, match.turn), draw))


def test_cautious_chooses_in_well_under_a_millisecond() -> None:
    seconds: list[float] = []
    for index in range(5):
        match = match_in("egyptian", deck(b"quick", "", index))
        while match.turn is not None:
            view: SeatView = seat_view(match, match.turn)
            started = perf_counter()
            code = PLAYERS["cautious"](view, never)
            seconds.append(perf_counter() - started)
            match.act(code)
    assert sorted(seconds)[len(seconds) // 2] < 0.0005
