"""A plan for people to read in a terminal."""

from collections.abc import Iterable, Mapping

from tournaments.formats.entrants import Entrant
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing, Standing


def plan_text(plan: Plan, entrants: Iterable[Entrant]) -> str:
    """Pairings by round, standings and champion, as lines."""
    names = {entrant.id: _name(entrant) for entrant in entrants}
    lines = ["Pairings"]
    width = max((len(pairing.id) for pairing in plan.pairings), default=0)
    lines += [f"  {pairing.id:<{max(width, 7)}} {_pairing(pairing, names)}" for pairing in plan.pairings]
    lines += ["", "Standings"]
    lines += [f"  {_standing(standing, names)}" for standing in plan.standings]
    return "\n".join([*lines, "", _end(plan, names)])


def clean(text: str) -> str:
    """The text with everything that could steer a terminal or turn the writing round made visible."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _name(entrant: Entrant) -> str:
    return clean(f"{entrant.name} ({entrant.id})" if entrant.name else entrant.id)


def _pairing(pairing: Pairing, names: Mapping[str, str]) -> str:
    first, second = (names[side] if side is not None else "-" for side in pairing.sides)
    line = f"{pairing.status:<7} {first} : {second}"
    if pairing.score is not None:
        line += f"  {pairing.score[0]} : {pairing.score[1]}"
    if pairing.decided_by is not None:
        winner = "nobody" if pairing.winner is None else names[pairing.winner]
        line += f"  -> {winner}, by {pairing.decided_by}"
    return line


def _standing(standing: Standing, names: Mapping[str, str]) -> str:
    line = f"{standing.rank:>4}  {names[standing.entrant]}{'' if standing.still_in else ', out'}"
    if standing.group is not None:
        line = f"group {standing.group}  {line}"
    if not standing.tiebreaks:
        return line
    values = ", ".join(f"{tiebreak} {value:.12g}" for tiebreak, value in standing.tiebreaks.items())
    return f"{line}  points {standing.points}, {values}"


def _end(plan: Plan, names: Mapping[str, str]) -> str:
    if not plan.finished:
        return "Not finished"
    return "Finished without a champion" if plan.champion is None else f"Champion: {names[plan.champion]}"
