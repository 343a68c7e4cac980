"""A match as Portable Bridge Notation, so that bridge programs open its deals.

Tarneeb goes round to the right, bridge to the left. The table is therefore mirrored: seats 0 1 2 3 become North East
South West. Turn order and partners stay as they were; who sat to the right sits to the left. What bridge has no words
for is left out of the tags (calls without a suit, Tarneeb's points) and told in a comment of each deal.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.replays import DealReplay, Replay, Step
from games.rules.seats import side

SEATS: Final = "NESW"
_SUITS: Final = "SHDC"
_RANKS: Final = "AKQJT98765432"
_TRICKS_OF_A_LEVEL: Final = 6
_DOUBLED: Final = {1: "", 2: "X", 4: "XX"}
# A line of the format holds no more; a tag's value, fewer.
LONGEST_VALUE: Final = 200
MAPPING: Final = (
    "Tarneeb is played counter-clockwise. The table is mirrored: seats 0 1 2 3 are North East South West, in turn "
    "order; partners stay partners, left and right are exchanged. The declarer leads to the first trick."
)


def write_pbn(replay: Replay, *, event: str, site: str, date: str) -> str:
    """All deals of a match, a game of the format each. `date`: as 2026.12.31; `event` and `site` are plain text."""
    head = ["% PBN 2.1", "% EXPORT", "% Content: UTF-8", f"% {MAPPING}"]
    tags = {"Event": event, "Site": site, "Date": date}
    games = [_game(replay, deal, tags) for deal in replay["deals"]]
    return "\r\n\r\n".join(["\r\n".join(head), *games]) + "\r\n"


def _game(replay: Replay, deal: DealReplay, tags: Mapping[str, str]) -> str:
    contract = deal["contract"]
    north, east, south, west = replay["names"]
    declarer = SEATS[contract["seat"]] if contract else ""
    told = {
        **tags,
        "Board": str(deal["number"]),
        "West": west,
        "North": north,
        "East": east,
        "South": south,
        "Dealer": SEATS[deal["dealer"]],
        "Vulnerable": "None",
        "Deal": _hands(deal),
        "Scoring": "",
        "Declarer": declarer,
        "Contract": _contract(deal),
        "Result": _result(deal),
        "Generator": "Tarneeb",
    }
    lines = [f'[{name} "{_value(text)}"]' for name, text in told.items()]
    return "\r\n".join([*lines, _comment(replay, deal), *_play(deal, declarer)])


def _value(text: str) -> str:
    """Text as a tag's value: on one line, not too long, what ends a value escaped."""
    line = " ".join(text.split())[:LONGEST_VALUE]
    return line.replace("\\", "\\\\").replace('"', '\\"')


def _hands(deal: DealReplay) -> str:
    return "N:" + " ".join(_hand(hand) for hand in deal["hands"])


def _hand(hand: Sequence[str]) -> str:
    suits = [[code[0] for code in hand if code[1] == suit] for suit in _SUITS]
    return ".".join("".join(sorted(ranks, key=_RANKS.index)) for ranks in suits)


def _contract(deal: DealReplay) -> str:
    contract = deal["contract"]
    if contract is None:
        return "Pass"
    if contract["trump"] is None:
        return "?"
    trump = "NT" if contract["trump"] == "N" else contract["trump"]
    return f"{deal['bid_tricks'] - _TRICKS_OF_A_LEVEL}{trump}{_DOUBLED[contract['doubled']]}"


def _result(deal: DealReplay) -> str:
    contract = deal["contract"]
    if contract is None:
        return ""
    return str(deal["tricks"][side(contract["seat"])]) if sum(deal["tricks"]) == 13 else "?"


def _comment(replay: Replay, deal: DealReplay) -> str:
    """What the tags cannot say: the rules, the calls, the points. Codes and numbers alone, so that nothing ends it."""
    calls = [f"{SEATS[step['seat']]} {step['code']}" for step in deal["steps"] if not _is_card(step)]
    points = "not counted" if deal["change"] is None else "{} : {}".format(*deal["change"])
    return "\r\n".join(
        [
            f"{{{MAPPING}",
            f"Rules: {replay['ruleset']}, to {replay['target']}. Calls in tricks: {', '.join(calls) or 'none'}.",
            f"Points North-South : East-West {points}, total {deal['score'][0]} : {deal['score'][1]}.}}",
        ]
    )


def _is_card(step: Step) -> bool:
    return len(step["code"]) == 2 and step["code"][0] in _RANKS and step["code"][1] in _SUITS


def _play(deal: DealReplay, declarer: str) -> list[str]:
    cards = [step for step in deal["steps"] if _is_card(step)]
    if not cards:
        return []
    first = cards[0]["seat"]
    tricks = [cards[start : start + 4] for start in range(0, len(cards), 4)]
    rows = [_row(trick, first) for trick in tricks]
    return [f'[Play "{declarer}"]', *rows, *([] if len(cards) == 52 else ["*"])]


def _row(trick: Sequence[Step], first: int) -> str:
    played = {step["seat"]: step["code"][1] + step["code"][0] for step in trick}
    return " ".join(played.get((first + place) % 4, "-") for place in range(4)).rstrip()
