"""Legal records spoilt as a whole: a key, a deck, the letters, the claims, a deal too many.

A spoiler is given a copy of a legal record of its own and returns the error a reader answers with,
without its message, or None where its fault cannot be made in that record.
"""

from collections.abc import Callable
from typing import Any

from tests.oracle.chance import Chance
from tests.oracle.dealing import commitment_of, deck_of, first_dealer_of
from tests.oracle.generate import Record
from tests.oracle.reader import read
from tests.oracle.rules import PACK

Fault = dict[str, Any]
Spoiler = Callable[[Chance, Record], Fault | None]


def fault(code: str, **place: int) -> Fault:
    return {"code": code, **place}


def some_deal(chance: Chance, record: Record) -> int | None:
    return chance.below(len(record["deals"])) if record["deals"] else None


def actions_of(deal: Record) -> list[str]:
    codes: list[str] = deal["actions"].split()
    return codes


def is_over(record: Record) -> bool:
    return read(record).result is not None


def missing_key(chance: Chance, record: Record) -> Fault | None:
    del record[chance.pick(["format", "ruleset", "dealer", "players", "deals"])]
    return fault("malformed")


def dealer_is_no_seat(chance: Chance, record: Record) -> Fault | None:
    record["dealer"] = chance.pick([4, -1, "0", None, [0], True])
    return fault("malformed")


def deals_are_no_list(chance: Chance, record: Record) -> Fault | None:
    record["deals"] = chance.pick([{}, "p p p p", None, 3])
    return fault("malformed")


def unknown_option(chance: Chance, record: Record) -> Fault | None:
    record["options"] = {**record.get("options", {}), chance.pick(["rounds", "target", "Redouble"]): 5}
    return fault("malformed")


def option_of_another_ruleset(chance: Chance, record: Record) -> Fault | None:
    if record["ruleset"] == "egyptian":
        return None
    record["options"] = {chance.pick(["redouble", "double_defenders"]): True}
    return fault("malformed")


def option_of_another_type(chance: Chance, record: Record) -> Fault | None:
    wrong: list[Record] = [{"round_cap": "50"}, {"round_cap": True}, {"round_cap": [50]}]
    if record["ruleset"] == "egyptian":
        wrong += [{"redouble": "yes"}, {"redouble": None}, {"double_defenders": 1}]
    record["options"] = chance.pick(wrong)
    return fault("malformed")


def options_are_no_object(chance: Chance, record: Record) -> Fault | None:
    record["options"] = chance.pick([["redouble"], "redouble", 50])
    return fault("malformed")


def another_format(chance: Chance, record: Record) -> Fault | None:
    if chance.one_in(3):
        record.clear()
    record["format"] = chance.pick(["tarneeb-record/2", "tarneeb-event/1", "", "Tarneeb-Record/1"])
    return fault("unknown-format")


def another_ruleset(chance: Chance, record: Record) -> Fault | None:
    record["ruleset"] = chance.pick(["baloot", "Kotchina", "", "كوتشينة", "41"])
    return fault("unknown-ruleset")


def another_target(chance: Chance, record: Record) -> Fault | None:
    only_31 = record["ruleset"] != "kings"
    record["target"] = chance.pick([41, 61, 0, 32, -31, 51] if only_31 else [0, 32, 51, -31, 62])
    return fault("bad-target")


def deal_without_key(chance: Chance, record: Record) -> Fault | None:
    n = some_deal(chance, record)
    if n is None:
        return None
    del record["deals"][n][chance.pick(["deck", "actions"])]
    return fault("malformed", deal=n)


def deal_is_no_object(chance: Chance, record: Record) -> Fault | None:
    n = some_deal(chance, record)
    if n is None:
        return None
    record["deals"][n] = chance.pick([None, [], "p p p p", 7])
    return fault("malformed", deal=n)


def actions_are_no_text(chance: Chance, record: Record) -> Fault | None:
    n = some_deal(chance, record)
    if n is None:
        return None
    record["deals"][n]["actions"] = chance.pick([None, 7, {}, ["p", "p", "p", "p"]])
    return fault("malformed", deal=n)


def deck_is_not_the_pack(chance: Chance, record: Record) -> Fault | None:
    n = some_deal(chance, record)
    if n is None:
        return None
    cards = record["deals"][n]["deck"].split()
    spoilt = [cards[:-1], [*cards, cards[0]], [*cards[:-1], cards[0]], [], cards * 2]
    record["deals"][n]["deck"] = " ".join(chance.pick(spoilt))
    return fault("bad-deck", deal=n)


def unfinished_before_the_last(chance: Chance, record: Record) -> Fault | None:
    if len(record["deals"]) < 2:
        return None
    n = chance.below(len(record["deals"]) - 1)
    codes = actions_of(record["deals"][n])
    kept = chance.pick([0, len(codes) - 1, chance.below(len(codes))])
    record["deals"][n] = {"deck": record["deals"][n]["deck"], "actions": " ".join(codes[:kept])}
    return fault("malformed", deal=n)


def letters_of_another_length(chance: Chance, record: Record) -> Fault | None:
    n = some_deal(chance, record)
    if n is None:
        return None
    length = len(actions_of(record["deals"][n]))
    record["deals"][n]["by"] = "m" * chance.pick([length + 1, length - 1 if length > 1 else 2])
    return fault("malformed", deal=n)


def unknown_letter(chance: Chance, record: Record) -> Fault | None:
    n = some_deal(chance, record)
    if n is None or not record["deals"][n]["actions"]:
        return None
    length = len(actions_of(record["deals"][n]))
    record["deals"][n]["by"] = "m" * (length - 1) + chance.pick(["x", "M", " ", "م"])
    return fault("malformed", deal=n)


def times_of_another_length(chance: Chance, record: Record) -> Fault | None:
    n = some_deal(chance, record)
    if n is None:
        return None
    length = len(actions_of(record["deals"][n]))
    record["deals"][n]["ms"] = [900] * chance.pick([length + 1, length - 1 if length > 1 else 2])
    return fault("malformed", deal=n)


def action_after_the_deal(chance: Chance, record: Record) -> Fault | None:
    """Whatever comes after the last trick or the fourth pass, even what is no code at all."""
    n = some_deal(chance, record)
    if n is None or (n == len(record["deals"]) - 1 and read(record).deal is not None):
        return None
    deal = record["deals"][n]
    extra = chance.pick(["p", "b7", "b14", "b8S", "x", "tS", "QS", deal["deck"][:2], "zz"])
    deal["actions"] += " " + extra
    return fault("deal-over", deal=n, action=len(actions_of(deal)) - 1)


def deal_after_the_match(chance: Chance, record: Record) -> Fault | None:
    """Whatever deal comes after the end, even one that is wrong in itself."""
    if not is_over(record):
        return None
    deck = " ".join(PACK)
    good = {"deck": deck, "actions": "p p p p"}
    faulty = [{"deck": "AS", "actions": ""}, {}, good | {"by": "m"}, {"deck": deck, "actions": "zz"}]
    record["deals"].append(chance.pick([good, good | {"actions": ""}, *faulty]))
    return fault("match-over", deal=len(record["deals"]) - 1)


def claim_before_the_end(chance: Chance, record: Record) -> Fault | None:
    match = read(record)
    if match.result is not None:
        return None
    record["result"] = {"kind": "target", "winner": chance.below(2), "score": match.score()}
    return fault("result-differs")


def another_claim(chance: Chance, record: Record) -> Fault | None:
    if "result" not in record:
        return None
    claimed = record["result"]
    first, second = claimed["score"]
    kinds = [kind for kind in ("target", "round-cap", "draw", "no-result") if kind != claimed["kind"]]
    winners = [winner for winner in (0, 1, None) if winner != claimed["winner"]]
    scores = [[first + 1, second], [first, second - 1], [second, first + 100]]
    changes: dict[str, list[Any]] = {"kind": kinds, "winner": winners, "score": scores}
    key = chance.pick(["kind", "winner", "score"])
    claimed[key] = chance.pick(changes[key])
    return fault("result-differs")


def another_commitment(chance: Chance, record: Record) -> Fault | None:
    if "proof" not in record:
        return None
    record["proof"]["commitment"] = commitment_of(b"another secret of thirty-two byte")
    return fault("proof-differs")


def another_first_dealer(chance: Chance, record: Record) -> Fault | None:
    if "proof" not in record or record["deals"]:
        return None
    record["dealer"] = (record["dealer"] + 1 + chance.below(3)) % 4
    return fault("proof-differs")


def another_salt(chance: Chance, record: Record) -> Fault | None:
    """A salt under which the first dealer would be the same, but no deck."""
    if "proof" not in record or not record["deals"]:
        return None
    proof = record["proof"]
    secret = bytes.fromhex(proof["secret"])
    salts = [f"{proof['salt']}:{n}" for n in range(40)]
    same = [salt for salt in salts if first_dealer_of(secret, salt) == record["dealer"]]
    proof["salt"] = same[0]
    return fault("proof-differs", deal=0)


def another_deck(chance: Chance, record: Record) -> Fault | None:
    """A last deal with two cards exchanged and nothing played yet, so that it only breaks the proof."""
    if "proof" not in record or is_over(record):
        return None
    deals, proof = record["deals"], record["proof"]
    n = len(deals) if read(record).deal is None else len(deals) - 1
    deck = deck_of(bytes.fromhex(proof["secret"]), proof["salt"], n)
    deck[0], deck[51] = deck[51], deck[0]
    deals[n:] = [{"deck": " ".join(deck), "actions": ""}]
    return fault("proof-differs", deal=n)


SPOILERS: dict[str, Spoiler] = {
    "a missing key": missing_key,
    "a dealer that is no seat": dealer_is_no_seat,
    "deals that are no list": deals_are_no_list,
    "an unknown option": unknown_option,
    "an option of another ruleset": option_of_another_ruleset,
    "an option of another type": option_of_another_type,
    "options that are no object": options_are_no_object,
    "another format": another_format,
    "another ruleset": another_ruleset,
    "another target": another_target,
    "a deal without a key": deal_without_key,
    "a deal that is no object": deal_is_no_object,
    "actions that are no text": actions_are_no_text,
    "a deck that is not the pack": deck_is_not_the_pack,
    "an unfinished deal before the last": unfinished_before_the_last,
    "letters of another length": letters_of_another_length,
    "an unknown letter": unknown_letter,
    "times of another length": times_of_another_length,
    "an action after the deal": action_after_the_deal,
    "a deal after the match": deal_after_the_match,
    "a claim before the end": claim_before_the_end,
    "another claim": another_claim,
    "another commitment": another_commitment,
    "another first dealer": another_first_dealer,
    "another salt": another_salt,
    "another deck": another_deck,
}
