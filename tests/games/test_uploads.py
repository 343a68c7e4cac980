import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from games.rules.record import write_record
from games.rules.ruleset import RULESETS
from games.rules.simulation import simulated
from games.uploads import (
    LONGEST_NAME,
    MOST_BYTES,
    MOST_RECORDS,
    TooMuch,
    check,
    read_upload,
    sentence_of,
    shown_name,
)


def record_of(ruleset: str = "kotchina", seed: str = "1", **more: Any) -> dict[str, Any]:
    match, deals, proof = simulated(RULESETS[ruleset], target=31, seed=seed, index=0, players=["cautious"])
    written = write_record(
        match.ruleset,
        target=31,
        options=match.options,
        dealer=proof.first_dealer,
        players=["Anna", "Badr", "ليلى", "Dana"],
        deals=deals,
        result=match.result,
        score=match.score,
        proof=proof,
    )
    return written | more


GOOD = record_of()


def text_of(*records: object) -> bytes:
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()


def changed(deal: int, old: str, new: str) -> dict[str, Any]:
    """GOOD with the first such action of a deal replaced."""
    record = json.loads(json.dumps(GOOD))
    actions = record["deals"][deal]["actions"].split()
    actions[actions.index(old)] = new
    record["deals"][deal]["actions"] = " ".join(actions)
    return record


def test_one_record_written_over_many_lines_is_one() -> None:
    [one] = read_upload(json.dumps(GOOD, indent=2).encode())

    assert (one.fault, one.names, one.number) == (None, ["Anna", "Badr", "ليلى", "Dana"], 1)
    assert one.match is not None
    assert one.match.score == GOOD["result"]["score"]


def test_a_record_a_line_is_several_and_a_bad_one_does_not_hide_the_others() -> None:
    found = read_upload("\ufeff".encode() + text_of(GOOD, {}, GOOD) + b"\n\n{\n")

    assert [one.fault and one.fault.code for one in found] == [None, "malformed", None, "malformed"]
    assert [one.number for one in found] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe", b"[", b"[]", b"3", b"[" * 100_000, b'{"format": NaN}', b"1" * 5000, text_of([GOOD])],
)
def test_what_is_no_record_is_malformed_and_nothing_worse(data: bytes) -> None:
    assert [one.fault and one.fault.code for one in read_upload(data)] == ["malformed"]


@pytest.mark.parametrize(
    "data", [b" " * (MOST_BYTES + 1), b"{}\n" * (MOST_RECORDS + 1)], ids=["too large", "too many"]
)
def test_more_than_is_read_is_refused_at_once(data: bytes) -> None:
    with pytest.raises(TooMuch):
        read_upload(data)


def test_a_fault_says_where_it_is_counted_as_people_count() -> None:
    deals = [deal["actions"].split() for deal in GOOD["deals"]]
    place = next(i for i, code in enumerate(deals[1]) if code.startswith("t"))
    one = check(json.dumps(changed(1, deals[1][place], "AS")))

    assert one.fault is not None
    assert (one.fault.code, one.fault.deal, one.fault.action) == ("wrong-phase", 2, place + 1)
    assert one.fault.seat in range(4)


@pytest.mark.parametrize(
    ("record", "code"),
    [
        (GOOD | {"format": "tarneeb-record/2"}, "unknown-format"),
        (GOOD | {"ruleset": "whist"}, "unknown-ruleset"),
        (GOOD | {"target": 32}, "bad-target"),
        (GOOD | {"result": GOOD["result"] | {"score": [0, 0]}}, "result-differs"),
        (GOOD | {"proof": GOOD["proof"] | {"salt": "another"}}, "proof-differs"),
        (GOOD | {"deals": [*GOOD["deals"], GOOD["deals"][0]]}, "match-over"),
    ],
)
def test_a_record_is_checked_from_its_head_to_its_proof(record: dict[str, Any], code: str) -> None:
    one = check(json.dumps(record))

    assert one.fault is not None
    assert (one.fault.code, one.fault.sentence) == (code, sentence_of(code))


CODES = (
    *("malformed", "unknown-format", "unknown-ruleset", "bad-target", "bad-deck", "bid-too-low"),
    *("bid-out-of-range", "pass-not-allowed", "double-not-allowed", "wrong-phase", "card-not-held"),
    *("must-follow-suit", "deal-over", "match-over", "result-differs", "proof-differs"),
)


def test_every_code_of_the_format_has_its_own_sentence_in_both_languages() -> None:
    said = {}
    for language in ("ar", "en"):
        with override(language):
            said[language] = [sentence_of(code) for code in CODES]

    assert [len(set(sentences)) for sentences in said.values()] == [len(CODES)] * 2
    assert [a for a, e in zip(said["ar"], said["en"], strict=True) if a == e] == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("علي\u202eabc", "عليabc"),
        ("a\nb\x00\u200bc", "a bc"),
        ("x" * 99, "x" * LONGEST_NAME),
        ("\u2066\u2069", "?"),
        ("<b>", "<b>"),
    ],
)
def test_a_name_from_outside_cannot_turn_or_break_the_page(name: str, shown: str) -> None:
    assert shown_name(name) == shown


def test_times_of_a_record_are_fit_for_any_browser() -> None:
    deals = [GOOD["deals"][0] | {"ms": [1e308 * 10] + [1.5] * (len(GOOD["deals"][0]["actions"].split()) - 1)}]
    one = check(
        json.dumps(GOOD | {"deals": deals, "result": None, "proof": None}).replace("Infinity", "1e999")
    )
    times = [step["ms"] for step in one.replay["deals"][0]["steps"]]

    assert (times[0], set(times[1:])) == (86_400_000, {1})


# ---- The page


@pytest.fixture
def english(client: Client, db: None) -> Client:
    client.cookies["django_language"] = "en"
    return client


def upload(client: Client, data: bytes) -> Any:
    return client.post("/records/", {"file": SimpleUploadedFile("match.json", data)})


def test_page_replays_a_record_and_stores_nothing(english: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        response = upload(english, text_of(GOOD))
    page = response.content.decode()

    assert (response.status_code, "data-replay" in page, 'id="replay-data"' in page) == (200, True, True)
    assert "The target of 31 was reached." in page
    assert [query["sql"] for query in queries if not query["sql"].startswith("SELECT")] == []


def test_page_lists_several_and_shows_each_that_holds(english: Client) -> None:
    page = upload(english, text_of(GOOD, changed(0, "p", "b7"), record_of("egyptian"))).content.decode()
    carried = english.post("/records/", {"record": json.dumps(record_of("egyptian"))}).content.decode()

    assert (page.count('name="record"'), page.count("does not hold")) == (2, 1)
    assert "data-replay" in carried


def test_page_says_what_is_wrong_and_where(english: Client) -> None:
    cut = GOOD | {"deals": [{"deck": "AS", "actions": ""}], "result": None, "proof": None}
    response = upload(english, text_of(cut))
    page = response.content.decode()

    assert response.status_code == 400
    assert "The deck is not the 52 cards, each once." in page
    assert "Deal 1" in page
    assert '<code dir="ltr">bad-deck</code>' in page


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "Choose a file with a record in it."),
        (b" " * (MOST_BYTES + 1), "The file is larger than 2 MB."),
    ],
)
def test_page_refuses_no_file_and_too_much(english: Client, data: bytes | None, said: str) -> None:
    response = english.post("/records/") if data is None else upload(english, data)

    assert (response.status_code, said in response.content.decode()) == (400, True)


def test_names_of_a_record_are_text_and_nothing_else(english: Client) -> None:
    players = ["<script>alert(1)</script>", '"><img src=x onerror=y>', "ليلى", "Dana"]
    page = upload(english, text_of(GOOD | {"players": players})).content.decode()

    assert [mark in page for mark in ("<script>alert", "<img src=x")] == [False, False]


def test_a_record_without_a_deal_or_proof_is_told_and_not_replayed(english: Client) -> None:
    head = {key: GOOD[key] for key in ("format", "ruleset", "target", "dealer", "players")}
    page = upload(english, text_of(head | {"deals": []})).content.decode()

    assert ("1 holds." in page, "data-replay" in page, "The record ends before the match does." in page) == (
        True,
        False,
        True,
    )
