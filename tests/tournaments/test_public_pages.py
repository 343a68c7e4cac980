"""Pages for everybody: no format, no empty place and no departure breaks one; nothing private is shown to strangers."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from tests.factories import make_user
from tests.tournaments.drawn import drawn, log, play
from tests.tournaments.scenes import NOW, adjudicate, end, end_level, make_tournament, started
from tournaments.asked import Asked
from tournaments.because import because
from tournaments.bracket import locate
from tournaments.cards import Cards, cards_of
from tournaments.course import course_of
from tournaments.crosstable import squares
from tournaments.formats.results import Pairing
from tournaments.models import Act, Announcement, PairingTable, State, TableState, Tournament
from tournaments.pages import Page
from tournaments.queries import pair_name
from tournaments.ranking import ranking
from tournaments.screen import panes

pytestmark = pytest.mark.django_db

CUP = {"format": "single_elimination", "qualify": 2, "third_place": True}
FORMATS = {
    "knock-out": ("single_elimination", 5, 1, {"third_place": True}),
    "double": ("double_elimination", 5, 4, {}),
    "groups": ("round_robin", 7, 5, {"groups": 2}),
    "swiss": ("swiss", 7, 5, {"rounds": 3}),
    "stages": ("stages", 7, 12, {"stages": [{"format": "round_robin", "groups": 2}, CUP]}),
    "two": ("single_elimination", 2, 1, {}),
    "alone": ("single_elimination", 1, 0, {}),
    "nobody": ("swiss", 0, 0, {}),
}
SHOWN = (
    *(f"?tab={tab}" for tab in ("overview", "standings", "schedule", "results", "entrants", "rules")),
    *("?tab=standings&stage=0&of=e1", "?tab=standings&page=9", "?tab=results&before=2"),
    *(
        f"?tab=bracket{more}"
        for more in ("", "&view=rounds", "&view=square", "&whole", "&stage=1", "&road=e1")
    ),
    *(
        "?tab=bracket&root=R1.1",
        "?tab=bracket&root=2:R1.1&round=R9&page=0",
        "?tab=bracket&q=player",
        "?part=live",
    ),
    *(
        "embed/",
        "embed/?show=standings&theme=dark",
        "sharing/",
        "screen/",
        "screen/?part=live",
        "calls/",
        "event/",
    ),
)
FILES = (*(f"files/{what}.csv" for what in ("pairings", "standings", "entrants")), "files/", "calendar.ics")
OFFICIAL = ("organise/", "log/", "desk/", "seeding/", "objections/", "officials/", "files/", "event/")
BROKEN = ("?tab=x&stage=99&road=e99999&root=%00&round=zz", "?page=x&before=x&stage=x&road=x&of=x&view=x")


def read(tournament: Tournament, path: str = "", language: str = "en", user=None) -> tuple[int, str]:
    """The status of a page, and its words."""
    client = Client()
    client.cookies["django_language"] = language
    if user is not None:
        client.force_login(user)
    response = client.get(tournament.get_absolute_url() + path)
    text = re.sub(r"<script.*?</script>|<[^>]+>", " ", response.content.decode(), flags=re.S)
    return response.status_code, " ".join(unescape(text).split())


@pytest.mark.parametrize("kind", FORMATS)
def test_every_page_of_every_format_answers_in_both_languages(kind: str):
    format_, pairs, played, settings = FORMATS[kind]
    tournament = drawn(format_, pairs, played, settings=settings)
    if pairs > 4:
        log(tournament, {"type": "withdraw", "entrant": "e4"}, {"type": "disqualify", "entrant": "e5"})
    member = tournament.members.first()
    paths = (*SHOWN, *BROKEN)
    # Of a small field the one language or the other, path by path.
    both = [(path, language) for path in paths for language in ("en", "ar")]
    asked = (
        both if kind in ("double", "stages") else list(zip(paths, ("en", "ar") * len(paths), strict=False))
    )

    found = {
        (path, language): read(tournament, path, language, member and member.user)[0]
        for path, language in asked
    }

    assert {place for place, status in found.items() if status != 200} == set()


def test_double_bye_and_both_out_are_shown():
    tournament = drawn("double_elimination", 5)
    log(tournament, *({"type": "withdraw", "entrant": f"e{n}"} for n in (1, 2, 3, 4, 5)))

    found = {path: read(tournament, path, "ar")[0] for path in (*SHOWN, *FILES)}
    found |= {path: read(tournament, path, "ar", tournament.organiser)[0] for path in OFFICIAL}

    assert {path for path, status in found.items() if status != 200} == set()


def test_private_tournament_is_not_there_for_strangers():
    tournament = drawn("single_elimination", 4, 1, is_private=True)
    stranger, member = make_user(), tournament.members.first().user
    never = {path for path in SHOWN if path.startswith(("embed", "sharing"))}

    found = {
        path: tuple(read(tournament, path, user=user)[0] for user in (None, stranger, member))
        for path in SHOWN
    }

    assert found == {path: (404, 404, 404 if path in never else 200) for path in SHOWN}


def test_only_the_frame_may_be_framed_and_only_where_it_is_allowed():
    tournament = drawn("single_elimination", 4)
    client = Client()
    headers = {
        path: (
            "frame-ancestors *"
            in (answer := client.get(tournament.get_absolute_url() + path))["Content-Security-Policy"],
            answer.has_header("X-Frame-Options"),
        )
        for path in ("", "embed/", "sharing/", "screen/", "calls/")
    }
    Tournament.objects.filter(pk=tournament.pk).update(embeddable=False)

    assert headers == {path: (path == "embed/", path != "embed/") for path in headers}
    assert read(tournament, "embed/")[0] == read(tournament, "sharing/")[0] == 404


def test_frame_shows_a_stranger_even_to_who_is_in_it():
    tournament = drawn("single_elimination", 4)
    user = tournament.members.first().user

    assert read(tournament, "embed/?lang=en") == read(tournament, "embed/?lang=en", "ar", user)


# The bracket, part by part


def test_every_pairing_of_a_large_bracket_is_in_the_part_where_it_is_looked_for():
    tournament = drawn("double_elimination", 150)
    course = course_of(tournament)

    for pairing in course.plan.pairings[::37]:
        root = locate(course, pairing.id)
        if root:
            trees = Page(tournament, None, Asked(root=root)).bracket.trees
            shown = {card.id for tree in trees for column in tree.columns for card in column.cards if card}
            assert pairing.id in shown, (pairing.id, root)


def test_large_bracket_opens_where_it_is_played_and_leads_on():
    tournament = drawn("single_elimination", 128, 3)
    fresh = Page(tournament, None).bracket.trees[0]
    play(tournament, 61)
    later = Page(tournament, None).bracket.trees[0]

    assert [len(column.cards) for column in fresh.columns] == [16, 8, 4, 2, 1]
    assert [spot.root for spot in fresh.trail] == ["R7.1", "R5.1"]
    assert (fresh.before, fresh.after) == ("", "R5.2")
    assert [len(column.cards) for column in later.columns] == [32, 16, 8, 4, 2, 1]
    assert {card.zoom for card in later.columns[0].cards} == {True}


def test_reader_sees_the_part_with_the_own_match():
    tournament = drawn("single_elimination", 128)
    own = tournament.members.get(entry__number=2, place=1).user
    tree = Page(tournament, own).bracket.trees[0]

    assert [card.id for column in tree.columns for card in column.cards if card.mine] == ["R1.33"]


def test_whole_bracket_for_paper_has_every_pairing():
    tournament = drawn("single_elimination", 70)
    tree = Page(tournament, None, Asked(whole=True)).bracket.trees[0]

    assert [len(column.cards) for column in tree.columns] == [64, 32, 16, 8, 4, 2, 1]


def test_road_of_a_pair_is_found_by_name_and_told_in_order():
    tournament = drawn("double_elimination", 4, 4)
    name = tournament.members.get(entry__number=4, place=0).user.username
    page = Page(tournament, None, Asked(search=f" {name.upper()} ", road="e4"))

    assert [found.entry.ident for found in page.found] == ["e4"]
    assert [card.id for card in page.road] == [
        pairing.id for pairing in course_of(tournament).of_entrant["e4"]
    ]


# Standings that add up


@pytest.mark.parametrize(
    ("format_", "settings"),
    [
        (
            "swiss",
            {"tiebreaks": ["buchholz", "median_buchholz", "sonneborn_berger", "wins", "lot"], "rounds": 4},
        ),
        ("round_robin", {"tiebreaks": ["head_to_head", "score_difference", "match_points"]}),
    ],
)
def test_every_value_of_the_standings_is_the_sum_of_its_terms(format_: str, settings: dict):
    tournament = drawn(format_, 7, 9, settings=settings)
    log(tournament, {"type": "adjust", "entrant": "e3", "points": -1, "reason": "late"})
    table = ranking(tournament, course_of(tournament))
    sums = [one for place in table.places for one in place.sums]

    assert len(sums) == 7 * (1 + len(settings["tiebreaks"]))
    assert [one for one in sums if sum(part.number for part in one.parts) != one.total] == []


def test_lot_is_shown_as_an_order_and_its_number_where_it_is_explained():
    tournament = drawn("swiss", 6, 3, settings={"rounds": 3, "tiebreaks": ["lot"]})
    places = ranking(tournament, course_of(tournament)).places
    numbers = {place.entry.ident: place.sums[-1].total for place in places}
    best_first = sorted(numbers, key=numbers.__getitem__, reverse=True)

    assert {place.entry.ident: place.values for place in places} == {
        ident: (order,) for order, ident in enumerate(best_first, 1)
    }
    assert min(numbers.values()) > 6


def test_times_stand_in_the_zone_of_the_tournament_until_a_browser_knows_better():
    tournament = drawn("single_elimination", 2, time_zone="Asia/Damascus")
    at = datetime(2026, 12, 1, 22, 30, tzinfo=UTC)
    Tournament.objects.filter(pk=tournament.pk).update(started_at=at)

    words = [read(tournament, "?tab=overview", language)[1] for language in ("en", "ar")]
    elsewhere = Client().get("/tournaments/").content.decode()

    assert "2 December 2026, 01:30 \u2066(UTC+3)\u2069" in words[0]
    assert "2 كانون الأول 2026، 01:30 \u2066(UTC+3)\u2069" in words[1]
    assert "(UTC+3)" not in elsewhere


def test_times_on_pages_of_officials_stand_in_the_zone_of_the_tournament():
    tournament = make_tournament(time_zone="Asia/Damascus", check_in_minutes=30)
    tournament.role_invites.create(
        role="referee", made_by=tournament.organiser, made_at=NOW, expires_at=NOW + timedelta(days=400)
    )
    act = {"tournament": tournament, "actor": tournament.organiser, "at": NOW}
    Act.objects.create(number=99, kind="pause", **act)
    Announcement.objects.create(tournament=tournament, by=tournament.organiser, text="Hello", at=NOW)
    pages = ("desk/", "officials/", "log/", "announce/")

    found = {path: read(tournament, path, "en", tournament.organiser) for path in pages}

    assert {
        path: (status, "(UTC+3)" in words, "(UTC)" in words) for path, (status, words) in found.items()
    } == dict.fromkeys(pages, (200, True, False))


def test_large_field_is_explained_one_by_one():
    tournament = drawn("swiss", 30, 15, settings={"rounds": 3})
    course = course_of(tournament)

    assert [place.entry.ident for place in ranking(tournament, course, of="e7").places if place.sums] == [
        "e7"
    ]


def test_who_floated_is_seen_in_the_table_of_a_swiss():
    tournament = drawn("swiss", 6, 3, settings={"rounds": 2})
    course = course_of(tournament)
    [square] = squares(tournament, course, 0, None)
    second = {row.entry.ident: row.cells[1][0] for row in square.rows}
    winners = {p.winner for p in course.plan.pairings[:3]}

    floated = {ident: cell.floated for ident, cell in second.items() if cell.floated}
    assert sorted(floated.values()) == [-1, 1]
    assert {ident: sign for ident, sign in floated.items() if ident in winners} == {
        next(ident for ident in floated if ident in winners): -1
    }
    page = read(tournament, "?tab=bracket&view=square")[1]
    resting = drawn("swiss", 5, 2, settings={"rounds": 3}, name="Odd")
    [odd] = squares(resting, course_of(resting), 0, None)
    assert all(cell.floated == 0 for row in odd.rows for cell in row.cells[0])
    assert (page.count("↑ met a pair with more"), page.count("↓ met a pair with fewer")) == (1, 1)


def test_second_rest_in_a_swiss_says_why():
    tournament = drawn("swiss", 3, 3, settings={"rounds": 4})
    course = course_of(tournament)
    with translation.override("en"):
        cards = cards_of(Cards(tournament, course), course.plan.pairings)

    again = [card.id for card in cards if card.note.startswith("A second rest")]
    assert again == [p.id for p in course.plan.pairings if p.round == 4 and p.decided_by == "bye"]
    assert len(again) == 1


# What decided a match, with its numbers


def named(ident: str | None) -> str:
    return {"e1": "A", "e2": "B"}.get(ident or "", "nobody")


@pytest.mark.parametrize(
    ("decided_by", "winner", "score", "item", "words"),
    [
        ("target", "e2", (12, 31), {"kind": "target"}, "B reached 31 first, 31:12."),
        ("round-cap", "e1", (28, 17), {"kind": "round-cap"}, "A had more points, 28:17, after 50 rounds."),
        (
            "last-round",
            "e1",
            (210, 210),
            {"kind": "draw"},
            "Level, 210:210, after 50 rounds; A gained in round 50, so they go through.",
        ),
        (
            "last-round",
            "e1",
            (9, 9),
            {"kind": "draw", "time": {"minutes": 40, "rounds": 11}},
            "Level, 9:9, when time was up after 40 minutes; A gained in round 11, so they go through.",
        ),
        ("draw", None, (-3, -3), {"kind": "draw"}, "Level, \u22123:\u22123, after 50 rounds: a draw."),
        (
            "forfeit",
            "e1",
            None,
            {"side": 1, "late": {"minutes": 10, "missing": ["X"]}},
            "B were not at the table after 10 minutes (X).",
        ),
        ("forfeit", "e2", None, {"side": 0}, "A forfeited the match."),
        ("forfeit", "e2", None, {"side": 0, "cause": "resigned"}, "A resigned the match."),
        ("target", "e2", (12, 31), {"kind": "target", "cause": "resigned"}, "A resigned the match."),
        ("ruling", "e1", None, {"winner": 0, "reason": "power cut"}, "The referee ruled for A: power cut"),
        ("walkover", "e1", None, {}, "B are out of the tournament, so A go through without play."),
        (
            "double-forfeit",
            None,
            None,
            {"kind": "no-result"},
            "The table ended without a result, twice: both sides forfeit.",
        ),
    ],
)
def test_what_decided_a_match_is_said_with_its_numbers(decided_by, winner, score, item, words):
    pairing = Pairing("R1.1", 1, ("e1", "e2"), "done", winner, decided_by, score)

    with translation.override("en"):
        said = because(pairing, [item], named, target=31, cap=50, best_of=1)

    assert re.sub("[\u2066-\u2069\u200e]", "", said) == words


RESULT = {"type": "result", "pairing": "R1.1", "kind": "target", "sides": ["e1", "e2"]}
LOST, WON, LATE = ({**RESULT, "score": score} for score in ([12, 31], [31, 9], [31, 0]))
SECOND = {**RESULT, "type": "correct", "match": 2, "score": [31, 30]}


@pytest.mark.parametrize(
    ("status", "won", "items", "words"),
    [
        ("done", (1, 2), [LOST, WON, LOST], "B won 2 of at most 3 matches: 31:12, 9:31, 31:12."),
        ("done", (2, 0), [WON, LOST, SECOND], "A won 2 of at most 3 matches: 31:9, 31:30."),
        (
            "done",
            (2, 1),
            [LOST, WON | {"cause": "resigned"}, LATE | {"cause": "late", "late": {"minutes": 5}}],
            "A won 2 of at most 3 matches: 12:31, 31:9 (resigned), 31:0 (not there in time).",
        ),
        ("done", (2, 0), [WON, LOST], "A won 2 of at most 3 matches."),
        ("ready", (0, 1), [LOST], "So far, of at most 3 matches, A against B: 12:31."),
        ("ready", (0, 0), [], ""),
    ],
)
def test_matches_of_a_pairing_that_is_best_of_several_are_said(status, won, items, words):
    winner = None if status == "ready" else "e1" if won[0] > won[1] else "e2"
    score, decided_by = (won, "target") if winner else (None, None)
    pairing = Pairing("R1.1", 1, ("e1", "e2"), status, winner, decided_by, score, won)

    with translation.override("en"):
        said = because(pairing, items, named, target=31, cap=50, best_of=3)

    assert re.sub("[\u2066-\u2069\u200e]", "", said) == words


def test_score_in_matches_stands_on_the_card_while_they_go_on():
    tournament = drawn("single_elimination", 2, settings={"best_of": 3})
    log(tournament, LOST)
    course = course_of(tournament)
    [card] = cards_of(Cards(tournament, course), course.plan.pairings)

    assert [line.score for line in card.lines] == [0, 1]
    assert "12:31" in card.facts


def test_correction_that_was_taken_back_gives_no_reason():
    tournament = drawn("single_elimination", 2)
    rule = {"type": "rule", "pairing": "R1.1", "winner": 0, "reason": "first word"}
    correction = {"type": "correct", "pairing": "R1.1", "winner": 0, "reason": "second word"}
    log(tournament, rule, correction)
    corrected = read(tournament, "?tab=bracket")[1]
    log(tournament, {"type": "undo"})
    undone = read(tournament, "?tab=bracket")[1]

    assert ("second word" in corrected, "first word" in undone, "second word" in undone) == (
        True,
        True,
        False,
    )


def test_results_are_told_newest_first_with_rulings_and_their_reasons():
    tournament = started(4)
    end(tournament, "R1.1")
    adjudicate(tournament)
    end_level(tournament, "R1.2", 1)
    adjudicate(tournament)
    ruling = {"type": "rule", "pairing": "R2.1", "winner": 0, "reason": "no show"}
    log(tournament, ruling, actor=tournament.organiser)

    with translation.override("en"):
        news = Page(tournament, None).feed.news

    assert [one.name for one in news if one.kind == "result"] == ["Final", "Semi-final 2", "Semi-final 1"]
    assert "gained in round 50" in news[1].sentence
    assert "no show" in news[0].sentence


# How sure a result is; what is remembered


def test_result_is_provisional_then_confirmed_then_final():
    tournament = started(2, holds_results=True)
    row = tournament.tables.get()
    said = []
    for more in (
        {"state": TableState.HELD},
        {"state": TableState.RECORDED, "confirmed": [True, True]},
        {"final_at": NOW},
    ):
        PairingTable.objects.filter(pk=row.pk).update(**more)
        said.append(Page(tournament, None).bracket.columns[0].cards[0].standing)

    assert said == ["provisional", "confirmed", "final"]


def test_plan_is_worked_out_once_and_anew_when_something_is_added():
    tournament = drawn("single_elimination", 4)
    first = course_of(tournament)
    same = course_of(tournament)
    play(tournament, 1)

    assert (same is first, course_of(tournament) is first) == (True, False)


@pytest.mark.parametrize("format_", ["double_elimination", "round_robin", "swiss"])
@pytest.mark.parametrize(
    "path", ["?tab=bracket", "?tab=bracket&view=rounds", "?tab=standings", "?tab=results", "screen/"]
)
def test_pages_ask_as_much_for_many_as_for_few(format_: str, path: str):
    def asked(tournament: Tournament) -> int:
        read(tournament, path)
        with CaptureQueriesContext(connection) as caught:
            assert read(tournament, path)[0] == 200
        return len(caught)

    assert asked(drawn(format_, 24, 5)) == asked(drawn(format_, 16, 5))


def test_screen_shows_the_champion_once_there_is_one():
    tournament = drawn("single_elimination", 2, 1)
    Tournament.objects.filter(pk=tournament.pk).update(state=State.FINISHED)
    kinds = [(pane.kind, pair_name(pane.rows[0])) for pane in panes(Page(tournament, None))[:1]]

    assert kinds == [("champion", pair_name(tournament.entries.get(number=1)))]
