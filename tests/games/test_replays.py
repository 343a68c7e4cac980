"""What the replay steps through, against the record it is folded from."""

import pytest

from games.replays import DealReplay, Replay, replay_of, score_sheet
from games.rules.record import write_record
from games.rules.ruleset import RULESETS
from games.rules.simulation import simulated


def recorded(ruleset: str, seed: str = "1", players: tuple[str, ...] = ("cautious",)) -> dict[str, object]:
    rules = RULESETS[ruleset]
    match, deals, proof = simulated(rules, target=31, seed=seed, index=0, players=players)
    return write_record(
        rules,
        target=31,
        options=rules.default_options,
        dealer=proof.first_dealer,
        players=["A", "B", "C", "D"],
        deals=deals,
        result=match.result,
        score=match.score,
        proof=proof,
    )


def folded(ruleset: str, seed: str = "1") -> tuple[dict[str, object], Replay]:
    record = recorded(ruleset, seed, ("cautious", "random"))
    return record, replay_of(record)


EVERY = pytest.mark.parametrize("ruleset", list(RULESETS))


@EVERY
def test_replay_ends_as_the_record_says(ruleset: str) -> None:
    record, replay = folded(ruleset)

    assert replay["result"] is not None
    assert (replay["score"], replay["result"]["winner"]) == (
        record["result"]["score"],
        record["result"]["winner"],
    )
    assert (replay["names"], replay["proof"]) == (record["players"], record["proof"])


@EVERY
def test_every_action_is_a_step(ruleset: str) -> None:
    record, replay = folded(ruleset)

    for deal, stored in zip(replay["deals"], record["deals"], strict=True):
        assert " ".join(step["code"] for step in deal["steps"]) == stored["actions"]
        assert "".join(step["by"] for step in deal["steps"]) == stored["by"]


@EVERY
def test_each_hand_plays_the_cards_it_was_dealt(ruleset: str) -> None:
    for deal in folded(ruleset)[1]["deals"]:
        played = [sorted(s["code"] for s in cards_of(deal) if s["seat"] == seat) for seat in range(4)]
        assert played == [sorted(hand) for hand in deal["hands"]] or deal["contract"] is None


def cards_of(deal: DealReplay) -> list[dict[str, object]]:
    return [step for step in deal["steps"] if step["code"][0] in "23456789TJQKA" and len(step["code"]) == 2]


@EVERY
def test_every_fourth_card_names_the_winner_who_leads_next(ruleset: str) -> None:
    for deal in folded(ruleset)[1]["deals"]:
        tricks = fours(cards_of(deal))
        assert [["winner" in step for step in trick] for trick in tricks] == [[False] * 3 + [True]] * len(
            tricks
        )
        assert [trick[0]["seat"] for trick in tricks[1:]] == [trick[3]["winner"] for trick in tricks[:-1]]
        taken = [sum(trick[3]["winner"] % 2 == side for trick in tricks) for side in (0, 1)]
        assert taken == deal["tricks"]


def fours(cards: list[dict[str, object]]) -> list[list[dict[str, object]]]:
    return [cards[start : start + 4] for start in range(0, len(cards), 4)]


@EVERY
def test_scores_are_the_sums_of_the_changes(ruleset: str) -> None:
    total = [0, 0]
    for deal in folded(ruleset)[1]["deals"]:
        if deal["change"]:
            total = [total[0] + deal["change"][0], total[1] + deal["change"][1]]
        assert deal["score"] == total


@EVERY
def test_standing_bid_changes_with_each_bid_and_with_the_trump(ruleset: str) -> None:
    deal = next(deal for deal in folded(ruleset)[1]["deals"] if deal["contract"])
    marked = [step["code"][0] for step in deal["steps"] if "contract" in step]

    assert set(marked) <= set("btx") | {deal["steps"][-53]["code"][0]}
    assert [s["contract"] for s in deal["steps"] if "contract" in s][-1] == deal["contract"]


def test_dead_deal_has_neither_contract_nor_points() -> None:
    deck = recorded("kotchina")["deals"][0]["deck"]
    replay = replay_of(
        recorded("kotchina")
        | {"deals": [{"deck": deck, "actions": "p p p p"}], "result": None, "options": {}}
    )
    row = score_sheet(replay)[0]

    assert [step["seat"] for step in replay["deals"][0]["steps"]] == [
        (replay["dealer"] + 1 + turn) % 4 for turn in range(4)
    ]
    assert (row.declarer, row.taken, list(row.points)) == (None, None, [None, None])
    assert {step["by"] for step in replay["deals"][0]["steps"]} == {"m"}


def test_sheet_tells_who_declared_and_what_the_side_took() -> None:
    replay = folded("classic")[1]

    for row in score_sheet(replay):
        contract = row.deal["contract"]
        if contract:
            assert row.declarer == contract["seat"]
            assert row.taken == row.deal["tricks"][contract["seat"] % 2]
            assert row.deal["made"] == (row.taken >= row.deal["bid_tricks"])
