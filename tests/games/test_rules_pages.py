import re

import pytest
from django.test import Client

from games.rulebook import chapter
from games.rules.ruleset import RULESETS
from games.rules.scoring import points

pytestmark = pytest.mark.django_db
MINUS = "\N{MINUS SIGN}"


@pytest.fixture
def english(client: Client) -> Client:
    client.cookies["django_language"] = "en"
    return client


def test_rules_are_compared_side_by_side(english: Client) -> None:
    page = english.get("/rules/").content.decode()

    assert re.findall(r'href="/rules/(\w+)/"', page) == list(RULESETS)


def test_unknown_rules_are_not_found(english: Client) -> None:
    assert english.get("/rules/bridge/").status_code == 404


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_printed_points_are_those_of_the_rules(english: Client, ruleset: str) -> None:
    page = english.get(f"/rules/{ruleset}/").content.decode()
    cells = re.findall(
        r'dir="ltr">([−\d]+)</span><br><span class="meta"><span class="score" dir="ltr">([−\d]+)<', page
    )
    printed = [(int(own.replace(MINUS, "-")), int(other.replace(MINUS, "-"))) for own, other in cells]

    assert printed == [
        points(RULESETS[ruleset], bid, tricks) for tricks in range(13, -1, -1) for bid in range(7, 14)
    ]


@pytest.mark.parametrize(
    ("ruleset", "expected"),
    [
        ("kotchina", [(9, 0), (9, 0), (-9, 5), (7, 0), (13, 0), (-13, 1)]),
        ("classic", [(9, 0), (10, 0), (-9, 5), (16, 0), (26, 0), (-16, 2)]),
        ("kings", [(9, 0), (10, 0), (-9, 5), (16, 0), (26, 0), (-16, 2)]),
    ],
)
def test_examples_are_the_published_ones(ruleset: str, expected: list[tuple[int, int]]) -> None:
    assert [(p.bidders, p.defenders) for _, _, p in chapter(ruleset).examples] == expected


@pytest.mark.parametrize(
    ("ruleset", "told", "untold"),
    [
        ("kotchina", "may bid again", "Who passes is out"),
        ("kings", "the dealer must bid 7 at least", "the same dealer deals anew"),
        ("egyptian", "may double the standing bid", "names one of the four suits"),
        ("classic", "Who passes is out of this auction.", "may double"),
    ],
)
def test_chapter_tells_what_is_special(english: Client, ruleset: str, told: str, untold: str) -> None:
    page = english.get(f"/rules/{ruleset}/").content.decode()

    assert (told in page, untold in page) == (True, False)
