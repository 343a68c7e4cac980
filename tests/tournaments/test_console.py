"""The officials' console: what needs a human, in numbers and one by one, and why a match is not being played."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation

from accounts.models import User
from games.models import Phase, Table
from tests.factories import make_user, make_users
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    end,
    enter_pair,
    make_tournament,
    open_table,
    running,
    started,
)
from tournaments import matters
from tournaments.console import Console
from tournaments.console_parts import Search
from tournaments.models import Entry, PairingTable, Tournament
from tournaments.services import rounds, sweeps

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are seen at the moment of which the scenes tell, however long the tests before took."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


def browser(user: User) -> Client:
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(user)
    return client


def seen(tournament: Tournament, query: str = "", user: User | None = None):
    """The answer of the console."""
    client = browser(user or tournament.organiser)
    return client.get(f"{tournament.get_absolute_url()}organise/{query}")


def plain(text: str) -> str:
    return text.translate({0x2068: None, 0x2069: None})


def told(tournament: Tournament) -> list[str]:
    return [plain(matter.sentence) for matter in seen(tournament).context["page"].matters]


def between_rounds() -> Tournament:
    """Four pairs, round by round; the first round is over and the final waits for somebody."""
    tournament = running(4, pace="rounds", break_minutes=None)
    for pairing in ("R1.1", "R1.2"):
        end(tournament, pairing)
    adjudicate(tournament)
    sweeps.sweep(now=NOW)
    return tournament


def test_round_that_only_a_human_opens_is_told_with_its_button():
    tournament, scorer = between_rounds(), make_user()
    tournament.officials.create(user=scorer, role="scorekeeper", since=NOW)

    pages = [seen(tournament), seen(tournament, user=scorer)]

    assert told(tournament) == ["Final waits to be opened: 1 match is ready."]
    assert [b"Open the round" in page.content for page in pages] == [True, False]
    assert pages[0].context["page"].matches[0].why == "Its round has not begun."


@pytest.mark.parametrize("fields", [{"break_minutes": 5}, {"pace": "free"}])
def test_round_that_opens_by_itself_needs_nobody(fields: dict):
    tournament = between_rounds()
    Tournament.objects.filter(pk=tournament.pk).update(**fields)

    assert told(tournament) == []


def test_pair_that_lacks_a_player_is_told_with_what_follows():
    tournament = running(4, late_minutes=60)
    end(tournament, "R1.1")
    adjudicate(tournament)
    row = open_table(tournament, "R1.2")
    entry = tournament.entries.get(number=int(row.sides[0][1:]))
    Entry.objects.filter(pk=entry.pk).update(name="Falcons")
    User.objects.filter(memberships__entry=entry, memberships__place=0).update(is_active=False)
    end(tournament, "R1.2")
    adjudicate(tournament)
    sweeps.sweep(now=NOW)

    page = seen(tournament).context["page"]

    [matter] = page.matters
    assert plain(matter.sentence).startswith("Final: Falcons lacks a player. Forfeited in ")
    assert (matter.pairing, page.counts["matter"], page.matches[0].needs) == ("R2.1", 1, True)


@pytest.mark.parametrize(("private", "where"), [(False, "Cedar cup"), (True, "another tournament")])
def test_player_who_plays_in_another_tournament_is_named_and_a_private_one_is_not(private: bool, where: str):
    pair = make_users(2)
    cups = [make_tournament(name="Cedar cup"), make_tournament(name="River cup")]
    for cup in cups:
        enter_pair(cup, *pair)
        enter_pair(cup)
        rounds.start(tournament_id=cup.pk, actor=cup.organiser, now=NOW)
    Tournament.objects.filter(pk=cups[0].pk).update(is_private=private)

    names = [user.username for user in pair]
    assert told(cups[1]) == [f"Final: {names[0]} plays in {where}. {names[1]} plays in {where}."]
    assert told(cups[0]) == []


def test_match_waits_for_a_pair_at_another_table_without_needing_anybody():
    tournament = running(3, format="round_robin")

    page = seen(tournament).context["page"]

    assert page.matters == []
    waiting = [plain(match.why) for match in page.matches if match.live is None]
    assert [why.endswith(" still plays at table 1.") for why in waiting] == [True, True]


def later(tournament: Tournament, minutes: int, **search: str) -> Console:
    """The console as its organiser sees it so many minutes after the start."""
    console = Console(tournament, tournament.organiser, search=Search(**search))
    console.now = NOW + timedelta(minutes=minutes)
    return console


def in_play(tournament: Tournament, due_at: datetime | None, *pairings: str) -> None:
    tables = tournament.tables.filter(pairing__in=pairings).values("table")
    Table.objects.filter(pk__in=tables).update(phase=Phase.PLAY, due_at=due_at)


def test_table_where_nothing_happens_is_told_and_one_whose_clock_runs_is_not():
    tournament = running(4)
    in_play(tournament, None, "R1.1")
    in_play(tournament, NOW + timedelta(hours=1), "R1.2")

    with translation.override("en"):
        said = [[plain(m.sentence) for m in later(tournament, passed).matters] for passed in (4, 20)]

    assert said == [[], ["Semi-final 1: nothing has happened at the table for 20 minutes."]]


def test_late_players_are_named_and_told_where_they_sit():
    tournament = running(2)
    PairingTable.objects.filter(tournament=tournament).update(late_at=NOW - timedelta(minutes=1))
    seats = open_table(tournament, "R1.1").table.seats.order_by("number")
    seats.filter(number__in=(0, 1)).update(arrived_at=NOW)
    other = started(2)
    elsewhere = open_table(other, "R1.1").table
    Table.objects.filter(pk=elsewhere.pk).update(phase=Phase.PLAY)
    elsewhere.seats.filter(number=0).update(user=seats.get(number=2).user)
    names = [seat.user.username for seat in seats if seat.number in (2, 3)]

    assert told(tournament) == [f"Final: not come in time: {names[0]} (at another table), {names[1]}."]


def test_many_of_one_kind_are_counted_and_shown_together(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(matters, "MOST", 1)
    tournament = running(8)
    in_play(tournament, None, "R1.1", "R1.2", "R1.3")
    in_play(tournament, NOW + timedelta(hours=1), "R1.4")

    with translation.override("en"):
        console = later(tournament, 20, state="matter")
        told = [(plain(matter.sentence), matter.door) for matter in console.matters]

    assert told[1:] == [("And 2 more matches like these.", "matter")]
    assert sorted(match.id for match in console.matches) == ["R1.1", "R1.2", "R1.3"]


def test_numbers_at_the_top_count_what_they_lead_to():
    tournament = running(8, holds_results=True, objection_minutes=60)
    end(tournament, "R1.1")
    adjudicate(tournament)

    page: Console = seen(tournament).context["page"]

    assert {tally.state: tally.count for tally in page.tallies} == {
        "matter": 0,
        "": 0,
        "live": 3,
        "ready": 0,
        "held": 1,
        "done": 0,
    }
    for tally in page.tallies:
        if tally.state:
            assert (
                seen(tournament, f"?state={tally.state}").context["page"].leaf.paginator.count == tally.count
            )


def test_live_part_is_the_console_without_the_page_around_it():
    tournament = running(4)

    whole, part = (seen(tournament, query).content.decode() for query in ("?q=R1.1", "?q=R1.1&part=live"))

    assert ("<html" in whole, "<html" in part) == (True, False)
    assert 'data-fragment="' in whole
    assert "organise/?q=R1.1&amp;part=live" in whole
    assert [
        f'data-part="{name}"' in part for name in ("head", "counts", "matters", "rounds", "matches", "pairs")
    ] == [True] * 6
