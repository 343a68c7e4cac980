"""The large screen of a hall: panes that take turns, in one language or in both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.templatetags.people import ago
from tournaments.cards import entries_of
from tournaments.formats.names import read_name
from tournaments.models import Entry, PairingTable, TableState
from tournaments.pages import Page
from tournaments.ranking import ranking
from tournaments.round_list import round_page

ROWS = 8
CARDS = 12
# Of a large field so many panes of one kind, and no more: everybody waits for the own one.
PANES = 6
STANDINGS = 24


@dataclass(frozen=True, slots=True)
class Call:
    """A table to go to."""

    number: int | None
    name: str
    sides: tuple[Entry | None, ...]
    row: PairingTable


@dataclass(frozen=True, slots=True)
class Pane:
    """What is shown for some seconds."""

    kind: str
    title: str
    rows: Sequence[Any]
    page: int = 1
    pages: int = 1
    scored: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A pane in one language."""

    key: str
    kind: str
    language: str
    direction: str
    html: SafeString


def calls(page: Page) -> list[Call]:
    """The tables that wait for players or are in play, by their numbers."""
    if page.course is None:
        return []
    rows = page.tournament.tables.filter(state=TableState.OPEN).order_by("number", "pk")
    listed = list(rows)
    entries = entries_of(page.tournament, {side for row in listed for side in row.sides})
    return [
        Call(row.number, page.names.pairing(row.pairing), tuple(entries.get(side) for side in row.sides), row)
        for row in listed
    ]


def resting(page: Page) -> list[Entry]:
    """Who has no opponent in the round that is played."""
    if page.course is None:
        return []
    pairings = page.course.rounds.get(page.course.current(page.course.stages[-1]), [])
    idle = {pairing.winner for pairing in pairings if pairing.decided_by == "bye" and pairing.winner}
    return list(entries_of(page.tournament, idle).values())


def drawn_panes(page: Page, languages: Sequence[str]) -> list[Drawn]:
    """The panes, each in every language before the next comes."""
    by_language = [_in_language(page, language) for language in languages]
    return [pane for row in zip(*by_language, strict=True) for pane in row]


def _in_language(page: Page, language: str) -> list[Drawn]:
    with translation.override(language):
        # Words are chosen as the panes are made, so each language has a page of its own.
        own = Page(page.tournament, None, page.asked)
        direction = "rtl" if translation.get_language_bidi() else "ltr"
        return [
            Drawn(
                f"{pane.kind}-{pane.page}-{language}",
                pane.kind,
                language,
                direction,
                SafeString(render_to_string("tournaments/screen_pane.html", {"pane": pane, "page": own})),
            )
            for pane in panes(own)
        ]


def panes(page: Page) -> list[Pane]:
    """What there is to show now, in the language in force."""
    found = [*_panes(page)]
    return found or [Pane("facts", page.tournament.get_state_display(), _facts(page))]


def _panes(page: Page) -> Iterator[Pane]:
    if page.champion:
        yield Pane("champion", _("Champions"), [page.champion])
    if page.announcements and not page.champion:
        yield Pane("told", _("Announcements"), page.announcements[:2])
    yield from _split("calls", _("To the tables"), calls(page), ROWS)
    yield from _rounds(page)
    yield from _standings(page)
    if page.course is None:
        yield Pane("facts", page.tournament.get_state_display(), _facts(page))


def _facts(page: Page) -> list[tuple[str, Any]]:
    return [(str(date.name), ago(date.at)) for date in page.dates] + [(_("Pairs"), page.entered)]


def _split(kind: str, title: str, rows: Sequence[Any], size: int, *, scored: bool = False) -> Iterator[Pane]:
    parts = [rows[at : at + size] for at in range(0, len(rows), size)][:PANES]
    for number, part in enumerate(parts, 1):
        yield Pane(kind, title, part, number, len(parts), scored)


def _rounds(page: Page) -> Iterator[Pane]:
    """The rounds that are being played; of a double elimination one in each bracket."""
    if page.course is None or page.champion:
        return
    stage = page.course.stages[-1]
    open_ = [
        key
        for key, pairings in page.course.rounds.items()
        if read_name(key).stage == stage and any(pairing.status == "ready" for pairing in pairings)
    ]
    for key in open_[:2]:
        listing = round_page(page.cards(), stage, key=key)
        cards = [card for block in listing.blocks for card in block.cards]
        ready = sorted(cards, key=lambda card: card.status != "ready")
        yield from _split("round", listing.name, ready, CARDS)


def _standings(page: Page) -> Iterator[Pane]:
    if page.course is None:
        return
    table = ranking(page.tournament, page.course, of="-")
    for group in table.groups:
        title = group.name or _("Standings")
        yield from _split("standings", title, group.places[:STANDINGS], ROWS, scored=table.scored)
