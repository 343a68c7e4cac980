"""The log of acts in words: whatever a service notes, in either language, and every kind of act."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation

from tests.tournaments.scenes import NOW, enter_pair, make_tournament, running
from tournaments.models import Act
from tournaments.registers import Acts
from tournaments.services.log import record_act

pytestmark = pytest.mark.django_db
SERVICES = Path(__file__).parents[2] / "tournaments" / "services"


def plain(text: str) -> str:
    return re.sub("[\u2066-\u2069\u200e]", "", text)


def lines(act: Act) -> list[tuple[str, ...]]:
    [entered] = Acts(act.tournament).lines([act])
    return [tuple(plain(word) for word in line) for line in entered.changes]


@pytest.mark.parametrize(
    ("kind", "before", "after", "expected"),
    [
        ("import", None, {"new": ["e1", "e2"], "changed": {}}, [("new pairs", "", "first, second")]),
        (
            "import",
            None,
            {"new": [], "changed": {"e1": {"rating": [None, 1500], "club": ["A", ""]}}},
            [("first", "—, A", "1500, —")],
        ),
        ("seeds", {"e1": 1, "e2": 2}, {"e2": 1, "e1": 2}, [("second", "2", "1"), ("first", "1", "2")]),
        ("forbidden", [], [["e1", "e2"]], [("", "", "first – second")]),
        ("late", None, {"minutes": 5, "missing": ["Sami", "e1"]}, [("", "", "Sami, e1")]),
        ("outage", None, {"seconds": 119}, [("", "", "2 minutes")]),
        ("confirm", None, {"score": [31, -4]}, [("", "", "31:-4")]),
        ("time-limit", None, {"minutes": 40, "policy": "now"}, []),
        ("short-handed", None, ["e2"], [("", "", "second")]),
        ("start", None, 8, [("", "", "8 pairs")]),
        ("state", "open", "ready", [("", "registration open", "about to start")]),
        ("rating", None, 1500, [("", "", "1500")]),
        ("invite", None, ["Sami", "Rima"], [("", "", "Sami, Rima")]),
        ("score", None, {"type": "result", "score": [1, 2]}, []),
        ("settings", {"capacity": 8}, {"capacity": 16}, [("capacity in pairs", "8", "16")]),
        ("settings", {"entry_code": "…"}, {"entry_code": "…"}, [("code to enter", "", "changed")]),
        ("settings", {"settings": {}}, {"settings": {"groups": 2}}, [("Groups", "1", "2")]),
        (
            "settings",
            {"settings": {"best_of": 3, "tiebreaks": ["wins"], "points": {"win": 3}}},
            {"settings": {"tiebreaks": ["buchholz", "lot"], "forbidden": [["e1", "e2"]]}},
            [
                ("A pairing is", "best of 3", "one match"),
                ("Points: A win", "3", "2"),
                ("Tie-breaks", "wins", "Buchholz (the opponents' points), the lot"),
                ("Pairs that should not meet", "—", "first – second"),
            ],
        ),
        (
            "settings",
            {"settings": {"stages": [{"format": "swiss", "rounds": 5}]}},
            {
                "settings": {
                    "stages": [
                        {"format": "swiss", "rounds": 6},
                        {"format": "single_elimination", "qualify": 8, "third_place": True},
                    ]
                }
            },
            [
                ("Stage 1: Rounds", "5", "6"),
                ("Stage 2: Format", "—", "Single elimination"),
                ("Stage 2: The losers of the semi-finals play for the third place", "no", "yes"),
                ("Stage 2: How many go on", "—", "8"),
            ],
        ),
        ("settings", {"is_private": False}, {"is_private": True}, [("private", "no", "yes")]),
    ],
)
def test_what_an_act_changed_is_told_in_words(
    kind: str, before: Any, after: Any, expected: list[Any]
) -> None:
    tournament = make_tournament()
    for name in ("first", "second"):
        entry = enter_pair(tournament)
        entry.name = name
        entry.save()
    act = record_act(tournament, kind, actor=None, now=NOW, before=before, after=after)
    with translation.override("en"):
        assert lines(act) == expected


def test_settings_are_told_by_their_names() -> None:
    tournament = make_tournament(capacity=16)
    act = record_act(
        tournament,
        "settings",
        actor=tournament.organiser,
        now=NOW,
        subject="capacity",
        before={"capacity": 16},
        after={"capacity": 8},
    )
    with translation.override("ar"):
        [entered] = Acts(tournament).lines([act])
    assert (entered.subject, [line[1:] for line in entered.changes]) == ("", [("16", "8")])
    assert not re.search("[a-z]", entered.changes[0][0])


def noted_kinds() -> set[str]:
    """Every kind of act that a service names in so many words, and the items an official decides."""
    source = "\n".join(file.read_text() for file in SERVICES.glob("*.py"))
    found = set(re.findall(r'record_act\(\s*[\w.]+,\s*"([a-z_-]+)"', source))
    return (
        found
        | {"short-handed", "check-in-opens", "check-in-ends", "objection-upheld", "leave"}
        | {
            *(
                "forfeit",
                "rule",
                "correct",
                "withdraw",
                "disqualify",
                "reenter",
                "undo",
                "adjust",
                "play_off",
                "round",
            )
        }
    )


def test_every_kind_of_act_has_words_in_arabic() -> None:
    register = Acts(make_tournament())
    with translation.override("ar"):
        told = {kind: register.kind(kind) for kind in noted_kinds()}
    assert {kind for kind, words in told.items() if re.search("[a-z]", words)} == set()
    assert len(told) > 30


def test_rounds_and_moments_are_named_and_not_spelt() -> None:
    tournament = running(4)
    opened = record_act(tournament, "open-round", actor=None, now=NOW, subject="R1")
    due = record_act(tournament, "start-due", actor=None, now=NOW, subject=NOW.isoformat())
    with translation.override("en"):
        subjects = [plain(line.subject) for line in Acts(tournament).lines([opened, due])]
    assert subjects[0] == "Semi-finals"
    assert not subjects[1].startswith(f"{NOW:%Y-%m-%d}")
