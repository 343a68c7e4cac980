import pytest

from games.rules.cards import CARD, CODES, DECK, FULL, by_suit, codes, hand_of, is_whole_deck


def test_deck_is_52_cards_by_suit_and_rank() -> None:
    assert [CODES[card] for card in DECK] == [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


@pytest.mark.parametrize(("code", "card"), [("2C", 0), ("AC", 12), ("2D", 13), ("QS", 49), ("AS", 51)])
def test_card_is_suit_times_13_plus_rank(code: str, card: int) -> None:
    assert (CARD[code], CODES[card]) == (card, code)


def test_hand_is_read_by_suit_and_rank_ascending() -> None:
    assert codes(hand_of(["AS", "TD", "2C", "3S", "AC"])) == ["2C", "AC", "TD", "3S", "AS"]


def test_hand_of_every_card_is_full() -> None:
    assert (hand_of(CODES), codes(FULL)) == (FULL, list(CODES))


def test_hand_of_no_card_raises() -> None:
    with pytest.raises(KeyError):
        hand_of(["1S"])


def test_by_suit_sorts_each_suit() -> None:
    cards = [CARD[code] for code in ["AS", "2S", "TC", "9C", "KH"]]
    assert by_suit(cards) == [["9C", "TC"], [], ["KH"], ["2S", "AS"]]


@pytest.mark.parametrize(
    ("cards", "whole"),
    [
        (list(DECK), True),
        (list(DECK)[::-1], True),
        (list(DECK)[:51], False),
        ([*DECK, 0], False),
        ([0, *list(DECK)[:51]], False),
        ([-1, *list(DECK)[1:]], False),
        ([52, *list(DECK)[1:]], False),
        ([], False),
    ],
)
def test_whole_deck_is_every_card_once(cards: list[int], whole: bool) -> None:
    assert is_whole_deck(cards) == whole
