"""Tournaments held against their logs and tables: what is whole is silent, each kind of fault is told."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from games.models import Seat, Table
from tests.factories import make_user
from tests.tampering import erase, rewrite
from tests.tournaments.scenes import adjudicate, end, end_dead, end_level, open_table, started
from tournaments.models import LogItem, PairingTable, Tournament
from tournaments.services.verification import verify_tournaments

pytestmark = pytest.mark.django_db


def half_played() -> Tournament:
    """Four pairs, one of the two first matches recorded, one open."""
    tournament = started(4)
    end(tournament, "R1.1")
    adjudicate(tournament)
    return tournament


def differences() -> set[str]:
    (found,) = verify_tournaments()
    return {one.what for one in found.differences}


def recorded(tournament: Tournament) -> PairingTable:
    return tournament.tables.get(state="recorded")


def table_of(tournament: Tournament) -> Table:
    return recorded(tournament).table


FAULTS: dict[str, tuple[Callable[[Tournament], None], str]] = {
    "a result in the log is another": (
        lambda t: rewrite(LogItem.objects.filter(tournament=t), item=_turned(t)),
        "result",
    ),
    "the table says otherwise": (
        lambda t: rewrite(Table.objects.filter(pk=table_of(t).pk), winner=1, advances=1, score=[12, 31]),
        "result",
    ),
    "an item has another number": (lambda t: rewrite(t.log.all(), number=7), "number"),
    "an item is gone": (lambda t: erase(t.log.all()), "recorded"),
    "a recorded table says it is open": (
        lambda t: rewrite(PairingTable.objects.filter(pk=recorded(t).pk), state="void"),
        "recorded",
    ),
    "a table of the log belongs to no pairing": (
        lambda t: erase(PairingTable.objects.filter(pk=recorded(t).pk)),
        "table",
    ),
    "a table is of a pairing that the plan has not": (
        lambda t: rewrite(PairingTable.objects.filter(pk=recorded(t).pk), pairing="R9.9"),
        "pairing",
    ),
    "a stranger sat there": (
        lambda t: rewrite(
            Seat.objects.filter(table=open_table(t, "R1.2").table, number=2), user_id=make_user().pk
        ),
        "seats",
    ),
    "the log fits the settings no more": (
        lambda t: rewrite(LogItem.objects.filter(tournament=t), item=_elsewhere(t)),
        "log",
    ),
}


def _turned(tournament: Tournament) -> dict[str, object]:
    item = dict(tournament.log.get().item)
    return item | {"score": [12, 31]}


def _elsewhere(tournament: Tournament) -> dict[str, object]:
    return dict(tournament.log.get().item) | {"pairing": "R9.9"}


@pytest.mark.parametrize("fault", FAULTS)
def test_verify_tells_each_fault_of_a_tournament(fault: str) -> None:
    tournament = half_played()
    assert differences() == set()
    make, what = FAULTS[fault]
    make(tournament)
    assert what in differences()


def test_verify_is_silent_about_level_matches_and_dead_tables() -> None:
    tournament = started(4)
    end_level(tournament, "R1.1", 1)
    end_dead(tournament, "R1.2")
    adjudicate(tournament)
    end_dead(tournament, "R1.2")
    adjudicate(tournament)
    assert differences() == set()


def test_verify_command_names_the_tournament_and_fails() -> None:
    tournament = half_played()
    rewrite(tournament.log.all(), number=7)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[-1] == "1 tournaments; 1 tournaments differ"
    assert f"{tournament.slug} v0: number: expected 0, found 7" in lines
