"""Tables of all the kinds that people send, byte by byte; and what is written so that nothing in it runs."""

import io
import zipfile

import pytest
from openpyxl import Workbook, load_workbook

from tournaments.sheets import (
    FORMULA,
    LARGEST_FILE,
    UnreadableSheet,
    csv_bytes,
    neutral,
    read_rows,
    restored,
    xlsx_bytes,
)

ROWS = [(1, ["الفريق", "اللاعب 1", "اللاعب 2"]), (2, ["نسور الشام", "ليلى", "عمر"])]


def text(delimiter: str, end: str = "\r\n") -> str:
    return end.join(delimiter.join(row) for _, row in ROWS) + end


def xlsx(*rows: list[object]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    drawn = io.BytesIO()
    book.save(drawn)
    return drawn.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize(
    "encode",
    [
        lambda t: t.encode(),
        lambda t: t.encode("utf-8-sig"),
        lambda t: t.encode("utf-16"),
        lambda t: b"\xfe\xff" + t.encode("utf-16-be"),
        lambda t: t.encode("utf-16-le"),
        lambda t: t.encode("utf-16-be"),
        lambda t: t.encode("cp1256"),
    ],
    ids=[
        "utf-8",
        "utf-8 with mark",
        "utf-16",
        "utf-16-be with mark",
        "utf-16-le",
        "utf-16-be",
        "windows-1256",
    ],
)
def test_csv_is_read_in_every_encoding_and_with_every_delimiter(delimiter: str, end: str, encode):
    assert read_rows(encode(text(delimiter, end))) == ROWS


@pytest.mark.parametrize(
    ("data", "rows"),
    [
        (b"sep=;\na;b,c\n", [(2, ["a", "b,c"])]),
        (b'\n\na,"b\nc"\n,,\nd,e\n', [(3, ["a", "b\nc"]), (6, ["d", "e"])]),
        (b'"a;b";"c;d"\n', [(1, ["a;b", "c;d"])]),
        (b"alone\n", [(1, ["alone"])]),
    ],
)
def test_rows_keep_the_number_they_have_in_the_file(data: bytes, rows: list):
    assert read_rows(data) == rows


def test_xlsx_is_read_with_numbers_as_they_look():
    data = xlsx(["team", "rating"], ["نسور", 1500.0], [None, None], ["b", 1.5], ["c", "٤١"])

    assert read_rows(data) == [
        (1, ["team", "rating"]),
        (2, ["نسور", "1500"]),
        (4, ["b", "1.5"]),
        (5, ["c", "٤١"]),
    ]


def test_formula_of_a_workbook_is_not_taken_for_a_text():
    assert read_rows(xlsx(["=1+1", "x"])) == [(1, [FORMULA, "x"])]


def bomb() -> bytes:
    drawn = io.BytesIO()
    with zipfile.ZipFile(drawn, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(60 * 1024 * 1024))
    return drawn.getvalue()


def laughing() -> bytes:
    """A workbook whose sheet holds entities that unfold to a thousand million letters."""
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    sheet = (
        f'<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a0 "haha">{entities}]>'
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">'
        '<c r="A1" t="inlineStr"><is><t>&a9;</t></is></c></row></sheetData></worksheet>'
    )
    return exchanged(xlsx(["a"]), sheet.encode())


def exchanged(data: bytes, sheet: bytes) -> bytes:
    drawn = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(drawn, "w") as new:
        for name in old.namelist():
            new.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else old.read(name))
    return drawn.getvalue()


def many_parts() -> bytes:
    drawn = io.BytesIO()
    with zipfile.ZipFile(drawn, "w") as archive:
        for number in range(300):
            archive.writestr(f"{number}", b"")
    return drawn.getvalue()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\r\n,,\r\n", "empty"),
        (b"a" * (LARGEST_FILE + 1), "too-large"),
        (b"a,b\n" * 2001, "too-many-rows"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old-excel"),
        (b"PK\x03\x04 and no more", "damaged"),
        (b"\xff\xfea", "not-text"),
        (b"\xef\xbb\xbf\xff", "not-text"),
        (bomb(), "too-large"),
        (many_parts(), "too-large"),
        (laughing(), "damaged"),
        (exchanged(xlsx(["a"]), b"<worksheet"), "damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_file_that_is_no_table_or_too_much_is_refused(data: bytes, code: str):
    with pytest.raises(UnreadableSheet) as refused:
        read_rows(data)

    assert refused.value.code == code


NAMES = [
    *("=1+1", "+x", "-x", "@x", "\tx", "\rx", "＝1", "'=x", "''@x"),
    *("-16", "'-16", "'", "O'Neil", "نسور الشام", "a,b", 'a"b', "a;b", '=HYPERLINK("http://x")'),
]


def test_what_would_run_is_neutralised_and_the_rest_is_untouched():
    assert {name: neutral(name) for name in NAMES if neutral(name) != name} == {
        name: f"'{name}" for name in ("=1+1", "+x", "-x", "@x", "\tx", "\rx", "＝1", "'=x", "''@x", NAMES[-1])
    }
    assert [neutral(cell) for cell in (-16, 0, 12.5, None, "")] == [-16, 0, 12.5, None, ""]


@pytest.mark.parametrize(
    "write", [csv_bytes, lambda rows: xlsx_bytes(rows, title="كأس [الشام] 2027/1")], ids=["csv", "xlsx"]
)
def test_names_come_back_from_a_file_as_they_were(write):
    rows = [["team", "points"], *([name, -7] for name in NAMES)]

    back = read_rows(write(rows))

    assert [(restored(cells[0]), cells[1]) for _, cells in back[1:]] == [(name, "-7") for name in NAMES]


def test_csv_begins_with_the_mark_that_spreadsheets_need():
    assert csv_bytes([["نسور", -12]]) == b"\xef\xbb\xbf" + "نسور,-12\r\n".encode()


def test_xlsx_holds_numbers_as_numbers_and_no_formula():
    data = xlsx_bytes([["team", "points"], ["=1+1", -7]], title="x", rightwards=False)
    sheet = load_workbook(io.BytesIO(data)).active

    assert [(cell.value, cell.data_type) for cell in sheet[2]] == [("'=1+1", "s"), (-7, "n")]
    assert (sheet.sheet_view.rightToLeft, sheet.freeze_panes) == (True, "A2")
