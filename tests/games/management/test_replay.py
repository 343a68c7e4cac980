"""`manage.py replay`: files, lines, standard input, and what is printed of them."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.rules.cards import CODES

ROOT = Path(__file__).resolve().parents[3]
DECK = " ".join(CODES)
RECORD = {
    "format": "tarneeb-record/1",
    "ruleset": "kotchina",
    "dealer": 3,
    "players": ["أ", "B", "C", "D"],
    "deals": [{"deck": DECK, "actions": "p p p p"}, {"deck": DECK, "actions": "b12"}],
}
GOOD = json.dumps(RECORD, ensure_ascii=False).encode()
BAD = json.dumps({**RECORD, "deals": [{"deck": DECK, "actions": "b14"}]}).encode()
NOT_JSON = b'{"format": "tarneeb-record/1", '


def replayed(*names: str | Path, status: int = 0) -> list[dict[str, Any]]:
    """What `replay --json` prints, line by line, once it has ended with `status`."""
    out = io.StringIO()
    if status:
        with pytest.raises(SystemExit) as ended:
            call_command("replay", *map(str, names), "--json", stdout=out)
        assert ended.value.code == status
    else:
        call_command("replay", *map(str, names), "--json", stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def in_short(told: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(line["index"], "ok" if line["ok"] else line["error"]["code"]) for line in told]


def test_good_record_is_told_in_full(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(GOOD)
    assert replayed(file) == [
        {
            "file": str(file),
            "index": 0,
            "ok": True,
            "phase": "auction",
            "deals": 2,
            "counted": 0,
            "dead_run": 1,
            "dealer": 0,
            "turn": 2,
            "legal": ["p", "b13"],
            "contract": {"seat": 1, "bid": "b12", "trump": None, "doubled": 1},
            "tricks": [0, 0],
            "score": [0, 0],
            "changes": [],
            "result": None,
        }
    ]


def test_bad_record_is_told_with_its_error_and_status_1(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_bytes(BAD)
    assert replayed(file, status=1) == [
        {
            "file": str(file),
            "index": 0,
            "ok": False,
            "error": {
                "code": "bid-out-of-range",
                "deal": 0,
                "action": 0,
                "seat": 0,
                "message": "kotchina has no bid b14",
            },
        }
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"", "malformed"),
        (NOT_JSON, "malformed"),
        (b"\xff\xfe\x00", "malformed"),
        (GOOD + GOOD, "malformed"),
        (b"[" + GOOD + b"]", "malformed"),
        (b"[" * 100_000, "malformed"),
        (b"1" * 5000, "malformed"),
        (b"NaN", "malformed"),
        (GOOD.replace(b'"dealer": 3', b'"dealer": 3, "extra": Infinity'), "malformed"),
        (GOOD.replace(b'"dealer": 3', b'"dealer": 1e999'), "malformed"),
    ],
    ids=[
        "empty",
        "cut short",
        "not UTF-8",
        "two values",
        "a list",
        "too deep",
        "a huge number",
        "NaN",
        "Infinity",
        "1e999",
    ],
)
def test_what_is_no_record_is_malformed(tmp_path: Path, text: bytes, code: str) -> None:
    file = tmp_path / "c.json"
    file.write_bytes(text)
    assert in_short(replayed(file, status=1)) == [(0, code)]


def test_one_record_over_many_lines_is_one_value(tmp_path: Path) -> None:
    file = tmp_path / "pretty.json"
    file.write_text(json.dumps(RECORD, indent=2) + "\n\n")
    assert in_short(replayed(file)) == [(0, "ok")]


def test_byte_order_mark_is_forgiven(tmp_path: Path) -> None:
    file = tmp_path / "bom.json"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD)
    assert in_short(replayed(file)) == [(0, "ok")]


def test_lines_are_read_one_by_one_and_blank_ones_skipped(tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl"
    file.write_bytes(b"\n".join([GOOD, b"", b"  \t", NOT_JSON, b"\xff", BAD, GOOD + b"\r"]))
    assert in_short(replayed(file, status=1)) == [
        (0, "ok"),
        (1, "malformed"),
        (2, "malformed"),
        (3, "bid-out-of-range"),
        (4, "ok"),
    ]


def test_files_come_in_order_each_counting_from_0(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_bytes(GOOD + b"\n" + GOOD + b"\n")
    (tmp_path / "two.json").write_bytes(BAD)
    told = replayed(tmp_path / "one.jsonl", tmp_path / "two.json", status=1)
    assert [Path(line["file"]).name for line in told] == ["one.jsonl", "one.jsonl", "two.json"]
    assert in_short(told) == [(0, "ok"), (1, "ok"), (0, "bid-out-of-range")]


@pytest.mark.parametrize("name", ["missing.json", "missing.jsonl", ".", "a\0b.json"])
def test_file_that_cannot_be_read_is_a_malformed_line(tmp_path: Path, name: str) -> None:
    good = tmp_path / "good.json"
    good.write_bytes(GOOD)
    told = replayed(tmp_path / name, good, status=1)
    assert in_short(told) == [(0, "malformed"), (0, "ok")]
    assert set(told[0]) == {"file", "index", "ok", "error"}
    assert set(told[0]["error"]) == {"code", "message"}


def test_empty_file_of_lines_prints_nothing(tmp_path: Path) -> None:
    file = tmp_path / "none.jsonl"
    file.write_bytes(b"\n\n")
    assert replayed(file) == []


def test_without_json_there_is_a_sentence_a_record(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    file.write_bytes(GOOD + b"\n" + BAD)
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("replay", str(file), stdout=out)
    assert out.getvalue().splitlines() == [
        f"{file}[0]: ok, auction, 2 deals (0 counted), 0:0",
        f"{file}[1]: bid-out-of-range at deal 0, action 0: kotchina has no bid b14",
    ]


def command(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """`manage.py` in its own process, where no database answers."""
    environment = {
        **os.environ,
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
    )


def test_standard_input_is_read_line_by_line_without_a_database() -> None:
    ended = command("replay", "-", "--json", stdin=GOOD + b"\n\n" + NOT_JSON + b"\n")
    told = [json.loads(line) for line in ended.stdout.splitlines()]
    assert (ended.returncode, ended.stderr, in_short(told)) == (1, b"", [(0, "ok"), (1, "malformed")])
    assert [line["file"] for line in told] == ["-", "-"]


def test_good_records_end_with_status_0() -> None:
    ended = command("replay", "-", stdin=GOOD)
    assert (ended.returncode, ended.stdout) == (0, b"-[0]: ok, auction, 2 deals (0 counted), 0:0\n")


def test_a_reader_who_goes_early_leaves_no_stack_trace() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, "manage.py", "replay", "-"],
        cwd=ROOT,
        input=GOOD,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        timeout=120,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (1, b"")
