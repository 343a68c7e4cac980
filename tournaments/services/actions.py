"""What an official may do now: the one place that says so. Pages offer it, and every door checks it again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from tournaments.deadlines import NOT_STARTED
from tournaments.formats.plan import Plan
from tournaments.formats.results import Pairing
from tournaments.models import Entry, Format, ObjectionState, PairingTable, State, TableState, Tournament
from tournaments.queries import stage_settings
from tournaments.services import whole
from tournaments.services.neutral import LEAVING, Neutrality, in_play, sides_of
from tournaments.services.permissions import ALLOWED, OWNER, require, role_of
from tournaments.services.refusals import Refused

__all__ = ["NOT_STARTED", "Action", "Desk", "actions_for", "check"]

Item = Mapping[str, Any]
WITH_POINTS = (Format.ROUND_ROBIN, Format.SWISS)
PLAYED = (State.RUNNING, State.FINISHED)
ABOUT_PAIRINGS = ("confirm", "result", "forfeit", "rule", "correct")
ABOUT_ENTRANTS = (*LEAVING, "reenter", "adjust", "check-in", "check-out", "remove", "rate")
# Which act of `permissions.ALLOWED` each kind of action is; those about the whole are in `whole.OFFERED`.
ACTS = {
    "confirm": "score",
    "result": "score",
    "check-in": "check-in",
    "check-out": "check-in",
    "remove": "entries",
    "rate": "entries",
    **dict.fromkeys(("forfeit", "rule", "correct", *LEAVING, "reenter", "adjust", "play_off"), "decide"),
    **{kind: offer.act for kind, offer in whole.OFFERED.items()},
}


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done now.

    `item`: the log item that it would be, as far as it is known; `fields` are what must still be said of it.
    Without an item it is a door of its own, named by `kind`. `has_preview`: what it changes is shown first.
    `options`: what its one field may say, where that is a matter of few.
    """

    kind: str
    label: str | Promise
    item: Item | None = None
    fields: tuple[str, ...] = ()
    has_preview: bool = True
    options: tuple[str, ...] = ()


class Desk:
    """One official at one tournament: role, plan and tables read once, asked as often as needed.

    `about`: the only pairing that will be asked about, where there is but one.
    """

    def __init__(
        self,
        official: User,
        tournament: Tournament,
        plan: Plan | None,
        *,
        now: datetime | None = None,
        about: str = "",
    ) -> None:
        self.official, self.tournament, self.plan = official, tournament, plan
        self.now = now or timezone.now()
        self.neutrality = Neutrality(tournament, official)
        self._role = role_of(tournament, official)
        self._about = about

    def may(self, act: str) -> bool:
        """Whether the official's role allows this act of `permissions.ALLOWED`."""
        return self._role is not None and (self._role == OWNER or self._role in ALLOWED[act])

    @cached_property
    def _rows(self) -> dict[str, PairingTable]:
        """The newest table of each pairing that counts."""
        if self.plan is None:
            return {}
        rows = self.tournament.tables.exclude(state=TableState.VOID).select_related("table")
        if self._about:
            rows = rows.filter(pairing=self._about)
        return {row.pairing: row for row in rows.order_by("pairing", "attempt")}

    @cached_property
    def _left(self) -> dict[str, str]:
        """How each entrant left that did and has not come back."""
        left: dict[str, str] = {}
        rows = self.tournament.log.filter(item__type__in=(*LEAVING, "reenter")).order_by("number")
        for kind, ident in rows.values_list("item__type", "item__entrant"):
            left.pop(ident, None)
            if kind != "reenter":
                left[ident] = kind
        return left

    @cached_property
    def _disputed(self) -> set[str]:
        """The pairings whose result somebody objects to."""
        waiting = self.tournament.objections.filter(state=ObjectionState.OPEN)
        return set(waiting.values_list("pairing", flat=True))

    # About a pairing

    def on_pairing(self, pairing: Pairing) -> tuple[Action, ...]:
        """What can be done about a pairing."""
        if self.tournament.state not in PLAYED or None in pairing.sides:
            return ()
        found = list(self._confirming(pairing))
        if pairing.status == "ready":
            found += self._deciding(pairing)
        is_recorded = pairing.status == "done" or (pairing.status == "ready" and pairing.recorded > 0)
        if is_recorded and self._may_about(pairing, "decide"):
            found.append(self._correcting(pairing))
        return tuple(found)

    def _may_about(self, pairing: Pairing, act: str) -> bool:
        return self.may(act) and self.neutrality.allows(act, pairing.sides)

    def _confirming(self, pairing: Pairing) -> Iterator[Action]:
        """Who plays in a match speaks for one side of it, and does so elsewhere."""
        row = self._rows.get(pairing.id)
        if row is None or not self.may("score") or self.neutrality.is_own(pairing.sides):
            return
        if is_provisional(row, self.now) and pairing.id not in self._disputed:
            yield Action("confirm", _("Confirm the result"), has_preview=False)

    def _deciding(self, pairing: Pairing) -> Iterator[Action]:
        name: dict[str, Any] = {"pairing": pairing.id}
        row = self._rows.get(pairing.id)
        is_played = row is not None and row.state == TableState.HELD
        if self._may_about(pairing, "score") and self.tournament.state == State.RUNNING and not is_played:
            yield Action("result", _("Enter a result"), {"type": "result"} | name, ("outcome", "score"))
        if not self._may_about(pairing, "decide"):
            return
        for side in (0, 1):
            yield Action("forfeit", _("Forfeits"), {"type": "forfeit", "side": side} | name)
        yield Action("forfeit", _("Both forfeit"), {"type": "forfeit", "side": "both"} | name)
        for side in (0, 1):
            yield Action("rule", _("Wins by a ruling"), {"type": "rule", "winner": side} | name, ("reason",))

    def _correcting(self, pairing: Pairing) -> Action:
        fields = ["outcome", "score", "reason"]
        # While it goes on, only what is named can be corrected.
        if pairing.status == "ready" or stage_settings(self.tournament, pairing.id).get("best_of", 1) > 1:
            fields.insert(0, "match")
        item = {"type": "correct", "pairing": pairing.id}
        return Action("correct", _("Correct the result"), item, tuple(fields))

    # About a pair

    def on_entrant(self, entry: Entry) -> tuple[Action, ...]:
        """What can be done about a pair."""
        if self.tournament.state in NOT_STARTED:
            return tuple(self._before_the_start(entry))
        if self.tournament.state not in PLAYED or self.plan is None or not self.may("decide"):
            return ()
        offered = self._while_played(entry.ident, self.plan)
        return tuple(action for action in offered if self._may_judge(action.item or {}))

    def _may_judge(self, item: Item) -> bool:
        assert self.plan is not None
        sides = sides_of(self.tournament, item, self.plan, self._playing)
        return self.neutrality.allows("decide", sides)

    @cached_property
    def _playing(self) -> list[Sequence[str]]:
        return in_play(self.tournament)

    def _before_the_start(self, entry: Entry) -> Iterator[Action]:
        if entry.withdrawn_at is not None or entry.declined_at is not None:
            return
        if entry.accepted_at is not None and self.may("check-in"):
            if entry.checked_in_at is None:
                yield Action("check-in", _("Check in"), has_preview=False)
            else:
                yield Action("check-out", _("Not here"), has_preview=False)
        if self.may("entries"):
            yield Action("rate", _("Enter the rating"), fields=("rating",), has_preview=False)
            yield Action("remove", _("Take out"), has_preview=False)

    def _while_played(self, ident: str, plan: Plan) -> Iterator[Action]:
        about: dict[str, Any] = {"entrant": ident}
        left = self._left.get(ident)
        if left is None and not plan.finished:
            yield Action("withdraw", _("Withdraw"), {"type": "withdraw"} | about)
        if left != "disqualify":
            yield Action("disqualify", _("Disqualify"), {"type": "disqualify"} | about, ("reason",))
        if left is not None:
            yield Action("reenter", _("Take back in"), {"type": "reenter"} | about)
        if self._has_points(plan):
            item = {"type": "adjust"} | about
            yield Action("adjust", _("Change the points"), item, ("points", "reason"))

    def _has_points(self, plan: Plan) -> bool:
        """Whether the stage being played counts points."""
        if self.tournament.format != Format.STAGES:
            return self.tournament.format in WITH_POINTS
        return bool(plan.pairings) and (
            stage_settings(self.tournament, plan.pairings[-1].id)["format"] in WITH_POINTS
        )

    # About the whole

    def on_tournament(self) -> tuple[Action, ...]:
        """What can be done about the tournament as a whole."""
        return (*self._whole(), *self.play_offs())

    def _whole(self, kind: str = "") -> Iterator[Action]:
        for name, offer, options in whole.offers(self.tournament, self.plan, self.now, only=kind):
            if self.may(offer.act) and self._is_not_of_their_own(name):
                yield Action(name, offer.label, offer.item, offer.fields, offer.has_preview, options)

    def _is_not_of_their_own(self, kind: str) -> bool:
        return kind != "undo" or self._may_judge({"type": "undo"})

    def play_offs(self) -> Iterator[Action]:
        """Who is level in the standings and can be let play off."""
        if self.plan is None or self.tournament.state not in PLAYED or not self.may("decide"):
            return
        for pair in whole.play_offs(self.tournament):
            if self.neutrality.allows("decide", pair):
                item = {"type": "play_off", "entrants": list(pair)}
                yield Action("play_off", _("Let them play off"), item)

    # At the door

    def check(self, kind: str, item: Item | None = None) -> bool:
        """Whether it is about a pair of the official's own all the same; refused where it is not offered.

        Raises: Refused `not-organiser`, `not-your-role`, `own-match`, `own-pair`, `not-offered`.
        """
        require(self.tournament, self.official, ACTS[kind])
        item = item or {}
        sides = sides_of(self.tournament, {"type": kind} | dict(item), self.plan) if self.plan else set()
        code = "own-pair" if kind in ABOUT_ENTRANTS else "own-match"
        own = self.neutrality.check(ACTS[kind], sides, code)
        if not self.offers(kind, item):
            raise Refused("not-offered")
        return own

    def offers(self, kind: str, item: Item) -> bool:
        """Whether something that is offered fits."""
        if kind == "play_off":
            # Any two that the log lets play off; only those that nothing else parts are listed.
            return self.tournament.state in PLAYED
        return any(
            action.kind == kind and _fits(action.item, item) for action in self._about_what(kind, item)
        )

    def _about_what(self, kind: str, item: Item) -> Sequence[Action]:
        if kind in ABOUT_PAIRINGS:
            found = [p for p in (self.plan.pairings if self.plan else ()) if p.id == item.get("pairing")]
            return [action for pairing in found for action in self.on_pairing(pairing)]
        if kind in ABOUT_ENTRANTS:
            number = str(item.get("entrant", "")).removeprefix("e")
            entries = self.tournament.entries.filter(number=int(number) if number.isdecimal() else 0)
            return [action for entry in entries for action in self.on_entrant(entry)]
        return list(self._whole(kind))


def _fits(offered: Item | None, item: Item) -> bool:
    return all(item.get(key) == value for key, value in (offered or {}).items() if key != "type")


def is_provisional(row: PairingTable, now: datetime) -> bool:
    """Whether the result of a table still waits for somebody's word, or for its time to object to be over."""
    if row.state == TableState.HELD:
        return True
    is_open = row.final_at is not None and row.final_at > now
    return row.state == TableState.RECORDED and is_open and not all(row.confirmed)


def actions_for(
    official: User, tournament: Tournament, pairing: Pairing, plan: Plan, *, now: datetime | None = None
) -> tuple[Action, ...]:
    """What this official may do now about one pairing of the tournament's plan."""
    return Desk(official, tournament, plan, now=now, about=pairing.id).on_pairing(pairing)


def check(
    official: User,
    tournament: Tournament,
    kind: str,
    item: Item | None = None,
    *,
    plan: Plan | None = None,
    now: datetime,
) -> bool:
    """At a door: the official may do this now; whether it is about a pair of their own all the same.

    Raises: as `Desk.check`.
    """
    about = str((item or {}).get("pairing", ""))
    return Desk(official, tournament, plan, now=now, about=about).check(kind, item)
