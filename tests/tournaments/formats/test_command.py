"""`manage.py plan`, run as anybody would."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from django.core.management import ManagementUtility

from tests.tournaments.formats.notes import UNDO, correct, document, printed, won

ROOT = Path(__file__).resolve().parents[3]
LOG = [won("R1.2", 1), won("R1.1", 0), won("R2.1", 1)]


@dataclass(frozen=True)
class Run:
    status: int
    out: str
    err: str


Manage = Callable[..., Run]


@pytest.fixture
def manage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Manage:
    """Runs the command in this process: starting Django anew takes longer than all that is tested here."""

    def run(*arguments: str, text: str = "") -> Run:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(text.encode())))
        status = 0
        try:
            ManagementUtility(["manage.py", "plan", *arguments]).execute()
        except SystemExit as stop:
            status = int(stop.code or 0)
        return Run(status, *capsys.readouterr())

    return run


@pytest.fixture
def saved(tmp_path: Path) -> Any:
    def save(content: object) -> str:
        path = tmp_path / "event.json"
        path.write_text(json.dumps(content))
        return str(path)

    return save


def test_plan_prints_a_file_as_json(manage: Manage, saved: Any) -> None:
    run = manage(saved(document(4, *LOG)), "--json")
    assert (run.status, run.err) == (0, "")
    assert [json.loads(line) for line in run.out.splitlines()] == [printed(4, *LOG)]


def test_plan_reads_standard_input(manage: Manage) -> None:
    run = manage("-", "--json", text=json.dumps(document(4, *LOG), indent=1))
    assert (run.status, json.loads(run.out)) == (0, printed(4, *LOG))


def test_plan_reads_well_without_json(manage: Manage, saved: Any) -> None:
    event = document(3, won("R1.2", 1), won("R2.1", 1), third_place=True)
    event["entrants"][2]["name"] = "نسور\u202e\x1b[1m"
    run = manage(saved(event))
    assert run.status == 0
    assert run.out.splitlines() == [
        "Pairings",
        "  R1.1    done    pair 1 (e1) : -  -> pair 1 (e1), by bye",
        "  R1.2    done    pair 2 (e2) : نسور��[1m (e3)  12 : 31  -> نسور��[1m (e3), by target",
        "  R2.1    done    pair 1 (e1) : نسور��[1m (e3)  12 : 31  -> نسور��[1m (e3), by target",
        "  P3      done    pair 2 (e2) : -  -> pair 2 (e2), by bye",
        "",
        "Standings",
        "     1  نسور��[1m (e3)",
        "     2  pair 1 (e1), out",
        "     3  pair 2 (e2), out",
        "",
        "Champion: نسور��[1m (e3)",
    ]


def test_plan_names_the_item_it_refuses(manage: Manage, saved: Any) -> None:
    path = saved(document(4, *LOG, won("R2.1", 0)))
    run = manage(path, "--json")
    error = {"code": "already-done", "message": "R2.1 is already done", "item": 3}
    assert (run.status, json.loads(run.out)) == (1, {"ok": False, "error": error})
    run = manage(path)
    assert (run.status, run.out) == (1, "")
    assert run.err.splitlines() == ["CommandError: log item 3: already-done: R2.1 is already done"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"NaN", b"[" * 100_000, b'{"format": "tarneeb-event/1"}']
)
def test_plan_calls_what_is_no_document_malformed(manage: Manage, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(content)
    run = manage(str(path), "--json")
    told = json.loads(run.out)
    assert (run.status, told["ok"], told["error"]["code"], run.err) == (1, False, "malformed", "")


@pytest.mark.parametrize("name", ["missing.json", ".", "with\udcffbyte"])
def test_plan_calls_a_file_that_cannot_be_read_malformed(manage: Manage, name: str) -> None:
    run = manage(name, "--json")
    told = json.loads(run.out)
    assert (run.status, told["error"]["code"], run.err) == (1, "malformed", "")


def test_stream_answers_every_line_with_one(manage: Manage) -> None:
    items = [*LOG, won("R2.1", 0), correct(won("R1.1", 1)), UNDO, UNDO]
    lines = [json.dumps(document(4)), *map(json.dumps, items), "", "{]"]
    run = manage("--stream", text="\n".join(lines) + "\n")
    assert (run.status, run.err) == (0, "")
    told = [json.loads(line) for line in run.out.splitlines()]
    assert told[:4] == [printed(4, *LOG[:count]) for count in range(4)]
    assert told[4] == {"ok": False, "error": {"code": "already-done", "message": "R2.1 is already done"}}
    assert told[5] == printed(4, *LOG, correct(won("R1.1", 1)))
    assert told[6] == printed(4, *LOG, correct(won("R1.1", 1)), UNDO)
    assert [answer["error"]["code"] for answer in told[7:]] == ["nothing-to-undo", "malformed", "malformed"]


@pytest.mark.parametrize(
    "item",
    [
        {"type": "adjust", "entrant": "e1", "points": 10**400},
        {"type": "adjust", "entrant": "e1", "points": -(10**13)},
        {"type": "withdraw", "entrant": "\ud800"},
        {"type": "enter", "entrant": {"id": "\udfff"}},
        {"type": "enter", "entrant": {"id": "e9", "name": "\ud800"}},
        {"type": "rule", "pairing": "R1.1", "winner": 0, "reason": "\ud800"},
        {"type": "result", "pairing": "R1.1", "kind": "target", "score": [10**4299, 0]},
        {"type": "correct", "pairing": "R1.1", "winner": 0, "later": {"\ud800": "stand"}},
        {"type": "round", "round": 10**9, "pairings": []},
    ],
)
def test_stream_goes_on_after_what_no_plan_could_hold(manage: Manage, item: dict[str, Any]) -> None:
    event = document(4, format="swiss")
    run = manage("--stream", text="\n".join(map(json.dumps, (event, item, won("R1.1", 0)))) + "\n")
    told = [json.loads(line) for line in run.out.splitlines()]
    assert (run.status, run.err) == (0, "")
    assert [answer.get("error", {}).get("code") for answer in told] == [None, "malformed", None]


@pytest.mark.parametrize(
    "settings",
    [{"groups": 10**9}, {"rounds": 10**9}, {"points": {"draw": 10**400}}, {"forbidden": [["e1", "\ud800"]]}],
)
def test_plan_calls_settings_that_no_plan_could_hold_malformed(
    manage: Manage, saved: Any, settings: dict[str, Any]
) -> None:
    run = manage(saved(document(4, format="round_robin", **settings)), "--json")
    assert (run.status, json.loads(run.out)["error"]["code"], run.err) == (1, "malformed", "")


def test_plan_takes_null_for_what_is_absent(manage: Manage, saved: Any) -> None:
    plain = document(4, *LOG, format="single_elimination")
    nulls = dict.fromkeys(("groups", "seed", "reset", "points", "forbidden", "best_of", "tiebreaks"))
    spelled = {**plain, "settings": {**plain["settings"], **nulls}}
    assert manage(saved(spelled), "--json").out == manage(saved(plain), "--json").out


def test_stream_answers_before_the_next_line_is_written_and_needs_no_server() -> None:
    nowhere = {"DATABASE_URL": "postgres://nobody@127.0.0.1:9/none", "REDIS_URL": "redis://127.0.0.1:9/0"}
    with subprocess.Popen(
        [sys.executable, "manage.py", "plan", "--stream"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | nowhere,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for sent, answer in ((document(2), printed(2)), (won("R1.1", 0), printed(2, won("R1.1", 0)))):
            running.stdin.write(json.dumps(sent).encode() + b"\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline()) == answer
        running.stdin.close()
        assert (running.stdout.read(), running.wait(timeout=60)) == (b"", 0)


@pytest.mark.parametrize("text", ["", "{}\n", json.dumps(document(2, won("R1.1", 0), won("R1.1", 0))) + "\n"])
def test_stream_ends_where_the_document_is_refused(manage: Manage, text: str) -> None:
    run = manage("--stream", text=text)
    told = [json.loads(line) for line in run.out.splitlines()]
    assert (run.status, [answer["ok"] for answer in told]) == (1, [False])


@pytest.mark.parametrize("arguments", [(), ("event.json", "--stream")])
def test_plan_says_what_it_wants_to_read(manage: Manage, arguments: tuple[str, ...]) -> None:
    run = manage(*arguments)
    assert (run.status, run.out, run.err.count("\n")) == (1, "", 1)


def test_plan_prints_groups_points_and_late_entries_as_text(manage: Manage, saved: Any) -> None:
    late = {"type": "enter", "entrant": {"id": "e9", "name": "late"}}
    stages = [
        {"format": "round_robin", "groups": 2, "tiebreaks": ["wins"]},
        {"format": "swiss", "qualify": 1},
    ]
    run = manage(saved(document(3, late, won("1:G1R1.1", 0), format="stages", stages=stages)))
    assert (run.status, run.err) == (0, "")
    assert run.out.splitlines() == [
        "Pairings",
        "  1:G2R1.1 ready   pair 2 (e2) : pair 3 (e3)",
        "  1:G1R1.1 done    pair 1 (e1) : late (e9)  31 : 12  -> pair 1 (e1), by target",
        "",
        "Standings",
        "  group 1     1  pair 1 (e1)  points 2, wins 1",
        "  group 2     1  pair 2 (e2)  points 0, wins 0",
        "  group 2     1  pair 3 (e3)  points 0, wins 0",
        "  group 1     2  late (e9)  points 0, wins 0",
        "",
        "Not finished",
    ]
