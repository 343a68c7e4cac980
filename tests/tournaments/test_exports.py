"""What can be taken away of a tournament, and by whom: tables, records, calendars."""

import asyncio
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
from django.db import connection
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from openpyxl import load_workbook

from games.rules.record import replay
from games.services.playout import play_out
from tests.factories import make_user
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    end,
    end_level,
    enter_pair,
    make_tournament,
    open_table,
    started,
)
from tournaments import calendars
from tournaments.models import RoundTime, Tournament
from tournaments.services import entry, making

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def browser(user=None, language: str = "en") -> Client:
    client = Client()
    client.cookies["django_language"] = language
    if user is not None:
        client.force_login(user)
    return client


def got(tournament: Tournament, what: str, user=None, language: str = "en") -> bytes:
    answer = browser(user, language).get(f"{tournament.get_absolute_url()}files/{what}")
    assert answer.status_code == 200
    return answer.content


def csv_rows(data: bytes) -> list[str]:
    return data.decode("utf-8-sig").splitlines()


# Tables


def test_pairings_and_standings_open_in_a_spreadsheet_with_signs_and_numbers():
    tournament = started(2, name="كأس الشام", third_place=False)
    first, second = open_table(tournament, "R1.1").sides
    tournament.entries.filter(number=int(first[1:])).update(name="=1+1")
    tournament.entries.filter(number=int(second[1:])).update(name="نسور")
    end_level(tournament, "R1.1", 1, points=-7)
    adjudicate(tournament)

    pairings, standings = (got(tournament, f"{what}.csv") for what in ("pairings", "standings"))

    assert pairings.startswith(b"\xef\xbb\xbf")
    head, row = csv_rows(pairings)
    assert head.split(",")[:7] == [
        *("Round", "Pairing", "Table number", "First pair", "Second pair"),
        *("Points of the first", "Points of the second"),
    ]
    number = tournament.tables.get().number
    assert row == f"R1,R1.1,{'' if number is None else number},'=1+1,نسور,-7,-7,نسور,last round,decided"
    assert csv_rows(standings) == ["Rank,Pair,Points,Still in", "1,نسور,0,yes", "2,'=1+1,0,no"]


def test_standings_have_every_term_that_decides():
    tournament = started(4, format="round_robin", settings={"tiebreaks": ["wins", "score_difference"]})
    end(tournament, "G1R1.1", (31, -5))
    adjudicate(tournament)

    rows = csv_rows(got(tournament, "standings.csv"))

    assert rows[0] == "Rank,Pair,Points,wins,score difference,Still in"
    assert [row.split(",")[2:5] for row in (rows[1], rows[-1])] == [["2", "1", "36"], ["0", "0", "-36"]]


def test_workbook_is_in_the_language_and_the_direction_of_the_reader():
    tournament = started(2)
    end(tournament, "R1.1", (31, -5))
    adjudicate(tournament)

    sheets = {
        language: load_workbook(io.BytesIO(got(tournament, "pairings.xlsx", language=language))).active
        for language in ("ar", "en")
    }

    assert {language: sheet.sheet_view.rightToLeft for language, sheet in sheets.items()} == {
        "ar": True,
        "en": False,
    }
    assert [cell.data_type for cell in sheets["en"][2]][5:7] == ["n", "n"]
    assert sorted(cell.value for cell in sheets["en"][2][5:7]) == [-5, 31]
    assert [language for language, sheet in sheets.items() if sheet["A1"].value == "Round"] == ["en"]


def test_officials_get_all_entries_and_others_those_that_are_in():
    tournament = make_tournament(capacity=1)
    enter_pair(tournament), enter_pair(tournament)
    gone = enter_pair(tournament)
    entry.remove(tournament_id=tournament.pk, entry_number=gone.number, actor=tournament.organiser, now=NOW)
    entry.enter(tournament_id=tournament.pk, user=make_user(), partner=make_user(), now=NOW)

    whole, public = (got(tournament, "entrants.csv", user) for user in (tournament.organiser, None))

    assert [row.rpartition(",")[2] for row in csv_rows(whole)] == [
        *("State", "in", "on the waiting list", "withdrawn", "not complete yet"),
    ]
    assert [row.rpartition(",")[2] for row in csv_rows(public)] == ["State", "in"]


def test_tables_are_empty_before_the_start():
    tournament = make_tournament()

    assert [
        len(csv_rows(got(tournament, f"{what}.csv"))) for what in ("pairings", "standings", "entrants")
    ] == [
        1,
        1,
        1,
    ]


@pytest.mark.parametrize("what", ["secrets.csv", "entrants.pdf", "entrants"])
def test_there_is_no_other_table(what: str):
    tournament = make_tournament()

    assert browser().get(f"{tournament.get_absolute_url()}files/{what}").status_code == 404


def test_file_is_named_after_the_tournament_in_its_own_letters():
    tournament = make_tournament(name="كأس الشام")
    answer = browser().get(f"{tournament.get_absolute_url()}files/entrants.csv")

    assert answer["Content-Disposition"] == (
        "attachment; filename*=utf-8''%D9%83%D8%A3%D8%B3-%D8%A7%D9%84%D8%B4%D8%A7%D9%85-entrants.csv"
    )


# Who may


DOORS = [
    *("files/", "files/records.jsonl", "files/entrants.csv", "files/pairings.xlsx", "calendar.ics"),
]


@pytest.mark.parametrize("door", DOORS)
def test_private_tournament_and_draft_give_nothing_to_strangers(door: str):
    tournament = make_tournament(is_private=True)
    inside = enter_pair(tournament).members.first().user
    viewer = make_user()
    tournament.officials.create(user=viewer, role="viewer", since=NOW)
    address = tournament.get_absolute_url() + door
    readers = {"nobody": None, "stranger": make_user(), "player": inside, "viewer": viewer}

    private = {name: browser(user).get(address).status_code for name, user in readers.items()}
    Tournament.objects.update(state="draft")
    draft = {name: browser(user).get(address).status_code for name, user in readers.items()}

    assert private == {"nobody": 404, "stranger": 404, "player": 200, "viewer": 200}
    assert draft == {"nobody": 404, "stranger": 404, "player": 404, "viewer": 200}


# Records


def played(pairs: int = 4) -> Tournament:
    tournament = started(pairs)
    table = open_table(tournament, "R1.1").table
    play_out(table_id=table.pk, players=("cautious",), chance=iter(range(10**6)).__next__, now=NOW)
    adjudicate(tournament)
    return tournament


def test_records_of_finished_matches_are_lines_that_replay():
    tournament = played()
    in_play = open_table(tournament, "R1.2").table
    answer = browser().get(f"{tournament.get_absolute_url()}files/records.jsonl")
    text = b"".join(answer.streaming_content).decode()
    records = [json.loads(line) for line in text.splitlines()]

    assert [(one["pairing"], one["attempt"], one["format"]) for one in records] == [
        ("R1.1", 1, "tarneeb-record/1")
    ]
    assert replay(records[0])["ok"] is True
    assert bytes(in_play.secret).hex() not in text
    assert "records.jsonl" in answer["Content-Disposition"]


@pytest.mark.django_db(transaction=True)
def test_records_are_streamed_by_the_other_kind_of_server_too():
    tournament = played()

    async def ask() -> bytes:
        answer = await AsyncClient().get(f"{tournament.get_absolute_url()}files/records.jsonl")
        assert answer.is_async
        return b"".join([part async for part in answer.streaming_content])

    assert len(asyncio.run(ask()).splitlines()) == 1


# Calendars


def events(data: bytes) -> dict[str, icalendar.Event]:
    calendar = icalendar.Calendar.from_ical(data)
    return {str(event["uid"]).partition("@")[0].partition("-")[2]: event for event in calendar.walk("VEVENT")}


def feed(tournament: Tournament, user=None) -> bytes:
    answer = browser(user).get(f"{tournament.get_absolute_url()}calendar.ics?lang=en")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    return answer.content


@pytest.mark.parametrize(
    ("zone", "start"),
    [
        ("Asia/Beirut", datetime(2099, 3, 28, 21, 30, tzinfo=UTC)),
        ("Africa/Cairo", datetime(2099, 7, 1, 18, 0, tzinfo=UTC)),
        ("UTC", datetime(2099, 1, 1, 18, 0, tzinfo=UTC)),
        ("America/New_York", datetime(2099, 11, 1, 5, 30, tzinfo=UTC)),
    ],
)
def test_calendar_shows_the_right_moment_in_the_zone_of_the_tournament(zone: str, start: datetime):
    tournament = make_tournament(starts_at=start, time_zone=zone, check_in_minutes=30, seeding_minutes=10)
    RoundTime.objects.create(tournament=tournament, key="R2", starts_at=start + timedelta(hours=3))
    data = feed(tournament)
    found = events(data)

    begins = {what: event["dtstart"].dt for what, event in found.items()}
    assert {what: at.astimezone(UTC) for what, at in begins.items()} == {
        "check-in": start - timedelta(minutes=40),
        "start": start,
        "round-R2": start + timedelta(hours=3),
    }
    assert begins["start"].utcoffset() == start.astimezone(ZoneInfo(zone)).utcoffset()
    zones = [str(one["tzid"]) for one in icalendar.Calendar.from_ical(data).walk("VTIMEZONE")]
    assert zones == ([] if zone == "UTC" else [zone])
    assert str(found["round-R2"]["summary"]) == "Thursday night: Round 2"


def test_event_keeps_its_id_and_counts_its_changes():
    tournament = make_tournament()
    before = events(feed(tournament))["start"]
    making.edit(
        tournament_id=tournament.pk,
        actor=tournament.organiser,
        changes={"starts_at": tournament.starts_at + timedelta(hours=1)},
        now=NOW,
    )
    after = events(feed(tournament))["start"]
    Tournament.objects.update(state="cancelled", cancel_reason="organiser")
    off = events(feed(tournament))["start"]

    assert before["uid"] == after["uid"]
    assert (before["sequence"], after["sequence"], str(off["status"])) == (0, 1, "CANCELLED")
    assert after["dtstart"].dt - before["dtstart"].dt == timedelta(hours=1)


def test_players_calendar_has_their_tournaments_and_the_table_that_waits():
    tournament, other = started(2, name="Mine"), make_tournament(name="Not mine")
    enter_pair(other)
    user = tournament.entries.first().members.first().user
    key = calendars.key_of(user)

    found = events(browser().get(f"/tournaments/calendar/{key}.ics").content)

    table = open_table(tournament, "R1.1").table
    assert set(found) == {"start", f"table-{table.code}"}
    assert str(found[f"table-{table.code}"]["url"]).endswith(f"/tables/{table.code}/")
    assert len(found["start"].walk("VALARM")) == 1


def test_address_of_a_players_calendar_cannot_be_guessed_and_ends_with_the_password():
    user, other = make_user(), make_user()
    key = calendars.key_of(user)
    swapped = f"{other.pk}-{key.partition('-')[2]}"
    user.set_password("another-long-pass-phrase")
    before = browser().get(f"/tournaments/calendar/{key}.ics").status_code
    user.save()

    addresses = [key, swapped, "x", f"{user.pk}-", "9" * 40 + "-x"]
    assert before == 200
    assert [browser().get(f"/tournaments/calendar/{one}.ics").status_code for one in addresses] == [404] * 5


def test_files_page_gives_each_reader_their_own_calendar_and_organisers_the_import():
    tournament = make_tournament()
    user = make_user()
    address = f"{tournament.get_absolute_url()}files/"
    pages = {
        name: browser(reader).get(address).content.decode()
        for name, reader in (("nobody", None), ("user", user), ("organiser", tournament.organiser))
    }

    assert {name: calendars.key_of(user) in page for name, page in pages.items()} == {
        "nobody": False,
        "user": True,
        "organiser": False,
    }
    assert {name: f"{tournament.get_absolute_url()}import/" in page for name, page in pages.items()} == {
        "nobody": False,
        "user": False,
        "organiser": True,
    }


def queries(address: str, user=None) -> int:
    client = browser(user)
    with CaptureQueriesContext(connection) as caught:
        assert client.get(address).status_code == 200
    return len(caught)


def test_calendar_and_tables_ask_no_more_for_more_rows():
    user = make_user()
    counted: dict[int, list[int]] = {}
    tournament = make_tournament(name="Wide")
    for rows in (1, 3):
        while Tournament.objects.filter(members__user=user).count() < rows:
            enter_pair(make_tournament(name="Mine"), user, make_user())
            enter_pair(tournament)
        base = f"{tournament.get_absolute_url()}files"
        counted[rows] = [
            queries(f"/tournaments/calendar/{calendars.key_of(user)}.ics"),
            queries(f"{base}/entrants.csv", tournament.organiser),
            queries(f"{tournament.get_absolute_url()}claims/", tournament.organiser),
        ]

    assert counted[1] == counted[3]
