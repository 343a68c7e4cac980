"""Everything that happened at a table in the order in which it did: what reviewers read beside the replay.

No call and no card stands in it before all of them may be seen: a reviewer of a match in play could be somebody's
friend.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.diagrams import Call, call_of
from games.models import ChatLine, Connection, Deal, Event, EventKind, Move, Seat, Table

# A match of more events than that is read deal by deal.
MOST_AT_ONCE: Final = 1500
# Who was called to a table and came to it first; what a seat remembers of that.
ARRIVED: Final = "arrived"
ACTORS: Final = {"m": _("person"), "c": _("clock"), "b": _("bot"), "s": _("bot sitting in")}
# Of connections and of chat no more than that: more is nobody's match but an attack.
MOST_BESIDE: Final = 2000


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened.

    `kind`: of an event, or "came", "went", "chat", ARRIVED. `code`: the call or card, or None where it is none or may
    not be seen. `moment`: deal from 1 and act in it from 0, of the replay.
    """

    at: datetime
    kind: str
    seat: int | None = None
    name: str = ""
    by: str = ""
    code: str | None = None
    ms: int | None = None
    moment: tuple[int, int] | None = None
    text: str = ""
    room: str = ""
    address: str = ""
    device: str = ""
    is_hidden: bool = False
    version: int = 0

    @property
    def words(self) -> str:
        """What happened, in words; a call or a card has its own signs."""
        if self.kind == ARRIVED:
            return gettext("came, having been called")
        return str(EventKind(self.kind).label if self.kind in EventKind.values else Move(self.kind).label)

    @property
    def call(self) -> Call | None:
        """The call or card, as a page shows it."""
        if self.code is None or self.seat is None:
            return None
        return call_of({"seat": self.seat, "code": self.code, "by": "", "ms": self.ms})

    @property
    def actor(self) -> str:
        """Who acted: the person whose seat it is, the clock, a bot."""
        return str(ACTORS.get(self.by, ""))

    @property
    def seconds(self) -> str:
        """How long it took, to a tenth of a second."""
        return "" if self.ms is None else f"{self.ms / 1000:.1f}"

    @property
    def after(self) -> int:
        """How many acts of its deal are done with this one."""
        return self.moment[1] + 1 if self.moment else 0


@dataclass(slots=True)
class Section:
    """What happened from one deal to the next; `number` 0: before the first."""

    number: int
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Timeline:
    """The sections that are shown, and how many deals there are. `is_cut`: not all are shown."""

    sections: list[Section]
    deals: int
    is_cut: bool


def timeline(table: Table, *, names: Sequence[str], is_out: bool, deal: int | None = None) -> Timeline:
    """What happened at a table, all of it or that of one deal (0: before the first), in six queries.

    `names` by seat. `is_out`: calls and cards may be seen. Of a long match only the deal asked for, else the last.
    """
    starts = list(Deal.objects.filter(table=table).order_by("index").values_list("version", flat=True))
    if deal is None and table.version > MOST_AT_ONCE:
        deal = len(starts)
    if deal is not None:
        deal = min(max(deal, 0), len(starts))
    first, last = _bounds(starts, deal)
    events = _events(table, first, last)
    sections = _sections(events, starts, names, is_out, deal)
    _put_beside(sections, _beside(table, names, *_hours(events, first, last)))
    if len(sections) > 1 and not sections[0].lines:
        del sections[0]
    return Timeline(sections, len(starts), deal is not None and len(starts) > 0)


def _bounds(starts: Sequence[int], deal: int | None) -> tuple[int, int | None]:
    """The first version shown, and the first that is not."""
    if deal is None:
        return 0, None
    edges = [0, *starts]
    return edges[deal], edges[deal + 1] if deal + 1 < len(edges) else None


def _events(table: Table, first: int, last: int | None) -> list[dict[str, Any]]:
    events = Event.objects.filter(table=table, version__gte=first).order_by("version")
    if last is not None:
        events = events.filter(version__lt=last)
    names = ("version", "kind", "seat", "code", "by", "ms", "at", "user__username")
    return [{**row} for row in events.values(*names)]


def _hours(
    events: Sequence[dict[str, Any]], first: int, last: int | None
) -> tuple[datetime | None, datetime | None]:
    """From when until when things beside the events are shown; None: from the beginning, until the end."""
    since = events[0]["at"] if events and first else None
    return since, events[-1]["at"] if events and last is not None else None


def _sections(
    events: Iterable[dict[str, Any]],
    starts: Sequence[int],
    names: Sequence[str],
    is_out: bool,
    deal: int | None,
) -> list[Section]:
    sections = [Section(deal or 0)]
    numbers = {version: number for number, version in enumerate(starts, start=1)}
    acts = 0
    for event in events:
        if (number := numbers.get(event["version"])) is not None:
            acts = 0
            if sections[-1].number != number:
                sections.append(Section(number))
        section = sections[-1]
        is_act = event["kind"] == EventKind.ACT
        section.lines.append(_line(event, names, is_out, (section.number, acts) if is_act else None))
        acts += is_act
    return sections


def _line(event: dict[str, Any], names: Sequence[str], is_out: bool, moment: tuple[int, int] | None) -> Line:
    seat = event["seat"]
    return Line(
        at=event["at"],
        kind=event["kind"],
        seat=seat,
        name=event["user__username"] or (names[seat] if seat is not None else ""),
        by=event["by"],
        code=event["code"] if moment and is_out else None,
        ms=event["ms"],
        moment=moment if is_out else None,
        is_hidden=moment is not None and not is_out,
        version=event["version"],
    )


def _beside(table: Table, names: Sequence[str], since: datetime | None, until: datetime | None) -> list[Line]:
    """Who came and went, and what was said."""
    hours = {"at__gte": since} if since else {}
    hours |= {"at__lt": until} if until else {}
    moves = Connection.objects.filter(table=table, **hours).order_by("at", "pk")
    rows = moves.values("at", "kind", "user__username", "address", "device")[:MOST_BESIDE]
    found = [
        Line(
            at=row["at"],
            kind=row["kind"],
            seat=_seat_of(row["user__username"], names),
            name=row["user__username"],
            address=row["address"],
            device=row["device"],
        )
        for row in rows
    ]
    found += _arrivals(table, names, since, until)
    said = ChatLine.objects.filter(table=table, **hours).order_by("at", "pk")
    lines = said.values("at", "room", "seat", "text", "user__username")[:MOST_BESIDE]
    return found + [
        Line(
            at=line["at"],
            kind="chat",
            seat=line["seat"],
            name=line["user__username"],
            text=line["text"],
            room=line["room"],
        )
        for line in lines
    ]


def _arrivals(
    table: Table, names: Sequence[str], since: datetime | None, until: datetime | None
) -> list[Line]:
    came = Seat.objects.filter(table=table, arrived_at__isnull=False).values_list("number", "arrived_at")
    return [
        Line(at=at, kind=ARRIVED, seat=number, name=names[number])
        for number, at in came
        if at is not None and (since is None or at >= since) and (until is None or at < until)
    ]


def _seat_of(name: str, names: Sequence[str]) -> int | None:
    return names.index(name) if name in names else None


def _put_beside(sections: Sequence[Section], beside: Sequence[Line]) -> None:
    """Each line into the section in whose time it falls."""
    edges = [section.lines[0].at if section.lines else None for section in sections]
    for line in beside:
        at = max((n for n, edge in enumerate(edges) if edge is None or edge <= line.at), default=0)
        sections[at].lines.append(line)
    for section in sections:
        section.lines.sort(key=lambda line: line.at)
