"""What happened, the newest first: results with what decided them, decisions of officials, announcements."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from accounts.models import User
from tournaments.because import because
from tournaments.cards import Cards, standing_of
from tournaments.course import Course
from tournaments.formats.adjudicate import match_winner
from tournaments.formats.names import read_name
from tournaments.formats.notation import read_item
from tournaments.formats.results import Pairing, Result
from tournaments.models import Act, Format, LogItem, PairingTable, Tournament
from tournaments.sentences import act_sentence, item_sentence, with_own_note

A_PAGE = 40
SCORED = (Format.ROUND_ROBIN, Format.SWISS)


@dataclass(frozen=True, slots=True)
class News:
    """One thing that happened. `pairing`: which it was about; `sides`: names with the points, where it was a match.

    `kind`: result, dead, decision, act, announcement. `table` is the finished table's code, `by` who decided it.
    """

    kind: str
    at: datetime
    sentence: str
    pairing: str = ""
    name: str = ""
    sides: tuple[tuple[Any, int | None, bool], ...] = ()
    reason: str = ""
    by: User | None = None
    code: str = ""
    standing: str = ""

    @property
    def round(self) -> str:
        """The name of its pairing's round; empty where there is none."""
        return read_name(self.pairing).key if self.pairing else ""


@dataclass(frozen=True, slots=True)
class Feed:
    """A page of news. `older`: where the next page begins, a number of the log; None where there is none."""

    news: tuple[News, ...]
    older: int | None


def feed(tournament: Tournament, course: Course, before: int | None = None) -> Feed:
    """The newest page, or the one before an item of the log."""
    log = tournament.log.select_related("actor", "table", "act__actor").order_by("-number")
    if before is not None:
        log = log.filter(number__lt=before)
    rows = list(log[: A_PAGE + 1])
    more, rows = len(rows) > A_PAGE, rows[:A_PAGE]
    # Things without an item stand between those of the same hours.
    since = rows[-1].at if more else None
    until = rows[0].at if before is not None and rows else None
    news = [*_items(tournament, course, rows), *_acts(tournament, course, since, until)]
    ordered = sorted(news, key=lambda one: one.at, reverse=True)
    return Feed(tuple(ordered), rows[-1].number if more else None)


def _items(tournament: Tournament, course: Course, rows: list[LogItem]) -> Iterator[News]:
    cards = Cards(tournament, course)
    pairings = [course.by_id[id_] for row in rows if (id_ := row.item.get("pairing")) in course.by_id]
    named = {side for row in rows for side in named_in(row.item)}
    cards.read(list(dict.fromkeys(pairings)), named)
    tables = {table.table_id: table for listed in cards.tables.values() for table in listed}
    for row in rows:
        yield _news(row, cards, tables.get(row.table_id or 0))


def named_in(item: Mapping[str, Any]) -> set[str]:
    """The entrants that an item of the log names."""
    entrant = item.get("entrant")
    if isinstance(entrant, dict):
        entrant = entrant["id"]
    return {side for side in (*(item.get("sides") or ()), *(item.get("entrants") or ()), entrant) if side}


def _news(row: LogItem, cards: Cards, table: PairingTable | None) -> News:
    item = row.item
    if item["type"] in ("result", "forfeit", "rule") and item["pairing"] in cards.course.by_id:
        return _match(row, cards, table)
    sentence = item_sentence(item, cards.course.names, cards.name)
    told = with_own_note(sentence, act_of(row))
    return News("decision", row.at, told, reason=item.get("reason", "") or _reason(row), by=row.actor)


def act_of(row: LogItem) -> Act | None:
    """The act by which an item came into the log; None where it came by itself, or with another item."""
    return getattr(row, "act", None)


def _reason(row: LogItem) -> str:
    return row.act.reason if hasattr(row, "act") else ""


def _match(row: LogItem, cards: Cards, table: PairingTable | None) -> News:
    """What a match, a forfeit or a ruling came to when it was recorded."""
    item, tournament = row.item, cards.tournament
    told = _as_told(item, cards.course)
    name = read_name(told.id)
    sentence = because(
        told, [item], cards.name, target=tournament.target, cap=tournament.round_cap, best_of=1
    )
    dead = item.get("kind") == "no-result"
    sides = tuple(
        (cards.entries.get(side or ""), told.score[place] if told.score else None, side == told.winner)
        for place, side in enumerate(told.sides)
    )
    return News(
        "dead" if dead else "result",
        row.at,
        "" if dead else with_own_note(sentence, act_of(row)),
        told.id,
        cards.course.names.pairing(told.id),
        sides if name else (),
        by=row.actor,
        reason=_reason(row) if row.actor else "",
        code=row.table.code if row.table and row.table.result_kind else "",
        standing=standing_of(table, tournament),
    )


def _as_told(item: Mapping[str, Any], course: Course) -> Pairing:
    """The pairing as this item alone decides it."""
    now = course.by_id[item["pairing"]]
    sides = tuple(item["sides"]) if item.get("sides") else now.sides
    told = replace(now, sides=sides, status="done", winner=None, decided_by="double-forfeit", score=None)
    fact = read_item(dict(item))
    if isinstance(fact, Result):
        if fact.kind == "no-result":
            return told
        draws = course.format(read_name(now.id).stage) in SCORED and read_name(now.id).part != "PO"
        winner, decided_by = match_winner(fact, draws_stand=draws)
        gone = None if winner is None else sides[winner]
        return replace(told, winner=gone, decided_by=decided_by, score=fact.score)
    if item["type"] == "rule":
        return replace(told, winner=sides[item["winner"]], decided_by="ruling")
    if item["side"] == "both":
        return told
    return replace(told, winner=sides[1 - item["side"]], decided_by="forfeit")


def _acts(
    tournament: Tournament, course: Course | None, since: datetime | None, until: datetime | None
) -> Iterator[News]:
    acts = tournament.acts.filter(is_public=True, item=None).select_related("actor").order_by("-number")
    if since is not None:
        acts = acts.filter(at__gte=since)
    if until is not None:
        acts = acts.filter(at__lt=until)
    for act in acts[:A_PAGE]:
        news = act_news(act, course)
        if news is not None:
            yield news


def act_news(act: Act, course: Course | None) -> News | None:
    """A public act as news; None for one that has no words."""
    if act.kind == "announce":
        return News("announcement", act.at, str(act.after or ""), by=act.actor)
    sentence = act_sentence(act, course.names if course else None)
    told = with_own_note(sentence, act)
    return News("act", act.at, told, reason=act.reason, by=act.actor) if sentence else None
