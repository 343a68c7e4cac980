"""Inside the transaction of a decision: its items written, noted as one act, told, and tables made to fit."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from accounts.models import User
from tournaments.formats.event import print_pairing
from tournaments.formats.plan import Plan
from tournaments.models import Entry, LogItem, Tournament
from tournaments.services import overruling
from tournaments.services.advancing import advance_tournament
from tournaments.services.book import Book
from tournaments.services.consequences import Preview, consequences
from tournaments.services.decided import tell_decided
from tournaments.services.log import record_act
from tournaments.services.making_up import parts, taken_back
from tournaments.services.refusals import Refused

Item = Mapping[str, Any]
ABOUT_ENTRANTS = ("withdraw", "disqualify", "reenter")
# Of the pairings that a decision changes, so many stand in the log of acts.
MOST_NOTED = 50


def write_items(
    tournament: Tournament,
    book: Book,
    items: Sequence[Item],
    actor: User,
    now: datetime,
    *,
    reason: str = "",
) -> list[LogItem]:
    """The items in the log, each with the reason, and what the first takes back with it.

    Raises: Refused with a code of the tournament's file.
    """
    before = book.plan
    why = {"reason": reason} if reason else {}
    back = taken_back(tournament, items[0])
    rows = [book.write({**bound(item, before), **why}, actor=actor, now=now) for item in items]
    for item in back:
        # Points that count no more, since the stage they were for is over, stay as they are.
        with suppress(Refused):
            rows.append(book.write({**item, **why}, actor=actor, now=now))
    return rows


def settle(
    tournament: Tournament,
    book: Book,
    rows: Sequence[LogItem],
    before: Plan,
    now: datetime,
    *,
    token: str = "",
    is_own: bool = False,
) -> Plan:
    """What was written is noted as one act and told, and tables are made to fit.

    Raises: Refused `moved-on`.
    """
    also = [row.item for row in rows[1:]]
    shown = consequences(tournament, rows[0].item, before, book.plan, also=also)
    if token and token != shown.token:
        raise Refused("moved-on")
    _note(tournament, rows, shown, now, is_own=is_own)
    for row in rows:
        if row.item["type"] in ABOUT_ENTRANTS:
            _mark(tournament, row.item["entrant"], gone=row.item["type"] != "reenter", now=now)
    tell_decided(tournament, rows, shown, now)
    overruling.follow(tournament, now)
    return advance_tournament(tournament, now, book=book)


def _note(
    tournament: Tournament, rows: Sequence[LogItem], shown: Preview, now: datetime, *, is_own: bool
) -> None:
    """The act of an official: the pairings that it changed as they were and as they are, and the points that came
    with it.
    """
    row = rows[0]
    item = row.item
    reached = [change for change in shown.changes if change.before != change.after][:MOST_NOTED]
    own = row.actor is not None and item["type"] == "withdraw" and _is_own(tournament, row.actor, item)
    record_act(
        tournament,
        "leave" if own else item["type"],
        actor=row.actor,
        now=now,
        subject=_subject(item),
        before=[print_pairing(change.before) for change in reached if change.before],
        after=[
            *(print_pairing(change.after) for change in reached if change.after),
            *parts([one.item for one in rows if one is not row or item["type"] == "adjust"]),
        ],
        reason=item.get("reason", ""),
        item=row,
        is_public=True,
        is_own=is_own,
    )


def _subject(item: Item) -> str:
    if "pairings" in item:
        stage = item.get("stage", 0)
        return f"{stage}:R{item['round']}" if stage else f"R{item['round']}"
    return item.get("pairing") or item.get("entrant") or " ".join(item.get("entrants", ()))


def _is_own(tournament: Tournament, actor: User, item: Item) -> bool:
    """Whether it is the actor's own pair that the item is about."""
    number = int(str(item["entrant"]).removeprefix("e"))
    return tournament.members.filter(entry__number=number, user=actor).exists()


def bound(item: Item, plan: Plan) -> Item:
    """The item, bound to the two sides that its pairing has in the plan."""
    pairings = {pairing.id: pairing for pairing in plan.pairings}
    pairing = pairings.get(item.get("pairing", ""))
    if pairing is None or None in pairing.sides or "sides" in item:
        return item
    return {**item, "sides": list(pairing.sides)}


def _mark(tournament: Tournament, ident: str, *, gone: bool, now: datetime) -> None:
    entry = tournament.entries.get(number=int(ident.removeprefix("e")))
    entry.withdrawn_at = now if gone else None
    entry.save(update_fields=["withdrawn_at"])
    if not gone:
        _check_free(tournament, entry)
    entry.members.filter(user__isnull=False).update(active=not gone)


def _check_free(tournament: Tournament, entry: Entry) -> None:
    """Raises: Refused `partner-entered` where one of those who come back plays with another pair meanwhile."""
    people = entry.members.filter(user__isnull=False).values("user")
    if tournament.members.filter(user__in=people, active=True).exclude(entry=entry).exists():
        raise Refused("partner-entered")
