import re
from xml.etree import ElementTree

from games.rules.cards import CODES
from tools import draw_cards


def test_the_sheet_has_every_card_once_under_its_code() -> None:
    symbols = re.findall(r'<symbol id="(\w\w)"', draw_cards.sheet())
    assert sorted(symbols) == sorted(CODES)


def test_the_files_in_the_repository_are_what_is_drawn() -> None:
    assert (draw_cards.FOLDER / "faces.svg").read_text(encoding="utf-8") == draw_cards.sheet()
    assert (draw_cards.FOLDER / "back.svg").read_text(encoding="utf-8") == draw_cards.back()


def test_number_cards_show_as_many_suits_as_they_count() -> None:
    sheet = ElementTree.fromstring(draw_cards.sheet())
    art = {group.get("id"): len(group.findall("*")) for group in sheet.iter("{http://www.w3.org/2000/svg}g")}
    corner = 1
    for rank, count in zip("23456789T", range(2, 11), strict=True):
        assert art[f"art-{rank}H"] == count + corner


def test_every_rank_is_drawn_by_itself_in_both_scripts() -> None:
    drawn = re.findall(r'<g id="(rank|arabic)-(\w)">', draw_cards.sheet())
    assert sorted(drawn) == sorted(
        (script, rank) for script in ("rank", "arabic") for rank in draw_cards.RANKS
    )
