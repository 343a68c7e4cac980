"""Records from a number: legal matches of every kind, the rare kinds as often as the common ones.

`record(n)` is the same for the same n on every machine. The ruleset turns with n and so does the
scenario, so a few hundred records in a row already meet every path of the rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.oracle.chance import Chance
from tests.oracle.dealing import commitment_of, deck_of, first_dealer_of
from tests.oracle.engine import Deal, Match
from tests.oracle.rules import PACK, RULESETS, SUITS, TARGETS, rank_of, suit_of
from tests.oracle.seats import (
    CALLS,
    PLAYS,
    Habit,
    creeps,
    doubles,
    dozes,
    names_trump,
    opens,
    overbids,
    passes,
    slams,
    waits,
)

Record = dict[str, Any]
FULL = 60


@dataclass(frozen=True)
class Scenario:
    """Who sits there, how the cards fall, how long it lasts and who acts for whom."""

    calls: Sequence[Habit] = tuple(CALLS)
    decks: Sequence[str] = ("shuffled",)
    deals: Sequence[int] = (1, 2, 3, FULL)
    caps: Sequence[int | None] = ()
    actors: Sequence[str] = ("", "", "m", "mcbs")
    options: bool = False
    proof: bool = False
    cut: bool = False


SCENARIOS = {
    "mixed": Scenario(deals=(FULL,)),
    "cut anywhere": Scenario(cut=True),
    "cut in the first deal": Scenario(cut=True, deals=(1,), options=True),
    "asleep": Scenario(calls=[passes], deals=(5, 8, 8, 8)),
    "dozing": Scenario(calls=[passes, dozes], deals=(20,)),
    "slams": Scenario(calls=[slams, overbids], decks=("suits", "strong", "shuffled"), deals=(2, 4)),
    "strong hands": Scenario(calls=[creeps], decks=("strong", "suits"), deals=(2, 4)),
    "waiting": Scenario(calls=[waits], deals=(1, 2), options=True),
    "doubled": Scenario(calls=[doubles, overbids, waits], options=True, deals=(1, 2, 4)),
    "doubled slams": Scenario(calls=[doubles, slams], decks=("suits",), options=True, deals=(1, 2)),
    "capped": Scenario(caps=(1, 2, 3, 4), deals=(FULL,), options=True),
    "level": Scenario(calls=[opens], decks=("suits",), caps=(2, 4), deals=(FULL,)),
    "falling": Scenario(calls=[slams], caps=(None, 50, 51), deals=(1, 2, 2, 2, 2, FULL)),
    "no person": Scenario(actors=("cbs", "c", "s", "b", "bs", "mb"), calls=[creeps, dozes]),
    "leaving at the end": Scenario(actors=("", "m", "cbs"), caps=(1, 2, 3), calls=[creeps], deals=(FULL,)),
    "proved": Scenario(proof=True, options=True),
    "proved and cut": Scenario(proof=True, cut=True),
    "about to begin": Scenario(deals=(0,), options=True),
    "proved before the first deal": Scenario(deals=(0,), proof=True),
}


def record(n: int) -> Record:
    """The n-th record: a legal one, with everything optional sometimes there."""
    chance = Chance(f"record {n}")
    ruleset = RULESETS[n % 4]
    scenario = list(SCENARIOS.values())[n // 4 % len(SCENARIOS)]
    head = head_of(chance, ruleset, scenario)
    match = Match(ruleset, head.get("target", 31), head["dealer"], head.get("options", {}))
    deals = play(chance, match, scenario, head.get("proof"))
    if scenario.cut:
        deals = cut(chance, deals)
    elif match.result is not None and not chance.one_in(4):
        head["result"] = claim(match)
    return head | {"deals": [with_times(chance, deal) for deal in deals]}


def head_of(chance: Chance, ruleset: str, scenario: Scenario) -> Record:
    head: Record = {"format": "tarneeb-record/1", "ruleset": ruleset, "dealer": chance.below(4)}
    head["players"] = ["A", "B", "C", "D"]
    if ruleset == "kings" or chance.one_in(2):
        head["target"] = chance.pick(TARGETS[ruleset])
    options = options_of(chance, ruleset, scenario)
    if options or chance.one_in(4):
        head["options"] = options
    if chance.one_in(8):
        head["event"] = {"name": "a key that no reader knows"}
    if scenario.proof:
        add_proof(chance, head)
    return head


def options_of(chance: Chance, ruleset: str, scenario: Scenario) -> Record:
    options: Record = {}
    if scenario.caps and not chance.one_in(4):
        options["round_cap"] = chance.pick(scenario.caps)
    if ruleset == "egyptian" and scenario.options:
        options["redouble"] = not chance.one_in(4)
        if chance.one_in(2):
            options["double_defenders"] = not chance.one_in(4)
    return options


def add_proof(chance: Chance, head: Record) -> None:
    secret = bytes(chance.below(256) for _ in range(32))
    salt = chance.pick(["K7QF2", "K7QF2:00ff::a1:", "طاولة:::", ""])
    head["proof"] = {"secret": secret.hex(), "salt": salt, "commitment": commitment_of(secret)}
    head["dealer"] = first_dealer_of(secret, salt)


def play(chance: Chance, match: Match, scenario: Scenario, proof: Record | None) -> list[Record]:
    """The deals of the match, until it is over or the scenario has had enough."""
    callers = [chance.pick(scenario.calls) for _ in range(4)]
    players = [chance.pick(PLAYS) for _ in range(4)]
    most = chance.pick(scenario.deals)
    deals: list[Record] = []
    while match.result is None and len(deals) < most:
        if proof is None:
            deck = stacked(chance, chance.pick(scenario.decks), match.dealer)
        else:
            deck = deck_of(bytes.fromhex(proof["secret"]), proof["salt"], len(deals))
        deals.append(play_deal(chance, match, deck, (callers, players), chance.pick(scenario.actors)))
    return deals


def play_deal(
    chance: Chance,
    match: Match,
    deck: list[str],
    habits: tuple[list[Habit], list[Habit]],
    actors: str,
) -> Record:
    match.start(deck)
    codes: list[str] = []
    letters = ""
    while (deal := match.deal) is not None:
        code = habit_of(deal, *habits)(chance, deal, deal.legal())
        letter = chance.pick(actors or "m")
        match.act(code, letter)
        codes.append(code)
        letters += letter
    played: Record = {"deck": " ".join(deck), "actions": " ".join(codes)}
    if actors or chance.one_in(8):
        played["by"] = letters if actors else ""
    return played


def habit_of(deal: Deal, callers: list[Habit], players: list[Habit]) -> Habit:
    turn = deal.turn()
    assert turn is not None
    habits = {"auction": callers[turn], "trump": names_trump, "play": players[turn]}
    return habits[deal.phase()]


def stacked(chance: Chance, how: str, dealer: int) -> list[str]:
    """A deck that deals one seat each suit, or one side the high cards, or nobody anything."""
    if how == "shuffled":
        return chance.shuffled(PACK)
    hands: list[list[str]] = [[], [], [], []]
    if how == "suits":
        for seat, suit in enumerate(chance.shuffled(SUITS)):
            hands[seat] = chance.shuffled([card for card in PACK if suit_of(card) == suit])
    else:
        side = chance.below(2)
        by_rank = sorted(PACK, key=rank_of)
        for half, cards in ((side, by_rank[26:]), (1 - side, by_rank[:26])):
            mixed = chance.shuffled(cards)
            hands[half], hands[half + 2] = mixed[:13], mixed[13:]
    return [hands[(dealer + 1 + i) % 4][i // 4] for i in range(52)]


def cut(chance: Chance, deals: list[Record]) -> list[Record]:
    """The record as it stood when somebody looked in the middle of it."""
    kept = deals[: 1 + chance.below(len(deals))]
    last = dict(kept[-1])
    codes = last["actions"].split()
    here = chance.below(chance.pick([12, len(codes)])) % len(codes)
    last["actions"] = " ".join(codes[:here])
    if last.get("by"):
        last["by"] = last["by"][:here]
    return [*kept[:-1], last]


def with_times(chance: Chance, deal: Record) -> Record:
    if not chance.one_in(3):
        return deal
    return deal | {"ms": [chance.below(20_000) for _ in deal["actions"].split()]}


def claim(match: Match) -> Record:
    assert match.result is not None
    return {
        "kind": match.result["kind"],
        "winner": match.result["winner"],
        "score": match.score(),
    }
