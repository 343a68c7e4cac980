"""The file is read back by a small reader of its own, by the grammar of the format alone."""

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Deal, Table
from games.pbn import MAPPING, write_pbn
from games.replays import replay_of
from games.rules.record import write_record
from games.rules.ruleset import RULESETS
from games.rules.simulation import simulated
from tests.factories import make_user, make_users
from tests.games.matches import make_match, make_match_in_play

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
MANDATORY = [
    *("Event", "Site", "Date", "Board", "West", "North", "East", "South"),
    *("Dealer", "Vulnerable", "Deal", "Scoring", "Declarer", "Contract", "Result"),
]
DECK = {suit + rank for suit in "SHDC" for rank in "AKQJT98765432"}


def read(text: str) -> list[dict[str, Any]]:
    """The games of a file: tags in order, the play by tricks. Comments and escaped lines are skipped."""
    text = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    text = re.sub(r"\{[^}]*\}\n?", "", text)
    games = []
    for part in re.split(r"\n\s*\n", text.strip()):
        tags = {name: value.replace('\\"', '"').replace("\\\\", "\\") for name, value in TAG.findall(part)}
        rest = TAG.sub("", part).strip()
        rows = [line.split() for line in rest.splitlines() if line.strip() and line.strip() != "*"]
        games.append({"tags": tags, "play": rows, "stops": rest.endswith("*")})
    return games


def holdings(deal: str) -> list[set[str]]:
    first, hands = deal.split(":")
    assert first == "N"
    return [
        {suit + rank for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks}
        for hand in hands.split()
    ]


def played_out(game: dict[str, Any]) -> int:
    """Plays the tricks by the rules of bridge; how many the declarer's side took."""
    contract, declarer = game["tags"]["Contract"], "NESW".index(game["tags"]["Declarer"])
    trump = re.fullmatch(r"[1-7](NT|[SHDC])X{0,2}", contract)
    assert trump is not None
    first = leader = "NESW".index(game["tags"]["Play"])
    hands, taken = holdings(game["tags"]["Deal"]), 0
    for row in game["play"]:
        cards = {(first + place) % 4: card for place, card in enumerate(row)}
        led = cards[leader][0]
        for seat, card in cards.items():
            assert card in hands[seat]
            assert card[0] == led or not any(held[0] == led for held in hands[seat])
        for seat, card in cards.items():
            hands[seat].remove(card)
        strength = {
            seat: (card[0] == trump[1], card[0] == led, -"AKQJT98765432".index(card[1]))
            for seat, card in cards.items()
        }
        leader = max(strength, key=lambda seat: strength[seat])
        taken += leader % 2 == declarer % 2
    return taken


def pbn_of(ruleset: str, seed: str = "1", **words: str) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    match, deals, proof = simulated(RULESETS[ruleset], target=31, seed=seed, index=0, players=["cautious"])
    record = write_record(
        match.ruleset,
        target=31,
        options=match.options,
        dealer=proof.first_dealer,
        players=["Anna", 'B"adr\\', "ليلى", "Dana}"],
        deals=deals,
    )
    text = write_pbn(replay_of(record), **({"event": "Cup", "site": "here", "date": "2026.03.01"} | words))
    return read(text), record, text


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_deal_plays_to_the_same_tricks_by_the_rules_of_bridge(ruleset: str, seed: str) -> None:
    games, record, _ = pbn_of(ruleset, seed)
    replay = replay_of(record)
    for game, deal in zip(games, replay["deals"], strict=True):
        if deal["contract"] is None:
            assert (game["tags"]["Contract"], game["tags"]["Declarer"], game["tags"]["Result"]) == (
                "Pass",
                "",
                "",
            )
            continue
        side = deal["contract"]["seat"] % 2
        assert played_out(game) == deal["tricks"][side] == int(game["tags"]["Result"])


def test_tags_stand_in_the_order_of_the_format_in_every_game() -> None:
    games, record, text = pbn_of("egyptian")

    assert len(games) == len(record["deals"])
    assert {tuple(list(game["tags"])[:15]) for game in games} == {tuple(MANDATORY)}
    assert [game["tags"]["Board"] for game in games] == [str(number) for number in range(1, len(games) + 1)]
    assert text.startswith("% PBN 2.1\r\n% EXPORT\r\n")
    assert max(map(len, text.splitlines())) <= 255


def test_seats_keep_turn_order_and_partners_and_the_file_says_that_it_is_mirrored() -> None:
    games, record, text = pbn_of("kotchina")
    first = record["deals"][0]
    deck, dealer = first["deck"].split(), record["dealer"]
    by_seat = [{card[1] + card[0] for card in deck[(seat - dealer - 1) % 4 :: 4]} for seat in range(4)]

    assert holdings(games[0]["tags"]["Deal"]) == by_seat
    assert set.union(*holdings(games[0]["tags"]["Deal"])) == DECK
    assert games[0]["tags"]["Dealer"] == "NESW"[dealer]
    assert [games[0]["tags"][name] for name in ("North", "East", "South", "West")] == [
        "Anna",
        'B"adr\\',
        "ليلى",
        "Dana}",
    ]
    assert text.count(MAPPING) == len(games) + 1


@pytest.mark.parametrize(
    ("bid", "trump", "doubled", "contract"),
    [("b7S", "S", 1, "1S"), ("b9N", "N", 2, "3NTX"), ("b13C", "C", 4, "7CXX"), ("b10", "D", 1, "4D")],
)
def test_a_contract_is_written_as_bridge_counts(bid: str, trump: str, doubled: int, contract: str) -> None:
    _, record, _ = pbn_of("kotchina")
    replay = replay_of(record)
    deal = replay["deals"][0] | {
        "contract": {"seat": 1, "bid": bid, "trump": trump, "doubled": doubled},
        "bid_tricks": int(bid[1:].rstrip("SHDCN")),
    }
    [game] = read(write_pbn(replay | {"deals": [deal]}, event="", site="", date=""))

    assert (game["tags"]["Contract"], game["tags"]["Declarer"]) == (contract, "E")


def test_text_from_people_cannot_leave_its_tag() -> None:
    games, record, _ = pbn_of("kotchina", event='a"]\r\n[Deal "N:..." ] \\', site="x" * 999)

    assert games[0]["tags"]["Event"] == 'a"] [Deal "N:..." ] \\'
    assert len(games[0]["tags"]["Site"]) == 200
    assert len(games) == len(record["deals"])


def test_a_match_that_broke_off_stops_where_it_did() -> None:
    _, record, _ = pbn_of("kotchina")
    actions = record["deals"][0]["actions"].split()
    cut = record | {"deals": [{"deck": record["deals"][0]["deck"], "actions": " ".join(actions[:-6])}]}
    [game] = read(write_pbn(replay_of(cut), event="", site="", date=""))

    assert (game["tags"]["Result"], game["stops"], len(game["play"])) == ("?", True, 12)
    assert sorted(len([card for card in row if card != "-"]) for row in game["play"])[:2] == [2, 4]


@pytest.mark.django_db
def test_file_of_a_finished_match_can_be_had_by_whoever_sees_its_replay(client: Client) -> None:
    make_match([make_user("Layla"), None, *make_users(2)], code="T1")
    make_match_in_play(make_users(4), code="T2", seed="2")
    response = client.get("/matches/T1/pbn/")
    games = read(response.content.decode())

    assert response["Content-Disposition"] == 'attachment; filename="tarneeb-T1.pbn"'
    assert (games[0]["tags"]["North"], games[0]["tags"]["Date"]) == ("Layla", "2026.03.01")
    assert len(games) == Deal.objects.filter(table=Table.objects.get(code="T1")).count()
    assert [client.get(f"/matches/{code}/pbn/").status_code for code in ("T2", "NONE")] == [404, 404]
