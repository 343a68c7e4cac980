"""A second, slow and obvious single elimination: everything is worked out anew at every look.

It knows results, forfeits, rulings, departures, returns, corrections and undo; not best-of or `later`.
"""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
BYE, OUT, UNKNOWN = "bye", "out", "unknown"


@dataclass
class Side:
    entrant: str | None
    why_empty: str = UNKNOWN


@dataclass
class Oracle:
    entrants: int
    third_place: bool
    # What was said of a pairing between two entrants: what happened, then what it was corrected to.
    said: dict[tuple[str, str, str], list[list[Json]]] = field(default_factory=dict)
    corrected: list[tuple[list[Json], int]] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    kept: dict[tuple[str, str | None, str | None], str] = field(default_factory=dict)

    def rounds(self) -> int:
        return (self.entrants - 1).bit_length()

    def ids(self) -> list[str]:
        rounds = self.rounds()
        every = [f"R{r}.{n}" for r in range(1, rounds + 1) for n in range(1, 2 ** (rounds - r) + 1)]
        return every + (["P3"] if self.third_place and rounds > 1 else [])

    def add(self, item: Json) -> None:
        if item["type"] in ("withdraw", "disqualify"):
            entrant = item["entrant"]
            if entrant not in self.gone:
                for id_ in self.ids():
                    line = self.line(id_)
                    if line["decided_by"] == "walkover" and line["winner"] == entrant:
                        self.kept[id_, line["sides"][0], line["sides"][1]] = entrant
            self.gone.add(entrant)
        elif item["type"] == "reenter":
            back = item["entrant"]
            self.gone.discard(back)
            self.kept = {
                key: winner
                for key, winner in self.kept.items()
                if back not in (key[1], key[2]) or winner == back
            }
        elif item["type"] == "undo":
            story, at = self.corrected.pop()
            story[at].pop()
        else:
            first, second = self.line(item["pairing"])["sides"]
            story = self.said.setdefault((item["pairing"], first, second), [])
            if item["type"] != "correct":
                story.append([item])
                return
            decided = self.decide(story, first, second)
            at = len(story) if decided is None else decided[3]
            if at == len(story):
                story.append([])
            story[at].append(item)
            self.corrected.append((story, at))

    def opponent(self, line: Json) -> str | None:
        return next((side for side in line["sides"] if side != line["winner"]), None)

    def decide(
        self, story: list[list[Json]], first: str, second: str
    ) -> tuple[str | None, str, Any, int] | None:
        sides, dead = (first, second), 0
        for at, versions in enumerate(story):
            if not versions:
                continue
            fact = versions[-1]
            if "side" in fact:
                if fact["side"] == "both":
                    return None, "double-forfeit", None, at
                return sides[1 - fact["side"]], "forfeit", None, at
            if "kind" not in fact:
                return sides[fact["winner"]], "ruling", None, at
            if fact["kind"] == "draw":
                return sides[fact["last_gainer"]], "last-round", fact["score"], at
            if fact["kind"] != "no-result":
                points = fact["score"]
                return sides[points[1] > points[0]], fact["kind"], points, at
            dead += 1
            if dead == 2:
                return None, "double-forfeit", None, at
        return None

    def feed(self, id_: str) -> list[Side]:
        if id_ == "P3":
            return [self.loser(f"R{self.rounds() - 1}.{n}") for n in (1, 2)]
        round_, n = (int(part) for part in id_[1:].split("."))
        if round_ > 1:
            return [self.winner(f"R{round_ - 1}.{2 * n - 1}"), self.winner(f"R{round_ - 1}.{2 * n}")]
        # Where seed 1 meets the last, and every half is split the same way.
        seeds = [1]
        for size in (2**power for power in range(1, self.rounds() + 1)):
            seeds = [seed for pair in ((top, size + 1 - top) for top in seeds) for seed in pair]
        return [
            Side(self.seat(seed)) if seed <= self.entrants else Side(None, BYE)
            for seed in seeds[2 * n - 2 : 2 * n]
        ]

    def seat(self, seed: int) -> str:
        return f"e{seed}"

    def winner(self, id_: str) -> Side:
        line = self.line(id_)
        if line["status"] in ("waiting", "ready"):
            return Side(None)
        return Side(line["winner"], OUT)

    def loser(self, id_: str) -> Side:
        line = self.line(id_)
        if line["status"] in ("waiting", "ready"):
            return Side(None)
        if line["decided_by"] == "bye":
            return Side(None, BYE)
        return Side(self.opponent(line) if line["winner"] else None, OUT)

    def round_of(self, id_: str) -> int:
        return self.rounds() if id_ == "P3" else int(id_[1:].split(".")[0])

    def line(self, id_: str) -> Json:
        first, second = self.feed(id_)
        round_ = self.round_of(id_)
        shown = [first.entrant, second.entrant]
        line: Json = {"id": id_, "round": round_, "sides": shown, "status": "done"}
        line |= {"winner": None, "decided_by": None, "score": None}
        if any(side.entrant is None and side.why_empty == UNKNOWN for side in (first, second)):
            if first.entrant is None and first.why_empty != UNKNOWN:
                line["sides"] = [second.entrant, None]
            return line | {"status": "waiting"}
        here = [entrant for entrant in shown if entrant is not None and entrant not in self.gone]
        if first.entrant is not None and second.entrant is not None:
            decided = self.decide(
                self.said.get((id_, first.entrant, second.entrant), []), first.entrant, second.entrant
            )
            if decided is not None:
                return line | {"winner": decided[0], "decided_by": decided[1], "score": decided[2]}
            if kept := self.kept.get((id_, first.entrant, second.entrant)):
                return line | {"winner": kept, "decided_by": "walkover"}
            if len(here) == 2:
                return line | {"status": "ready"}
            if not here:
                return line | {"decided_by": "double-forfeit"}
            return line | {"winner": here[0], "decided_by": "walkover"}
        alone = first.entrant or second.entrant
        line["sides"] = [alone, None]
        if alone is not None and BYE in (first.why_empty if not first.entrant else "", second.why_empty):
            return line | {"winner": alone, "decided_by": "bye"}
        if here or (alone is not None and self.kept.get((id_, alone, None)) == alone):
            return line | {"winner": alone, "decided_by": "walkover"}
        return line | {"status": "void"}
