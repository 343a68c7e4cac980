"""One action of a legal record replaced by one that may not stand there.

Each spoiler looks at a deal just before an action and offers a code that is wrong there, or None
where its fault cannot be made. Names say the fault; ERRORS says the code a reader answers with.
"""

from collections.abc import Callable

from tests.oracle.chance import Chance
from tests.oracle.engine import Deal
from tests.oracle.rules import BIDS, PACK, playable, suit_of

Spoiler = Callable[[Chance, Deal], str | None]


def one_of(chance: Chance, codes: list[str]) -> str | None:
    return chance.pick(codes) if codes else None


def in_phase(deal: Deal, phase: str, code: str | None) -> str | None:
    return code if deal.phase() == phase else None


def hand(deal: Deal) -> list[str]:
    turn = deal.turn()
    assert turn is not None
    return deal.hands[turn]


def revoke(chance: Chance, deal: Deal) -> str | None:
    if deal.phase() != "play":
        return None
    allowed = playable(hand(deal), deal.led())
    return one_of(chance, [card for card in hand(deal) if card not in allowed])


def foreign_card(chance: Chance, deal: Deal) -> str | None:
    """A card of the led suit, or any while leading, that another seat holds or somebody played."""
    others = [card for card in PACK if card not in hand(deal)]
    fitting = [card for card in others if deal.led() in (None, suit_of(card))]
    return in_phase(deal, "play", one_of(chance, fitting))


def foreign_revoke(chance: Chance, deal: Deal) -> str | None:
    """Not held, and not of the led suit though the seat could follow."""
    if revoke(chance, deal) is None:
        return None
    others = [card for card in PACK if card not in hand(deal) and suit_of(card) != deal.led()]
    return one_of(chance, others)


def card_twice(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "play", deal.trick[0][1] if deal.trick else None)


def held_card_in_auction(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "auction", chance.pick(hand(deal)) if hand(deal) else None)


def foreign_card_in_auction(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "auction", one_of(chance, [card for card in PACK if card not in hand(deal)]))


def card_before_trump(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "trump", chance.pick(PACK))


def call_before_trump(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "trump", chance.pick(["p", "x", "xx", "b13", "b7", "b14", "b8N", "b0"]))


def trump_in_auction(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "auction", chance.pick(["tC", "tD", "tH", "tS"]))


def trump_in_play(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "play", chance.pick(["tC", "tD", "tH", "tS"]))


def call_in_play(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "play", chance.pick(["p", "x", "xx", "b13", "b7S", "b6", "b14", "b99"]))


def equal_bid(chance: Chance, deal: Deal) -> str | None:
    standing = deal.declarer()
    return in_phase(deal, "auction", None if standing is None else standing[1])


def lower_bid(chance: Chance, deal: Deal) -> str | None:
    standing = deal.declarer()
    bids = BIDS[deal.ruleset]
    lower = [] if standing is None else bids[: bids.index(standing[1])]
    return in_phase(deal, "auction", one_of(chance, lower))


def bid_out_of_range(chance: Chance, deal: Deal) -> str | None:
    strange = ["b0", "b1", "b6", "b14", "b100", "b07", "b6S", "b14N", "b0C", "b" + "9" * 5000]
    return in_phase(deal, "auction", chance.pick(strange))


def bid_of_another_ruleset(chance: Chance, deal: Deal) -> str | None:
    strains = chance.pick(["b7S", "b13N", "b9C"])
    code = chance.pick(["b7", "b13", "b10"]) if deal.ruleset == "egyptian" else strains
    return in_phase(deal, "auction", code)


def forced_dealer_passes(chance: Chance, deal: Deal) -> str | None:
    return in_phase(deal, "auction", "p" if deal.auction.must_bid() else None)


def double_without_doubles(chance: Chance, deal: Deal) -> str | None:
    code = None if deal.ruleset == "egyptian" else chance.pick(["x", "xx"])
    return in_phase(deal, "auction", code)


def double_of_nothing(chance: Chance, deal: Deal) -> str | None:
    nothing = deal.ruleset == "egyptian" and deal.declarer() is None
    return in_phase(deal, "auction", chance.pick(["x", "xx"]) if nothing else None)


def double_of_own_side(chance: Chance, deal: Deal) -> str | None:
    own = deal.ruleset == "egyptian" and bidding_side_to_call(deal)
    return in_phase(deal, "auction", "x" if own else None)


def double_twice(chance: Chance, deal: Deal) -> str | None:
    twice = deal.ruleset == "egyptian" and deal.auction.doubled() > 1
    return in_phase(deal, "auction", "x" if twice else None)


def redouble_not_due(chance: Chance, deal: Deal) -> str | None:
    """Before a double, by the other side, or after a redouble."""
    due = deal.auction.doubled() == 2 and bidding_side_to_call(deal)
    wrong = deal.ruleset == "egyptian" and deal.declarer() is not None and not due
    return in_phase(deal, "auction", "xx" if wrong else None)


def redouble_without_option(chance: Chance, deal: Deal) -> str | None:
    doubled = deal.ruleset == "egyptian" and deal.auction.doubled() == 2
    due = doubled and bidding_side_to_call(deal) and not deal.auction.redouble
    return in_phase(deal, "auction", "xx" if due else None)


def bidding_side_to_call(deal: Deal) -> bool:
    standing = deal.declarer()
    return standing is not None and standing[0] % 2 == deal.auction.turn() % 2


def no_code(chance: Chance, deal: Deal) -> str | None:
    strange = ["zz", "P", "pass", "10S", "1S", "SA", "as", "tN", "ts", "b", "b-7", "b7X", "b7SS", "xxx"]
    return chance.pick([*strange, "b٧", "b²", "+7", "7", "Q♠", "QSQS", "null", '"p"'])


SPOILERS: dict[str, tuple[Spoiler, str]] = {
    "a revoke": (revoke, "must-follow-suit"),
    "a card of another hand": (foreign_card, "card-not-held"),
    "a card not held that does not follow": (foreign_revoke, "card-not-held"),
    "a card for the second time": (card_twice, "card-not-held"),
    "a held card in the auction": (held_card_in_auction, "wrong-phase"),
    "a card not held in the auction": (foreign_card_in_auction, "wrong-phase"),
    "a card before the trump": (card_before_trump, "wrong-phase"),
    "a call before the trump": (call_before_trump, "wrong-phase"),
    "a trump in the auction": (trump_in_auction, "wrong-phase"),
    "a trump in the play": (trump_in_play, "wrong-phase"),
    "a call in the play": (call_in_play, "wrong-phase"),
    "an equal bid": (equal_bid, "bid-too-low"),
    "a lower bid": (lower_bid, "bid-too-low"),
    "a bid that never exists": (bid_out_of_range, "bid-out-of-range"),
    "a bid of another ruleset": (bid_of_another_ruleset, "bid-out-of-range"),
    "a pass of the forced dealer": (forced_dealer_passes, "pass-not-allowed"),
    "a double where there are none": (double_without_doubles, "double-not-allowed"),
    "a double before any bid": (double_of_nothing, "double-not-allowed"),
    "a double of the own side": (double_of_own_side, "double-not-allowed"),
    "a second double": (double_twice, "double-not-allowed"),
    "a redouble that is not due": (redouble_not_due, "double-not-allowed"),
    "a redouble without the option": (redouble_without_option, "double-not-allowed"),
    "no code at all": (no_code, "malformed"),
}
