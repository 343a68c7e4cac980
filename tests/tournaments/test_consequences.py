"""Corrections after advancement: what follows is shown, chosen, applied at once and taken back."""

import threading

import pytest
from django.db import connection

from accounts.models import Notice
from games.models import Table
from tests.factories import make_user
from tests.tournaments.scenes import NOW, adjudicate, awaited, end, lines, open_table, started
from tournaments.formats.plan import Plan
from tournaments.models import Role, Tournament
from tournaments.queries import plan_of
from tournaments.services import rulings
from tournaments.services.actions import Action, Desk
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db
FORMATS = {
    "single_elimination": {"third_place": True},
    "double_elimination": {"reset": True},
    "round_robin": {"groups": 1},
    "swiss": {"rounds": 3},
    "stages": {
        "stages": [{"format": "round_robin", "groups": 2}, {"format": "single_elimination", "qualify": 1}]
    },
}


def begin(tournament: Tournament) -> None:
    Table.objects.filter(pairing__tournament=tournament, started_at=None).update(started_at=NOW)


def play(tournament: Tournament, *pairings: str) -> Tournament:
    for pairing in pairings:
        end(tournament, pairing)
    adjudicate(tournament)
    tournament.refresh_from_db()
    return tournament


def play_all(tournament: Tournament, most: int = 100) -> Tournament:
    for _ in range(most):
        waiting = [pairing for pairing, _attempt in awaited(tournament)]
        if not waiting:
            break
        play(tournament, *waiting)
    return tournament


def correction(tournament: Tournament, pairing: str) -> dict:
    sides = list(next(p for p in plan_of(tournament).pairings if p.id == pairing).sides)
    return {"type": "correct", "pairing": pairing, "kind": "target", "score": [12, 31], "sides": sides}


def test_what_stays_only_because_another_match_stands_is_shown_and_changes_no_token() -> None:
    tournament = play(started(4, format="double_elimination"), "W1.1", "W1.2")
    begin(tournament)
    item = rulings.suggested(tournament, correction(tournament, "W1.1"))
    assert item["later"] == {"L1.1": "stand"}
    preview = rulings.preview(tournament=tournament, item=item)
    shown = [(change.pairing, change.stage, change.kept) for change in preview.changes]
    assert shown == [("W1.1", "finished", False), ("L1.1", "in-play", False), ("W2.1", "in-play", True)]
    decide(tournament, item, token=preview.token)


def decide(tournament: Tournament, item: dict, **more: object) -> Plan:
    return rulings.decide(tournament_id=tournament.pk, actor=tournament.organiser, item=item, now=NOW, **more)


def undo(tournament: Tournament) -> Plan:
    return decide(tournament, {"type": "undo"})


def code_of(work, *arguments: object, **more: object) -> str | None:
    try:
        work(*arguments, **more)
    except Refused as refusal:
        return refusal.code
    return None


def shown(tournament: Tournament, item: dict) -> dict[str, tuple[str, str]]:
    """Of every pairing in the preview of what is usual: how far it is, and what becomes of it."""
    preview = rulings.preview(tournament=tournament, item=rulings.suggested(tournament, item))
    return {change.pairing: (change.stage, change.chosen) for change in preview.changes}


def test_what_is_not_started_is_swapped() -> None:
    tournament = play(started(8), "R1.1")
    assert shown(tournament, correction(tournament, "R1.1")) == {
        "R1.1": ("finished", "swap"),
        "R2.1": ("not-started", "swap"),
    }


def test_what_is_in_play_stands_unless_somebody_decides_otherwise() -> None:
    tournament = play(started(8), "R1.1", "R1.2")
    begin(tournament)
    old = open_table(tournament, "R2.1")
    item = rulings.suggested(tournament, correction(tournament, "R1.1"))

    assert item["later"] == {"R2.1": "stand"}
    decide(tournament, item)
    assert open_table(tournament, "R2.1") == old


@pytest.mark.parametrize("choice", ["stand", "swap", "replay"])
def test_what_is_finished_may_stand_or_be_swapped_or_replayed(choice: str) -> None:
    tournament = play_all(started(4))
    begin(tournament)
    before = plan_of(tournament)
    item = correction(tournament, "R1.1")
    wrong, right = item["sides"]
    preview = rulings.preview(tournament=tournament, item=item)
    final = next(change for change in preview.changes if change.pairing == "R2.1")
    assert (final.stage, final.choices) == ("finished", ("stand", "swap", "replay", "bye"))

    later = {} if choice == "swap" else {"later": {"R2.1": choice}}
    decide(tournament, item | later)
    sides, status, *_rest = lines(tournament)["R2.1"]
    expected = {"stand": (wrong, "done"), "swap": (right, "ready"), "replay": (right, "ready")}
    assert (sides[0], status) == expected[choice]

    undo(tournament)
    assert plan_of(tournament).pairings == before.pairings
    tournament.refresh_from_db()
    assert tournament.champion.ident == before.champion


@pytest.mark.parametrize("format_", FORMATS)
def test_correction_and_undo_in_every_format(format_: str) -> None:
    tournament = play_all(started(6, format=format_, settings=FORMATS[format_]))
    begin(tournament)
    before = plan_of(tournament)
    corrected = next(
        p.id
        for p in before.pairings
        if p.decided_by == "target" and p.score == (31, 12) and None not in p.sides
    )
    item = rulings.suggested(tournament, correction(tournament, corrected))
    stored = (tournament.log.count(), tournament.acts.count())
    preview = rulings.preview(tournament=tournament, item=item)
    assert (tournament.log.count(), tournament.acts.count()) == stored

    after = decide(tournament, item, token=preview.token)
    assert after.pairings == preview.after.pairings
    assert [s.entrant for s in after.standings] == [s.entrant for s in preview.after.standings]

    undo(tournament)
    assert plan_of(tournament) == Plan(
        before.finished, before.champion, before.pairings, before.standings, plan_of(tournament).touched
    )


def test_swiss_round_that_was_made_is_not_made_anew() -> None:
    tournament = started(6, format="swiss", settings={"rounds": 3})
    play(tournament, "R1.1", "R1.2", "R1.3")
    begin(tournament)
    second = [p.sides for p in plan_of(tournament).pairings if p.round == 2]
    tables = awaited(tournament)

    item = rulings.suggested(tournament, correction(tournament, "R1.1"))
    preview = rulings.preview(tournament=tournament, item=item)
    decide(tournament, item)

    assert ([c.pairing for c in preview.changes], "later" in item) == (["R1.1"], False)
    assert {move.entrant for move in preview.moves} >= set(item["sides"])
    assert [p.sides for p in plan_of(tournament).pairings if p.round == 2] == second
    assert awaited(tournament) == tables


def test_wrong_is_made_up_for_with_points_in_one_breath() -> None:
    tournament = play(started(4, format="round_robin", settings={"groups": 1}), "G1R1.1")
    item = correction(tournament, "G1R1.1")
    preview = rulings.preview(tournament=tournament, item=item)
    assert [(one.entrant, one.points) for one in preview.compensations] == [(s, 1) for s in item["sides"]]

    give = {"type": "adjust", "entrant": item["sides"][0], "points": 1}
    token = rulings.preview(tournament=tournament, item=item, also=[give]).token
    plan = decide(tournament, item, also=[give], token=token, reason="it was misread")

    points = {standing.entrant: standing.points for standing in plan.standings}
    assert (points[item["sides"][0]], points[item["sides"][1]]) == (1, 2)
    [act] = tournament.acts.filter(kind__in=("correct", "adjust"))
    assert (act.reason, act.after[-1]) == ("it was misread", give)
    assert Notice.objects.filter(key__endswith="-adjust").count() == 2

    undo(tournament)
    points = {standing.entrant: standing.points for standing in plan_of(tournament).standings}
    assert (points[item["sides"][0]], points[item["sides"][1]]) == (2, 0)


def test_players_are_told_of_what_changes_for_them() -> None:
    tournament = play(started(8), "R1.1", "R1.2")
    item = correction(tournament, "R1.1")
    decide(tournament, item, reason="the score was misread")
    told = Notice.objects.filter(key__endswith="-own")
    other = Notice.objects.filter(key__endswith="-others")
    assert (told.count(), other.count()) == (4, 2)
    assert "the score was misread" in told.first().text_en


def test_another_official_s_act_shows_what_was_done() -> None:
    tournament = play(started(8), "R1.1")
    item = correction(tournament, "R1.1")
    token = rulings.preview(tournament=tournament, item=item).token
    other = make_user()
    tournament.officials.create(user=other, role=Role.REFEREE, since=NOW)
    forfeit = {"type": "forfeit", "pairing": "R1.4", "side": 0}
    rulings.decide(tournament_id=tournament.pk, actor=other, item=forfeit, now=NOW)

    assert code_of(decide, tournament, item, token=token) == "moved-on"
    since = rulings.preview(tournament=tournament, item=item, token=token).since
    assert [(act.actor, act.kind, act.subject) for act in since] == [(other, "forfeit", "R1.4")]


def test_result_elsewhere_that_changes_nothing_shown_does_not_disturb() -> None:
    tournament = play(started(8), "R1.1")
    item = correction(tournament, "R1.1")
    token = rulings.preview(tournament=tournament, item=item).token
    play(tournament, "R1.4")
    assert code_of(decide, tournament, item, token=token) is None


@pytest.mark.django_db(transaction=True)
def test_of_two_officials_at_once_the_second_sees_that_it_moved_on() -> None:
    tournament = play(started(8), "R1.1")
    item = correction(tournament, "R1.1")
    token = rulings.preview(tournament=tournament, item=item).token
    barrier, codes = threading.Barrier(3), []

    def work() -> None:
        barrier.wait()
        codes.append(code_of(decide, tournament, item, token=token))
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes, key=str) == [None, "moved-on", "moved-on"]
    assert tournament.acts.filter(kind="correct").count() == 1


def filled(action: Action) -> dict:
    """An offered action as a whole log item."""
    item = dict(action.item or {})
    if item["type"] in ("correct", "result"):
        item |= {"kind": "target", "score": [12, 31]}
    return item | ({"points": 1} if item["type"] == "adjust" else {})


@pytest.mark.parametrize("format_", FORMATS)
def test_whatever_is_offered_is_possible(format_: str) -> None:
    tournament = started(5, format=format_, settings=FORMATS[format_])
    play(tournament, awaited(tournament)[0][0])
    decide(tournament, {"type": "withdraw", "entrant": "e2"})
    plan = plan_of(tournament)
    desk = Desk(tournament.organiser, tournament, plan)
    offered = [action for pairing in plan.pairings for action in desk.on_pairing(pairing)]
    offered += [action for entry in tournament.entries.all() for action in desk.on_entrant(entry)]
    assert {action.kind for action in offered} >= {"forfeit", "rule", "withdraw", "disqualify", "reenter"}
    for action in offered:
        if action.item is not None:
            assert code_of(rulings.preview, tournament=tournament, item=filled(action)) is None, action


def test_nothing_is_offered_to_who_may_not() -> None:
    tournament = play(started(4), "R1.1")
    plan = plan_of(tournament)
    for role, kinds in {"viewer": set(), "scorekeeper": {"result", "confirm"}}.items():
        user = make_user()
        tournament.officials.create(user=user, role=role, since=NOW)
        desk = Desk(user, tournament, plan)
        found = {action.kind for pairing in plan.pairings for action in desk.on_pairing(pairing)}
        found |= {a.kind for entry in tournament.entries.all() for a in desk.on_entrant(entry)}
        assert found == kinds
