"""Tables as people exchange them: CSV of any kind and XLSX, read with limits, written so that nothing runs."""

import csv
import io
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font

Cell = str | int | float | None
Row = Sequence[Cell]

LARGEST_FILE = 1024 * 1024
MOST_ROWS = 2000
MOST_COLUMNS = 40
LONGEST_CELL = 500
# An XLSX is a ZIP: what it would unpack to, and of how many parts.
LARGEST_UNPACKED = 24 * 1024 * 1024
MOST_PARTS = 200
DELIMITERS = ",;\t"
# Lines that tell the delimiter.
SAMPLE = 10

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
# A text that begins so would run as a formula in a spreadsheet; with apostrophes before it, it may be one of ours.
_RUNS = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_OURS = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"'*-[0-9]+\Z")
FORMULA = "\0formula"
_RETURN = "_x000D_"


class UnreadableSheet(ValueError):
    """A file that is no table, or more than is taken; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_rows(data: bytes) -> list[tuple[int, list[str]]]:
    """The rows that hold something, each with its number in the file, from 1. A formula is the text `FORMULA`.

    Raises: UnreadableSheet `too-large`, `empty`, `old-excel`, `damaged`, `locked`, `not-text`, `too-many-rows`.
    """
    if len(data) > LARGEST_FILE:
        raise UnreadableSheet("too-large")
    if data.startswith(_OLE):
        # The format before 2007, or one with a password: both begin alike.
        raise UnreadableSheet("old-excel")
    rows = list(_xlsx_rows(data) if data.startswith(_ZIP) else _csv_rows(decoded(data)))
    if not rows:
        raise UnreadableSheet("empty")
    return rows


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8 or UTF-16, with a mark in front or without, or in Windows-1256.

    Raises: UnreadableSheet `not-text`.
    """
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return _strictly(data, encoding)
    if b"\0" in data:
        # The commas, digits and line ends of any table are one byte and a zero.
        little = data[1::2].count(0) >= data[0::2].count(0)
        return _strictly(data, "utf-16-le" if little else "utf-16-be")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _strictly(data, "cp1256")


def _strictly(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnreadableSheet("not-text") from error
    if "\0" in text:
        raise UnreadableSheet("not-text")
    return text


def _csv_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    first, _, rest = text.partition("\n")
    stated = re.fullmatch(r"sep=(.)\s*", first)
    skipped = 1 if stated else 0
    body = rest if stated else text
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=stated[1] if stated else _delimiter(body))
    try:
        begins = 1 + skipped
        for row in reader:
            yield from _kept(begins, row)
            begins = reader.line_num + 1 + skipped
    except csv.Error as error:
        raise UnreadableSheet("not-text") from error


def _delimiter(text: str) -> str:
    """What parts the cells: what the first lines have most of, outside quotes."""
    lines = [line for line in text.splitlines() if line.strip()][:SAMPLE]
    bare = re.sub(r'"[^"]*"', "", "\n".join(lines))
    return max(DELIMITERS, key=bare.count)


def _kept(number: int, cells: Iterable[Any]) -> Iterator[tuple[int, list[str]]]:
    row = [_text(cell) for cell, _ in zip(cells, range(MOST_COLUMNS), strict=False)]
    while row and not row[-1]:
        row.pop()
    if not row:
        return
    if number > MOST_ROWS:
        raise UnreadableSheet("too-many-rows")
    yield number, row


def _text(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return ("" if cell is None else str(cell).replace(_RETURN, "\r"))[:LONGEST_CELL]


def _xlsx_rows(data: bytes) -> Iterator[tuple[int, list[str]]]:
    _check_parts(data)
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
        sheet = book.worksheets[0]
        # What a file says of its own size may be wrong.
        sheet.reset_dimensions()
        rows = list(sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS))
        book.close()
    except Exception as error:
        # A part that is missing, XML that is none, an entity that unfolds: whatever it is, there is no table in it.
        raise UnreadableSheet("damaged") from error
    for number, row in enumerate(rows, 1):
        yield from _kept(number, (FORMULA if cell.data_type == "f" else cell.value for cell in row))


def _check_parts(data: bytes) -> None:
    """Before anything is unpacked. Parts say how large they are; no more than that is ever unpacked."""
    try:
        parts = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise UnreadableSheet("damaged") from error
    if any(part.flag_bits & 1 for part in parts):
        raise UnreadableSheet("locked")
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise UnreadableSheet("too-large")


def neutral(cell: Cell) -> Cell:
    """The cell as it may stand in a spreadsheet: a text that would run as a formula has an apostrophe before it."""
    if isinstance(cell, str) and _RUNS.match(cell) and not _NUMBER.match(cell):
        return f"'{cell}"
    return cell


def restored(text: str) -> str:
    """The text that `neutral` was given."""
    return text[1:] if _OURS.match(text) and not _NUMBER.match(text) else text


def csv_bytes(rows: Iterable[Row]) -> bytes:
    """The rows as CSV, in UTF-8 with a mark in front: without it spreadsheets take Arabic for something else."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([neutral(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8-sig")


def xlsx_bytes(rows: Iterable[Row], *, title: str, rightwards: bool = True) -> bytes:
    """The rows as XLSX, the first of them its head; numbers as numbers, all else as text."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(_sheet_title(title))
    sheet.sheet_view.rightToLeft = not rightwards
    sheet.freeze_panes = "A2"
    for number, row in enumerate(rows):
        sheet.append([_written(sheet, cell, is_head=number == 0) for cell in row])
    drawn = io.BytesIO()
    book.save(drawn)
    return drawn.getvalue()


def _written(sheet: Any, cell: Cell, *, is_head: bool) -> Any:
    if cell is None:
        return None
    value = neutral(cell)
    if isinstance(value, str):
        value = _printable(value)
    written = WriteOnlyCell(sheet, value)
    if isinstance(value, str):
        written.data_type = "s"
    if is_head:
        written.font = Font(bold=True)
    return written


def _printable(text: str) -> str:
    """Without the control characters that an XLSX cannot hold, and with those that XML would change spelt out."""
    kept = (c for c in text if c in "\t\n\r" or unicodedata.category(c) not in ("Cc", "Cs"))
    return "".join(kept).replace("\r", _RETURN)


def _sheet_title(title: str) -> str:
    return re.sub(r"[\[\]:*?/\\\x00-\x1f']", " ", title)[:31].strip() or "Tarneeb"
