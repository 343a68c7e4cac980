"""What the pages show, to whom, in both languages."""

import itertools
import json
import re
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from tests.factories import make_user, make_users
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    close_unplayed,
    end,
    end_level,
    enter_pair,
    lines,
    make_tournament,
    open_table,
    started,
)
from tournaments.formats.event import print_plan
from tournaments.models import Tournament
from tournaments.pages import Page
from tournaments.queries import event, plan_of
from tournaments.services import entry, rounds, rulings

pytestmark = pytest.mark.django_db
TABS = ("overview", "bracket", "standings", "schedule", "results", "entrants", "rules")


def shown(tournament: Tournament | None, user=None, language: str = "en", query: str = "") -> str:
    """The words of a page, its tags taken away and its spaces made one."""
    client = Client()
    client.cookies["django_language"] = language
    if user is not None:
        client.force_login(user)
    response = client.get((tournament.get_absolute_url() if tournament else "/tournaments/") + query)
    assert response.status_code == 200
    text = re.sub(r"<script.*?</script>|<[^>]+>", " ", response.content.decode(), flags=re.S)
    return " ".join(unescape(text).split())


def queries(*args, **more) -> int:
    with CaptureQueriesContext(
        connection,
    ) as caught:
        shown(*args, **more)
    return len(caught)


def member(tournament: Tournament, ident: str, place: int = 0):
    return tournament.entries.get(number=int(ident[1:])).members.get(place=place).user


# The bracket


@pytest.mark.parametrize(
    ("language", "word", "sentence"),
    [
        (
            "en",
            "last round",
            "Level at the round cap: recorded as a draw. "
            "The side that gained in the last counted round goes through.",
        ),
        ("ar", "الجولة الأخيرة", "تساويا عند حدّ الجولات فسُجّلت تعادلًا، ويتأهّل من كسب آخر جولة محسوبة."),
    ],
)
def test_draw_at_the_cap_is_said_in_a_word_and_in_a_sentence(language: str, word: str, sentence: str):
    tournament = started(2)
    before = shown(tournament, language=language)
    end_level(tournament, "R1.1", 1, points=-7)
    adjudicate(tournament)

    after = shown(tournament, language=language, query="?tab=bracket")

    assert (word in after, sentence in after, "−7 −7" in after.replace(" · ", " ")) == (True, True, False)
    assert after.count("−7") == 4  # under the sides, and in the sentence with its numbers
    assert sentence not in before


@pytest.mark.parametrize(
    ("pairs", "english", "arabic"),
    [
        (2, ["Final"], ["النهائي"]),
        (5, ["Quarter-finals", "Semi-finals", "Final"], ["ربع النهائي", "نصف النهائي", "النهائي"]),
        (
            17,
            ["Round of 32", "Round of 16", "Quarter-finals", "Semi-finals", "Final"],
            ["دور الـ32", "دور الـ16", "ربع النهائي", "نصف النهائي", "النهائي"],
        ),
    ],
)
def test_rounds_are_named_by_their_distance_to_the_final(pairs: int, english: list[str], arabic: list[str]):
    tournament = started(pairs, capacity=32)
    page = Page(tournament, None)

    for language, names in (("en", english), ("ar", arabic)):
        with translation.override(language):
            assert [column.name for column in Page(tournament, None).bracket.columns] == names
    assert [len(column.cards) for column in page.bracket.columns] == [
        2 ** (len(english) - 1 - place) for place in range(len(english))
    ]


def test_every_tab_shows_byes_walkovers_dead_tables_and_nobody():
    tournament = started(13, third_place=True)
    rows = list(tournament.tables.filter(pairing__startswith="R1").values_list("pairing", flat=True))
    for _ in range(2):
        close_unplayed(tournament, rows[0])
        adjudicate(tournament)
    end(tournament, rows[1])
    adjudicate(tournament)
    rested = lines(tournament)["R1.1"][3]
    rulings.leave(tournament_id=tournament.pk, user=member(tournament, rested), now=NOW)

    assert {line[2] for line in lines(tournament).values()} == {
        None,
        "bye",
        "double-forfeit",
        "target",
        "walkover",
    }
    for user in (None, member(tournament, rested), tournament.organiser):
        for language, tab in itertools.product(("en", "ar"), TABS):
            assert tournament.name in shown(tournament, user, language, f"?tab={tab}")


def test_fragment_is_what_changes_on_the_page():
    tournament = started(4)

    assert shown(tournament, query="?part=live&tab=bracket") in shown(tournament, query="?tab=bracket")


# The next step


def test_stranger_is_asked_to_log_in_and_player_to_enter():
    tournament = make_tournament()

    assert "Log in to enter with a partner." in shown(tournament)
    assert "Enter with a partner" in shown(tournament, make_user())


def test_invited_player_sees_who_asks_there_and_in_the_list():
    tournament, (layla, omar) = make_tournament(), make_users(2)
    entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, now=NOW)

    assert f"{layla.username} asks you to be their partner. Accept Decline" in shown(tournament, omar)
    assert f"{layla.username} asks you to be their partner in Thursday night . Accept Decline" in shown(
        None, omar
    )
    assert "Waiting for your partner's answer:" in shown(tournament, layla)


def test_player_whose_invitation_was_declined_is_told_until_asking_again():
    tournament = make_tournament()
    layla, omar = make_user("Layla"), make_user("Omar")
    words = "Your invitation to \u2068Omar\u2069 was not accepted."
    asked = {"tournament_id": tournament.pk, "user": layla, "partner": omar, "now": NOW}
    number = entry.enter(**asked).number
    entry.decline(tournament_id=tournament.pk, entry_number=number, user=omar, now=NOW)
    declined = shown(tournament, layla)

    entry.enter(**asked)

    assert (words in declined, words in shown(tournament, layla)) == (True, False)


def test_player_is_called_to_the_table_there_and_in_the_list():
    tournament = started(2)
    row = open_table(tournament, "R1.1")
    client = Client()
    client.force_login(member(tournament, "e2", 1))

    for page in (tournament.get_absolute_url(), "/tournaments/"):
        assert f'<a class="call" href="/tables/{row.table.code}/">' in client.get(page).content.decode()


def test_table_after_a_dead_one_is_called_a_replay():
    tournament = started(2)
    close_unplayed(tournament, "R1.1")
    adjudicate(tournament)

    assert "Your table is ready Final · replayed · against" in shown(tournament, member(tournament, "e1"))


def test_table_that_a_correction_opened_for_other_sides_is_no_replay():
    tournament = started(4)
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1", (31, 0))
    end(tournament, "R1.2")
    adjudicate(tournament)
    correction = {"type": "correct", "pairing": "R1.1", "kind": "target", "score": [0, 31]}
    rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=correction, now=NOW)

    assert "Your table is ready Final · against" in shown(tournament, member(tournament, sides[1]))


def test_player_sees_how_the_tournament_went_on():
    tournament = started(4)
    winner, loser = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1", (31, 0))
    over = shown(tournament, member(tournament, winner))
    adjudicate(tournament)
    through, out = (shown(tournament, member(tournament, ident)) for ident in (winner, loser))
    end(tournament, "R1.2")
    adjudicate(tournament)
    end(tournament, "R2.1", (31, 0))
    adjudicate(tournament)

    assert "Your match is over; its result is being recorded." in over
    assert "You are through. Next: Final." in through
    assert "Your tournament ended here: Semi-final 1. Well played." in out
    assert "You won the tournament!" in shown(tournament, member(tournament, winner))


def test_who_lost_once_of_twice_is_told_that_they_are_still_in():
    tournament = started(4, format="double_elimination")
    winner, loser = open_table(tournament, "W1.1").sides
    end(tournament, "W1.1", (31, 0))
    adjudicate(tournament)

    words = "You have lost once and are still in."
    pages = [shown(tournament, member(tournament, ident)) for ident in (winner, loser)]

    assert [words in page for page in pages] == [False, True]


def test_who_lost_the_semi_final_is_told_of_the_third_place_and_not_that_they_are_through():
    tournament = started(4, third_place=True)
    loser = open_table(tournament, "R1.1").sides[1]
    end(tournament, "R1.1", (31, 0))
    adjudicate(tournament)

    page = shown(tournament, member(tournament, loser))

    assert ("You still play for the third place." in page, "You are through." in page) == (True, False)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "fewer than two pairs had entered when it was due"), ("ar", "لم يشترك زوجان حين حان موعدها")],
)
def test_called_off_tournament_says_why(language: str, words: str):
    tournament = make_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(state="cancelled", cancel_reason="too-few")

    assert words in shown(tournament, language=language)


def test_tournament_called_off_in_play_still_shows_what_was_played():
    tournament = started(4)
    end(tournament, "R1.1", (33, -9))
    adjudicate(tournament)
    rounds.cancel(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    for user in (None, tournament.organiser, member(tournament, "e1")):
        text = shown(tournament, user)
        assert ("This tournament was called off: called off by the organiser." in text, "−9" in text) == (
            True,
            True,
        )


def test_what_people_decided_is_public_with_its_reason():
    tournament = started(2)
    item = rulings.with_sides(
        tournament, {"type": "rule", "pairing": "R1.1", "winner": 0, "reason": "power cut"}
    )
    rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)

    text = shown(tournament, query="?tab=overview")

    assert "Final was decided:" in text
    assert "power cut" in text


def test_page_of_a_tournament_that_has_a_champion_opens_with_it():
    tournament = started(2)
    before = "Champions" in shown(tournament)
    item = rulings.with_sides(
        tournament, {"type": "rule", "pairing": "R1.1", "winner": 0, "reason": "power cut"}
    )
    rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW)
    tournament.refresh_from_db()

    assert (before, "Champions" in shown(tournament)) == (False, True)


def test_lot_is_shown_only_once_it_was_drawn():
    tournament = make_tournament(lot="feed" * 8)
    enter_pair(tournament)

    assert "feed" not in shown(tournament, tournament.organiser, query="?tab=rules")
    assert "feed" * 8 in shown(started(2, lot="feed" * 8), query="?tab=rules")


# The file


def folded(tournament: Tournament, tmp_path) -> dict:
    """The plan that the tournament's file comes to, by the command."""
    file = tmp_path / "event.json"
    file.write_bytes(Client().get(tournament.get_absolute_url() + "event/").content)
    out = StringIO()
    call_command("plan", str(file), "--json", stdout=out)
    return json.loads(out.getvalue())


def test_file_of_a_tournament_folds_to_the_plan_of_its_page(tmp_path):
    tournament = started(13, third_place=True)
    rows = list(tournament.tables.filter(pairing__startswith="R1").values_list("pairing", flat=True))
    for _ in range(2):
        close_unplayed(tournament, rows[0])
        adjudicate(tournament)
    end(tournament, rows[1])
    end_level(tournament, rows[2], 1)
    adjudicate(tournament)
    rulings.leave(tournament_id=tournament.pk, user=member(tournament, "e3"), now=NOW)
    correction = {"type": "correct", "pairing": rows[1], "kind": "target", "score": [3, 33]}
    rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=correction, now=NOW)

    assert folded(tournament, tmp_path) == json.loads(json.dumps(print_plan(plan_of(tournament))))


@pytest.mark.parametrize("pairs", [0, 1, 3])
def test_file_before_the_start_lists_who_is_in_by_the_order_they_accepted(pairs: int):
    tournament = make_tournament()
    for _ in range(pairs):
        enter_pair(tournament)
    entry.enter(tournament_id=tournament.pk, user=make_user(), partner=make_user(), now=NOW)

    entrants = event(tournament)["entrants"]

    assert [(entrant["id"], entrant["seed"]) for entrant in entrants] == [
        (f"e{n}", n) for n in range(1, pairs + 1)
    ]


def test_file_is_json_with_names_in_their_own_letters():
    tournament = make_tournament(name="كأس الشام")
    enter_pair(tournament, make_user("ليلى"), make_user("Omar"))

    response = Client().get(tournament.get_absolute_url() + "event/")

    assert response["Content-Type"] == "application/json"
    assert "كأس الشام" in response.content.decode()
    assert json.loads(response.content)["entrants"][0]["name"] == "ليلى / Omar"


# How much is asked of the database


def test_list_asks_as_much_for_three_as_for_one():
    def add() -> None:
        enter_pair(make_tournament())
        started(2)
        finished = started(2)
        end(finished, "R1.1")
        adjudicate(finished)

    add()
    one = queries(None)
    add()
    add()

    assert queries(None) == one


@pytest.mark.parametrize("tab", TABS)
def test_page_asks_as_much_for_many_pairs_as_for_two(tab: str):
    few, many = started(4), started(16)
    for tournament in (few, many):
        end(tournament, "R1.1")
        adjudicate(tournament)
    asked = []
    for tournament in (many, few):
        reader = member(tournament, open_table(tournament, "R1.2").sides[0])
        asked.append(queries(tournament, reader, query=f"?tab={tab}"))

    assert asked[0] == asked[1]


def test_console_asks_as_much_for_many_matches_as_for_one():
    few, many = started(2), started(16)

    def asked(tournament: Tournament) -> int:
        client = Client()
        client.force_login(tournament.organiser)
        with CaptureQueriesContext(connection) as caught:
            assert client.get(tournament.get_absolute_url() + "organise/").status_code == 200
        return len(caught)

    assert asked(many) == asked(few)
