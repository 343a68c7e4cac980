"""The log of acts: whatever somebody does says what was and what is."""

import ast
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.tournaments.scenes import NOW, enter_pair, make_tournament, minutes, running
from tournaments.models import Act, Role, Tournament
from tournaments.services import check_in, entry, officials, pauses, schedule, scoring

pytestmark = pytest.mark.django_db
SERVICES = Path(__file__).parents[2] / "tournaments" / "services"

# What the site's reviewers say of a match: it changes nothing that stands in a tournament.
FROM_OUTSIDE = "flags.py"


def noted() -> Iterator[tuple[str, int, dict[str, ast.expr]]]:
    """Every call that notes an act: file, line, what it says by name."""
    for file in sorted(SERVICES.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "record_act":
                yield file.name, node.lineno, {word.arg or "": word.value for word in node.keywords}


def test_every_act_of_a_person_says_what_was_or_what_is() -> None:
    calls = [call for call in noted() if ast.unparse(call[2]["actor"]) != "None" and call[0] != FROM_OUTSIDE]
    silent = [(file, line) for file, line, said in calls if not {"before", "after"} & set(said)]
    assert silent == []
    assert len(calls) > 25


def newest(tournament: Tournament) -> Act:
    act = tournament.acts.order_by("number").last()
    assert act is not None
    return act


def sides(act: Act) -> tuple[object, object]:
    return act.before, act.after


def test_lifecycle_says_since_when_and_for_how_long() -> None:
    tournament = running(2)
    about = {"tournament_id": tournament.pk, "actor": tournament.organiser}
    pauses.pause(**about, now=minutes(1))
    paused = sides(newest(tournament))
    pauses.resume(**about, now=minutes(3))
    assert paused == (None, minutes(1).isoformat())
    assert sides(tournament.acts.get(kind="resume")) == (minutes(1).isoformat(), {"seconds": 120})


def test_opened_round_says_which_hour_it_had() -> None:
    tournament = running(4)
    hour = NOW + timedelta(hours=3)
    about = {"tournament_id": tournament.pk, "actor": tournament.organiser, "key": "R2", "now": NOW}
    schedule.set_round_time(**about, starts_at=hour)
    schedule.open_round(**about)
    assert sides(tournament.acts.get(kind="open-round")) == (hour.isoformat(), NOW.isoformat())


def test_pair_that_is_checked_in_or_taken_out_stands_there() -> None:
    tournament = make_tournament(check_in_minutes=30)
    made = enter_pair(tournament)
    about = {"tournament_id": tournament.pk, "actor": tournament.organiser, "entry_number": made.number}
    check_in.check_in_for(**about, now=NOW)
    there = sides(newest(tournament))
    check_in.check_out(**about, now=minutes(1))
    gone = sides(newest(tournament))
    entry.remove(**about, now=minutes(2))
    before, after = sides(newest(tournament))

    assert (there, gone) == ((None, NOW.isoformat()), (NOW.isoformat(), None))
    assert [member.shown for member in made.members.all()] == str(before).split(" / ")
    assert after is None


def test_link_for_an_official_says_until_when() -> None:
    tournament = make_tournament()
    about = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": NOW}
    link = officials.invite(**about, role=Role.REFEREE, days=2)
    until = (NOW + timedelta(days=2)).isoformat()
    made = sides(newest(tournament))
    officials.revoke_invite(**about, number=link.pk)
    assert (made, sides(newest(tournament))) == ((None, until), (until, None))


def test_result_by_hand_shows_every_match_that_it_moved() -> None:
    tournament = running(4)
    result = {"kind": "target", "score": [31, 5]}
    scoring.enter_result(
        tournament_id=tournament.pk, actor=tournament.organiser, pairing="R1.1", result=result, now=NOW
    )
    act = tournament.acts.get(kind="score")
    assert [(line["id"], line["status"]) for line in act.before] == [("R1.1", "ready"), ("R2.1", "waiting")]
    assert [(line["id"], line["score"]) for line in act.after] == [("R1.1", [31, 5]), ("R2.1", None)]
