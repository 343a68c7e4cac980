import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Pair, User
from games.contracts import ME, OPPONENTS, PARTNER, Kind, number_of
from games.models import Appearance, Table, Void
from games.statistics import Rate, statistics_of, statistics_of_pair
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match

pytestmark = pytest.mark.django_db


def part(user: User, *contracts: tuple[Kind, int], **facts: object) -> Table:
    """A match of that user with these contracts and margins."""
    table = make_match([user, *make_users(3)])
    numbers = {
        "contracts": [number_of(kind) for kind, _ in contracts],
        "margins": [margin for _, margin in contracts],
    }
    Appearance.objects.filter(user=user, table=table).update(**(facts | numbers))
    return table


@pytest.fixture
def player() -> User:
    user = make_user("Player")
    part(
        user,
        (Kind(ME, 7, "S", True), 2),
        (Kind(ME, 8, "H", False), -1),
        (Kind(PARTNER, 8, "S", True), 0),
        (Kind(OPPONENTS, 9, "D", False), -6),
        outcome="won",
        ruleset="kotchina",
        ended_at=NOON,
    )
    part(
        user,
        (Kind(ME, 13, "N", True), 0),
        (Kind(OPPONENTS, 7, "C", True), 6),
        outcome="lost",
        ruleset="egyptian",
        rated=True,
        ended_at=NOON - timedelta(days=40),
    )
    return user


def test_contracts_are_counted_by_who_declared_them(player: User) -> None:
    found = statistics_of(player, player)

    assert (found.matches, found.lost, found.neither) == (Rate(2, 1), 1, 0)
    assert (found.own, found.partners, found.side, found.defended) == (
        Rate(3, 2),
        Rate(1, 1),
        Rate(4, 3),
        Rate(2, 1),
    )
    assert found.own.percent == 67


def test_contracts_are_counted_by_level_trump_and_margin(player: User) -> None:
    found = statistics_of(player, player)
    levels = [(bar.label, bar.total, bar.part) for bar in found.levels() if bar.total]
    trumps = [(bar.label, bar.total, bar.part) for bar in found.trumps()]
    margins = [(bar.label, bar.total, bar.part) for bar in found.margins() if bar.total]
    theirs = [(bar.label, bar.total) for bar in found.margins(OPPONENTS) if bar.total]

    assert levels == [("7", 1, 1), ("8", 2, 1), ("13", 1, 1)]
    assert trumps == [("S", 1, 1), ("H", 1, 0), ("D", 0, 0), ("C", 0, 0), ("N", 1, 1)]
    assert margins == [("-1", 1, 0), ("0", 2, 2), ("2", 1, 1)]
    assert theirs == [("-4", 1), ("4", 1)]


def test_rulesets_and_months_stand_apart(player: User) -> None:
    found = statistics_of(player, player)

    assert [(row.ruleset.value, row.matches, row.contracts, row.defences) for row in found.rulesets()] == [
        ("kotchina", Rate(1, 1), Rate(3, 2), Rate(1, 1)),
        ("egyptian", Rate(1, 0), Rate(1, 1), Rate(1, 0)),
    ]
    assert [(point.label, point.value) for point in found.wins()] == [("2026-01", 0), ("2026-03", 100)]


@pytest.mark.parametrize(
    ("asked", "played"),
    [
        ({}, 2),
        ({"ruleset": "egyptian"}, 1),
        ({"rated": "1"}, 1),
        ({"period": "month"}, 1),
        ({"period": "quarter"}, 2),
        ({"period": "x"}, 2),
    ],
)
def test_numbers_are_of_what_is_asked_for(player: User, asked: dict[str, str], played: int) -> None:
    assert statistics_of(player, player, asked, now=NOON + timedelta(hours=1)).matches.total == played


def test_void_matches_and_open_cards_do_not_count(player: User) -> None:
    tables = Table.objects.filter(appearances__user=player).order_by("pk")
    Void.objects.create(table=tables[0], reason_ar="س", reason_en="w", by=make_user(), at=NOON)
    Appearance.objects.filter(table=tables[1]).update(open=False)

    assert statistics_of(player, player).matches == Rate(0, 0)


def test_what_was_played_by_link_counts_for_its_players_alone(player: User) -> None:
    Appearance.objects.filter(ruleset="egyptian").update(public=False)
    private = Appearance.objects.get(user=player, public=False)

    assert [
        statistics_of(player, reader).matches.total for reader in (player, private.partner, make_user(), None)
    ] == [
        2,
        2,
        1,
        1,
    ]


def test_a_pair_counts_what_both_played_together() -> None:
    first, second = make_user("First"), make_user("Second")
    make_match([first, make_user(), second, make_user()], seed="1")
    make_match([second, make_user(), make_user(), first], seed="2")
    pair = Pair.objects.create(first=first, second=second, made_at=NOON)
    found = statistics_of_pair(pair, None)
    alone = statistics_of(first, None)
    same = statistics_of(second, None, partner=first)

    assert (found.matches.total, alone.matches.total) == (1, 2)
    assert (found.own, found.partners, found.defended) == (same.partners, same.own, same.defended)


def test_numbers_agree_with_what_was_played() -> None:
    user = make_user()
    table = make_match([user, *make_users(3)], ruleset="classic", seed="3")
    deals = [deal for deal in table.deals.all() if deal.change]
    found = statistics_of(user, user)

    assert found.side.total == sum(deal.contract["seat"] % 2 == 0 for deal in deals)
    assert found.side.part == sum(deal.contract["seat"] % 2 == 0 and deal.change[0] > 0 for deal in deals)
    assert found.defended.part == sum(deal.contract["seat"] % 2 == 1 and deal.change[1] < 0 for deal in deals)
    assert found.own.total == sum(deal.contract["seat"] == 0 for deal in deals)


# ---- The pages


@pytest.fixture
def english(client: Client) -> Client:
    client.cookies["django_language"] = "en"
    return client


def test_page_draws_the_numbers_and_tells_them_as_tables(english: Client, player: User) -> None:
    page = english.get("/players/Player/statistics/").content.decode()
    rows = re.findall(
        r'<tr><th scope="row">8\s*</th><td class="number">(\d+)</td><td class="number">(\d+)</td>', page
    )

    assert (page.count("<svg viewBox"), page.count('role="img"') >= 4, rows) == (4, True, [("2", "1")])
    assert "style=" not in page


@pytest.mark.parametrize(("language", "scale"), [("en", "24"), ("ar", "616")])
def test_plots_run_as_one_reads_with_numbers_that_any_browser_reads(
    client: Client, player: User, language: str, scale: str
) -> None:
    client.cookies["django_language"] = language
    page = client.get("/players/Player/statistics/").content.decode()
    numbers = re.findall(r' (?:x|y|width|height|x1|y1|cx|cy)="([^"]*)"', page[page.index("<svg viewBox") :])

    assert f'class="plot-scale" x="{scale}"' in page
    assert all(re.fullmatch(r"\d+", number) for number in numbers)


def test_page_of_a_pair_names_both(english: Client) -> None:
    first, second = make_user("First"), make_user("Second")
    make_match([first, make_user(), second, make_user()])
    pair = Pair.objects.create(first=first, second=second, made_at=NOON)
    page = english.get(f"/pairs/{pair.pk}/statistics/").content.decode()

    assert [
        re.search(rf"<bdi[^>]*>{name}</bdi> declared; made", page) is not None for name in ("First", "Second")
    ] == [
        True,
        True,
    ]


def test_page_of_no_such_pair_or_of_a_closed_account_is_not_found(english: Client) -> None:
    pair = Pair.objects.create(first=make_user(closed_at=NOON), second=make_user(), made_at=NOON)

    assert [english.get(f"/pairs/{number}/statistics/").status_code for number in (pair.pk, 999)] == [
        404,
        404,
    ]


def test_nothing_to_count_is_said(english: Client) -> None:
    make_user("Newcomer")

    assert "No finished matches to count." in english.get("/players/Newcomer/statistics/").content.decode()


def test_page_asks_the_same_number_of_queries_for_three_as_for_one(english: Client) -> None:
    user, counts = make_user("Many"), []
    for seed in "123":
        make_match([user, *make_users(3)], seed=seed)
        with CaptureQueriesContext(connection) as queries:
            english.get("/players/Many/statistics/")
        counts.append(len(queries))

    assert counts[0] == counts[2] == 4
