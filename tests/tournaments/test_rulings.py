import pytest

from tests.factories import make_user
from tests.tournaments.scenes import NOW, adjudicate, awaited, end, lines, open_table, started
from tournaments.models import Entry, Tournament
from tournaments.queries import plan_of
from tournaments.services import rulings
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def decide(tournament: Tournament, token: str = "", **item):
    return rulings.decide(
        tournament_id=tournament.pk, actor=tournament.organiser, item=item, token=token, now=NOW
    )


def refusal(work, *args, **more) -> str | None:
    try:
        work(*args, **more)
    except Refused as refused:
        return refused.code
    return None


def entry_of(tournament: Tournament, ident: str) -> Entry:
    return tournament.entries.get(number=int(ident[1:]))


def player_of(tournament: Tournament, ident: str):
    return entry_of(tournament, ident).members.get(place=0).user


def test_forfeit_ends_the_pairing_and_closes_its_table():
    tournament = started(2)
    row = open_table(tournament, "R1.1")

    decide(tournament, type="forfeit", pairing="R1.1", side=0)

    row.refresh_from_db()
    assert lines(tournament)["R1.1"] == (tuple(row.sides), "done", "forfeit", row.sides[1])
    assert (row.state, row.table.phase) == ("void", "over")


def test_ruling_keeps_its_reason_and_who_decided():
    tournament = started(2)
    winner = open_table(tournament, "R1.1").sides[1]

    decide(tournament, type="rule", pairing="R1.1", winner=1, reason="the power failed")

    item = tournament.log.get()
    assert (item.item["reason"], item.actor) == ("the power failed", tournament.organiser)
    tournament.refresh_from_db()
    assert tournament.champion.ident == winner


def test_only_the_organiser_decides():
    tournament = started(2)

    for stranger in (make_user(), player_of(tournament, "e1")):
        forfeit = {"type": "forfeit", "pairing": "R1.1", "side": 0}
        code = refusal(rulings.decide, tournament_id=tournament.pk, actor=stranger, item=forfeit, now=NOW)
        assert code == "not-organiser"


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ({"type": "forfeit", "pairing": "R9.1", "side": 0}, "unknown-pairing"),
        ({"type": "forfeit", "pairing": "R2.1", "side": 0}, "not-ready"),
        ({"type": "forfeit", "pairing": "R1.1", "side": 2}, "malformed"),
        ({"type": "rule", "pairing": "R1.1", "winner": None}, "malformed"),
        ({"type": "withdraw", "entrant": "e9"}, "unknown-entrant"),
        ({"type": "reenter", "entrant": "e1"}, "not-allowed"),
        ({"type": "undo"}, "nothing-to-undo"),
        ({"type": "correct", "pairing": "R1.1", "kind": "target", "score": [31, 1]}, "not-ready"),
        ({"type": "correct", "pairing": "R1.1"}, "malformed"),
    ],
)
def test_impossible_decision_is_refused_and_nothing_is_stored(item: dict, code: str):
    tournament = started(4)

    assert refusal(decide, tournament, **item) == code
    assert (tournament.log.count(), awaited(tournament)) == (0, [("R1.1", 1), ("R1.2", 1)])


def test_table_that_has_ended_is_recorded_before_a_decision():
    tournament = started(2)
    end(tournament, "R1.1", (31, 3))

    assert refusal(decide, tournament, type="forfeit", pairing="R1.1", side=0) == "already-done"


def test_withdrawing_in_play_gives_the_opponents_a_walkover_at_once():
    tournament = started(4)
    row = open_table(tournament, "R1.1")
    leaver, opponent = row.sides

    rulings.leave(tournament_id=tournament.pk, user=player_of(tournament, leaver), now=NOW)

    row.table.refresh_from_db()
    assert lines(tournament)["R1.1"] == ((leaver, opponent), "done", "walkover", opponent)
    assert row.table.phase == "over"
    assert entry_of(tournament, leaver).withdrawn_at == NOW
    assert tournament.log.get().item == {"type": "withdraw", "entrant": leaver}


def test_pair_that_is_out_cannot_withdraw():
    tournament = started(4)
    loser = open_table(tournament, "R1.1").sides[1]
    end(tournament, "R1.1", (31, 0))
    adjudicate(tournament)

    leave = {"tournament_id": tournament.pk, "user": player_of(tournament, loser), "now": NOW}
    assert refusal(rulings.leave, **leave) == "out"
    assert refusal(rulings.leave, **leave | {"user": make_user()}) == "not-entered"


def test_last_pair_standing_wins_when_the_others_withdraw():
    tournament = started(3)
    for ident in ("e1", "e3"):
        decide(tournament, type="withdraw", entrant=ident)

    tournament.refresh_from_db()
    assert (tournament.state, tournament.champion.ident) == ("finished", "e2")


def test_pair_taken_back_in_plays_on():
    tournament = started(4)
    row = open_table(tournament, "R1.1")
    decide(tournament, type="disqualify", entrant=row.sides[0])
    decide(tournament, type="reenter", entrant=row.sides[0])

    assert lines(tournament)["R1.1"][1] == "ready"
    assert awaited(tournament) == [("R1.1", 2), ("R1.2", 1)]
    assert entry_of(tournament, row.sides[0]).withdrawn_at is None


def corrected_in_play() -> tuple[Tournament, list[str]]:
    """Four pairs; the final is being played when the first semi-final turns out to have been won by the others."""
    tournament = started(4)
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1", (31, 12))
    end(tournament, "R1.2", (31, 12))
    adjudicate(tournament)
    return tournament, sides


CORRECTION = {"type": "correct", "pairing": "R1.1", "kind": "target", "score": [12, 31]}


def test_preview_says_what_a_correction_would_change_and_stores_nothing():
    tournament, sides = corrected_in_play()
    final = open_table(tournament, "R2.1")

    shown = rulings.preview(tournament=tournament, item=CORRECTION)

    assert [(change.pairing, change.stage) for change in shown.changes] == [
        ("R1.1", "finished"),
        ("R2.1", "in-play"),
    ]
    assert shown.closing == (final,)
    assert {p.id: p.winner for p in shown.after.pairings}["R1.1"] == sides[1]
    assert (tournament.log.count(), open_table(tournament, "R2.1")) == (2, final)


def test_correction_seats_the_right_sides_at_a_new_table():
    tournament, sides = corrected_in_play()
    old = open_table(tournament, "R2.1")

    decide(tournament, **CORRECTION)

    new = open_table(tournament, "R2.1")
    old.refresh_from_db()
    assert (old.state, old.table.phase, new.attempt) == ("void", "over", 2)
    assert new.sides == [sides[1], old.sides[1]]


def test_undo_brings_the_first_sides_back():
    tournament, sides = corrected_in_play()
    decide(tournament, **CORRECTION)
    decide(tournament, type="undo")

    assert open_table(tournament, "R2.1").sides[0] == sides[0]
    assert lines(tournament)["R1.1"][3] == sides[0]


def test_correction_may_let_a_later_match_stand():
    tournament, sides = corrected_in_play()
    old = open_table(tournament, "R2.1")

    decide(tournament, **CORRECTION, later={"R2.1": "stand"})

    assert open_table(tournament, "R2.1") == old
    assert lines(tournament)["R1.1"][3] == sides[1]


def test_correction_after_the_end_takes_the_tournament_up_again():
    tournament, sides = corrected_in_play()
    end(tournament, "R2.1", (31, 0))
    adjudicate(tournament)
    tournament.refresh_from_db()
    first = (tournament.state, tournament.champion.ident)

    decide(tournament, **CORRECTION)
    tournament.refresh_from_db()
    second = (tournament.state, tournament.champion, tournament.finished_at)
    decide(tournament, type="undo")
    tournament.refresh_from_db()

    assert first == ("finished", sides[0])
    assert second == ("running", None, None)
    assert (tournament.state, tournament.champion.ident) == first


def test_decision_whose_consequences_changed_is_refused():
    tournament = started(4)
    item = {"type": "withdraw", "entrant": "e1"}
    token = rulings.preview(tournament=tournament, item=item).token
    end(tournament, "R1.2" if "e1" in open_table(tournament, "R1.1").sides else "R1.1")
    adjudicate(tournament)

    assert refusal(decide, tournament, token, **item) == "moved-on"
    assert (
        refusal(decide, tournament, rulings.preview(tournament=tournament, item=item).token, **item) is None
    )


def test_decision_is_bound_to_the_sides_it_was_made_for():
    tournament, sides = corrected_in_play()
    item = rulings.with_sides(tournament, {"type": "forfeit", "pairing": "R2.1", "side": 0})
    decide(tournament, **CORRECTION)

    assert item["sides"][0] == sides[0]
    assert refusal(decide, tournament, **item) == "not-allowed"


def test_nothing_is_decided_before_the_start():
    tournament = started(2)
    Tournament.objects.filter(pk=tournament.pk).update(state="open", started_at=None)

    assert refusal(decide, tournament, type="withdraw", entrant="e1") == "not-running"


def test_plan_of_the_log_is_the_plan_that_was_decided():
    tournament, _ = corrected_in_play()

    plan = decide(tournament, **CORRECTION)

    assert plan.pairings == plan_of(tournament).pairings
