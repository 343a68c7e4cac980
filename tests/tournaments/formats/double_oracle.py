"""A second, slow and obvious double elimination over the second single one: names and feeders."""

from dataclasses import dataclass, field

from tests.tournaments.formats.oracle import BYE, OUT, Json, Oracle, Side


def drop(round_: int, n: int, rounds: int) -> int:
    """Whose loser comes to the n-th place: bits of the round read backwards say by how much places are swapped."""
    bits = rounds - round_
    swap = f"{round_ - 1:b}"[::-1].ljust(bits, "0")[:bits]
    place = f"{n - 1:b}".rjust(bits, "0")[-bits:] if bits else ""
    moved = "".join("1" if a != b else "0" for a, b in zip(place, swap, strict=True))
    return int(moved or "0", 2) + 1


@dataclass
class DoubleOracle(Oracle):
    reset: bool = True
    lines: dict[str, Json] = field(default_factory=dict)

    def ids(self) -> list[str]:
        rounds = self.rounds()
        upper = [f"W{r}.{n}" for r in range(1, rounds + 1) for n in range(1, 2 ** (rounds - r) + 1)]
        lower = [
            f"L{r}.{n}"
            for r in range(1, 2 * rounds - 1)
            for n in range(1, 2 ** (rounds - 2 - (r - 1) // 2) + 1)
            if self.reachable(f"L{r}.{n}")
        ]
        return upper + lower + ["GF1"] + (["GF2"] if self.reset else [])

    def reachable(self, id_: str) -> bool:
        if not id_.startswith("L1."):
            return True
        n = int(id_.split(".")[1])
        return any(self.line(f"W1.{feeder}")["sides"][1] is not None for feeder in (2 * n - 1, 2 * n))

    def add(self, item: Json) -> None:
        super().add(item)
        self.lines = {}

    def feed(self, id_: str) -> list[Side]:
        last = self.rounds()
        if id_ == "GF1":
            challenger = self.loser("W1.1") if last == 1 else self.winner(f"L{2 * last - 2}.1")
            return [self.winner(f"W{last}.1"), challenger]
        if id_ == "GF2":
            return self.once_more()
        round_, n = (int(part) for part in id_[1:].split("."))
        if id_[0] == "W":
            if round_ == 1:
                return super().feed(f"R1.{n}")
            return [self.winner(f"W{round_ - 1}.{2 * n - 1}"), self.winner(f"W{round_ - 1}.{2 * n}")]
        if round_ == 1:
            return [self.loser(f"W1.{2 * n - 1}"), self.loser(f"W1.{2 * n}")]
        if round_ % 2:
            return [self.winner(f"L{round_ - 1}.{2 * n - 1}"), self.winner(f"L{round_ - 1}.{2 * n}")]
        dropping = round_ // 2 + 1
        return [self.loser(f"W{dropping}.{drop(dropping, n, last)}"), self.winner(f"L{round_ - 1}.{n}")]

    def once_more(self) -> list[Side]:
        final, sides = self.line("GF1"), self.feed("GF1")
        if final["status"] in ("waiting", "ready"):
            return [Side(None), Side(None)]
        needed = final["winner"] is not None and final["winner"] == sides[1].entrant
        return sides if needed else [Side(None, OUT), Side(None, OUT)]

    def winner(self, id_: str) -> Side:
        return super().winner(id_) if self.reachable(id_) else Side(None, BYE)

    def round_of(self, id_: str) -> int:
        return self.rounds() + int(id_[2:]) if id_.startswith("GF") else int(id_[1:].split(".")[0])

    def line(self, id_: str) -> Json:
        if id_ not in self.lines:
            self.lines[id_] = super().line(id_)
        return self.lines[id_]
