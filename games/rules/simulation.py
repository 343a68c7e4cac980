"""Whole matches between built-in players, drawn from a seed and a place in the row: the same everywhere."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

from games.rules.match import Match
from games.rules.players import PLAYERS
from games.rules.record import DealRecord, Proof
from games.rules.ruleset import Ruleset
from games.rules.seats import SEATS
from games.rules.shuffle import chance, deck
from games.rules.views import seat_view

COUNTED_LIMIT: Final = 500
_A_BOT: Final = "b"


def simulated(
    ruleset: Ruleset, *, target: int, seed: str, index: int, players: Sequence[str]
) -> tuple[Match, list[DealRecord], Proof]:
    """Match `index` of `seed`: as it ended, its deals, its proof. Seat `i` plays `players[i mod k]`, by name.

    Its chance depends on `seed` and `index` alone. After 500 counted rounds it stops, without result.
    """
    secret = hashlib.sha256(f"tarneeb-simulation/1|{seed}|{index}".encode()).digest()
    proof = Proof(secret, salt=f"{seed}.{index}")
    match = Match(ruleset, target=target, dealer=proof.first_dealer)
    draw = chance(proof.secret, "tarneeb-players/1")
    seated = [players[seat % len(players)] for seat in SEATS]
    deals = []
    while match.phase == "deal" and match.counted < COUNTED_LIMIT:
        cards = deck(proof.secret, proof.salt, match.deals)
        match.start_deal(cards)
        actions = _play_deal(match, seated, draw)
        deals.append(DealRecord(cards, actions, by=_A_BOT * len(actions)))
    return match, deals, proof


def _play_deal(match: Match, seated: Sequence[str], draw: Callable[[int], int]) -> list[str]:
    actions = []
    while (seat := match.turn) is not None:
        code = PLAYERS[seated[seat]](seat_view(match, seat), draw)
        match.act(code, _A_BOT)
        actions.append(code)
    return actions
