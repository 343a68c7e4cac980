"""Nobody decides in a match of their own. Where nobody else could, the owner may, and everybody reads so."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from accounts.models import User
from tournaments.formats.names import round_key
from tournaments.formats.plan import Plan
from tournaments.models import Objection, TableState, Tournament
from tournaments.services.permissions import ALLOWED
from tournaments.services.refusals import Refused

Item = Mapping[str, Any]
BEING_PLAYED = (TableState.OPEN, TableState.HELD)
LEAVING = ("withdraw", "disqualify")


class Neutrality:
    """Whether one official stands apart from the pairs that something is about."""

    def __init__(self, tournament: Tournament, official: User) -> None:
        self.tournament, self.official = tournament, official

    @cached_property
    def own(self) -> frozenset[str]:
        """The pairs of which the official is a member, the third player too."""
        return _pairs_of(self.tournament, [self.official.pk]).get(self.official.pk, frozenset())

    @cached_property
    def _others(self) -> list[tuple[str, frozenset[str]]]:
        """Role and pairs of each further official whose account is open; the owner of this tournament is no role."""
        rows = self.tournament.officials.filter(user__is_active=True).exclude(user=self.official.pk)
        roles = dict(rows.values_list("user", "role"))
        pairs = _pairs_of(self.tournament, roles)
        return [(role, pairs.get(user, frozenset())) for user, role in roles.items()]

    def is_own(self, sides: Iterable[str | None]) -> bool:
        """Whether one of these pairs is the official's."""
        return not self.own.isdisjoint(sides)

    def allows(self, act: str, sides: Collection[str | None]) -> bool:
        """Whether the official may do this act of `permissions.ALLOWED` about these pairs.

        In a match of their own only the owner while no other official could do it who is in none of these pairs,
        and the site's administrators, who answer for what everybody reads.
        """
        if not self.is_own(sides) or self.official.is_superuser:
            return True
        return self.tournament.organiser_id == self.official.pk and not any(
            role in ALLOWED[act] and pairs.isdisjoint(sides) for role, pairs in self._others
        )

    def check(self, act: str, sides: Collection[str | None], code: str = "own-match") -> bool:
        """Whether it is about a pair of the official's own all the same. Raises: Refused with the code."""
        if not self.allows(act, sides):
            raise Refused(code)
        return self.is_own(sides)


def _pairs_of(tournament: Tournament, users: Iterable[int]) -> dict[int, frozenset[str]]:
    members = tournament.members.filter(user__in=list(users), entry__declined_at=None)
    found: dict[int, frozenset[str]] = {}
    for user, number in members.values_list("user", "entry__number"):
        found[user] = found.get(user, frozenset()) | {f"e{number}"}
    return found


def in_play(tournament: Tournament) -> list[Sequence[str]]:
    """The sides of each match that is just being played."""
    return list(tournament.tables.filter(state__in=BEING_PLAYED).values_list("sides", flat=True))


def sides_of(
    tournament: Tournament, item: Item, plan: Plan, playing: Sequence[Sequence[str]] | None = None
) -> set[str | None]:
    """The pairs that a decision is about: those of its match, and of the later ones that it lets play once more.

    Of who leaves or comes back: that pair, and whom it is just playing. Nobody decides about others by taking their
    own pair out, so that is about nobody. `playing`: what `in_play` gives, where it is at hand.
    """
    if "entrants" in item:
        return set(item["entrants"])
    if "entrant" in item:
        return _around(item, in_play(tournament) if playing is None else playing)
    if "pairings" in item:
        return _re_paired(item, plan)
    asked = [item["pairing"]] if "pairing" in item else undone(tournament)
    asked += [pairing for pairing, choice in item.get("later", {}).items() if choice == "replay"]
    pairings = {pairing.id: pairing.sides for pairing in plan.pairings}
    return {side for pairing in asked for side in pairings.get(pairing, ())}


def _re_paired(item: Item, plan: Plan) -> set[str | None]:
    """Who meets another in a round that is stated."""
    stage, number = item.get("stage", 0), item["round"]
    key = f"{stage}:R{number}" if stage else f"R{number}"
    stated = {
        frozenset(pair) for pair in [*item["pairings"], *([[item["bye"], None]] if item.get("bye") else [])]
    }
    listed = [pairing.sides for pairing in plan.pairings if round_key(pairing.id) == key]
    return {side for sides in listed if frozenset(sides) not in stated for side in sides}


def _around(item: Item, playing: Sequence[Sequence[str]]) -> set[str | None]:
    entrant = item["entrant"]
    if item["type"] not in LEAVING:
        return {entrant}
    met: set[str | None] = {side for sides in playing if entrant in sides for side in sides}
    return met - {entrant} if item["type"] == "withdraw" else met | {entrant}


def undone(tournament: Tournament) -> list[str]:
    """The pairing whose correction is the newest that was not taken back; none where there is no such."""
    item = newest_correction(tournament)
    return [] if item is None else [item[1]["pairing"]]


def newest_correction(tournament: Tournament) -> tuple[int, dict[str, Any]] | None:
    """Number and item of the newest correction that was not taken back."""
    found: list[tuple[int, dict[str, Any]]] = []
    rows = tournament.log.filter(item__type__in=("correct", "undo")).order_by("number")
    for number, item in rows.values_list("number", "item"):
        if item["type"] == "correct":
            found.append((number, item))
        elif found:
            found.pop()
    return found[-1] if found else None


def sides_of_objection(found: Objection) -> list[str]:
    """The pairs of the match that an objection is about."""
    return list(found.table.sides) if found.table else [found.entry.ident]
