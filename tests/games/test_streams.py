import http.client
import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Appearance, Deal, Event, EventKind, Seat, Table
from games.queries import record
from games.rules.record import fold
from games.services.histories import complete, keep
from games.streams import TOGETHER, record_lines, whole_lines
from tests.browser.pages import session_of
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match, make_match_in_play
from tests.live import LiveSite
from tests.tampering import erase, rewrite, triggers_off

MANY = 80
PATIENCE = 20


def copies(table: Table, count: int) -> list[Table]:
    """The match so many times more, each ended a second earlier."""
    made = []
    with triggers_off():
        seats, deals, events = (list(model.objects.filter(table=table)) for model in (Seat, Deal, Event))
        for number in range(count):
            twin = Table.objects.get(pk=table.pk)
            twin.pk, twin.code = None, f"C{number:04d}"
            twin.ended_at = NOON - timedelta(seconds=number + 1)
            twin.save(force_insert=True)
            for rows in (seats, deals, events):
                for row in rows:
                    row.pk, row.table = None, twin
                type(rows[0]).objects.bulk_create(rows)
            made.append(twin)
    complete()
    return made


def lines(client: Client, address: str, **query: str) -> list[dict[str, object]]:
    response = client.get(address, query)
    return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]


@pytest.mark.django_db
def test_file_holds_every_match_the_newest_first_as_its_record(client: Client) -> None:
    user = make_user("Player")
    tables = [
        make_match([user, *make_users(3)], code=f"T{n}", seed=str(n), ended_at=NOON + timedelta(n))
        for n in range(3)
    ]
    found = lines(client, "/players/Player/records/")

    assert [line.pop("table") for line in found] == ["T2", "T1", "T0"]
    assert found == [json.loads(json.dumps(record(table))) for table in reversed(tables)]
    assert [fold(line).result is not None for line in found] == [True] * 3


@pytest.mark.django_db
def test_file_holds_what_the_reader_may_see_and_asks_for(client: Client) -> None:
    user, partner = make_user("Player"), make_user("Partner", language="en")
    make_match([user, make_user(), partner, make_user()], code="T1", visibility="link", ruleset="kings")
    make_match([user, *make_users(3)], code="T2", seed="2")
    make_match_in_play([user, *make_users(3)], code="T3", seed="3")
    seen = [[line["table"] for line in lines(client, "/players/Player/records/")]]
    client.force_login(partner)
    seen.append([line["table"] for line in lines(client, "/players/Player/records/")])
    seen.append([line["table"] for line in lines(client, "/players/Player/records/", ruleset="kings")])

    assert [sorted(codes) for codes in seen] == [["T2"], ["T1", "T2"], ["T1"]]


@pytest.mark.django_db
def test_cards_still_in_play_elsewhere_are_not_in_it(client: Client) -> None:
    table = make_match([make_user("Player"), *make_users(3)])
    other = make_match_in_play(make_users(4))
    keep([table.pk])
    assert other.commitment == table.commitment

    # Neither by the mark on the row, which may be late, nor without it.
    Appearance.objects.update(open=True)
    assert lines(client, "/players/Player/records/") == []
    assert b"".join(record_lines([(table, {})])) == b""


@pytest.mark.django_db
def test_a_portion_costs_the_same_number_of_queries_however_many_matches_it_holds() -> None:
    tables, counts = [make_match(make_users(4), seed=str(n)) for n in range(3)], []
    for many in (1, 3):
        with CaptureQueriesContext(connection) as queries:
            list(record_lines([(table, {}) for table in tables[:many]]))
        counts.append(len(queries))

    assert counts[0] == counts[1] == 4


@pytest.mark.django_db
def test_lines_come_some_at_a_time() -> None:
    table = make_match(make_users(4))
    portions = list(record_lines([(table, {"number": number}) for number in range(TOGETHER + 1)]))

    assert [portion.count(b"\n") for portion in portions] == [TOGETHER, 1]


# ---- On a real site


@pytest.fixture(scope="module")
def player(live_site: LiveSite) -> User:
    user = make_user("لاعب")
    copies(make_match([user, *make_users(3)]), MANY)
    return user


@contextmanager
def ask(site: LiveSite, path: str, session: str = "") -> Iterator[http.client.HTTPResponse]:
    """The answer to a request, and the line to the site for as long as it is read."""
    with closing(http.client.HTTPConnection(site.host, timeout=PATIENCE)) as line:
        line.request("GET", quote(path), headers={"Cookie": f"sessionid={session}"} if session else {})
        with closing(line.getresponse()) as answer:
            yield answer


def until_free(site: LiveSite, path: str, session: str) -> int:
    """Asks again and again while another file is under way; the status in the end."""
    for _ in range(PATIENCE * 10):
        with ask(site, path, session) as answer:
            if answer.status != 429:
                answer.read()
                return answer.status
        time.sleep(0.1)
    return 429


def test_a_long_file_holds_up_no_page_and_is_sent_one_at_a_time(live_site: LiveSite, player: User) -> None:
    path, session = "/players/لاعب/records/", session_of(player)
    with ask(live_site, path, session) as stream:
        first = stream.readline()
        took = []
        for _ in range(5):
            began = time.perf_counter()
            with ask(live_site, "/tables/") as page:
                page.read()
            took.append(time.perf_counter() - began)
        with ask(live_site, path, session) as second:
            refused = second.status
        with ask(live_site, path, session_of(make_user())) as another:
            allowed = another.status
            another.read()
        rest = stream.read().splitlines()

    assert (json.loads(first)["format"], stream.status, refused, allowed) == (
        "tarneeb-record/1",
        200,
        429,
        200,
    )
    assert len(rest) == MANY
    # The whole file takes longer than any page meanwhile.
    assert sorted(took)[2] < 1
    assert until_free(live_site, path, session) == 200


def test_whoever_goes_away_in_the_middle_may_ask_again(live_site: LiveSite, player: User) -> None:
    path, session = "/players/لاعب/records/", session_of(player)
    with ask(live_site, path, session) as stream:
        stream.readline()

    assert until_free(live_site, path, session) == 200


# What only a fault could leave of a match: the first deal's event, its deck, one of its acts gone, cards that are none.
DAMAGES = {
    "an event": lambda table: erase(Event.objects.filter(table=table, kind=EventKind.DEAL)),
    "a deck": lambda table: erase(Deal.objects.filter(table=table, index=0)),
    "a seat": lambda table: erase(Seat.objects.filter(table=table, number=2)),
}
MISPLAYED = {
    "an act": lambda table: erase(Event.objects.filter(table=table, kind=EventKind.ACT, seat=1)),
    "the cards": lambda table: rewrite(Deal.objects.filter(table=table), deck="XX YY"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", DAMAGES)
def test_a_match_that_cannot_be_read_has_a_line_that_says_so_and_the_file_goes_on(
    client: Client, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    user = make_user("Player")
    for number in range(3):
        make_match(
            [user, *make_users(3)], code=f"T{number}", seed=str(number), ended_at=NOON + timedelta(number)
        )
    complete()
    DAMAGES[kind](Table.objects.get(code="T1"))

    found = lines(client, "/players/Player/records/")

    assert [(line["table"], line.get("error")) for line in found] == [
        ("T2", None),
        ("T1", "unreadable"),
        ("T0", None),
    ]
    assert "the facts of table T1 cannot be read" in caplog.text


def test_a_file_that_cannot_go_on_says_so_in_its_last_line(caplog: pytest.LogCaptureFixture) -> None:
    def parts() -> Iterator[bytes]:
        yield b"{}\n"
        raise RuntimeError("the database is gone")

    assert list(whole_lines(parts())) == [b"{}\n", b'{"error":"cut-short"}\n']
    assert "the database is gone" in caplog.text


@pytest.mark.django_db
@pytest.mark.parametrize("kind", DAMAGES | MISPLAYED)
@pytest.mark.parametrize("page", ["", "print/", "pbn/"])
def test_page_of_a_match_that_cannot_be_read_says_so(
    client: Client, caplog: pytest.LogCaptureFixture, kind: str, page: str
) -> None:
    table = make_match(make_users(4), code="BR0KE", seed="x")
    (DAMAGES | MISPLAYED)[kind](table)
    client.cookies["django_language"] = "en"

    response = client.get(f"/matches/BR0KE/{page}")

    assert (response.status_code, "This match cannot be read" in response.content.decode()) == (503, True)
    assert "the facts of table BR0KE cannot be read" in caplog.text
