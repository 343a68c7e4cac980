"""How fast tournaments are: plans, pairings, corrections, pages, and a round that ends all at once.

    python bench/tournament.py [--quick] [--no-peers] [--json]

Pure parts are the best of three, in seconds of the wall clock on one core. The rest runs on a whole site of its
own, with PostgreSQL's usual durability, a broker and a worker. Beside it, on the same events in the same run:
brackets-manager (npm, in memory) and swisspair (PyPI). `--quick` is a hundredth of the size, to see that it runs.
"""

import argparse
import gc
import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import events  # noqa: E402
import rivals  # noqa: E402
import scale  # noqa: E402
from stack import durability, running_stack  # noqa: E402

PEER_SECONDS = 120
# What is aimed at, in seconds.
GOALS = {
    "plan of the large elimination": 1.0,
    "Swiss pairing": 0.3,
    "large Swiss pairing": 3.0,
    "correction preview": 1.0,
    "page of a correction": 1.0,
    "next table open, p99": 0.25,
    "bracket page": 0.3,
    "start of the large elimination": 5.0,
    "all tables of its first round open": 15.0,
}


def pure(size: float) -> dict[str, Any]:
    """Plans and pairings, without a database."""
    single = events.elimination({"format": "single_elimination"}, int(10_240 * size))
    double = events.elimination({"format": "double_elimination", "reset": True}, int(2_048 * size))
    swiss = min(events.swiss_round(int(1_000 * size))[0] for _ in range(3))
    large = events.swiss_round(int(10_000 * size))[0]
    return {
        "single_elimination": single,
        "double_elimination": double,
        "swiss_s": round(swiss, 3),
        "large_swiss_s": round(large, 3),
    }


def peers(size: float, ours: dict[str, Any]) -> dict[str, Any]:
    """The peers on the same events; `ratio`: their seconds to ours."""
    found: dict[str, Any] = {}
    for format_, count in (("single_elimination", 10_240), ("double_elimination", 2_048)):
        theirs = _or_why(
            lambda f=format_, n=count: rivals.brackets_manager(int(n * size), f, seconds=PEER_SECONDS)
        )
        if "played_s" in theirs:
            mine = ours[format_]["made_s"] + ours[format_]["played_s"]
            theirs["ratio"] = round((theirs["made_s"] + theirs["played_s"]) / mine, 2)
        found[f"brackets-manager, {format_}"] = theirs
    # A whole round of a thousand is more than it does in minutes; the same smaller event for both.
    for count in (100, 300, int(1_000 * size)):
        seconds, _, tournament = events.swiss_round(count)
        history, points = events.told(tournament)
        theirs = _or_why(lambda h=history, p=points: rivals.swisspair(h, p, seconds=PEER_SECONDS))
        theirs["ours_s"] = round(seconds, 4)
        if "paired_s" in theirs:
            theirs["ratio"] = round(theirs["paired_s"] / seconds, 2)
        found[f"swisspair, {count}"] = theirs
    return found


def _or_why(run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return run()
    except rivals.Missing as error:
        return {"error": str(error)}


def served(size: float) -> dict[str, Any]:
    """What a site does: whole tournaments through the services, a correction, pages, a round ending at once."""
    os.environ["TOURNAMENT_FIRST_DEAL_SECONDS"] = scale.NEVER
    with (
        tempfile.TemporaryDirectory(prefix="tarneeb-bench-") as directory,
        running_stack(Path(directory), server="daphne", processes=1) as stack,
    ):
        care = durability()
        found: dict[str, Any] = {"durable": set(care.values()) == {"on"}}
        found["finishing"] = scale.finishing(max(4, int(256 * size)))
        found["bracket_page"] = scale.whole(int(1_024 * size), "single_elimination")["page"]
        single = scale.whole(int(10_240 * size), "single_elimination")
        large = single.pop("tournament")
        found |= {"single_elimination": single, "correction": scale.correction(large)}
        found["large_bracket_page"] = single.pop("page")
        double = scale.whole(int(2_048 * size), "double_elimination")
        del double["tournament"]
        found["double_elimination"] = double
        stack.site.stop()
    return found


def judged(found: dict[str, Any]) -> dict[str, Any]:
    """Each goal, what came of it, and whether it is met."""
    values = {
        "plan of the large elimination": found["pure"]["single_elimination"]["folded_s"],
        "Swiss pairing": found["pure"]["swiss_s"],
        "large Swiss pairing": found["pure"]["large_swiss_s"],
        "correction preview": found["served"]["correction"]["preview_s"],
        "page of a correction": found["served"]["correction"]["page_s"],
        "next table open, p99": found["served"]["finishing"]["next_open_ms"]["p99"] / 1000,
        "bracket page": found["served"]["bracket_page"]["seconds"],
        "start of the large elimination": found["served"]["single_elimination"]["started_s"],
        "all tables of its first round open": found["served"]["single_elimination"]["all_open_s"],
    }
    return {
        name: {"goal_s": GOALS[name], "seconds": round(value, 3), "met": value < GOALS[name]}
        for name, value in values.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Seconds that tournaments take.")
    parser.add_argument("--quick", action="store_true", help="a hundredth of the size")
    parser.add_argument("--peers", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--json", action="store_true", help="one last line of JSON")
    arguments = parser.parse_args()
    # Whoever ends the run early finds nothing of it left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    size = 0.01 if arguments.quick else 1.0
    # As in the site's processes.
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    with redirect_stdout(sys.stderr):
        found: dict[str, Any] = {"pure": pure(size)}
        found["peers"] = peers(size, found["pure"]) if arguments.peers else {}
        found["served"] = served(size)
        found["goals"] = judged(found)
        found["load_average"] = round(os.getloadavg()[0], 2)
        print(json.dumps(found, indent=1))
    if arguments.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
