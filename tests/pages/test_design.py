"""What the style sheets promise: logical directions, one palette a theme, contrast."""

import re
from pathlib import Path

import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
SHEETS = sorted((STATIC / "css").rglob("*.css"))
BASE = (STATIC / "css/base.css").read_text()

# Right and left come from the language. At the card table right is right: its areas may be called so, but it too is
# laid out from its start, under dir="ltr".
PHYSICAL = re.compile(
    r"(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)(?:-\w+)?|left|right|"
    r"border-(?:top|bottom)-(?:left|right)-radius)\s*:|(?:float|clear|text-align)\s*:\s*(?:left|right)|row-reverse"
)
INLINE = re.compile(
    r"<style|<script(?![^>]*\bsrc=)|\sstyle=|"
    r"\son(?:click|load|error|submit|change|input|key\w+|mouse\w+|pointer\w+)=|javascript:"
)


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def tokens(selector: str) -> dict[str, str]:
    """The custom properties set by the rule of a selector in base.css."""
    body = BASE.split(selector + " {", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"(--[\w-]+):\s*([^;]+);", body))


LIGHT = tokens(":root")
DARK = LIGHT | tokens(':root[data-theme="dark"]')


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_style_sheet_knows_no_right_and_left(sheet: Path) -> None:
    assert PHYSICAL.findall(without_comments(sheet.read_text())) == []


@pytest.mark.parametrize(
    "found",
    [
        "margin-left: 0;",
        "left: 0;",
        "text-align: right;",
        "float:left;",
        "border-top-left-radius: 3px;",
        "flex-direction: row-reverse",
    ],
)
def test_the_search_for_right_and_left_finds_them(found: str) -> None:
    assert PHYSICAL.search(found)


@pytest.mark.parametrize("page", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.name)
def test_template_has_no_inline_script_or_style(page: Path) -> None:
    assert INLINE.findall(page.read_text()) == []


def test_dark_by_choice_is_dark_by_the_system() -> None:
    assert tokens(':root[data-theme="dark"]') == tokens(':root:not([data-theme="light"])')


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        (ink, paper)
        for paper in ("--paper", "--surface", "--sunken")
        for ink in ("--ink", "--ink-soft", "--teal", "--brass", "--pomegranate", "--green")
    ]
    + [
        ("--on-teal", "--teal-fill"),
        ("--on-teal", "--teal-deep"),
        ("--on-teal", "--felt"),
        ("--on-brass", "--brass-fill"),
        ("--ink", "--teal-tint"),
        ("--teal", "--teal-tint"),
        ("--brass", "--brass-tint"),
        ("--green", "--green-tint"),
        ("--pomegranate", "--pomegranate-tint"),
        ("--card-ink", "--card-paper"),
    ],
)
def test_text_is_readable_on_what_it_stands_on(theme: str, ink: str, paper: str) -> None:
    palette = LIGHT if theme == "light" else DARK
    assert contrast(palette[ink], palette[paper]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("paper", ["--paper", "--surface"])
def test_edge_of_a_control_is_visible(theme: str, paper: str) -> None:
    palette = LIGHT if theme == "light" else DARK
    assert contrast(palette["--line-strong"], palette[paper]) >= 3


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two #rrggbb colours, as WCAG 2 defines it."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrast_is_that_of_the_definition() -> None:
    assert round(contrast("#000000", "#ffffff"), 2) == 21.0
