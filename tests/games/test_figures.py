"""What has been counted at tables: who won deals, who made contracts, who won the last round."""

from typing import Any

import pytest

from games.models import Deal, Phase, Table
from games.queries import Played, match_figures, played
from tests.factories import make_table, make_users
from tests.games.matches import make_match

pytestmark = pytest.mark.django_db

NOTHING = (0, 0)


def with_deals(*deals: tuple[int | None, list[int] | None], **more: Any) -> Table:
    """A table that is over, its deals told by the declarer's seat and by their points."""
    table = make_table(phase=Phase.OVER, **more)
    rows = [
        Deal(
            table=table,
            index=index,
            version=index,
            dealer=0,
            deck="",
            finished=True,
            contract=None if seat is None else {"seat": seat, "bid": "b7", "trump": "S", "doubled": 1},
            change=change,
        )
        for index, (seat, change) in enumerate(deals)
    ]
    Deal.objects.bulk_create(rows)
    return table


@pytest.mark.parametrize(
    ("deals", "figures"),
    [
        ((), Played(True, NOTHING, 0, None, NOTHING, NOTHING)),
        (((0, [7, 0]),), Played(True, (7, 0), 1, 0, (1, 0), (1, 0))),
        (((3, [0, 9]),), Played(True, (0, 9), 1, 1, (0, 1), (0, 1))),
        # The contract fell: the defenders won the deal, and nobody made a contract.
        (((2, [-8, 6]),), Played(True, (-8, 6), 1, 1, (0, 1), NOTHING)),
        (((1, [13, -13]),), Played(True, (13, -13), 1, 0, (1, 0), NOTHING)),
        # Nobody bid: not a counted round, and not the last one.
        (((0, [7, 0]), (None, None)), Played(True, (7, 0), 1, 0, (1, 0), (1, 0))),
        (((0, [7, 0]), (1, [0, 8]), (2, [-9, 5])), Played(True, (-2, 13), 3, 1, (1, 2), (1, 1))),
    ],
)
def test_figures_are_counted_from_the_deals(deals, figures):
    assert match_figures(with_deals(*deals)) == figures


def test_a_deal_that_was_not_finished_counts_for_nothing():
    table = with_deals((0, [7, 0]))
    Deal.objects.create(table=table, index=1, version=9, dealer=1, deck="")
    Table.objects.filter(pk=table.pk).update(phase=Phase.PLAY)
    assert match_figures(table) == Played(False, (7, 0), 1, 0, (1, 0), (1, 0))


def test_figures_of_a_whole_match_agree_with_its_row():
    table = make_match(make_users(4))
    found = match_figures(table)
    assert (list(found.score), found.counted, sum(found.deals_won)) == (
        table.score,
        table.counted,
        table.counted,
    )


def test_figures_of_many_tables_take_two_queries(django_assert_num_queries):
    tables = [with_deals((0, [7, 0])), with_deals(), with_deals((1, [-7, 7]), (1, [0, 7]))]
    with django_assert_num_queries(2):
        found = played([table.pk for table in tables])
    assert [found[table.pk].deals_won for table in tables] == [(1, 0), (0, 0), (0, 2)]
