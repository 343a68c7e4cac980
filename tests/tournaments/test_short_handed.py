import pytest

from accounts.models import Notice, User
from games.models import Phase, Table
from tests.factories import make_user
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    awaited,
    end,
    enter_pair,
    lines,
    make_tournament,
    minutes,
    running,
)
from tournaments.models import Act, Entry, Member, Tournament
from tournaments.services import pauses, rounds, sweeps

pytestmark = pytest.mark.django_db


def entry_of(tournament: Tournament, pairing: str, side: int) -> Entry:
    ident = lines(tournament)[pairing][0][side]
    return tournament.entries.get(number=int(ident[1:]))


def close_account(entry: Entry, place: int = 0) -> User:
    user = entry.members.get(place=place).user
    User.objects.filter(pk=user.pk).update(is_active=False)
    return user


def before_the_final(**more: object) -> tuple[Tournament, Entry]:
    """Four pairs, the first match decided; who lost a player is in the second and wins it."""
    tournament = running(4, **more)
    end(tournament, "R1.1")
    adjudicate(tournament)
    entry = entry_of(tournament, "R1.2", 0)
    close_account(entry)
    end(tournament, "R1.2")
    adjudicate(tournament)
    return tournament, entry


def test_pair_whose_player_is_gone_gets_no_table_and_its_officials_are_told():
    tournament, entry = before_the_final()
    sweeps.sweep(now=minutes(3))
    sweeps.sweep(now=minutes(6))

    assert (lines(tournament)["R2.1"][1], awaited(tournament)) == ("ready", [])
    acts = Act.objects.filter(kind="short-handed").values_list("subject", "after")
    assert list(acts) == [("R2.1", [entry.ident])]
    told = Notice.objects.filter(key=f"entry-{entry.pk}-short-R2.1").values_list("user", flat=True)
    assert set(told) == {tournament.organiser.pk, entry.members.get(place=1).user_id}


def test_pair_that_stays_short_handed_loses_by_the_late_clock():
    tournament, entry = before_the_final(late_minutes=10)
    sweeps.sweep(now=minutes(9.9))
    early = lines(tournament)["R2.1"][1]

    sweeps.sweep(now=minutes(10))
    sweeps.sweep(now=minutes(11))

    other = entry_of(tournament, "R2.1", 0).ident
    assert (early, lines(tournament)["R2.1"][1:]) == ("ready", ("done", "forfeit", other))
    item = tournament.log.order_by("number").last().item
    assert (item["side"], item["cause"], item["late"]["minutes"]) == (1, "late", 10)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.champion.ident) == ("finished", other)
    assert entry.ident != other


def test_pause_gives_a_short_handed_pair_its_time_anew():
    tournament, _entry = before_the_final(late_minutes=10)
    pauses.pause(tournament_id=tournament.pk, actor=tournament.organiser, now=minutes(5))
    pauses.resume(tournament_id=tournament.pk, actor=tournament.organiser, now=minutes(50))
    sweeps.sweep(now=minutes(59))

    assert lines(tournament)["R2.1"][1] == "ready"


def test_referee_decides_where_there_is_no_late_clock():
    tournament, _entry = before_the_final(late_minutes=10, late_policy="referee")
    sweeps.sweep(now=minutes(600))

    assert lines(tournament)["R2.1"][1] == "ready"


def test_substitute_takes_the_place_of_who_is_gone():
    tournament = running(4)
    entry = entry_of(tournament, "R1.2", 0)
    third = make_user()
    Member.objects.create(tournament=tournament, entry=entry, place=2, user=third, plays=False, active=True)
    gone, stays = close_account(entry), entry.members.get(place=1).user
    for number in (1, 2):
        end(tournament, f"R1.{number}")
    adjudicate(tournament)

    row = tournament.tables.get(pairing="R2.1")
    seated = set(row.table.seats.values_list("user", flat=True))
    assert {third.pk, stays.pk} <= seated
    assert gone.pk not in seated
    [act] = Act.objects.filter(kind="substitute")
    assert (act.subject, act.before, act.after) == (entry.ident, gone.username, third.username)


def test_account_that_comes_back_plays_on():
    tournament, entry = before_the_final(late_minutes=10)
    User.objects.filter(pk=entry.members.get(place=0).user_id).update(is_active=True)

    sweeps.sweep(now=minutes(5))

    assert awaited(tournament) == [("R2.1", 1)]


def test_account_closed_before_the_start_makes_no_unplayable_table():
    tournament = make_tournament()
    for _ in range(2):
        enter_pair(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(late_minutes=10)
    close_account(tournament.entries.get(number=1))

    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)
    waiting = awaited(tournament)
    sweeps.sweep(now=minutes(10))

    assert (waiting, lines(tournament)["R1.1"][1:]) == ([], ("done", "forfeit", "e2"))


def test_account_closed_during_a_match_leaves_the_match_alone():
    tournament = running(2)
    close_account(entry_of(tournament, "R1.1", 0))
    sweeps.sweep(now=minutes(5))

    assert awaited(tournament) == [("R1.1", 1)]
    assert Table.objects.exclude(phase=Phase.OVER).count() == 1
