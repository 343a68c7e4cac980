"""One table folded again from its first event, and what its rows say held against that."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.live.folding import read_deck
from games.live.state import finished
from games.models import Deal, Event, EventKind, Phase, Seat, SeatKind, Table
from games.rules.actions import IllegalAction
from games.rules.match import Match
from games.rules.ruleset import RULESETS, read_options
from games.rules.seats import side
from games.rules.shuffle import commitment, deck, first_dealer

RESIGNED: Final = "resigned"
# Who may act for a seat: its kind, and whether a bot sits in for its owner.
ACTORS: Final = {
    (SeatKind.PLAYER, False): "mc",
    (SeatKind.PLAYER, True): "ms",
    (SeatKind.BOT, False): "b",
}
FACTS: Final = ("phase", "score", "counted", "result_kind", "winner", "advances")


@dataclass(frozen=True, slots=True)
class Difference:
    """What does not hold: at which event of the table, what kind of thing, and what was expected and found."""

    version: int
    what: str
    expected: Any
    found: Any


class Refolding:
    """Takes a table's events in order, then compares what they make with the rows."""

    def __init__(self, table: Table, seats: Sequence[Seat], deals: Sequence[Deal]) -> None:
        self.table, self.events = table, 0
        self._seats = {seat.number: seat for seat in seats}
        self._deals = {deal.version: deal for deal in deals}
        self._sitting: dict[int, tuple[str, int | None]] = {}
        self._sitting_in = [False] * 4
        self._match: Match | None = None
        self._ended: Event | None = None
        self._paused = self._last_deal = self._is_broken = False
        self._version = self._dealt = 0
        self._differences: list[Difference] = []

    def take(self, event: Event) -> None:
        """The next event."""
        self.events += 1
        self._expect(event.version, "version", self._version + 1, event.version)
        self._version = event.version
        # Where the cards are not known any more, every later action would differ.
        if self._is_broken and event.kind in {EventKind.DEAL, EventKind.ACT}:
            return
        if self._ended is not None:
            self._differ(event.version, "event after the end", None, event.kind)
            return
        if event.kind not in EventKind.values or (event.seat is not None and event.seat not in self._seats):
            self._break(event, "event", "a known kind and seat", event.kind)
            return
        _TAKEN[EventKind(event.kind)](self, event)

    def finish(self) -> list[Difference]:
        """Every difference, once all events were taken."""
        table = self.table
        self._expect(table.version, "version of the table", self._version, table.version)
        self._expect(0, "commitment", commitment(bytes(table.secret)), table.commitment)
        self._check_start()
        if not self._is_broken:
            self._check_deals()
            self._check_facts()
        return self._differences

    # ---- Seats

    def _sit(self, event: Event) -> None:
        assert event.seat is not None
        kind = SeatKind.BOT if event.user_id is None else SeatKind.PLAYER
        self._sitting[event.seat] = (kind, event.user_id)

    def _leave(self, event: Event) -> None:
        if self._match is None:
            self._sitting.pop(event.seat or 0, None)
        else:
            self._check_owner(event)

    def _start(self, event: Event) -> None:
        table = self.table
        seats = {n: (s.kind, s.user_id) for n, s in self._seats.items() if s.kind != SeatKind.OPEN}
        self._expect(event.version, "seats", self._sitting, seats)
        self._expect(event.version, "start of the match", event.at, table.started_at)
        ruleset = RULESETS[table.ruleset]
        try:
            self._match = Match(
                ruleset,
                target=table.target,
                dealer=first_dealer(bytes(table.secret), table.salt),
                options=read_options(ruleset, table.options),
            )
        except ValueError as refusal:
            self._break(event, "rules of the match", table.ruleset, str(refusal))

    def _check_start(self) -> None:
        table = self.table
        if self._match is None:
            if not self._is_broken:
                self._expect(0, "first dealer", None, table.first_dealer)
            return
        salt = ":".join([table.code, *(self._seats[n].salt for n in sorted(self._seats))])
        self._expect(0, "salt", salt, table.salt)
        self._expect(0, "first dealer", first_dealer(bytes(table.secret), table.salt), table.first_dealer)

    def _check_owner(self, event: Event) -> None:
        owner = self._seats[event.seat].user_id if event.seat in self._seats else None
        self._expect(event.version, "player", owner, event.user_id)

    # ---- The cards

    def _deal(self, event: Event) -> None:
        match, row = self._match, self._deals.get(event.version)
        if match is None or row is None:
            self._break(event, "deal", "a match and a row of the deal", None)
            return
        expected = deck(bytes(self.table.secret), self.table.salt, match.deals)
        given = _cards(row.deck)
        self._expect(event.version, "number of the deal", match.deals, row.index)
        self._expect(event.version, "dealer", match.dealer, row.dealer)
        if expected != given:
            self._differ(event.version, "deck", "the one that was committed to", "another one")
        try:
            match.start_deal(given)
        except IllegalAction as refusal:
            self._break(event, "deal", "a deal that may begin", refusal.code)
            return
        self._dealt += 1

    def _act(self, event: Event) -> None:
        match = self._match
        if match is None or match.deal is None:
            self._break(event, "action", "a deal in progress", event.code)
            return
        self._expect(event.version, "turn", match.turn, event.seat)
        self._check_actor(event)
        try:
            match.act(event.code, event.by)
        except (IllegalAction, ValueError) as refusal:
            self._break(event, "action", getattr(refusal, "code", "an actor"), event.code or event.by)
            return
        if match.finished_deal is not None:
            self._check_finished(event, match)

    def _check_finished(self, event: Event, match: Match) -> None:
        row = next(row for row in self._deals.values() if row.index == match.deals - 1)
        facts = finished(match)
        self._expect(event.version, "end of the deal", True, row.finished)
        for name, expected in facts.items():
            self._expect(event.version, f"{name} of the deal", _plain(expected), _plain(getattr(row, name)))

    def _check_deals(self) -> None:
        self._expect(0, "deals", self._dealt, len(self._deals))
        if self._match is not None and self._match.deal is not None:
            row = next((row for row in self._deals.values() if row.index == self._match.deals - 1), None)
            self._expect(0, "end of the deal in play", False, row is not None and row.finished)

    # ---- Who plays a seat

    def _check_actor(self, event: Event) -> None:
        seat = self._seats.get(event.seat if event.seat is not None else -1)
        if seat is None:
            return
        allowed = ACTORS.get((SeatKind(seat.kind), self._sitting_in[seat.number]), "")
        if event.by not in allowed or not event.by:
            self._differ(event.version, "actor", allowed, event.by)
        self._expect(event.version, "player", seat.user_id if event.by == "m" else None, event.user_id)
        if event.by == "m":
            self._sitting_in[seat.number] = False

    def _change(self, event: Event) -> None:
        """A bot sits in or stands up."""
        assert event.seat is not None
        sits_in = event.kind == EventKind.SUB
        seat = self._seats[event.seat]
        self._expect(event.version, "owner of the seat", SeatKind.PLAYER.value, seat.kind)
        self._expect(event.version, "bot sitting in before", not sits_in, self._sitting_in[event.seat])
        self._sitting_in[event.seat] = sits_in

    def _back(self, event: Event) -> None:
        assert event.seat is not None
        self._check_owner(event)
        self._sitting_in[event.seat] = False

    # ---- Pauses and the end

    def _pause(self, event: Event) -> None:
        pauses = event.kind == EventKind.PAUSE
        self._expect(event.version, "pause before", not pauses, self._paused)
        self._paused = pauses

    def _last(self, event: Event) -> None:
        self._last_deal = True

    def _end(self, event: Event) -> None:
        self._ended = event
        if event.kind == EventKind.YIELD:
            self._check_owner(event)

    def _check_facts(self) -> None:
        table, expected = self.table, self._facts()
        for name in FACTS:
            self._expect(self._version, name.replace("_", " "), expected[name], getattr(table, name))
        self._expect(self._version, "bots sitting in", self._sitting_in, list(table.sitting_in))
        self._expect(self._version, "last deal", self._last_deal, table.stops_after_deal)
        is_over = expected["phase"] == Phase.OVER
        self._expect(self._version, "end of the match", is_over, table.ended_at is not None)
        self._expect(self._version, "pause", self._paused and not is_over, table.paused_at is not None)
        engaged = [seat.number for seat in self._seats.values() if seat.engaged]
        if is_over:
            self._expect(self._version, "engaged seats", [], engaged)

    def _facts(self) -> dict[str, Any]:
        match, ended = self._match, self._ended
        facts: dict[str, Any] = {"phase": Phase.WAITING, "score": [0, 0], "counted": 0}
        facts |= {"result_kind": "", "winner": None, "advances": None}
        if match is not None:
            facts |= {"phase": match.phase, "score": list(match.score), "counted": match.counted}
            if match.result is not None:
                result = match.result
                facts |= {"result_kind": result["kind"], "winner": result["winner"]}
                facts |= {"advances": result["advances"]}
        if ended is not None:
            facts["phase"] = Phase.OVER
            if ended.kind == EventKind.YIELD and ended.seat is not None:
                winner = 1 - side(ended.seat)
                facts |= {"result_kind": RESIGNED, "winner": winner, "advances": winner}
        return facts

    # ---- What was found

    def _expect(self, version: int, what: str, expected: Any, found: Any) -> None:
        if expected != found:
            self._differ(version, what, expected, found)

    def _differ(self, version: int, what: str, expected: Any, found: Any) -> None:
        self._differences.append(Difference(version, what, expected, found))

    def _break(self, event: Event, what: str, expected: Any, found: Any) -> None:
        self._differ(event.version, what, expected, found)
        self._is_broken = True


def _cards(text: str) -> list[int]:
    """The cards of a stored deck; none where it is no deck."""
    try:
        return read_deck(text)
    except KeyError:
        return []


def _plain(value: Any) -> Any:
    """The same as JSON has it: lists, no tuples."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


_TAKEN: Final[dict[EventKind, Callable[[Refolding, Event], None]]] = {
    EventKind.SIT: Refolding._sit,
    EventKind.LEAVE: Refolding._leave,
    EventKind.START: Refolding._start,
    EventKind.DEAL: Refolding._deal,
    EventKind.ACT: Refolding._act,
    EventKind.SUB: Refolding._change,
    EventKind.REST: Refolding._change,
    EventKind.BACK: Refolding._back,
    EventKind.YIELD: Refolding._end,
    EventKind.CLOSE: Refolding._end,
    EventKind.PAUSE: Refolding._pause,
    EventKind.RESUME: Refolding._pause,
    EventKind.LAST: Refolding._last,
}
