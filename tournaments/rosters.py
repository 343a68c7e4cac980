"""A list of entrants as a table: which columns there are, what each row says, which rows make no sense. No database."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.digits import fold_digits
from accounts.names import search_key
from accounts.text import isolate
from tournaments.sheets import FORMULA, UnreadableSheet, restored

LONGEST_NAME: Final = 60
LARGEST_RATING: Final = 9999
LARGEST_SEED: Final = 9999
# The head stands in one of the first rows: lists often have a title above.
HEAD_WITHIN: Final = 10

# The heads of columns: the first two are written on export, in English and in Arabic; all are read.
HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("ID", "المعرّف", "entry"),
    "team": ("Team", "الفريق", "اسم الفريق", "team name", "pair", "الثنائي", "name", "الاسم"),
    "player_1": ("Player 1", "اللاعب 1", "اللاعب الأول", "لاعب 1", "first player", "player one", "p1"),
    "player_2": (
        "Player 2",
        "اللاعب 2",
        "اللاعب الثاني",
        "لاعب 2",
        "second player",
        "partner",
        "الشريك",
        "p2",
    ),
    "substitute": (
        "Substitute",
        "البديل",
        "الاحتياط",
        "لاعب احتياط",
        "reserve",
        "sub",
        "player 3",
        "اللاعب 3",
    ),
    "club": ("Club", "النادي", "نادي", "المقهى", "association", "café", "cafe"),
    "rating": ("Rating", "التقييم", "تقييم", "elo", "نقاط التقييم"),
    "seed": ("Seed", "التصنيف", "ترتيب البذور", "البذرة", "seeding"),
}

# Why a row or a file is not taken. %(cell)s is what stands there, %(row)s another row.
FAULTS: Final[Mapping[str, str | Promise]] = {
    "too-large": _("The file is too large: a list of entrants has 1 MB at most."),
    "too-many-rows": _("The file has more than 2000 rows."),
    "empty": _("There is nothing in this file."),
    "old-excel": _("This is a workbook of old Excel, or one with a password. Save it as .xlsx or as CSV."),
    "locked": _("This workbook has a password. Save it without one."),
    "damaged": _("This workbook cannot be read. Save it again, as .xlsx or as CSV."),
    "not-text": _("This is no table: send CSV or .xlsx."),
    "no-head": _(
        "No row names the columns. There must be one for each of the two players, “Player 1” and “Player 2”."
    ),
    "no-rows": _("Below the names of the columns there is no row."),
    "formula": _("There is a formula. Put its value in its place."),
    "no-player": _("A pair has two players; one of them is missing."),
    "long": _("“%(cell)s” is too long: 60 characters at most."),
    "no-name": _("“%(cell)s” has no letters."),
    "rating": _("“%(cell)s” is no rating: a whole number up to 9999."),
    "seed": _("“%(cell)s” is no seed: a whole number from 1 up."),
    "same-player": _("The same player twice."),
    "twice": _("%(cell)s is in row %(row)s already."),
    "team-twice": _("The team “%(cell)s” is in row %(row)s already."),
    "seed-twice": _("Seed %(cell)s is in row %(row)s already."),
    "pair-twice": _("Row %(row)s is about the same pair."),
    "guest": _("%(cell)s is a guest: players in a tournament need an account."),
    "inactive": _("The account of %(cell)s is closed."),
    "no-account": _("Nobody has confirmed the address %(cell)s. Write the player's name instead."),
    "busy": _("%(cell)s is in another pair here."),
    "team-taken": _("There is a team “%(cell)s” already."),
    "seed-taken": _("Seed %(cell)s is another pair's, which is not in this file."),
    "no-substitutes": _("This tournament has no substitutes; its settings can allow them."),
}


@dataclass(frozen=True, slots=True)
class Person:
    """As the list names a player: by name, by address, or both ("Name <address>")."""

    name: str = ""
    email: str = ""

    @property
    def shown(self) -> str:
        return self.name or self.email


@dataclass(frozen=True, slots=True)
class Line:
    """What a row says. `number` is the row's in the file."""

    number: int
    team: str
    players: tuple[Person, Person]
    substitute: Person | None
    club: str
    rating: int | None
    seed: int | None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a row; `row` is another one that it is about."""

    number: int
    code: str
    cell: str = ""
    row: int = 0

    @property
    def sentence(self) -> str:
        return str(FAULTS[self.code]) % {"cell": isolate(self.cell), "row": self.row}


@dataclass(frozen=True, slots=True)
class Roster:
    """A whole list. Of columns that are not in `columns` nothing is said.

    `unread`: heads that are not known, or stand there a second time.
    """

    columns: frozenset[str]
    lines: tuple[Line, ...]
    faults: tuple[Fault, ...]
    unread: tuple[str, ...] = ()


def read_roster(rows: Sequence[tuple[int, Sequence[str]]]) -> Roster:
    """The list in these rows (as `sheets.read_rows` gives them).

    Raises: UnreadableSheet `no-head`, `no-rows`.
    """
    place, columns = _head(rows)
    lines: list[Line] = []
    faults: list[Fault] = []
    for number, cells in rows[place + 1 :]:
        try:
            if (line := _line(number, _cells(columns, cells))) is not None:
                lines.append(line)
        except _Wrong as wrong:
            faults.append(Fault(number, wrong.code, wrong.cell))
    if not lines and not faults:
        raise UnreadableSheet("no-rows")
    return Roster(frozenset(columns), tuple(lines), tuple(faults), _unread(rows[place][1], columns))


class _Wrong(ValueError):
    def __init__(self, code: str, cell: str = "") -> None:
        super().__init__(code)
        self.code, self.cell = code, cell


def _key(head: str) -> str:
    return re.sub(r"[\W_]+", "", search_key(fold_digits(head)))


_BY_HEAD: Final = {_key(head): column for column, heads in HEADS.items() for head in heads}


def _head(rows: Sequence[tuple[int, Sequence[str]]]) -> tuple[int, dict[str, int]]:
    for place, (_number, cells) in enumerate(rows[:HEAD_WITHIN]):
        found: dict[str, int] = {}
        for at, cell in enumerate(cells):
            if (column := _BY_HEAD.get(_key(cell))) is not None:
                found.setdefault(column, at)
        if {"player_1", "player_2"} <= found.keys():
            return place, found
    raise UnreadableSheet("no-head")


def _unread(head: Sequence[str], columns: Mapping[str, int]) -> tuple[str, ...]:
    names = (cleaned(cell) for at, cell in enumerate(head) if at not in columns.values())
    return tuple(name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "…" for name in names if name)


def _cells(columns: Mapping[str, int], cells: Sequence[str]) -> dict[str, str]:
    return {column: cleaned(cells[at]) for column, at in columns.items() if at < len(cells)}


def cleaned(cell: str) -> str:
    """What a cell says: without marks that turn the writing, and with single spaces; exactly, where it was escaped."""
    if (exact := restored(cell)) != cell:
        return exact
    seen = (c for c in cell if unicodedata.category(c) != "Cf")
    return " ".join(unicodedata.normalize("NFC", "".join(seen)).split())


def _line(number: int, cells: Mapping[str, str]) -> Line | None:
    if not any(cells.values()):
        return None
    if FORMULA in cells.values():
        raise _Wrong("formula")
    players = (_person(cells.get("player_1", "")), _person(cells.get("player_2", "")))
    if None in players:
        raise _Wrong("no-player")
    first, second = players
    assert first is not None
    assert second is not None
    return Line(
        number,
        _short(cells.get("team", "")),
        (first, second),
        _person(cells.get("substitute", "")),
        _short(cells.get("club", "")),
        _count(cells.get("rating", ""), "rating", 0, LARGEST_RATING),
        _count(cells.get("seed", ""), "seed", 1, LARGEST_SEED),
    )


def _person(cell: str) -> Person | None:
    if not cell:
        return None
    both = re.fullmatch(r"(.*?)\s*[<(]\s*([^\s<>()]+@[^\s<>()]+)\s*[>)]", cell)
    name, email = (both[1], both[2]) if both else ("", cell) if _is_address(cell) else (cell, "")
    if name and not any(c.isalpha() for c in name):
        raise _Wrong("no-name", cell)
    return Person(_short(name), email.lower())


def _is_address(cell: str) -> bool:
    return re.fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@]+", cell) is not None


def _short(cell: str) -> str:
    if len(cell) > LONGEST_NAME:
        raise _Wrong("long", cell[:LONGEST_NAME] + "…")
    return cell


def _count(cell: str, what: str, least: int, most: int) -> int | None:
    text = fold_digits(cell).removesuffix(".0")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,6}", text) or not least <= int(text) <= most:
        raise _Wrong(what, cell)
    return int(text)


def heads(columns: Iterable[str], *, arabic: bool) -> list[str]:
    """What stands above these columns on export."""
    return [HEADS[column][1 if arabic else 0] for column in columns]
