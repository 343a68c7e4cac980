from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command

from games.contracts import ME, OPPONENTS, PARTNER, Kind, kind_of, number_of, numbers
from games.models import Appearance, Deal, Table
from games.services.histories import complete, keep, rebuild, sweep
from tarneeb_site.celery import app
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.matches import make_match, make_match_in_play

pytestmark = pytest.mark.django_db


def parts(table: Table) -> dict[int, tuple[object, ...]]:
    rows = Appearance.objects.filter(table=table)
    return {
        row.seat: (row.user_id, row.partner_id, row.right_id, row.left_id, row.outcome, row.ours, row.theirs)
        for row in rows
    }


def test_every_player_of_a_match_has_a_part_seen_from_the_own_seat() -> None:
    one, other = make_users(2)
    table = make_match([one, None, other, None])
    score, won = table.score, ["won", "lost"][table.winner or 0]

    assert parts(table) == {
        0: (one.pk, other.pk, None, None, won, score[0], score[1]),
        2: (other.pk, one.pk, None, None, won, score[0], score[1]),
    }


def test_neighbours_are_to_the_right_in_turn_order() -> None:
    users = make_users(4)
    make_match(users)
    row = Appearance.objects.get(user=users[1])

    assert (row.right_id, row.partner_id, row.left_id) == (users[2].pk, users[3].pk, users[0].pk)


def test_a_contracts_number_says_all_of_it() -> None:
    every = range(3 * 7 * 5 * 2)

    assert [number_of(kind_of(number)) for number in every] == list(every)


def test_a_contract_is_one_thing_to_each_of_the_four() -> None:
    table = make_match(make_users(4))
    first = Deal.objects.filter(table=table, change__isnull=False).order_by("index").first()
    assert first is not None
    bid, trump = int(first.contract["bid"][1:]), first.contract["trump"]
    made = first.tricks[first.contract["seat"] % 2] >= bid
    seen = {
        (row.seat - first.contract["seat"]) % 4: kind_of(row.contracts[0])
        for row in Appearance.objects.filter(table=table)
    }

    assert seen == {
        place: Kind(who, bid, trump, made)
        for place, who in ((0, ME), (1, OPPONENTS), (2, PARTNER), (3, OPPONENTS))
    }


def test_contracts_and_margins_stand_for_each_counted_deal_in_order() -> None:
    user = make_user()
    table = make_match([user, *make_users(3)])
    row = Appearance.objects.get(user=user)
    counted = Deal.objects.filter(table=table, change__isnull=False).order_by("index")

    assert [
        kind_of(number).level + margin for number, margin in zip(row.contracts, row.margins, strict=True)
    ] == [deal.tricks[deal.contract["seat"] % 2] for deal in counted]
    assert [kind_of(number).made for number in row.contracts] == [margin >= 0 for margin in row.margins]


@pytest.mark.parametrize(
    ("asked", "many"),
    [
        ({}, 210),
        ({"who": ME}, 70),
        ({"level": 13}, 30),
        ({"trump": "N"}, 42),
        ({"made": False}, 105),
        ({"who": OPPONENTS, "level": 7, "trump": "S", "made": True}, 1),
    ],
)
def test_numbers_of_a_kind_are_all_that_fit(asked: dict[str, object], many: int) -> None:
    found = numbers(**asked)  # type: ignore[arg-type]

    assert len(set(found)) == len(found) == many
    assert all(getattr(kind_of(number), name) == value for number in found for name, value in asked.items())


def test_kept_twice_is_kept_once() -> None:
    table = make_match(make_users(4))
    before = parts(table)

    assert (keep([table.pk]), keep([table.pk]), parts(table)) == (1, 1, before)


def test_a_match_in_play_and_one_closed_unplayed_have_no_parts() -> None:
    playing = make_match_in_play(make_users(4))
    closed = make_table()
    seat_user(closed, 0, make_user())
    Table.objects.filter(pk=closed.pk).update(phase="over", ended_at=NOON)

    assert (keep([playing.pk, closed.pk]), rebuild(), Appearance.objects.count()) == (0, 0, 0)


def lost(**more: object) -> Table:
    """A finished match whose message was lost."""
    table = make_match(make_users(4), **more)  # type: ignore[arg-type]
    Appearance.objects.filter(table=table).delete()
    return table


def test_sweep_finds_what_was_lost_of_the_last_days_and_the_whole_search_the_rest() -> None:
    fresh, old = lost(ended_at=NOON), lost(ended_at=NOON - timedelta(days=9), seed="2")

    assert sweep(NOON + timedelta(hours=1)) == 1
    assert (len(parts(fresh)), len(parts(old))) == (4, 0)
    assert (complete(), complete()) == (1, 0)
    assert len(parts(old)) == 4


def test_rebuild_makes_the_same_rows_again() -> None:
    tables = [make_match(make_users(4), seed=seed, code=f"T{seed}") for seed in "123"]
    before = list(
        Appearance.objects.order_by("table", "seat").values_list("user", "contracts", "outcome", "open")
    )
    Appearance.objects.update(contracts=[], outcome="draw", open=False)

    assert rebuild() == len(tables)
    rows = Appearance.objects.order_by("table", "seat").values_list("user", "contracts", "outcome", "open")
    assert list(rows) == before


def test_a_match_of_bots_alone_is_not_looked_for_again() -> None:
    make_match([None] * 4)

    assert (complete(), Appearance.objects.count()) == (0, 0)


def test_cards_stay_shut_while_another_table_plays_them() -> None:
    table = make_match(make_users(4), code="FIRST")
    other = make_match_in_play(make_users(4), code="SECOND")
    keep([table.pk])
    assert Table.objects.get(pk=other.pk).commitment == table.commitment
    Appearance.objects.update(open=False)
    keep([table.pk])
    shut = list(Appearance.objects.values_list("open", flat=True))
    Table.objects.filter(pk=other.pk).update(phase="over")
    sweep(NOON + timedelta(hours=1))

    assert (shut, list(Appearance.objects.values_list("open", flat=True))) == ([False] * 4, [True] * 4)


def test_command_writes_what_is_missing_or_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    lost()
    make_match(make_users(4), seed="2")
    for arguments in ([], [], ["--rebuild"]):
        call_command("history", *arguments)

    assert capsys.readouterr().out.split() == ["1", "matches", "0", "matches", "2", "matches"]


def test_the_end_of_a_match_is_told_to_a_task_that_there_is() -> None:
    app.loader.import_default_modules()
    table = lost()

    assert set(settings.MATCH_END_TASKS) <= set(app.tasks)
    assert "games.tasks.keep_history" in settings.MATCH_END_TASKS
    assert (app.tasks["games.tasks.keep_history"](table.pk), len(parts(table))) == (1, 4)
