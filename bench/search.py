"""Finds the highest rate at which 99 of 100 moves reach all four sockets in time."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any

GOAL_MS = 100.0
# Of what is offered, so much must be done: a server that only holds back its players is not fast.
DONE_SHARE = 0.97
FIRST_SHARE = 0.85
STEP_SECONDS, WARM_SECONDS, LAST_SECONDS, LAST_TRIES = 2.5, 0.7, 5.0, 3


@dataclass(frozen=True)
class Step:
    """What came of one rate; `offered` None: as fast as the tables play."""

    offered: float | None
    done: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    refused: int
    late: int
    lost: int
    usage: dict[str, dict[str, float]] = field(default_factory=dict, compare=False)

    @property
    def holds(self) -> bool:
        """Whether the rate is done, and in time."""
        in_time = 0 < self.p99_ms < GOAL_MS and not self.late and not self.lost
        return in_time and (self.offered is None or self.done >= DONE_SHARE * self.offered)

    @property
    def rate(self) -> float:
        """What it sustains: who catches up with a delay does more than is offered, for a moment."""
        return self.done if self.offered is None else min(self.done, self.offered)

    def figures(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "usage"}


Run = Callable[[float | None, float, float], Step]


def step_of(offered: float | None, came: dict[str, Any], usage: dict[str, dict[str, float]]) -> Step:
    """The step that an answer of the load generator to `offer` tells of."""
    ranked = came["latencies"]
    return Step(
        offered=None if offered is None else round(offered, 1),
        done=round(len(ranked) / came["seconds"], 1),
        p50_ms=percentile_ms(ranked, 50),
        p95_ms=percentile_ms(ranked, 95),
        p99_ms=percentile_ms(ranked, 99),
        refused=sum(came["refused"].values()),
        late=len(came["late"]),
        lost=sum(came["lost"].values()),
        usage=usage,
    )


def percentile_ms(ranked: Sequence[float], share: int) -> float:
    """The value, in ms, below which that share (percent) of ascending seconds lies; 0 where there are none."""
    return round(1000 * ranked[min(len(ranked) - 1, len(ranked) * share // 100)], 1) if ranked else 0.0


def highest(run: Run, *, until: float, tries: int) -> tuple[Step | None, list[Step]]:
    """The best step that holds, and all steps, of which `tries` search at most.

    `until`: on the monotonic clock, in seconds.
    """
    steps = [run(None, WARM_SECONDS, STEP_SECONDS)]
    # What the machine does when pushed is somewhat more than what it holds: the search goes up or down from there.
    low, high, rate = 0.0, float("inf"), FIRST_SHARE * steps[0].done
    needed = 2 * WARM_SECONDS + STEP_SECONDS + LAST_SECONDS
    while len(steps) <= tries and monotonic() + needed < until and rate >= 1:
        step = run(rate, WARM_SECONDS, STEP_SECONDS)
        steps.append(step)
        if step.holds:
            low = rate
        else:
            high = rate
        if high < float("inf") and high - low <= 0.04 * high:
            break
        rate = next_rate(low, high)
    best = _confirmed(run, low, steps, until)
    return best, steps


def next_rate(low: float, high: float) -> float:
    """Where to look next between a rate that holds (0: none yet) and one that does not (infinite: none yet)."""
    if high == float("inf"):
        return low * 1.08
    return (low + high) / 2 if low else high * 0.8


def _confirmed(run: Run, rate: float, steps: list[Step], until: float) -> Step | None:
    """The best that held, after the rate was run once more and for longer; lower where it held by luck alone."""
    for _ in range(LAST_TRIES):
        if rate < 1 or monotonic() + WARM_SECONDS + LAST_SECONDS > until:
            break
        steps.append(run(rate, WARM_SECONDS, LAST_SECONDS))
        if steps[-1].holds:
            break
        rate *= 0.95
    return max((step for step in steps if step.holds), key=lambda step: step.rate, default=None)


def us_per_move(step: Step) -> float | None:
    """The processor time that a move takes in the server, in microseconds: little moved by who else works here."""
    percent = sum(
        used["cpu_percent"] for name, used in step.usage.items() if name.startswith(("web", "server"))
    )
    return round(1e4 * percent / step.done) if step.done else None


def summary(best: Step | None, steps: list[Step]) -> dict[str, Any]:
    """Of the best step, or, where none holds, of the one that did most; and all that were tried."""
    shown = best or max(steps, key=lambda step: step.rate)
    return {
        "moves_per_s": shown.rate if best else 0.0,
        "most_done": max(step.rate for step in steps),
        "loop": "closed" if shown.offered is None else "open",
        **{name: value for name, value in shown.figures().items() if name != "lost"},
        "offered": shown.done if shown.offered is None else shown.offered,
        "web_us_per_move": us_per_move(shown),
        "usage": shown.usage,
        "steps": [step.figures() for step in steps],
    }
