"""A decision as its page shows it: what it would change in words, and what can still be chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from accounts.text import isolate
from games.models import Table
from tournaments.cards import entries_of, score_of
from tournaments.formats.results import Pairing, Standing
from tournaments.models import Tournament
from tournaments.queries import pair_name, settings_of
from tournaments.registers import Acts, Entered
from tournaments.sentences import item_sentence, versus
from tournaments.services.consequences import Change, Preview
from tournaments.services.making_up import is_bracket, taken_back
from tournaments.words import REASONS, Names


@dataclass(frozen=True, slots=True)
class Shown:
    """A pairing that changes. `choices`: what may be said of it, each with its words and whether it is so now.

    `kept`: nothing happens to it only because another match stands.
    """

    id: str
    name: str
    before: str
    after: str
    stage: str
    table: Table | None
    choices: tuple[tuple[str, str, bool], ...]
    kept: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """An entrant whose place changes."""

    name: str
    before: str
    after: str


class Consequences:
    """A preview in words."""

    def __init__(self, tournament: Tournament, preview: Preview) -> None:
        self.tournament, self.preview = tournament, preview
        pairings = {pairing.id for pairing in (*preview.before.pairings, *preview.after.pairings)}
        self._names = Names(settings_of(tournament), pairings)
        self._entries = entries_of(tournament, self._idents())

    def _idents(self) -> set[str]:
        lines = [line for change in self.preview.changes for line in (change.before, change.after) if line]
        named = {side for line in lines for side in line.sides if side}
        named |= {move.entrant for move in self.preview.moves}
        named |= {plan.champion for plan in (self.preview.before, self.preview.after) if plan.champion}
        named |= {one["entrant"] for one in self._returned}
        item = self.preview.item
        named |= {side for side in (*(item.get("sides") or ()), *self._sides) if side}
        return named | {one for one in (item.get("entrant"), *(item.get("entrants") or ())) if one}

    def name(self, ident: str | None) -> str:
        """An entrant inside a sentence."""
        entry = self._entries.get(ident or "")
        return isolate(pair_name(entry)) if entry else "—"

    @property
    def sentence(self) -> str:
        """The decision itself."""
        item = self.preview.item
        if self._sides and "sides" not in item:
            item = {**item, "sides": list(self._sides)}
        return item_sentence(item, self._names, self.name)

    @cached_property
    def _sides(self) -> tuple[str | None, ...]:
        """Those who meet now in the pairing that the decision is about."""
        about = self.preview.item.get("pairing")
        return next((tuple(p.sides) for p in self.preview.before.pairings if p.id == about), ())

    @property
    def changing(self) -> int:
        """How many pairings will not be as they were."""
        return sum(change.before != change.after for change in self.preview.changes)

    @property
    def changes(self) -> list[Shown]:
        """The pairings that change, or of which something can be said."""
        return [self._shown(change) for change in self.preview.changes]

    def _shown(self, change: Change) -> Shown:
        choices = tuple(
            (choice, str(CHOICES[choice]()), choice == change.chosen) for choice in change.choices
        )
        return Shown(
            change.pairing,
            self._names.pairing(change.pairing),
            self._awaited(change) or self._words(change.before),
            self._words(change.after),
            change.stage,
            change.table,
            choices,
            change.kept,
        )

    def _awaited(self, change: Change) -> str:
        """A match that is over while its result waits; empty where there is none."""
        line = change.before
        if line is None or line.status != "ready" or change.stage != "finished":
            return ""
        sides = versus([self.name(side) for side in line.sides], score_of(line))
        return _("%(sides)s: played, its result is not recorded yet") % {"sides": sides}

    def _words(self, pairing: Pairing | None) -> str:
        if pairing is None:
            return _("not there")
        sides = versus([self.name(side) for side in pairing.sides], score_of(pairing))
        if pairing.status == "waiting":
            return _("%(sides)s: waiting") % {"sides": sides}
        if pairing.status == "ready":
            return _("%(sides)s: to be played") % {"sides": sides}
        if pairing.status == "void":
            return _("nobody can reach it")
        reason: str | Promise = REASONS.get(pairing.decided_by or "", "")
        if pairing.winner is None and pairing.decided_by == "draw":
            return _("%(sides)s: a draw") % {"sides": sides}
        said = {"sides": sides, "reason": reason}
        if pairing.winner is None:
            return _("%(sides)s: nobody wins (%(reason)s)") % said
        return _("%(sides)s: won by %(winner)s (%(reason)s)") % {**said, "winner": self.name(pairing.winner)}

    @property
    def moves(self) -> list[Moved]:
        """The places that move, no more than can be read."""
        return [
            Moved(self.name(move.entrant), _place(move.before), _place(move.after))
            for move in self.preview.moves[:MOST_MOVES]
        ]

    @property
    def more_moves(self) -> int:
        """How many more move."""
        return max(0, len(self.preview.moves) - MOST_MOVES)

    @property
    def crown(self) -> tuple[str, str] | None:
        """Who loses the title and who wins it, where that changes."""
        before, after = self.preview.before.champion, self.preview.after.champion
        return None if before == after else (self.name(before), self.name(after))

    @property
    def compensations(self) -> list[tuple[str, str, int]]:
        """Whom points could be given to: id, name, how many would be usual."""
        return [(one.entrant, self.name(one.entrant), one.points) for one in self.preview.compensations]

    @property
    def without_points(self) -> str:
        """What can make up for a wrong result where nobody has points; empty where points can, or nothing is wrong."""
        item = self.preview.item
        if item["type"] != "correct" or not is_bracket(self.tournament, item["pairing"]):
            return ""
        if any(p.id == item["pairing"] and p.status != "done" for p in self.preview.before.pairings):
            # Of several matches one alone: nobody has gone on by it.
            return ""
        if any("bye" in change.choices for change in self.preview.changes):
            return _(
                "Nobody has points in a knock-out. But the pair that went on wrongly has won a later match: there "
                "the right pair can go on in its place without play. Choose it at that match."
            )
        return _(
            "Nobody has points in a knock-out, and there is no place in a later round that the right pair could be "
            "given without play: the pair that went on wrongly has won no later match, or it stands there as you "
            "chose. What you can choose is who plays whom."
        )

    @property
    def given_back(self) -> list[tuple[str, int]]:
        """Whose points go back with a correction that is taken back, and how many."""
        return [(self.name(one["entrant"]), one["points"]) for one in self._returned]

    @cached_property
    def _returned(self) -> list[Mapping[str, Any]]:
        return taken_back(self.tournament, self.preview.item)

    @property
    def since(self) -> list[Entered]:
        """What officials did since the reader looked at it last."""
        return Acts(self.tournament).lines(self.preview.since)


MOST_MOVES = 30
CHOICES: dict[str, Any] = {
    "stand": lambda: _("let it stand, with its old sides"),
    "swap": lambda: _("follow the decision: the right sides meet"),
    "replay": lambda: _("play it once more, whoever meets"),
    "bye": lambda: _("the right pair goes on without play, in the other's place"),
}


def _place(standing: Standing | None) -> str:
    if standing is None:
        return "—"
    place = _("place %(rank)s") % {"rank": standing.rank}
    if not standing.tiebreaks and not standing.points:
        return place
    return _("%(place)s, %(points)s points") % {"place": place, "points": standing.points}
