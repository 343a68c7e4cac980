"""A tournament told round by round, for a terminal."""

from tournaments.formats.names import read_name
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.models import Tournament
from tournaments.queries import entrants, pair_name, settings_of
from tournaments.words import Names, group_name


class Report:
    """Tells what is new in each plan of a tournament that moves on."""

    def __init__(self, tournament: Tournament) -> None:
        self._settings = settings_of(tournament)
        self._names = {entry.ident: f"{pair_name(entry)} ({entry.ident})" for entry in entrants(tournament)}
        self._told: set[str] = set()

    def news(self, plan: Plan) -> str:
        """The pairings decided since the last plan, under the names of their rounds."""
        names = Names(self._settings, [pairing.id for pairing in plan.pairings])
        lines: list[str] = []
        told = ""
        for pairing in plan.pairings:
            if pairing.status not in ("done", "void") or pairing.id in self._told:
                continue
            heading = _heading(names, pairing.id)
            if heading != told:
                told = heading
                lines.append(heading)
            lines.append(f"  {self._line(pairing)}")
            self._told.add(pairing.id)
        return "\n".join(lines)

    def end(self, plan: Plan) -> str:
        """Who won."""
        return f"Champion: {self._names[plan.champion]}" if plan.champion else "Finished without a champion"

    def _line(self, pairing: Pairing) -> str:
        first, second = (self._names[side] if side else "nobody" for side in pairing.sides)
        if pairing.status == "void":
            return f"{pairing.id}  not played"
        score = f"  {pairing.score[0]} : {pairing.score[1]}" if pairing.score else ""
        winner = self._names[pairing.winner] if pairing.winner else "nobody"
        return f"{pairing.id}  {first} - {second}{score}  {pairing.decided_by}: {winner}"


def _heading(names: Names, pairing: str) -> str:
    """The round, with its group where the round is played in several."""
    name = read_name(pairing)
    round_ = names.round(name.key)
    return f"{group_name(name.group)}, {round_}" if name.group else round_
