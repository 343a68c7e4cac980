"""What stands on the officials' console: matches, numbers, what is looked for."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from games.models import Table
from tournaments.models import Entry
from tournaments.services.actions import Action

# The numbers at the top, by the state of matches that each counts.
TALLIES = (
    ("matter", gettext_lazy("matches need you")),
    ("live", gettext_lazy("in play")),
    ("ready", gettext_lazy("to be played")),
    ("held", gettext_lazy("to be confirmed")),
    ("done", gettext_lazy("decided")),
)

# What a result may tell beside the points, each with the tie-break that counts it.
COUNTED = (
    ("deals", "deals_won", gettext_lazy("Deals won:")),
    ("contracts", "contracts_made", gettext_lazy("Contracts made:")),
)


@dataclass(frozen=True, slots=True)
class Match:
    """A pairing and its two sides, each with its points and whether it won.

    `open`: it may be decided; otherwise its result may be corrected. `actions`: what this official may do now.
    `why`: why it is not being played. `needs`: it needs a human. `number`: its table's on the call list.
    `to_confirm`: whose result this official may confirm. `is_own`: the official plays in it. `recorded`: what can
    be corrected one by one, by its number, in words. `died`: a table of it has ended without a result.
    """

    id: str
    name: str
    lines: tuple[tuple[Entry, int | None, bool], ...]
    open: bool
    reason: str | Promise
    live: Table | None
    held: Table | None
    actions: tuple[Action, ...]
    why: str = ""
    needs: bool = False
    number: int | None = None
    to_confirm: Table | None = None
    is_own: bool = False
    recorded: tuple[tuple[int, str], ...] = ()
    died: bool = False

    @property
    def sides(self) -> list[Entry]:
        return [entry for entry, _points, _won in self.lines]

    @property
    def kinds(self) -> set[str]:
        """The kinds of what may be done."""
        return {action.kind for action in self.actions}

    @property
    def fields(self) -> set[str]:
        """What must still be said of them."""
        return {name for action in self.actions for name in action.fields}


@dataclass(frozen=True, slots=True)
class Tally:
    """A number at the top, and the state of matches that it counts; without one it counts objections."""

    count: int
    words: str | Promise
    state: str = ""
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """What an official looks for. `objection`: the number of the one that a decision is to answer."""

    words: str = ""
    state: str = ""
    round: str = ""
    page: str = ""
    pairs_page: str = ""
    objection: str = ""
