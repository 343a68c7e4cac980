"""Reads a whole record and says where the match stands, or the first thing wrong with it."""

from collections.abc import Mapping
from typing import Any

from tests.oracle.dealing import commitment_of, deck_of, first_dealer_of
from tests.oracle.engine import Match
from tests.oracle.rules import PACK, RULESETS, TARGETS, RefusedError, default_options

FORMAT = "tarneeb-record/1"

Place = dict[str, int]


class UnreadableError(Exception):
    """A fault of the record: its code and the place (deal, action, seat) where that means a thing."""

    def __init__(self, code: str, message: str, **place: int) -> None:
        super().__init__(message)
        self.code = code
        self.place: Place = place


def replay(record: Any) -> dict[str, Any]:
    """The object printed for the record, without the file it came from."""
    try:
        match = read(record)
    except UnreadableError as fault:
        error = {"code": fault.code, **fault.place, "message": str(fault)}
        return {"ok": False, "error": error}
    return match.standing()


def read(record: Any) -> Match:
    match = blank_match(record)
    for n, deal in enumerate(record["deals"]):
        if match.result is not None:
            raise UnreadableError("match-over", "the match has ended", deal=n)
        if match.deal is not None:
            raise UnreadableError("malformed", "an unfinished deal is not the last", deal=n - 1)
        read_deal(match, n, deal)
    if "result" in record:
        check_result(match, record["result"])
    if "proof" in record:
        check_proof(record)
    return match


def blank_match(record: Any) -> Match:
    """The match before its first deal, from the head of the record."""
    demand(isinstance(record, dict), "a record is an object")
    demand("format" in record, "no format")
    if record["format"] != FORMAT:
        raise UnreadableError("unknown-format", "another format")
    for key in ("ruleset", "dealer", "players", "deals"):
        demand(key in record, f"no {key}")
    ruleset = record["ruleset"]
    if ruleset not in RULESETS:
        raise UnreadableError("unknown-ruleset", "no such ruleset")
    target = record.get("target", 31)
    if target not in TARGETS[ruleset]:
        raise UnreadableError("bad-target", f"{ruleset} is not played to that")
    dealer = record["dealer"]
    demand(is_whole(dealer) and 0 <= dealer <= 3, "the dealer is a seat")
    demand(isinstance(record["players"], list), "players is a list")
    demand(len(record["players"]) == 4, "four players")
    demand(isinstance(record["deals"], list), "deals is a list")
    return Match(ruleset, target, dealer, options_of(ruleset, record.get("options", {})))


def options_of(ruleset: str, options: Any) -> dict[str, int | bool | None]:
    demand(isinstance(options, dict), "options is an object")
    for name, value in options.items():
        demand(name in default_options(ruleset), f"no option {name}")
        if name == "round_cap":
            demand(value is None or is_whole(value), "round_cap is a whole number or null")
        else:
            demand(isinstance(value, bool), f"{name} is true or false")
    return dict(options)


def read_deal(match: Match, n: int, deal: Any) -> None:
    """Deals the cards and makes every action; what is wrong with these goes before `by` and `ms`."""
    demand(isinstance(deal, dict), "a deal is an object", deal=n)
    for key in ("deck", "actions"):
        demand(isinstance(deal.get(key), str), f"{key} is a text", deal=n)
    deck = deal["deck"].split()
    if sorted(deck) != sorted(PACK):
        raise UnreadableError("bad-deck", "not the 52 cards once each", deal=n)
    actions = deal["actions"].split()
    by = deal.get("by", "")
    demand(isinstance(by, str), "by is a text", deal=n)
    by = by or "m" * len(actions)
    match.start(deck)
    for i, code in enumerate(actions):
        letter = by[i] if i < len(by) else "m"
        act(match, code, letter, {"deal": n, "action": i})
    demand(len(by) == len(actions), "by is of another length", deal=n)
    demand(all(letter in "mcbs" for letter in by), "a letter of by is unknown", deal=n)
    if "ms" in deal:
        demand(isinstance(deal["ms"], list), "ms is a list", deal=n)
        demand(len(deal["ms"]) == len(actions), "ms is of another length", deal=n)


def act(match: Match, code: str, by: str, place: Place) -> None:
    turn = match.turn()
    if turn is not None:
        place["seat"] = turn
    try:
        match.act(code, by)
    except RefusedError as refusal:
        raise UnreadableError(refusal.code, str(refusal), **place) from refusal


def check_result(match: Match, claimed: Any) -> None:
    demand(isinstance(claimed, dict), "a result is an object")
    for key in ("kind", "winner", "score"):
        demand(key in claimed, f"no {key} in the result")
    if match.result is None:
        raise UnreadableError("result-differs", "the match is not over")
    found = match.result | {"score": match.score()}
    if any(claimed[key] != found[key] for key in ("kind", "winner", "score")):
        raise UnreadableError("result-differs", "the match ended otherwise")


def check_proof(record: Mapping[str, Any]) -> None:
    proof = record["proof"]
    demand(isinstance(proof, dict), "a proof is an object")
    for key in ("secret", "salt", "commitment"):
        demand(isinstance(proof.get(key), str), f"no {key} in the proof")
    try:
        secret = bytes.fromhex(proof["secret"])
    except ValueError as error:
        raise UnreadableError("malformed", "the secret is not hex") from error
    if commitment_of(secret) != proof["commitment"]:
        raise UnreadableError("proof-differs", "another secret was committed to")
    if first_dealer_of(secret, proof["salt"]) != record["dealer"]:
        raise UnreadableError("proof-differs", "another first dealer")
    for n, deal in enumerate(record["deals"]):
        if deck_of(secret, proof["salt"], n) != deal["deck"].split():
            raise UnreadableError("proof-differs", "another deck", deal=n)


def demand(holds: bool, message: str, **place: int) -> None:
    if not holds:
        raise UnreadableError("malformed", message, **place)


def is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
