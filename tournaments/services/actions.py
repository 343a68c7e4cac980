"""What an official may do now: the one place that says so. Pages offer it, and every door checks it again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Phase
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.models import Entry, Format, PairingTable, State, TableState, Tournament
from tournaments.queries import log_items, stage_settings
from tournaments.services.advancing import PLAYED
from tournaments.services.permissions import ALLOWED, OWNER, role_of

Item = Mapping[str, Any]
WITH_POINTS = (Format.ROUND_ROBIN, Format.SWISS)
NOT_STARTED = (State.DRAFT, State.PUBLISHED, State.OPEN, State.READY)


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done now.

    `item`: the log item that it would be, as far as it is known; `fields` are what must still be said of it.
    Without an item it is a door of its own, named by `kind`. `has_preview`: what it changes is shown first.
    """

    kind: str
    label: str | Promise
    item: Item | None = None
    fields: tuple[str, ...] = ()
    has_preview: bool = True


class Desk:
    """One official at one tournament: role, plan and tables read once, asked as often as needed."""

    def __init__(self, official: User, tournament: Tournament, plan: Plan | None) -> None:
        self.tournament = tournament
        self.plan = plan
        role = role_of(tournament, official)
        self._may: Callable[[str], bool] = lambda act: (
            role is not None and (role == OWNER or role in ALLOWED[act])
        )
        self._items = log_items(tournament) if plan is not None else []
        rows = tournament.tables.exclude(state=TableState.VOID).select_related("table")
        self._rows = {row.pairing: row for row in rows.order_by("pairing", "attempt")} if plan else {}

    def may(self, act: str) -> bool:
        """Whether the official's role allows this act of `permissions.ALLOWED`."""
        return self._may(act)

    def on_pairing(self, pairing: Pairing) -> tuple[Action, ...]:
        """What can be done about a pairing."""
        if self.tournament.state not in PLAYED or None in pairing.sides:
            return ()
        if pairing.status == "ready":
            return (*self._confirming(pairing), *self._deciding(pairing))
        if pairing.status == "done" and self.may("decide"):
            return self._correcting(pairing)
        return ()

    def _confirming(self, pairing: Pairing) -> tuple[Action, ...]:
        row: PairingTable | None = self._rows.get(pairing.id)
        if row is None or row.state != TableState.HELD or not self.may("score"):
            return ()
        return (Action("confirm", _("Confirm the result"), has_preview=False),)

    def _deciding(self, pairing: Pairing) -> tuple[Action, ...]:
        name: dict[str, Any] = {"pairing": pairing.id}
        found: list[Action] = []
        if self.may("score") and self.tournament.state == State.RUNNING and not self._is_played(pairing):
            found.append(
                Action("result", _("Enter a result"), {"type": "result"} | name, ("outcome", "score"))
            )
        if self.may("decide"):
            found += [
                Action("forfeit", _("Forfeits"), {"type": "forfeit", "side": side} | name) for side in (0, 1)
            ]
            found.append(Action("forfeit", _("Both forfeit"), {"type": "forfeit", "side": "both"} | name))
            found += [
                Action("rule", _("Wins by a ruling"), {"type": "rule", "winner": side} | name, ("reason",))
                for side in (0, 1)
            ]
        return tuple(found)

    def _is_played(self, pairing: Pairing) -> bool:
        row: PairingTable | None = self._rows.get(pairing.id)
        return row is not None and row.state == TableState.HELD

    def _correcting(self, pairing: Pairing) -> tuple[Action, ...]:
        fields = ["outcome", "score", "reason"]
        if stage_settings(self.tournament, pairing.id).get("best_of", 1) > 1:
            fields.insert(0, "match")
        item = {"type": "correct", "pairing": pairing.id}
        return (Action("correct", _("Correct the result"), item, tuple(fields)),)

    def on_entrant(self, entry: Entry) -> tuple[Action, ...]:
        """What can be done about a pair that takes part."""
        if self.tournament.state not in PLAYED or self.plan is None or not self.may("decide"):
            return ()
        about: dict[str, Any] = {"entrant": entry.ident}
        left = self._left(entry.ident)
        found = []
        if left is None and not self.plan.finished:
            found.append(Action("withdraw", _("Withdraw"), {"type": "withdraw"} | about))
        if left != "disqualify":
            found.append(Action("disqualify", _("Disqualify"), {"type": "disqualify"} | about, ("reason",)))
        if left is not None:
            found.append(Action("reenter", _("Take back in"), {"type": "reenter"} | about))
        if self._has_points():
            found.append(
                Action("adjust", _("Change the points"), {"type": "adjust"} | about, ("points", "reason"))
            )
        return tuple(found)

    def _left(self, ident: str) -> str | None:
        """How an entrant left, if it did and has not come back."""
        left = None
        for item in self._items:
            if item.get("entrant") == ident and item["type"] in ("withdraw", "disqualify", "reenter"):
                left = None if item["type"] == "reenter" else item["type"]
        return left

    def _has_points(self) -> bool:
        """Whether the stage being played counts points."""
        if self.tournament.format != Format.STAGES:
            return self.tournament.format in WITH_POINTS
        assert self.plan is not None
        return bool(self.plan.pairings) and (
            stage_settings(self.tournament, self.plan.pairings[-1].id)["format"] in WITH_POINTS
        )

    def on_tournament(self) -> tuple[Action, ...]:
        """What can be done about the tournament as a whole."""
        wanted = {
            "publish": (_("Announce it"), "settings", self._is_in(State.DRAFT)),
            "start": (_("Start now"), "start", self._is_in(State.OPEN, State.READY)),
            "undo": (_("Take the newest correction back"), "decide", self._can_undo()),
            "accept-plan": (_("Take the plan over"), "decide", self.tournament.differs_since is not None),
            "pause": (_("Pause"), "pause", self._is_in(State.RUNNING) and not self.tournament.paused_at),
            "resume": (_("Go on"), "pause", self._is_in(State.RUNNING) and bool(self.tournament.paused_at)),
            "announce": (_("Announce"), "announce", not self._is_in(State.CANCELLED)),
            "certify": (_("Certify"), "certify", self._is_in(State.FINISHED)),
            "uncertify": (_("Take the certification back"), "certify", self._is_in(State.CERTIFIED)),
            "archive": (_("Archive"), "archive", self._is_in(State.CERTIFIED)),
            "cancel": (_("Call off"), "cancel", self._is_in(*NOT_STARTED, State.RUNNING)),
        }
        return tuple(
            Action(kind, label, {"type": "undo"} if kind == "undo" else None, has_preview=kind == "undo")
            for kind, (label, act, is_valid) in wanted.items()
            if is_valid and self.may(act)
        )

    def _is_in(self, *states: State) -> bool:
        return self.tournament.state in states

    def _can_undo(self) -> bool:
        kinds = [item["type"] for item in self._items]
        return self.tournament.state in PLAYED and kinds.count("correct") > kinds.count("undo")

    def is_in_play(self, pairing: Pairing) -> bool:
        """Whether the pairing's match is being played."""
        row: PairingTable | None = self._rows.get(pairing.id)
        return row is not None and row.state == TableState.OPEN and row.table.phase != Phase.OVER


def actions_for(official: User, tournament: Tournament, pairing: Pairing, plan: Plan) -> tuple[Action, ...]:
    """What this official may do now about one pairing of the tournament's plan."""
    return Desk(official, tournament, plan).on_pairing(pairing)
