"""How many whole random deals a second the rules play on one core, beside others where they are installed.

    python bench/rules.py [--json] [--deals 2000]

A deal is: a plain shuffle, then `legal()`, one of its codes at random, `act()`, until the deal is scored;
Kotchina, whole matches one after another. Each figure is the best of five rounds, in seconds of one core (CPU
time, so that neighbours do not count). Peers, from Python, each with its own: OpenSpiel's spades
(`pip install open-spiel`), RLCard's bridge (`pip install rlcard`).
"""

import argparse
import json
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from games.rules.match import Match
from games.rules.ruleset import KOTCHINA

OURS = "tarneeb"
ROUNDS = 5
PEER_SHARE = 10  # a tenth of the deals measures the peers well enough

Player = Callable[[int, random.Random], int]  # plays so many deals, returns the moves made


def play_kotchina(deals: int, chance: random.Random) -> int:
    moves = 0
    deck = list(range(52))
    match = Match(KOTCHINA)
    for _ in range(deals):
        if match.result is not None:
            match = Match(KOTCHINA)
        chance.shuffle(deck)
        match.start_deal(deck)
        while legal := match.legal():
            match.act(legal[int(chance.random() * len(legal))])
            moves += 1
    return moves


def openspiel_spades() -> Player:
    import pyspiel

    game = pyspiel.load_game("spades")

    def play(deals: int, chance: random.Random) -> int:
        moves = 0
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                moves += not state.is_chance_node()
                legal = state.legal_actions()
                state.apply_action(legal[int(chance.random() * len(legal))])
            state.returns()
        return moves

    return play


def rlcard_bridge() -> Player:
    import rlcard

    game = rlcard.make("bridge", config={"seed": 1}).game

    def play(deals: int, chance: random.Random) -> int:
        moves = 0
        for _ in range(deals):
            game.init_game()
            while not game.is_over():
                legal = game.judger.get_legal_actions()
                game.step(legal[int(chance.random() * len(legal))])
                moves += 1
        return moves

    return play


PEERS: dict[str, Callable[[], Player]] = {
    "openspiel_spades": openspiel_spades,
    "rlcard_bridge": rlcard_bridge,
}


def installed_peers() -> dict[str, Player]:
    players = {}
    for name, prepare in PEERS.items():
        with suppress(ImportError):
            players[name] = prepare()
    return players


def measure(players: dict[str, Player], deals: int) -> dict[str, dict[str, float]]:
    """Deals and moves a second of each, best of the rounds; they take turns, so a busy machine hits all."""
    best = dict.fromkeys(players, (0.0, 0.0))
    for seed in range(ROUNDS):
        for name, play in players.items():
            number = deals if name == OURS else max(1, deals // PEER_SHARE)
            started = process_time()
            moves = play(number, random.Random(seed))
            elapsed = process_time() - started
            best[name] = max(best[name], (number / elapsed, moves / elapsed))
    return {
        name: {"deals_per_s": round(deals_per_s, 1), "moves_per_s": round(moves_per_s, 1)}
        for name, (deals_per_s, moves_per_s) in best.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Whole random deals a second through the rules.")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    parser.add_argument("--deals", type=int, default=2000, help="deals a round")
    arguments = parser.parse_args()
    peers = measure({OURS: play_kotchina, **installed_peers()}, arguments.deals)
    ours = peers.pop(OURS)
    for peer in peers.values():
        peer["ratio"] = round(ours["deals_per_s"] / peer["deals_per_s"], 2)
    if arguments.json:
        print(json.dumps({**ours, "peers": peers}))
        return
    print(f"the rules: {ours['deals_per_s']:,.0f} deals/s, {ours['moves_per_s']:,.0f} moves/s")
    for name in PEERS:
        print(f"{name}: {_beside(peers[name]) if name in peers else 'not installed'}")


def _beside(peer: dict[str, float]) -> str:
    return f"{peer['deals_per_s']:,.0f} deals/s; the rules are {peer['ratio']} times as fast"


if __name__ == "__main__":
    main()
