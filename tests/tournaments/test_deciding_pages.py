"""The pages on which officials decide: what is kept, what is shown again, what is offered to whom."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from tests.factories import make_user, make_users
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    awaited,
    end,
    enter_pair,
    lines,
    make_tournament,
    open_table,
    started,
)
from tournaments import console as consoles
from tournaments.models import Role, State, Tournament
from tournaments.queries import plan_of
from tournaments.services import entry

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Lazy words are read after the answer."""
    with translation.override("en"):
        yield


def browser(user: User) -> Client:
    client = Client()
    client.cookies["django_language"] = "en"
    client.force_login(user)
    return client


def path(tournament: Tournament, door: str) -> str:
    return f"/tournaments/{tournament.slug}/{door}/"


def group(*results: str) -> Tournament:
    tournament = started(4, format="round_robin", settings={"groups": 1})
    for pairing in results:
        end(tournament, pairing)
    adjudicate(tournament)
    return tournament


WHY = {"reason": "misread"}
CORRECTED = {"pairing": "G1R1.1", "choice": "correct-target", "score_0": "12", "score_1": "31"}


def test_choice_is_looked_at_without_deciding_and_without_an_address() -> None:
    tournament = group("G1R1.1")
    client = browser(tournament.organiser)
    shown = client.get(path(tournament, "decide"), CORRECTED)
    before = tournament.log.count()
    kept = {**shown.context["fields"], "token": shown.context["token"], "look": "1", "reason": "misread"}
    looked = client.post(path(tournament, "decide"), kept)

    assert (looked.status_code, looked.context["reason"], tournament.log.count()) == (200, "misread", before)
    assert (b"formmethod" in looked.content, looked.context["error"]) == (False, None)


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        ("1", 1),
        ("+1", 1),
        ("-1", -1),
        ("\N{MINUS SIGN}1", -1),
        ("\N{LEFT-TO-RIGHT MARK}\N{MINUS SIGN}٢", -2),
        ("", None),
        ("one", "refused"),
        ("1.5", "refused"),
        ("99999", "refused"),
    ],
)
def test_points_given_are_read_or_refused_and_kept(typed: str, points: int | str | None) -> None:
    tournament = group("G1R1.1")
    client = browser(tournament.organiser)
    shown = client.get(path(tournament, "decide"), CORRECTED)
    [first, _second] = [one[0] for one in shown.context["shown"].compensations]
    fields = {**shown.context["fields"], f"give-{first}": typed}
    looked = client.post(path(tournament, "decide"), fields | {"look": "1"})
    done = client.post(path(tournament, "decide"), fields | {"token": looked.context["token"], **WHY})

    given = [row.item["points"] for row in tournament.log.all() if row.item["type"] == "adjust"]
    if points == "refused":
        assert (looked.status_code, looked.context["error"].code) == (400, "points-given")
        assert (done.status_code, done.context["given"], given) == (400, {first: typed}, [])
    else:
        assert (looked.status_code, done.status_code, given) == (200, 302, [points] if points else [])


@pytest.mark.parametrize("fields", [{"format": "single_elimination"}, {"settings": {"best_of": 3}}])
def test_match_of_a_pairing_is_asked_for_where_there_are_several(fields: dict[str, Any]) -> None:
    tournament = started(2, **fields)
    for _match in range(2 if "settings" in fields else 1):
        end(tournament, "R1.1")
        adjudicate(tournament)
    page = browser(tournament.organiser).get(path(tournament, "organise")).content
    assert (b'name="match"' in page) == ("settings" in fields)


def options(page: str) -> list[tuple[str, str]]:
    [listed] = re.findall(r'<select name="match">(.*?)</select>', page, re.S)
    found = re.findall(r'<option value="(\d*)"[^>]*>([^<]*)<', listed)
    return [(value, re.sub("[\u2066-\u2069\u200e]", "", words)) for value, words in found]


def test_match_of_a_pairing_that_goes_on_is_corrected_from_the_console() -> None:
    tournament = started(2, settings={"best_of": 3})
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1", (31, 12))
    adjudicate(tournament)
    client = browser(tournament.organiser)
    page = client.get(path(tournament, "organise")).content.decode()
    wrong = {"pairing": "R1.1", "choice": "correct-target", "score_0": "12", "score_1": "31", "match": "1"}
    shown = client.get(path(tournament, "decide"), wrong)
    assert options(page) == [("1", "match 1: 31:12")]
    assert [(change.id, change.stage) for change in shown.context["shown"].changes] == [("R1.1", "in-play")]
    assert "\u2014" not in shown.context["shown"].sentence
    assert re.sub("[\u2066-\u2069\u200e]", "", shown.context["shown"].sentence).startswith(
        "Final, match 1, was corrected:"
    )
    client.post(
        path(tournament, "decide"), shown.context["fields"] | {"token": shown.context["token"], **WHY}
    )

    [pairing] = plan_of(tournament).pairings
    assert (pairing.status, pairing.won, awaited(tournament)) == ("ready", (0, 1), [("R1.1", 2)])
    end(tournament, "R1.1", (12, 31))
    adjudicate(tournament)
    page = client.get(path(tournament, "organise")).content.decode()
    assert options(page) == [
        ("", "the one that decided it"),
        ("1", "match 1: 12:31"),
        ("2", "match 2: 12:31"),
    ]
    assert re.findall(r'name="score_\d"[^>]*value="([^"]*)"', page) == ["", ""]
    assert lines(tournament)["R1.1"][3] == sides[1]


@pytest.mark.parametrize(
    ("score", "choice"), [(("5", "3"), "correct-target"), (("2", "0"), "correct-target")]
)
def test_target_that_nobody_reached_is_not_said_to_be_reached(score: tuple[str, str], choice: str) -> None:
    tournament = group("G1R1.1")
    client = browser(tournament.organiser)
    said = {"score_0": score[0], "score_1": score[1]}
    corrected = client.get(path(tournament, "decide"), {"pairing": "G1R1.1", "choice": choice} | said)
    entered = client.post(path(tournament, "score"), {"pairing": "G1R1.2", "kind": "target"} | said)
    capped = client.get(
        path(tournament, "decide"), {"pairing": "G1R1.1", "choice": "correct-round-cap"} | said
    )

    assert (corrected.status_code, corrected.context["error"].code) == (400, "below-target")
    assert (entered.status_code, tournament.log.filter(item__pairing="G1R1.2").count()) == (400, 0)
    assert capped.status_code == 200


def test_correction_of_the_points_keeps_deals_and_contracts() -> None:
    tournament = started(4, format="round_robin", settings={"groups": 1, "tiebreaks": ["deals_won"]})
    client = browser(tournament.organiser)
    page = client.get(path(tournament, "organise")).content
    assert (b'name="deals_0"' in page, b'name="contracts_0"' in page) == (True, False)
    given = {"deals_0": "6", "deals_1": "5", "contracts": "4:3"}
    client.post(path(tournament, "score"), {"pairing": "G1R1.1", "kind": "target", "score": "31:12"} | given)
    shown = client.get(path(tournament, "decide"), CORRECTED | {"score_0": "31", "score_1": "21"})
    client.post(
        path(tournament, "decide"), shown.context["fields"] | {"token": shown.context["token"], **WHY}
    )

    corrected = tournament.log.get(item__type="correct").item
    assert (corrected["score"], corrected["deals"], corrected["contracts"]) == ([31, 21], [6, 5], [4, 3])
    values = {s.entrant: s.tiebreaks["deals_won"] for s in plan_of(tournament).standings}
    first, second = corrected["sides"]
    assert (values[first], values[second]) == (6, 5)


@pytest.mark.parametrize(
    ("said", "needs"),
    [
        ({"choice": "rule-0", "pairing": "G1R1.2"}, True),
        (CORRECTED, True),
        ({"type": "disqualify", "entrant": "e1"}, True),
        ({"type": "adjust", "entrant": "e1", "points": "1"}, True),
        ({"choice": "forfeit-0", "pairing": "G1R1.2"}, False),
        ({"type": "withdraw", "entrant": "e1"}, False),
    ],
)
def test_reason_is_asked_for_where_nobody_should_guess_it(said: dict[str, str], needs: bool) -> None:
    tournament = group("G1R1.1")
    client = browser(tournament.organiser)
    shown = client.get(path(tournament, "decide"), said)
    fields = shown.context["fields"] | {"token": shown.context["token"], "reason": " "}
    before = tournament.log.count()
    answer = client.post(path(tournament, "decide"), fields)

    assert (answer.status_code, tournament.log.count() == before) == ((400, True) if needs else (302, False))
    if needs:
        assert answer.context["error"].code == "no-reason"
        assert client.post(path(tournament, "decide"), fields | WHY).status_code == 302


def test_match_is_played_once_more_by_an_official_s_word() -> None:
    tournament = started(4)
    end(tournament, "R1.1")
    adjudicate(tournament)
    client = browser(tournament.organiser)
    again = {"pairing": "R1.1", "choice": "correct-no-result"}
    shown = client.get(path(tournament, "decide"), again)
    client.post(
        path(tournament, "decide"), shown.context["fields"] | {"token": shown.context["token"], **WHY}
    )
    entered = client.post(path(tournament, "score"), {"pairing": "R1.2", "kind": "no-result"})

    assert (shown.status_code, entered.status_code) == (200, 302)
    assert awaited(tournament) == [("R1.1", 2), ("R1.2", 2)]
    assert [p.dead_tables for p in plan_of(tournament).pairings[:2]] == [1, 1]


def test_refused_decision_shows_the_match_it_was_about() -> None:
    tournament = group("G1R1.1")
    fields = CORRECTED | {"score_0": "x"}
    refused = browser(tournament.organiser).get(path(tournament, "decide"), fields)

    assert refused.status_code == 400
    assert [match.id for match in refused.context["page"].matches] == ["G1R1.1"]
    assert len(refused.context["page"].pairs) == 2
    assert f'action="{path(tournament, "organise")}#matches"'.encode() in refused.content


def test_objection_goes_along_wherever_the_console_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consoles, "A_PAGE", 1)
    tournament = group("G1R1.1")
    client = browser(tournament.organiser)
    page = client.get(path(tournament, "organise"), {"objection": "7"}).content.decode()

    leading = [link for link in re.findall(r'href="([^"]*)"', page) if "page=" in link or "pairs=" in link]
    assert [link for link in leading if "objection=7" not in link] == []
    assert len(leading) == 2
    forms = re.findall(r"<form[^>]*method=\"get\".*?</form>", page, re.DOTALL)
    assert [form for form in forms if 'name="objection" value="7"' not in form] == []

    shown = client.get(path(tournament, "decide"), CORRECTED | {"objection": "7"}).content.decode()
    assert f'href="{path(tournament, "organise")}?q=G1R1.1&amp;objection=7"' in shown


def test_address_of_decisions_alone_leads_to_the_console() -> None:
    tournament = started(2)
    answer = browser(tournament.organiser).get(path(tournament, "decide"))
    assert (answer.status_code, answer["Location"]) == (302, path(tournament, "organise"))


@pytest.mark.parametrize(("role", "decides"), [(Role.REFEREE, True), (Role.SCOREKEEPER, False)])
def test_who_may_not_decide_is_not_sent_to_decide(role: Role, decides: bool) -> None:
    tournament = started(2)
    row = open_table(tournament, "R1.1")
    row.late_at = NOW
    row.save()
    user = make_user()
    tournament.officials.create(user=user, role=role, since=NOW)
    page = browser(user).get(path(tournament, "organise"))
    assert [matter.pairing for matter in page.context["page"].matters] == ["R1.1"]
    assert (b">Decide</a>" in page.content) == decides


@pytest.mark.parametrize("count", ["9" * 9, "9" * 40, "²", "-1", ""])
def test_forged_token_is_an_old_one(count: str) -> None:
    tournament = group("G1R1.1")
    answer = browser(tournament.organiser).post(
        path(tournament, "decide"), CORRECTED | {"reason": "a slip", "token": f"{count}.forged"}
    )
    assert (answer.status_code, answer.context["error"].code) == (400, "moved-on")


def test_pairs_keep_their_place_on_later_pages_and_when_they_are_looked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(consoles, "A_PAGE", 2)
    tournament = make_tournament()
    for _pair in range(4):
        enter_pair(tournament)
    client = browser(tournament.organiser)
    for asked, places in (({}, [1, 2]), ({"pairs": "2"}, [3, 4]), ({"q": "e3"}, [3])):
        shown = client.get(path(tournament, "organise"), asked).context["page"].pairs
        assert [place for _entry, _acts, place in shown] == places


def test_pairs_that_wait_are_told_in_one_line_each_kind() -> None:
    tournament = make_tournament()
    first, second, third, fourth, fifth, _sixth = make_users(6)
    for user, partner in ((first, second), (third, fourth)):
        entry.enter(tournament_id=tournament.pk, user=user, partner=partner, now=NOW)
    unclaimed = tournament.entries.create(number=3, created_at=NOW)
    unclaimed.members.create(tournament=tournament, place=0, user=fifth)
    unclaimed.members.create(tournament=tournament, place=1, name="Yusuf", claim="x" * 20)

    page = browser(tournament.organiser).get(path(tournament, "organise"))
    assert [(matter.sentence, matter.door) for matter in page.context["page"].matters] == [
        ("1 pair waits for places to be claimed.", "tournament_claims"),
        ("2 pairs wait for the partner's answer.", "tournament_desk"),
    ]
    assert State(tournament.state) == State.OPEN
