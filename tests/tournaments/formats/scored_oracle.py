"""Round robin and Swiss worked out anew from the log, in the plainest way, sharing no code with the formats.

Who meets whom it takes from the plan; what became of every pairing and who stands where it finds itself.
"""

from fractions import Fraction
from typing import Any

Json = dict[str, Any]
AT_TABLE = ("target", "round-cap", "draw", "last-round", "ruling")
WORTH = {"win": 2, "draw": 1, "loss": 0, "bye": 2, "forfeit": 0}


class ScoredOracle:
    def __init__(self, document: Json) -> None:
        self.settings = document["settings"]
        self.worth = WORTH | self.settings.get("points", {})
        self.best_of = self.settings.get("best_of", 1)
        self.entrants = [entrant["id"] for entrant in document["entrants"]]
        self.pairs: dict[str, list[str | None]] = {}
        self.notes: dict[str, list[Json]] = {}
        self.corrections: list[int] = []
        self.count = 0
        self.away: dict[str, str] = {}
        self.held: dict[str, str] = {}
        self.over: dict[str, str | None] = {}
        self.given: dict[str, int] = {}

    # The log

    def see(self, plan: Json) -> None:
        """The pairings listed; a further round of a Swiss closes the walkovers of those before."""
        fresh = [line["id"] for line in plan["pairings"] if line["id"] not in self.pairs]
        if self.settings["format"] == "swiss" and any(not id_.startswith("PO") for id_ in fresh):
            for pairing in self.pairs:
                if self.pairs[pairing][1] and self.ended(pairing) is None:
                    self.over.setdefault(pairing, self.line(pairing)["winner"])
        self.pairs = {line["id"]: line["sides"] for line in plan["pairings"]}

    def add(self, item: Json) -> None:
        self.count += 1
        kind, entrant = item["type"], item.get("entrant")
        if kind in ("result", "forfeit", "rule"):
            self.note(item["pairing"], "more", item)
        elif kind == "correct":
            self.correct(item)
        elif kind == "undo":
            last = self.corrections.pop()
            self.notes = {
                id_: [note for note in notes if note["of"] != last] for id_, notes in self.notes.items()
            }
        elif kind in ("withdraw", "disqualify"):
            self.leave(str(entrant), kind)
        elif kind == "reenter":
            del self.away[str(entrant)]
            back = [
                id_ for id_, winner in self.held.items() if entrant in self.pairs[id_] and winner != entrant
            ]
            self.held = {id_: winner for id_, winner in self.held.items() if id_ not in back}
        elif kind == "adjust":
            self.given[str(entrant)] = self.given.get(str(entrant), 0) + item["points"]
        elif kind == "enter":
            self.entrants.append(item["entrant"]["id"])

    def note(self, pairing: str, how: str, fact: Json | None = None, place: int = 0) -> None:
        note = {"of": self.count, "how": how, "fact": fact, "place": place}
        self.notes.setdefault(pairing, []).append(note)

    def correct(self, item: Json) -> None:
        ended = self.ended(item["pairing"])
        place = len(self.facts(item["pairing"])) if ended is None else ended["at"]
        fact = {**item, "type": "result" if "kind" in item else "forfeit" if "side" in item else "rule"}
        self.corrections.append(self.count)
        self.note(item["pairing"], "instead", fact, item.get("match", place + 1) - 1)
        for later, choice in item.get("later", {}).items():
            if choice == "replay":
                self.note(later, "wipe")

    def leave(self, entrant: str, how: str) -> None:
        if entrant not in self.away:
            for pairing, sides in self.pairs.items():
                if entrant in sides and None not in sides:
                    line = self.line(pairing)
                    if line["decided_by"] == "walkover" and line["winner"] == entrant:
                        self.held[pairing] = entrant
        self.away[entrant] = how

    # Lines

    def facts(self, pairing: str) -> list[Json]:
        found: list[Json] = []
        for note in self.notes.get(pairing, []):
            if note["how"] == "wipe":
                found = []
            elif note["how"] == "instead" and note["place"] < len(found):
                found[note["place"]] = note["fact"]
            else:
                found.append(note["fact"])
        return found

    def ended(self, pairing: str) -> Json | None:
        """What the facts decide: winning side, how, score, and the place of the last that counts."""
        wins, dead, played, why = [0, 0], 0, 0, ["", ""]
        for at, fact in enumerate(self.facts(pairing)):
            end = {"at": at, "side": None, "how": "double-forfeit", "score": None}
            if fact["type"] == "rule":
                return end | {"side": fact["winner"], "how": "ruling"}
            if fact["type"] == "forfeit":
                both = fact["side"] == "both"
                return end if both else end | {"side": 1 - fact["side"], "how": "forfeit"}
            if fact["kind"] == "no-result":
                dead += 1
                if dead == 2:
                    return end
                continue
            played += 1
            side, how = self.match(pairing, fact)
            if side is not None:
                wins[side], why[side] = wins[side] + 1, how
            if played < self.best_of and max(wins) * 2 <= self.best_of:
                continue
            score = fact["score"] if self.best_of == 1 else list(wins)
            if wins[0] == wins[1]:
                return end | {"how": "draw", "score": score}
            ahead = 0 if wins[0] > wins[1] else 1
            return end | {"side": ahead, "how": why[ahead], "score": score}
        return None

    def match(self, pairing: str, fact: Json) -> tuple[int | None, str]:
        if fact["kind"] == "draw":
            return (fact["last_gainer"], "last-round") if pairing.startswith("PO") else (None, "draw")
        return int(fact["score"][1] > fact["score"][0]), fact["kind"]

    def line(self, pairing: str) -> Json:
        sides = self.pairs[pairing]
        ready = {"id": pairing, "sides": sides, "status": "ready", "winner": None}
        ready |= {"decided_by": None, "score": None}
        done = ready | {"status": "done"}
        if sides[1] is None:
            return done | {"winner": sides[0], "decided_by": "bye"}
        here = [side for side in sides if side not in self.away]
        ended = self.ended(pairing)
        if ended is not None:
            winner = None if ended["side"] is None else sides[ended["side"]]
            sent = [side for side in sides if self.away.get(str(side)) == "disqualify"]
            if sent and ended["how"] in AT_TABLE:
                clean = [side for side in sides if side not in sent]
                how = "forfeit" if clean else "double-forfeit"
                return done | {"winner": clean[0] if clean else None, "decided_by": how}
            return done | {"winner": winner, "decided_by": ended["how"], "score": ended["score"]}
        if pairing in self.over:
            winner = self.over[pairing]
        elif len(here) == 2:
            return ready
        else:
            winner = self.held.get(pairing) or (here[0] if here else None)
        return done | {"winner": winner, "decided_by": "double-forfeit" if winner is None else "walkover"}

    def lines(self) -> list[Json]:
        return [self.line(pairing) for pairing in self.pairs]

    # Standings

    def scored(self, entrant: str) -> list[Json]:
        """Every pairing of an entrant that is done, from the entrant's side; no play-offs."""
        found = []
        for pairing, sides in self.pairs.items():
            line = self.line(pairing)
            if entrant in sides and line["status"] == "done" and not pairing.startswith("PO"):
                found.append(self.seen_from(entrant, line))
        return found

    def seen_from(self, entrant: str, line: Json) -> Json:
        side, how = line["sides"].index(entrant), line["decided_by"]
        played = how in AT_TABLE
        if how == "bye":
            got = "bye"
        elif how == "draw":
            got = "draw"
        elif line["winner"] == entrant:
            got = "win"
        else:
            got = "loss" if played else "forfeit"
        score = line["score"] or [0, 0]
        return {
            "opponent": line["sides"][1 - side],
            "points": self.worth[got],
            "got": got,
            "played": played,
            "margin": score[side] - score[1 - side],
            "won": line["winner"] == entrant,
            "facts": self.facts(line["id"])[: (self.ended(line["id"]) or {"at": -1})["at"] + 1],
            "side": side,
        }

    def table(self, group: list[str]) -> list[tuple[str, int, int, dict[str, Fraction]]]:
        """Entrant, rank, points and values of a group given in seed order, best first."""
        games = {entrant: self.scored(entrant) for entrant in self.entrants}
        points = {
            entrant: sum(game["points"] for game in games[entrant]) + self.given.get(entrant, 0)
            for entrant in self.entrants
        }
        rows: dict[str, dict[str, Fraction]] = {entrant: {} for entrant in group}
        for tiebreak in self.settings["tiebreaks"]:
            level = {entrant: (points[entrant], *rows[entrant].values()) for entrant in group}
            values = {
                entrant: self.value(tiebreak, entrant, games[entrant], points, level) for entrant in group
            }
            for entrant in group:
                rows[entrant][tiebreak] = values[entrant]
        keys = {entrant: (points[entrant], *rows[entrant].values()) for entrant in group}
        order = sorted(
            group, key=lambda entrant: (*(-value for value in keys[entrant]), group.index(entrant))
        )
        return [
            (entrant, 1 + sum(keys[other] > keys[entrant] for other in group), points[entrant], rows[entrant])
            for entrant in order
        ]

    def value(
        self, tiebreak: str, entrant: str, games: list[Json], points: dict[str, int], level: dict[str, Any]
    ) -> Fraction:
        met = [game for game in games if game["played"]]
        strengths = sorted(points[game["opponent"]] for game in met)
        if tiebreak == "buchholz":
            return Fraction(sum(strengths))
        if tiebreak == "median_buchholz":
            return Fraction(sum(strengths[1:-1]))
        if tiebreak == "sonneborn_berger":
            share = {"win": Fraction(1), "draw": Fraction(1, 2), "loss": Fraction(0)}
            return sum((share[game["got"]] * points[game["opponent"]] for game in met), Fraction(0))
        if tiebreak == "score_difference":
            return Fraction(sum(game["margin"] for game in games))
        if tiebreak == "wins":
            return Fraction(sum(game["won"] for game in games))
        if tiebreak == "head_to_head":
            rivals = [
                other for other in level if level[other] == level[entrant] and other not in self.away
            ] * (entrant not in self.away)
            return Fraction(sum(game["points"] for game in games if game["opponent"] in rivals))
        if tiebreak == "last_round":
            drawn = [(fact, game) for game in met for fact in game["facts"] if fact.get("kind") == "draw"]
            return Fraction(sum(fact["last_gainer"] == game["side"] for fact, game in drawn))
        if tiebreak == "match_points":
            return Fraction(sum(self.matches_won(game) for game in met))
        if tiebreak == "play_off":
            lines = [self.line(pairing) for pairing in self.pairs if pairing.startswith("PO")]
            return Fraction(sum(line["winner"] == entrant for line in lines))
        raise ValueError(tiebreak)

    def matches_won(self, game: Json) -> int:
        scores = [fact["score"] for fact in game["facts"] if fact.get("kind") in ("target", "round-cap")]
        return sum(score[game["side"]] > score[1 - game["side"]] for score in scores)
