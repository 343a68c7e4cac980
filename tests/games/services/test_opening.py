"""Tables to which four are called: many at once, each as if it had been opened alone."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.live.store import load_sync
from games.models import Event, Seat, Table
from games.services import drain, opening, tables
from games.services.opening import MatchSpec, start_match_table, start_match_tables
from tests.factories import NOON, make_user, make_users
from tests.games.services.races import at_once, refused
from tests.tampering import triggers_off

pytestmark = pytest.mark.django_db(transaction=True)


def spec(users: Sequence[User], **more: Any) -> MatchSpec:
    asked: dict[str, Any] = {
        "ruleset": "kotchina",
        "target": 31,
        "options": {"round_cap": 7},
        "turn_seconds": 20,
        "title": "Cup",
        "back_url": "/tournaments/cup/",
        "first_deal_seconds": 15,
    }
    return MatchSpec(users=users, **(asked | more))


def opened(*specs: MatchSpec) -> list[Table]:
    with transaction.atomic():
        return start_match_tables(specs, now=NOON)


def test_a_table_is_as_if_four_had_sat_down_and_begun():
    users = make_users(4)
    (table,) = opened(spec(users, call_seconds=9, bank_seconds=60, absence="clock", watch_delay=30))
    seats = [(seat.number, seat.kind, seat.user_id) for seat in table.seats.order_by("number")]
    assert seats == [(number, "player", user.pk) for number, user in enumerate(users)]
    happened = Event.objects.filter(table=table).order_by("version")
    assert [(e.version, e.kind, e.seat, e.user_id) for e in happened] == [
        *((number + 1, "sit", number, user.pk) for number, user in enumerate(users)),
        (5, "start", None, None),
    ]
    row = Table.objects.get(pk=table.pk)
    assert (row.version, row.phase, row.options) == (5, "deal", {"round_cap": 7})
    assert (row.due_at, row.started_at, row.ended_at) == (NOON + timedelta(seconds=15), NOON, None)
    assert (row.call_seconds, row.turn_seconds, row.bank_ms) == (9, 20, [60_000] * 4)
    assert (row.absence, row.watch_delay, row.visibility, row.rated) == ("clock", 30, "public", False)
    state = load_sync(table.pk)
    assert state is not None
    assert (state.phase, state.salt, state.seat_of(users[2].pk)) == ("deal", f"{row.code}::::", 2)


def test_tables_come_in_the_order_of_their_specs_with_codes_and_secrets_of_their_own():
    users = make_users(20)
    specs = [spec(users[n : n + 4], call_url=f"/call/{n}/") for n in range(0, 20, 4)]
    found = opened(*specs)
    assert [table.call_url for table in found] == [one.call_url for one in specs]
    assert [list(t.seats.order_by("number").values_list("user", flat=True)) for t in found] == [
        [user.pk for user in one.users] for one in specs
    ]
    rows = Table.objects.filter(pk__in=[table.pk for table in found])
    for column in ("code", "commitment", "secret", "salt"):
        assert (
            len(
                set(
                    map(bytes, rows.values_list(column, flat=True))
                    if column == "secret"
                    else set(rows.values_list(column, flat=True))
                )
            )
            == 5
        )


def test_the_queries_are_as_many_for_one_table_as_for_sixteen():
    counts = []
    for tables_wanted in (1, 16):
        users = make_users(4 * tables_wanted)
        specs = [spec(users[4 * n : 4 * n + 4]) for n in range(tables_wanted)]
        with CaptureQueriesContext(
            connection,
        ) as queries:
            opened(*specs)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_one_call_takes_all_their_players_from_casual_tables():
    users = make_users(8)
    casual = [
        tables.open_table(
            host=user, ruleset="kotchina", target=31, turn_seconds=20, visibility="public", now=NOON
        )
        for user in users[3:5]
    ]
    for table, user in zip(casual, users[3:5], strict=True):
        tables.sit(table_code=table.code, user=user, seat=1, now=NOON)
    opened(spec(users[:4]), spec(users[4:]))
    assert set(Seat.objects.filter(table__in=casual).values_list("kind", flat=True)) == {"open"}


@pytest.mark.parametrize(
    ("more", "code"), [({"target": 32}, "bad-target"), ({"options": {"round_cap": -1}}, "bad-options")]
)
def test_one_bad_table_opens_none(more: dict[str, Any], code: str):
    users = make_users(8)
    with refused(code):
        opened(spec(users[:4]), spec(users[4:], **more))
    assert not Table.objects.exists()


def test_no_table_opens_while_the_site_drains():
    drain.begin(now=NOON)
    with refused("draining"):
        opened(spec(make_users(4)))


def test_a_round_without_tables_opens_none():
    assert opened() == []


def test_one_table_is_a_call_of_many():
    users = make_users(4)
    with transaction.atomic():
        asked = {"ruleset": "kings", "target": 41, "options": {}, "turn_seconds": 20, "title": "Cup"}
        table = start_match_table(
            users=users, back_url="/", first_deal_seconds=15, arrival_seconds=300, **asked, now=NOON
        )
    assert (table.due_at, table.first_deal_seconds) == (NOON + timedelta(seconds=300), 15)


def test_two_rounds_that_draw_the_same_codes_at_one_instant_both_open(monkeypatch: pytest.MonkeyPatch):
    # Sixteen codes in all, of which the two want eight at once.
    monkeypatch.setattr(opening, "ALPHABET", "AB")
    monkeypatch.setattr(opening, "PUBLIC_CODE_LENGTH", 4)
    for _ in range(3):
        users = make_users(32)
        rounds = [[spec(users[n : n + 4]) for n in range(begin, begin + 16, 4)] for begin in (0, 16)]
        found = at_once(*(lambda one=one: opened(*one) for one in rounds))
        assert [len(one) for one in found] == [4, 4]
        codes = {table.code for one in found for table in one}
        assert (len(codes), Table.objects.count()) == (8, 8)
        with triggers_off():
            Event.objects.all().delete()
            Table.objects.all().delete()


def test_what_else_is_twice_is_not_tried_again():
    user = make_user()
    with pytest.raises(Exception, match="one_seat_a_player"):
        opened(spec([user, user, *make_users(2)]))
