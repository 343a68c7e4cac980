"""Matches: who deals, what counts, how they end."""

import pytest

from games.rules.actions import IllegalAction
from games.rules.match import BadTarget, Match
from games.rules.ruleset import RULESETS, Options, UnknownOption, read_options
from games.rules.seats import SEATS
from tests.games.rules.playing import (
    A_SUIT_EACH,
    ANY_DECK,
    act_all,
    finish_deal,
    match_in,
    play_deal,
    snapshot,
)

DEAD = ["p"] * 4


def dead_deals(match: Match, number: int) -> Match:
    for _ in range(number):
        match.start_deal(ANY_DECK)
        act_all(match, DEAD)
    return match


@pytest.mark.parametrize(
    ("ruleset", "dealers"),
    [("kotchina", [0, 1, 2, 3, 0]), ("classic", [0, 0, 0, 1, 1]), ("egyptian", [0, 0, 0, 1, 1])],
)
def test_dealer_moves_by_the_rule_of_the_ruleset(ruleset: str, dealers: list[int]) -> None:
    """Two dead deals, a counted one, a dead one."""
    match = Match(RULESETS[ruleset], dealer=0)
    bid = "b7S" if ruleset == "egyptian" else "b7"
    found = [match.dealer]
    for counted in (False, False, True, False):
        match = play_deal(match, (match.dealer + 1) % 4, bid, 7) if counted else dead_deals(match, 1)
        found.append(match.dealer)
    assert found == dealers


@pytest.mark.parametrize("dealer", SEATS)
def test_kings_dealer_moves_every_deal(dealer: int) -> None:
    match = Match(RULESETS["kings"], target=61, dealer=dealer)
    for deal in range(3):
        assert match.dealer == (dealer + deal) % 4
        match = play_deal(match, match.dealer, "b8", 8)


@pytest.mark.parametrize("ruleset", ["kotchina", "classic", "egyptian"])
def test_eight_dead_deals_in_a_row_end_the_match_without_result(ruleset: str) -> None:
    match = dead_deals(Match(RULESETS[ruleset]), 7)
    assert (match.phase, match.dead_run) == ("deal", 7)
    dead_deals(match, 1)
    assert (match.phase, match.dead_run, match.deals, match.counted) == ("over", 8, 8, 0)
    assert match.result == {"kind": "no-result", "winner": None, "advances": None}


def test_contract_starts_the_count_of_dead_deals_anew() -> None:
    match = dead_deals(Match(RULESETS["kotchina"]), 7)
    match = dead_deals(play_deal(match, 0, "b7", 7), 7)
    assert (match.phase, match.dead_run, match.deals, match.counted) == ("deal", 7, 15, 1)


@pytest.mark.parametrize(
    ("ruleset", "target", "before", "over"),
    [
        ("kotchina", 31, 23, False),
        ("kotchina", 31, 24, True),
        ("kotchina", 31, 25, True),
        ("kings", 31, 24, True),
        ("kings", 41, 33, False),
        ("kings", 41, 34, True),
        ("kings", 61, 53, False),
        ("kings", 61, 54, True),
    ],
)
def test_target_is_reached_at_the_target(ruleset: str, target: int, before: int, over: bool) -> None:
    match = resumed(ruleset, target=target, score=[before, 0])
    match = play_deal(match, 0, "b7", 7)
    assert match.score == [before + 7, 0]
    assert (match.phase, match.result is not None) == ("over" if over else "deal", over)


def resumed(ruleset: str, *, target: int = 31, score: list[int], counted: int = 5) -> Match:
    return Match.resume(
        RULESETS[ruleset],
        target=target,
        options=RULESETS[ruleset].default_options,
        dealer=0,
        deals=counted,
        dead_run=0,
        score=score,
        changes=[[0, 0]] * counted,
    )


@pytest.mark.parametrize(
    ("counted", "score", "phase"), [(48, [0, 0], "deal"), (49, [0, 0], "over"), (49, [-7, 0], "over")]
)
def test_kotchina_ends_after_fifty_counted_rounds(counted: int, score: list[int], phase: str) -> None:
    match = dead_deals(resumed("kotchina", score=score, counted=counted), 3)
    assert play_deal(match, 0, "b7", 7).phase == phase


def test_level_score_at_the_cap_is_a_draw_and_the_last_gainer_advances() -> None:
    match = play_deal(resumed("kotchina", score=[20, 27], counted=49), 0, "b7", 7)
    assert (match.score, match.result) == ([27, 27], {"kind": "draw", "winner": None, "advances": 0})


def test_failed_contract_at_the_cap_lets_the_defenders_advance() -> None:
    match = play_deal(resumed("kotchina", score=[27, 13], counted=49), 0, "b7", 6)
    assert (match.score, match.result) == ([20, 20], {"kind": "draw", "winner": None, "advances": 1})


def test_match_over_takes_no_deal_and_no_act() -> None:
    match = play_deal(resumed("kotchina", score=[24, 0]), 0, "b7", 7)
    before = snapshot(match)
    with pytest.raises(IllegalAction) as no_deal:
        match.start_deal(ANY_DECK)
    with pytest.raises(IllegalAction) as no_act:
        match.act("p")
    assert (no_deal.value.code, no_act.value.code) == ("match-over", "deal-over")
    assert snapshot(match) == before


@pytest.mark.parametrize(
    ("by", "kind"),
    [
        ("c", "no-result"),
        ("s", "no-result"),
        ("cs", "no-result"),
        ("bc", "no-result"),
        ("bs", "no-result"),
        ("b", None),
        ("m", None),
        ("mc", None),
        ("mbcs", None),
    ],
)
def test_kings_deal_without_a_person_ends_the_match_unscored(by: str, kind: str | None) -> None:
    match = match_in("kings")
    step = 0
    while match.turn is not None:
        match.act(match.legal()[0], by[step % len(by)])
        step += 1
    assert (match.result and match.result["kind"]) == kind
    assert (match.counted, match.score == [0, 0], match.dealer) == (int(kind is None), kind is not None, 1)


@pytest.mark.parametrize("ruleset", ["kotchina", "classic", "egyptian"])
def test_other_rulesets_score_a_deal_that_the_clock_played(ruleset: str) -> None:
    bid = "b7S" if ruleset == "egyptian" else "b7"
    match = finish_deal(act_all(match_in(ruleset), [bid], "c"), "c")
    assert (match.counted, match.result) == (1, None)


def test_who_acted_is_forgotten_with_the_deal() -> None:
    """A person in the first deal does not save the second."""
    match = finish_deal(match_in("kings", target=61), "m")
    match.start_deal(ANY_DECK)
    finish_deal(match, "c")
    assert match.result == {"kind": "no-result", "winner": None, "advances": None}


def test_nobody_else_can_act() -> None:
    match = match_in("kotchina")
    before = snapshot(match)
    with pytest.raises(ValueError, match="'z' is nobody who could act"):
        match.act("p", "z")
    assert snapshot(match) == before


def test_unfinished_deal_is_not_dealt_over() -> None:
    match = match_in("kotchina")
    before = snapshot(match)
    with pytest.raises(IllegalAction) as refused:
        match.start_deal(ANY_DECK)
    assert (refused.value.code, snapshot(match)) == ("malformed", before)


@pytest.mark.parametrize("deck", [ANY_DECK[:51], [*ANY_DECK[:51], ANY_DECK[0]], []])
def test_bad_deck_is_refused(deck: list[int]) -> None:
    match = Match(RULESETS["kotchina"])
    with pytest.raises(IllegalAction) as refused:
        match.start_deal(deck)
    assert (refused.value.code, match.deals, match.phase) == ("bad-deck", 0, "deal")


@pytest.mark.parametrize(
    ("ruleset", "target"), [("kotchina", 41), ("classic", 61), ("egyptian", 30), ("kings", 51), ("kings", 0)]
)
def test_target_that_the_ruleset_does_not_have_is_refused(ruleset: str, target: int) -> None:
    with pytest.raises(BadTarget, match=f"{ruleset} is not played to {target}"):
        Match(RULESETS[ruleset], target=target)


def test_redeal_starts_as_fresh_as_a_first_deal() -> None:
    """Nothing of the dead deal stays but the score, the dealer and the counts."""
    again = dead_deals(Match(RULESETS["kotchina"], dealer=3), 1)
    again.start_deal(ANY_DECK)
    fresh = match_in("kotchina", ANY_DECK, dealer=0)
    fresh.deals, fresh.dead_run = 2, 1
    assert snapshot(again) == snapshot(fresh)


def test_resumed_match_goes_on_like_the_one_it_came_from() -> None:
    match = play_deal(dead_deals(Match(RULESETS["kotchina"], dealer=2), 3), 1, "b9", 4)
    resumed_match = Match.resume(
        match.ruleset,
        target=match.target,
        options=match.options,
        dealer=match.dealer,
        deals=match.deals,
        dead_run=match.dead_run,
        score=match.score,
        changes=match.changes,
    )
    assert (resumed_match.phase, resumed_match.deal_index) == ("deal", 3)
    for each in (match, resumed_match):
        each.start_deal(A_SUIT_EACH)
        act_all(each, ["p", "b7"])
    assert snapshot(resumed_match) == snapshot(match)


def test_resumed_match_can_be_over() -> None:
    result = {"kind": "target", "winner": 1, "advances": 1}
    match = Match.resume(
        RULESETS["kings"],
        target=41,
        options=Options(),
        dealer=3,
        deals=4,
        dead_run=0,
        score=[2, 42],
        changes=[[0, 10], [0, 9], [0, 16], [2, 7]],
        ended=result,  # type: ignore[arg-type]
    )
    assert (match.phase, match.result, match.counted, match.legal()) == ("over", result, 4, [])


# ---- Options


@pytest.mark.parametrize(
    ("ruleset", "given", "options"),
    [
        ("kotchina", {}, Options(round_cap=50)),
        ("kotchina", {"round_cap": None}, Options()),
        ("kotchina", {"round_cap": 1}, Options(round_cap=1)),
        ("classic", {}, Options()),
        ("kings", {"round_cap": 50}, Options(round_cap=50)),
        ("egyptian", {"redouble": True}, Options(redouble=True)),
        ("egyptian", {"double_defenders": True, "redouble": False}, Options(double_defenders=True)),
    ],
)
def test_options_are_read_over_the_rulesets_own(
    ruleset: str, given: dict[str, object], options: Options
) -> None:
    assert read_options(RULESETS[ruleset], given) == options


@pytest.mark.parametrize(
    ("ruleset", "given"),
    [
        ("kotchina", {"redouble": True}),
        ("kotchina", {"double_defenders": False}),
        ("kings", {"speed": 3}),
        ("kings", {"round_cap": 0}),
        ("kings", {"round_cap": -1}),
        ("kings", {"round_cap": True}),
        ("kings", {"round_cap": "50"}),
        ("kings", {"round_cap": 50.0}),
        ("egyptian", {"redouble": 1}),
        ("egyptian", {"redouble": None}),
    ],
)
def test_option_that_cannot_be_is_refused(ruleset: str, given: dict[str, object]) -> None:
    with pytest.raises(UnknownOption) as refused:
        read_options(RULESETS[ruleset], given)
    assert refused.value.code == "malformed"


@pytest.mark.parametrize(
    ("ruleset", "options", "changed"),
    [
        ("kotchina", Options(round_cap=50), {}),
        ("kotchina", Options(), {"round_cap": None}),
        ("kings", Options(), {}),
        ("kings", Options(round_cap=50), {"round_cap": 50}),
        ("egyptian", Options(redouble=True), {"redouble": True}),
    ],
)
def test_changed_options_are_those_that_differ(
    ruleset: str, options: Options, changed: dict[str, object]
) -> None:
    assert options.changed(RULESETS[ruleset]) == changed


@pytest.mark.parametrize(
    ("options", "change"), [(Options(), [6, -18]), (Options(double_defenders=True), [12, -18])]
)
def test_double_defenders_is_an_option(options: Options, change: list[int]) -> None:
    match = play_deal(Match(RULESETS["egyptian"], options=options), 1, "b9H", 7, doubled=True)
    assert match.changes == [change]


@pytest.mark.parametrize(("redouble", "legal"), [(False, ["p"]), (True, ["p", "xx"])])
def test_redouble_is_an_option(redouble: bool, legal: list[str]) -> None:
    match = match_in("egyptian", options=Options(redouble=redouble))
    act_all(match, ["b13N", "x", "p", "p"])
    assert match.legal() == legal
