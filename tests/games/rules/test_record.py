"""Records: written, read, and refused by the documented codes, each at its place."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from games.rules.cards import CODES
from games.rules.match import Match
from games.rules.record import DealRecord, Proof, RecordError, fold, replay, write_record
from games.rules.ruleset import RULESETS, Options
from games.rules.shuffle import commitment, deck
from games.rules.simulation import simulated

Record = dict[str, Any]


def simulated_record(ruleset: str = "kotchina", seed: str = "record") -> Record:
    match, deals, proof = simulated(
        RULESETS[ruleset], target=31, seed=seed, index=0, players=["cautious", "random"]
    )
    return write_record(
        match.ruleset,
        target=31,
        options=match.options,
        dealer=proof.first_dealer,
        players=["A", "B", "C", "D"],
        deals=deals,
        result=match.result,
        score=match.score,
        proof=proof,
    )


FINISHED = simulated_record()
LAST = len(FINISHED["deals"]) - 1
DECK = " ".join(CODES)  # dealer 3: seat 0 holds 2C 6C TC AC 5D 9D KD 4H 8H QH 3S 7S JS


def record_of(*deals: Record, **changes: Any) -> Record:
    return {
        "format": "tarneeb-record/1",
        "ruleset": "kotchina",
        "target": 31,
        "dealer": 3,
        "players": ["A", "B", "C", "D"],
        "deals": list(deals),
        **changes,
    }


def deal_of(actions: str, **more: Any) -> Record:
    return {"deck": DECK, "actions": actions, **more}


def refused(record: object) -> Record:
    """The error of a record, without its message."""
    told = replay(record)
    assert told["ok"] is False
    assert told["error"].pop("message") != ""
    return told["error"]


def without(record: Record, key: str) -> Record:
    return {name: value for name, value in record.items() if name != key}


# ---- Reading


def test_finished_match_is_told() -> None:
    told = replay(FINISHED)
    assert told == {
        "ok": True,
        "phase": "over",
        "deals": LAST + 1,
        "counted": len(told["changes"]),
        "dead_run": 0,
        "dealer": (FINISHED["dealer"] + LAST + 1) % 4,
        "turn": None,
        "legal": [],
        "contract": None,
        "tricks": [0, 0],
        "score": FINISHED["result"]["score"],
        "changes": told["changes"],
        "result": {"kind": "target", "winner": 0, "advances": 0},
    }


def test_match_about_to_begin_is_told() -> None:
    assert replay(record_of()) == {
        "ok": True,
        "phase": "deal",
        "deals": 0,
        "counted": 0,
        "dead_run": 0,
        "dealer": 3,
        "turn": None,
        "legal": [],
        "contract": None,
        "tricks": [0, 0],
        "score": [0, 0],
        "changes": [],
        "result": None,
    }


@pytest.mark.parametrize(
    ("ruleset", "actions", "expected"),
    [
        (
            "kotchina",
            "",
            {"phase": "auction", "turn": 0, "contract": None, "legal": "p b7 b8 b9 b10 b11 b12 b13"},
        ),
        (
            "kotchina",
            "b12 p",
            {
                "phase": "auction",
                "turn": 2,
                "contract": {"seat": 0, "bid": "b12", "trump": None, "doubled": 1},
                "legal": "p b13",
            },
        ),
        (
            "egyptian",
            "b13S x p",
            {
                "phase": "auction",
                "turn": 3,
                "contract": {"seat": 0, "bid": "b13S", "trump": None, "doubled": 2},
                "legal": "p b13N",
            },
        ),
        (
            "kings",
            "p b13",
            {
                "phase": "trump",
                "turn": 1,
                "contract": {"seat": 1, "bid": "b13", "trump": None, "doubled": 1},
                "legal": "tC tD tH tS",
            },
        ),
        (
            "kotchina",
            "b7 p p p tS 5D",
            {
                "phase": "play",
                "turn": 1,
                "contract": {"seat": 0, "bid": "b7", "trump": "S", "doubled": 1},
                "legal": "2D 6D TD AD",
            },
        ),
        (
            "kotchina",
            "b7 p p p tS 5D 2D 3D 4D 9D",
            {
                "phase": "play",
                "turn": 1,
                "contract": {"seat": 0, "bid": "b7", "trump": "S", "doubled": 1},
                "legal": "6D TD AD",
                "tricks": [1, 0],
            },
        ),
        ("kotchina", "p p p p", {"phase": "deal", "turn": None, "contract": None, "legal": "", "dealer": 0}),
        ("classic", "p p p p", {"phase": "deal", "turn": None, "contract": None, "legal": "", "dealer": 3}),
    ],
)
def test_unfinished_match_is_told(ruleset: str, actions: str, expected: Record) -> None:
    told = replay(record_of(deal_of(actions), ruleset=ruleset))
    told["legal"] = " ".join(told["legal"])
    assert {key: told[key] for key in expected} == expected


def test_target_may_be_absent_and_unknown_keys_are_ignored() -> None:
    record = without(record_of(deal_of("", note=1), site="x"), "target")
    assert replay(record)["ok"] is True


@pytest.mark.parametrize("by", ["", "mmmm", "mcbs"])
def test_by_may_be_absent_empty_or_a_letter_an_action(by: str) -> None:
    assert replay(record_of(deal_of("p p p p", by=by)))["dead_run"] == 1


def test_kings_deal_of_the_absent_ends_the_match_by_its_letters() -> None:
    record = simulated_record("kings", seed="kings")
    first = {**record["deals"][0]}
    first["by"] = "c" + first["by"][1:]
    told = replay({**without(without(record, "proof"), "result"), "deals": [first]})
    assert (told["phase"], told["counted"], told["score"]) == ("over", 0, [0, 0])
    assert told["result"] == {"kind": "no-result", "winner": None, "advances": None}


def test_finished_match_without_result_and_proof_is_told_the_same() -> None:
    assert replay(without(without(FINISHED, "result"), "proof")) == replay(FINISHED)


# ---- Refusals of the head


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (None, "malformed"),
        ([], "malformed"),
        ("tarneeb-record/1", "malformed"),
        (without(record_of(), "format"), "malformed"),
        (without(record_of(), "ruleset"), "malformed"),
        (without(record_of(), "dealer"), "malformed"),
        (without(record_of(), "players"), "malformed"),
        (without(record_of(), "deals"), "malformed"),
        (record_of(format="tarneeb-record/2"), "unknown-format"),
        (record_of(format=None), "unknown-format"),
        (record_of(ruleset="syrian"), "unknown-ruleset"),
        (record_of(ruleset=["kotchina"]), "unknown-ruleset"),
        (record_of(target=41), "bad-target"),
        (record_of(target="31"), "bad-target"),
        (record_of(target=31.0), "bad-target"),
        (record_of(target=None), "bad-target"),
        (record_of(target=51, ruleset="kings"), "bad-target"),
        (record_of(dealer=4), "malformed"),
        (record_of(dealer=-1), "malformed"),
        (record_of(dealer="3"), "malformed"),
        (record_of(dealer=True), "malformed"),
        (record_of(players=["A", "B", "C"]), "malformed"),
        (record_of(players="ABCD"), "malformed"),
        (record_of(players=["A", "B", "C", 4]), "malformed"),
        (record_of(deals={}), "malformed"),
        (record_of(options=[]), "malformed"),
        (record_of(options={"speed": 1}), "malformed"),
        (record_of(options={"redouble": True}), "malformed"),
        (record_of(options={"round_cap": "50"}), "malformed"),
        (record_of(result=7), "malformed"),
        (record_of(proof=7), "malformed"),
        (record_of(proof={"secret": "00", "salt": "x"}), "malformed"),
    ],
)
def test_head_is_refused_by_its_code(record: object, code: str) -> None:
    assert refused(record) == {"code": code}


# ---- Refusals of a deal


@pytest.mark.parametrize(
    ("deals", "error"),
    [
        ([7], {"code": "malformed", "deal": 0}),
        ([without(deal_of(""), "deck")], {"code": "malformed", "deal": 0}),
        ([without(deal_of(""), "actions")], {"code": "malformed", "deal": 0}),
        ([deal_of("p p p p"), {"deck": None, "actions": ""}], {"code": "malformed", "deal": 1}),
        ([{"deck": DECK, "actions": ["p"]}], {"code": "malformed", "deal": 0}),
        ([{"deck": DECK[:-3], "actions": ""}], {"code": "bad-deck", "deal": 0}),
        ([{"deck": DECK[:-2] + "2C", "actions": ""}], {"code": "bad-deck", "deal": 0}),
        ([{"deck": DECK[:-2] + "ZZ", "actions": ""}], {"code": "bad-deck", "deal": 0}),
        ([{"deck": "", "actions": ""}], {"code": "bad-deck", "deal": 0}),
        ([deal_of("p p"), deal_of("")], {"code": "malformed", "deal": 0}),
        ([deal_of("p p"), 7], {"code": "malformed", "deal": 0}),
        ([deal_of("p", by="mm")], {"code": "malformed", "deal": 0}),
        ([deal_of("p p", by="m")], {"code": "malformed", "deal": 0}),
        ([deal_of("p", by="z")], {"code": "malformed", "deal": 0}),
        ([deal_of("p", by=1)], {"code": "malformed", "deal": 0}),
        ([deal_of("p", by=None)], {"code": "malformed", "deal": 0}),
        ([deal_of("p", ms=[1, 2])], {"code": "malformed", "deal": 0}),
        ([deal_of("p", ms=[])], {"code": "malformed", "deal": 0}),
        ([deal_of("p", ms=["1"])], {"code": "malformed", "deal": 0}),
        ([deal_of("p", ms=7)], {"code": "malformed", "deal": 0}),
    ],
)
def test_deal_is_refused_by_its_code(deals: list[object], error: Record) -> None:
    assert refused(record_of(deals=deals)) == error


@pytest.mark.parametrize(
    ("ruleset", "actions", "code", "action", "seat"),
    [
        ("kotchina", "b7 q", "malformed", 1, 1),
        ("kotchina", "b7 B8", "malformed", 1, 1),
        ("kotchina", "b8 b8", "bid-too-low", 1, 1),
        ("kotchina", "b14", "bid-out-of-range", 0, 0),
        ("kotchina", "p b6", "bid-out-of-range", 1, 1),
        ("kotchina", "b7S", "bid-out-of-range", 0, 0),
        ("egyptian", "b7", "bid-out-of-range", 0, 0),
        ("kotchina", "b7 x", "double-not-allowed", 1, 1),
        ("kotchina", "b7 p xx", "double-not-allowed", 2, 2),
        ("egyptian", "x", "double-not-allowed", 0, 0),
        ("kings", "p p p p", "pass-not-allowed", 3, 3),
        ("kotchina", "b7 AS", "wrong-phase", 1, 1),
        ("kotchina", "b7 p p p b8", "wrong-phase", 4, 0),
        ("kotchina", "b7 p p p b14", "wrong-phase", 4, 0),
        ("kotchina", "b7 p p p tS p", "wrong-phase", 5, 0),
        ("kotchina", "b7 p p p tS x", "wrong-phase", 5, 0),
        ("kotchina", "b7 p p p tS 2D", "card-not-held", 5, 0),
        ("kotchina", "b7 p p p tS 5D 2H", "card-not-held", 6, 1),
        ("kotchina", "b7 p p p tS 5D 3C", "must-follow-suit", 6, 1),
        ("kotchina", "b7 p p p tS 5D zz", "malformed", 6, 1),
    ],
)
def test_action_is_refused_by_its_code_at_its_place(
    ruleset: str, actions: str, code: str, action: int, seat: int
) -> None:
    error = refused(record_of(deal_of(actions), ruleset=ruleset))
    assert error == {"code": code, "deal": 0, "action": action, "seat": seat}


@pytest.mark.parametrize("extra", ["p", "2C", "b7", "zz"])
def test_action_after_a_dead_deal_is_refused(extra: str) -> None:
    error = refused(record_of(deal_of("p p p p"), deal_of(f"p p p p {extra}")))
    assert error == {"code": "deal-over", "deal": 1, "action": 4}


def spoilt(spoil: Callable[[Record], None]) -> Record:
    record = copy.deepcopy(FINISHED)
    spoil(record)
    return record


def test_action_after_the_last_deal_is_refused_whatever_else_is_wrong() -> None:
    """The letters of who acted are one too few as well: the act comes first."""

    def spoil(record: Record) -> None:
        record["deals"][LAST]["actions"] += " 2C"

    actions = len(FINISHED["deals"][LAST]["actions"].split())
    assert refused(spoilt(spoil)) == {"code": "deal-over", "deal": LAST, "action": actions}


def test_deal_after_the_match_is_refused_whatever_it_holds() -> None:
    for extra in (deal_of("p p p p"), {"deck": "", "actions": ""}, {}, 7):
        record = {**FINISHED, "deals": [*FINISHED["deals"], extra]}
        assert refused(record) == {"code": "match-over", "deal": LAST + 1}


def test_illegal_act_comes_before_wrong_letters() -> None:
    assert refused(record_of(deal_of("b8 b8", by="m")))["code"] == "bid-too-low"


# ---- Refusals of what the writer claims


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ({"kind": "target", "winner": 0, "score": [31, 0]}, "result-differs"),
        ({"kind": "draw", "winner": 0}, "malformed"),
        ({"winner": 0, "score": [0, 0]}, "malformed"),
        ({}, "malformed"),
    ],
)
def test_claim_is_checked(claim: Record, code: str) -> None:
    assert refused({**FINISHED, "result": claim}) == {"code": code}


@pytest.mark.parametrize(
    "changed",
    [
        {"kind": "round-cap"},
        {"winner": 1},
        {"winner": None},
        {"winner": False},
        {"score": [0, 0]},
        {"score": None},
    ],
)
def test_result_that_differs_is_refused(changed: Record) -> None:
    assert refused({**FINISHED, "result": {**FINISHED["result"], **changed}}) == {"code": "result-differs"}


def test_result_of_an_unfinished_match_is_refused() -> None:
    claim = {"kind": "target", "winner": 0, "score": [0, 0]}
    assert refused(record_of(deal_of("p"), result=claim)) == {"code": "result-differs"}


@pytest.mark.parametrize(
    "changed",
    [
        {"secret": "00" * 32},
        {"secret": "00" * 31},
        {"secret": "zz" * 32},
        {"secret": " " * 64},
        {"salt": "another"},
        {"commitment": "00" * 32},
        {"commitment": ""},
    ],
)
def test_proof_that_does_not_check_is_refused(changed: Record) -> None:
    assert refused({**FINISHED, "proof": {**FINISHED["proof"], **changed}})["code"] == "proof-differs"


@pytest.mark.parametrize("changed", [{"secret": 7}, {"salt": None}, {"salt": "\ud800"}, {"commitment": []}])
def test_proof_that_is_no_text_is_malformed(changed: Record) -> None:
    assert refused({**FINISHED, "proof": {**FINISHED["proof"], **changed}}) == {"code": "malformed"}


def test_proof_of_another_deck_names_the_deal() -> None:
    secret, salt = bytes(range(32)), "K7QF2"  # seat 3 deals first
    cards = [" ".join(CODES[card] for card in deck(secret, salt, index)) for index in (0, 7)]
    deals = [{"deck": text, "actions": "p p p p"} for text in cards]
    proof = {"secret": secret.hex().upper(), "salt": salt, "commitment": commitment(secret)}
    assert replay(record_of(deals[0], proof=proof))["ok"] is True
    assert refused(record_of(*deals, proof=proof)) == {"code": "proof-differs", "deal": 1}
    assert refused(record_of(deals[0], proof=proof, dealer=1)) == {"code": "proof-differs"}


def test_fault_in_a_deal_comes_before_result_and_proof() -> None:
    record = record_of(deal_of("b14"), result={"kind": "target"}, proof={})
    assert refused(record)["code"] == "bid-out-of-range"


def test_message_quotes_the_position() -> None:
    told = replay(record_of(deal_of("b7 p p p tS 5D 3C")))
    assert told["error"]["message"] == "seat 1 holds diamonds and may not play 3C"


def test_fold_raises_what_replay_tells() -> None:
    with pytest.raises(RecordError, match="b14") as error:
        fold(record_of(deal_of("b14")))
    assert (error.value.code, error.value.deal, error.value.action, error.value.seat) == (
        "bid-out-of-range",
        0,
        0,
        0,
    )


# ---- Writing


def test_written_record_is_the_documented_one() -> None:
    match = Match(RULESETS["egyptian"], dealer=3, options=Options(redouble=True))
    record = write_record(
        match.ruleset,
        target=31,
        options=match.options,
        dealer=3,
        players=["A", "B", "C", "D"],
        deals=[DealRecord(range(52), ["p", "p", "p", "p"], by="mmmc", ms=[1200, 800, 0, 15000])],
        result={"kind": "draw", "winner": None, "advances": 1},
        score=[12, 12],
        proof=Proof(bytes(range(32)), "K7QF2:::"),
    )
    assert json.loads(json.dumps(record)) == {
        "format": "tarneeb-record/1",
        "ruleset": "egyptian",
        "target": 31,
        "dealer": 3,
        "options": {"redouble": True},
        "players": ["A", "B", "C", "D"],
        "deals": [{"deck": DECK, "actions": "p p p p", "by": "mmmc", "ms": [1200, 800, 0, 15000]}],
        "result": {"kind": "draw", "winner": None, "score": [12, 12]},
        "proof": {
            "secret": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            "salt": "K7QF2:::",
            "commitment": "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
        },
    }


def test_written_record_leaves_out_what_is_not_known() -> None:
    record = write_record(
        RULESETS["kotchina"],
        target=31,
        options=Options(round_cap=50),
        dealer=0,
        players=["A", "B", "C", "D"],
        deals=[DealRecord(range(52), ["p"])],
    )
    assert list(record) == ["format", "ruleset", "target", "dealer", "players", "deals"]
    assert record["deals"] == [{"deck": DECK, "actions": "p"}]
