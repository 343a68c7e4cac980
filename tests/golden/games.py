"""Whole games as text: every act, and what each seat sees after it. A diff in a file here is a change of the rules.

python -m tests.golden.games        writes the files anew
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from games.rules.match import Match
from games.rules.players import PLAYERS
from games.rules.ruleset import RULESETS, Options
from games.rules.seats import SEATS
from games.rules.shuffle import chance, deck, first_dealer
from games.rules.views import SeatView, seat_view

HERE: Final = Path(__file__).parent
# Name of the file: ruleset, target, options, players by seat, salt (chosen for short games that show much).
GAMES: Final = {
    "kotchina": ("kotchina", 31, None, "cautious timeout timeout cautious", "golden-88"),
    "classic": ("classic", 31, None, "cautious timeout random cautious", "golden-119"),
    "egyptian": ("egyptian", 31, Options(redouble=True), "cautious random cautious random", "golden-115"),
    "kings": ("kings", 41, None, "cautious cautious random timeout", "golden-64"),
}
SECRET: Final = bytes(range(32))


def game(name: str) -> str:
    """The game `name` as text."""
    return "\n".join(_lines(name)) + "\n"


def _lines(name: str) -> Iterator[str]:
    ruleset, target, options, players, salt = GAMES[name]
    match = Match(RULESETS[ruleset], target=target, options=options, dealer=first_dealer(SECRET, salt))
    seated = players.split()
    draw = chance(SECRET, salt)
    yield f"{ruleset} to {target}, options {match.options.changed(match.ruleset)}, players {players}"
    while match.result is None:
        match.start_deal(deck(SECRET, salt, match.deals))
        yield f"\n== deal {match.deal_index}, dealer {match.dealer}"
        yield from _seen(match)
        while (seat := match.turn) is not None:
            code = PLAYERS[seated[seat]](seat_view(match, seat), draw)
            match.act(code, "m" if seated[seat] != "timeout" else "c")
            yield f"-- {seat}: {code}"
            yield from _seen(match)


def _seen(match: Match) -> Iterator[str]:
    views = [seat_view(match, seat) for seat in SEATS]
    public = _public(views[0])
    assert {_public(view) for view in views} == {public}
    yield public
    for view in views:
        yield f"   {view['you']} holds {_hand(view['hand'])}" + (
            f"  may {_legal(view)}" if view["legal"] else ""
        )


def _public(view: SeatView) -> str:
    """One line of what everybody sees, without what is empty or nought."""
    shown = {
        "turn": view["turn"],
        "dealer": view["dealer"],
        "deal": view["deal"],
        "calls": _said(view["calls"]) if view["tricks"] == [0, 0] else "",
        "contract": view["contract"] and "{seat}:{bid} trump {trump} x{doubled}".format(**view["contract"]),
        "trick": _said(view["trick"]),
        "taken": _taken(view) if not view["trick"] else "",
        "tricks": view["tricks"] if any(view["tricks"]) else None,
        "score": view["score"] if any(view["score"]) else None,
        "changes": view["changes"],
        "counted": view["counted"] or None,
        "dead": view["dead_run"] or None,
        "result": view["result"],
        "cards": view["cards"],
    }
    return f"   {view['phase']} " + ", ".join(
        f"{key} {value}" for key, value in shown.items() if value not in (None, "", [])
    )


def _said(acts: list[list[int | str]]) -> str:
    return " ".join(f"{seat}:{code}" for seat, code in acts)


def _taken(view: SeatView) -> str:
    """The last trick, while it has just been taken."""
    last = view["last_trick"]
    return f"{_said(last['cards'])} by {last['winner']}" if last else ""


def _hand(cards: list[str]) -> str:
    return " ".join(suit + "".join(code[0] for code in cards if code[1] == suit) for suit in "CDHS")


def _legal(view: SeatView) -> str:
    return _hand(view["legal"]) if view["phase"] == "play" else " ".join(view["legal"])


if __name__ == "__main__":
    for name in GAMES:
        (HERE / f"{name}.txt").write_text(game(name), encoding="utf-8")
