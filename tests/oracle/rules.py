"""The four rulesets in plain words.

Cards and calls are the strings people write down ("QS", "b8", "p"); a hand is a list of them; a
ruleset is its name. Nothing here is fast and nothing is shared with the engine that plays: the two
are only worth comparing while they have no line in common.
"""

import re

RULESETS = ["kotchina", "classic", "egyptian", "kings"]
RANKS = "23456789TJQKA"
SUITS = "CDHS"
STRAINS = "CDHSN"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
PLACE_IN_PACK = {card: place for place, card in enumerate(PACK)}
TRUMPS = ["tC", "tD", "tH", "tS"]
TARGETS = {"kotchina": [31], "classic": [31], "egyptian": [31], "kings": [31, 41, 61]}
DEAD_DEALS_THAT_CLOSE_A_TABLE = 8

Changes = list[int]


class RefusedError(Exception):
    """Something the rules or the record format do not allow; `code` is the stable name of why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def default_options(ruleset: str) -> dict[str, int | bool | None]:
    """The options a table of the ruleset has, each with what it is where nobody says otherwise."""
    if ruleset == "egyptian":
        return {"round_cap": None, "redouble": False, "double_defenders": False}
    return {"round_cap": 50 if ruleset == "kotchina" else None}


def bids_of(ruleset: str) -> list[str]:
    """Every bid the ruleset has, lowest first."""
    bids = []
    for number in range(7, 14):
        if ruleset == "egyptian":
            bids += [f"b{number}{strain}" for strain in STRAINS]
        else:
            bids.append(f"b{number}")
    return bids


BIDS = {ruleset: bids_of(ruleset) for ruleset in RULESETS}


def kind_of(code: str) -> str:
    """`pass`, `bid`, `double`, `trump`, `card`, or `nothing` for what is no code at all."""
    if code == "p":
        return "pass"
    if code in ("x", "xx"):
        return "double"
    if re.fullmatch("b[0-9]+[SHDCN]?", code):
        return "bid"
    if code in TRUMPS:
        return "trump"
    if code in PLACE_IN_PACK:
        return "card"
    return "nothing"


def number_of(bid: str) -> int:
    return int(bid.strip("bCDHSN"))


def strain_of(bid: str) -> str | None:
    return bid[-1] if bid[-1] in STRAINS else None


def rank_of(card: str) -> int:
    return RANKS.index(card[0])


def suit_of(card: str) -> str:
    return card[1]


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=PLACE_IN_PACK.__getitem__)


def playable(hand: list[str], led: str | None) -> list[str]:
    """Cards of the led suit where the hand has any, else the whole hand."""
    following = [card for card in hand if suit_of(card) == led]
    return in_order(following or hand)


def trick_winner(trick: list[tuple[int, str]], trump: str) -> int:
    """Seat of the highest trump, else of the highest card of the suit that was led."""
    led = suit_of(trick[0][1])
    trumps_played = [play for play in trick if suit_of(play[1]) == trump]
    led_played = [play for play in trick if suit_of(play[1]) == led]
    seat, _ = max(trumps_played or led_played, key=lambda play: rank_of(play[1]))
    return seat


def points(ruleset: str, bid: int, tricks: int) -> tuple[int, int]:
    """Points of the declaring side and of the defenders, before any double."""
    taken_by_defenders = 13 - tricks
    if tricks >= bid:
        if ruleset == "kotchina":
            return bid, 0
        if bid == 13:
            return 26, 0
        if tricks == 13:
            return 16, 0
        return tricks, 0
    if bid == 13 and ruleset != "kotchina":
        return -16, 2 * taken_by_defenders
    return -bid, taken_by_defenders


def doubled_points(
    ruleset: str, bid: int, tricks: int, factor: int, double_defenders: bool
) -> tuple[int, int]:
    """The same after a double: it multiplies the declaring side, and the defenders by option."""
    declarers, defenders = points(ruleset, bid, tricks)
    return declarers * factor, defenders * (factor if double_defenders else 1)


def verdict(
    score: list[int], target: int, changes: list[Changes], round_cap: int | None
) -> dict[str, object] | None:
    """How the match stands after a scored deal: None while it goes on."""
    higher = 0 if score[0] > score[1] else 1
    if max(score) >= target and score[0] != score[1]:
        return {"kind": "target", "winner": higher, "advances": higher}
    if round_cap is None or len(changes) < round_cap:
        return None
    if score[0] != score[1]:
        return {"kind": "round-cap", "winner": higher, "advances": higher}
    last_gainer = 0 if changes[-1][0] > 0 else 1
    return {"kind": "draw", "winner": None, "advances": last_gainer}


def next_dealer(ruleset: str, dealer: int, dead: bool) -> int:
    """A dead deal is dealt again by the same seat in classic and egyptian only."""
    if dead and ruleset in ("classic", "egyptian"):
        return dealer
    return (dealer + 1) % 4
