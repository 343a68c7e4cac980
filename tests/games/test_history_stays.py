"""What was played stays, whoever writes: raw SQL of the site's role cannot change or delete it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction

from games.models import ChatLine, EventKind, Phase, SeatKind, Table
from games.services import guests, tables
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.matches import make_match, make_match_in_play
from tests.tampering import rewrite
from tests.tournaments.scenes import adjudicate, end, started

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("site_role")]
ROLE = f"tarneeb_test_{os.getpid()}"


@pytest.fixture
def site_role(db: None) -> None:
    """There is a role that owns nothing and may read and write every table, as a site's should."""
    with connection.cursor() as cursor:
        cursor.execute(f"create role {ROLE}")
        cursor.execute(f"grant select, insert, update, delete on all tables in schema public to {ROLE}")
        cursor.execute(f"grant usage on all sequences in schema public to {ROLE}")


@contextmanager
def as_the_site() -> Iterator[None]:
    """Inside, the connection has the rights of that role and no others."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"set local role {ROLE}")
        yield
        cursor.execute("reset role")


def refused(sql: str) -> str:
    """The error of a statement of the site's; "" where it was done."""
    try:
        with as_the_site(), connection.cursor() as cursor:
            cursor.execute(sql)
    except DatabaseError as error:
        return str(error).splitlines()[0]
    return ""


def match() -> Table:
    table = make_match(make_users(4))
    ChatLine.objects.create(table=table, user=table.seats.all()[0].user, text="مرحبا", version=1, at=NOON)
    return table


CHANGES = {
    "an action": "update games_event set code = 'AS' where kind = 'act'",
    "who acted": "update games_event set by = 'c' where kind = 'act'",
    "the time of an action": "update games_event set at = now()",
    "an event's player": "update games_event set user_id = null where kind = 'act'",
    "a deck": "update games_deal set deck = ''",
    "a deal's points": "update games_deal set change = '{1,1}'",
    "the winner": "update games_table set winner = 1 - winner",
    "the score": "update games_table set score = '{0,0}'",
    "the secret": "update games_table set secret = ''",
    "the phase": "update games_table set phase = 'play'",
    "the host, to another": "update games_table set host_id = (select max(id) from accounts_user)",
    "who sat": "update games_seat set user_id = null, kind = 'open'",
    "words": "update games_chatline set text = 'x'",
}
DELETED = ("games_event", "games_deal", "games_seat", "games_chatline", "games_table")


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_of_a_finished_match_can_be_changed(change: str) -> None:
    match()
    assert "stays as it is" in refused(CHANGES[change])


@pytest.mark.parametrize("name", DELETED)
def test_nothing_of_a_finished_match_can_be_deleted(name: str) -> None:
    match()
    assert "stays as it is" in refused(f"delete from {name}")


@pytest.mark.parametrize(
    "sql",
    [
        "alter table games_event disable trigger all",
        "truncate games_event",
        "drop trigger stays on games_event",
    ],
)
def test_the_sites_role_cannot_take_the_triggers_away(sql: str) -> None:
    match()
    assert refused(sql).startswith(("must be owner", "permission denied"))


@pytest.mark.parametrize("name", ["games_event", "games_deal", "games_seat", "games_table"])
def test_nothing_of_a_match_in_play_can_be_deleted(name: str) -> None:
    make_match_in_play(make_users(4))
    assert "stays as it is" in refused(f"delete from {name}")


def test_an_event_of_a_match_in_play_cannot_be_changed_either() -> None:
    make_match_in_play(make_users(4))
    assert "stays as it is" in refused("update games_event set code = 'AS' where kind = 'act'")


def test_the_deck_of_a_deal_in_play_cannot_be_changed() -> None:
    make_match_in_play(make_users(4))
    assert "stays as it is" in refused("update games_deal set deck = ''")


def test_a_deal_that_a_resigned_match_left_stays_unfinished() -> None:
    table = make_match_in_play(make_users(4))
    rewrite(Table.objects.filter(pk=table.pk), phase=Phase.OVER, result_kind="resigned", winner=1)
    rewrite(table.events.filter(version=table.version), kind=EventKind.YIELD)
    assert "stays as it is" in refused("update games_deal set finished = true, change = '{9,0}'")


def test_what_its_players_wish_afterwards_can_be_written() -> None:
    table = match()
    assert refused("""update games_table set votes = '{"rematch": {"0": "same"}}'""") == ""
    table.refresh_from_db()
    assert table.votes == {"rematch": {"0": "same"}}


def test_a_table_whose_host_is_gone_names_nobody() -> None:
    host = make_user()
    table = make_match(make_users(4), host=host)
    host.delete()
    table.refresh_from_db()
    assert (table.host, table.phase) == (None, Phase.OVER)


def test_a_table_that_was_never_started_can_go() -> None:
    table = make_table(phase=Phase.OVER)
    seat_user(table, 0, make_user())
    with as_the_site():
        table.delete()
    assert not Table.objects.exists()


def alone(result: str, others: int = 0) -> Table:
    """A match that was started and is over, of a guest, so many others, and bots."""
    users = [make_user(is_guest=True, last_login=NOON), *make_users(others), *[None] * (3 - others)]
    table = make_match(users, ended_at=NOON)
    rewrite(Table.objects.filter(pk=table.pk), result_kind=result, winner=None)
    return table


@pytest.mark.parametrize(
    ("result", "others", "goes"),
    [
        ("no-result", 0, True),
        ("", 0, True),
        ("no-result", 1, False),
        ("draw", 0, False),
        ("target", 0, False),
    ],
)
def test_a_match_goes_with_its_guest_only_where_it_is_nobodys_history(
    result: str, others: int, goes: bool
) -> None:
    table = alone(result, others)
    with suppress(DatabaseError), as_the_site():
        table.delete()
    assert Table.objects.filter(pk=table.pk).exists() is not goes


def test_a_guest_who_got_up_before_the_start_is_unnamed_and_nobody_else_is() -> None:
    guest, host = make_user(is_guest=True, last_login=NOON), make_user()
    table = make_table(host=host)
    tables.sit(table_code=table.code, user=guest, seat=2, now=NOON)
    tables.sit(table_code=table.code, user=host, seat=1, now=NOON)
    sat = "update games_event set user_id = null where kind = 'sit' and user_id = {}"
    assert "stays as it is" in refused(sat.format(host.pk))
    assert refused(sat.format(guest.pk)) == ""


def test_forgetting_guests_still_works_on_matches_that_came_to_nothing() -> None:
    alone("no-result")
    assert (guests.forget(now=NOON + timedelta(days=2)), Table.objects.count()) == (1, 0)


def test_seats_fill_and_empty_before_the_start() -> None:
    table = make_table(host=make_user())
    user = make_user()
    with connection.cursor() as cursor:
        cursor.execute(f"set role {ROLE}")
    tables.sit(table_code=table.code, user=user, seat=2, now=NOON)
    tables.leave(table_code=table.code, user=user, now=NOON)
    assert table.seats.get(number=2).kind == SeatKind.OPEN
    assert list(table.events.order_by("version").values_list("kind", flat=True)) == [
        EventKind.SIT,
        EventKind.LEAVE,
    ]


@pytest.mark.parametrize("name", ["tournaments_logitem", "tournaments_act"])
@pytest.mark.parametrize("sql", ["update {} set at = now()", "delete from {}"])
def test_the_log_of_a_tournament_is_only_added_to(name: str, sql: str) -> None:
    tournament = started(4)
    end(tournament, "R1.1")
    adjudicate(tournament)
    assert "only added to" in refused(sql.format(name))
