"""Decks that outside programs check: fixed for all time."""

from collections import Counter

import pytest

from games.rules.cards import CODES, DECK
from games.rules.shuffle import chance, commitment, deck, first_dealer

SECRET = bytes(range(32))
SALT = "K7QF2"


def test_commitment_is_the_sha_256_of_the_secret() -> None:
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_first_deck_of_the_published_check() -> None:
    first = [CODES[card] for card in deck(SECRET, SALT, 0)]
    assert " ".join(first[:12]) == "9C AD AC 4H 8C 3S 4S TD JC 5H 8H KH"


@pytest.mark.parametrize(("salt", "dealer"), [("K7QF2", 3), ("K7QF2:::", 0), ("a", 3), ("b", 1), ("c", 0)])
def test_first_dealer(salt: str, dealer: int) -> None:
    assert first_dealer(SECRET, salt) == dealer


def test_first_dealer_is_each_seat_about_as_often() -> None:
    seats = Counter(first_dealer(SECRET, str(number)) for number in range(4000))
    assert sorted(seats) == [0, 1, 2, 3]
    assert min(seats.values()) > 900


@pytest.mark.parametrize("index", [0, 1, 2, 499])
def test_deck_holds_every_card_once(index: int) -> None:
    assert sorted(deck(SECRET, SALT, index)) == list(DECK)


def test_decks_differ_by_deal_salt_and_secret() -> None:
    decks = [
        deck(SECRET, SALT, 0),
        deck(SECRET, SALT, 1),
        deck(SECRET, "K7QF3", 0),
        deck(SECRET[::-1], SALT, 0),
    ]
    assert len({tuple(cards) for cards in decks}) == 4


def test_card_lands_on_every_place_about_as_often() -> None:
    places = Counter(deck(SECRET, SALT, index).index(51) for index in range(2600))
    assert len(places) == 52
    assert max(places.values()) < 90  # 50 expected; nine in ten thousand shuffles of this size go above


def test_chance_draws_what_its_bytes_say() -> None:
    draw = chance(SECRET, "label")
    assert [draw(n) for n in (1, 2, 6, 52, 1 << 31)] == [0, 0, 5, 35, 908211164]


def test_chance_skips_what_would_favour_low_numbers() -> None:
    """Three quarters of 2^32 + 1 fit once: a quarter of the numbers has to be skipped, none can come out above."""
    n = 3 * (1 << 30) + 1
    draw = chance(SECRET, "skips")
    drawn = [draw(n) for _ in range(400)]
    assert max(drawn) < n
    assert 180 < sum(number < n // 2 for number in drawn) < 220
