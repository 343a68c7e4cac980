import pytest

from games.rules.cards import CARD, by_suit
from games.rules.tricks import A_LEAD, playable, takes, winner


@pytest.mark.parametrize(
    ("hand", "led", "legal"),
    [
        ("2C AD 3H KS", A_LEAD, "2C AD 3H KS"),
        ("2C AD 3H KS", 3, "KS"),
        ("2C AD 3D 3H", 1, "3D AD"),
        ("2C AD 3H", 3, "2C AD 3H"),
        ("AS", 0, "AS"),
    ],
)
def test_playable_follows_where_it_can(hand: str, led: int, legal: str) -> None:
    assert playable(by_suit(CARD[code] for code in hand.split()), led) == legal.split()


@pytest.mark.parametrize(
    ("code", "best", "trump", "expected"),
    [
        ("3S", "2S", "H", True),
        ("2S", "3S", "H", False),
        ("AS", "2C", "H", False),
        ("2H", "AS", "H", True),
        ("3H", "2H", "H", True),
        ("2H", "3H", "H", False),
        ("AS", "2H", "H", False),
        ("2H", "AS", "N", False),
        ("JS", "TS", "N", True),
    ],
)
def test_card_takes_the_trick_from_the_best_so_far(code: str, best: str, trump: str, expected: bool) -> None:
    assert takes(code, best, trump) == expected


@pytest.mark.parametrize(
    ("cards", "trump", "taken_by"),
    [
        ("AC 5D KD 2C", "D", 2),
        ("9S AH AD KS", "C", 3),
        ("9S AH AD KS", "N", 3),
        ("2S AH AD AC", "N", 0),
        ("2S 2C 3C 4C", "C", 3),
        ("2C AC 3D KC", "C", 1),
    ],
)
def test_trick_is_won(cards: str, trump: str, taken_by: int) -> None:
    assert winner(list(enumerate(cards.split())), trump) == taken_by
