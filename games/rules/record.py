"""Matches as `tarneeb-record/1`: written, read, and folded through the same rules that play live."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.rules.actions import ACTORS, IllegalAction
from games.rules.cards import CARD, CODES
from games.rules.match import BadTarget, Match
from games.rules.ruleset import RULESETS, Options, Ruleset, UnknownOption, read_options
from games.rules.scoring import Result
from games.rules.seats import SEATS
from games.rules.shapes import RecordError as RecordError
from games.rules.shapes import is_int, is_text, is_time, require, required, short
from games.rules.shuffle import commitment, deck, first_dealer

FORMAT: Final = "tarneeb-record/1"
_CLAIMS: Final = ("kind", "winner", "score")


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal as played: deck in dealt order, actions, who acted (a letter each; empty: persons), times."""

    deck: Sequence[int]
    actions: Sequence[str]
    by: str = ""
    ms: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """What lets anyone check the dealing."""

    secret: bytes
    salt: str

    @property
    def first_dealer(self) -> int:
        """The seat that had to deal first."""
        return first_dealer(self.secret, self.salt)


def write_record(
    ruleset: Ruleset,
    *,
    target: int,
    options: Options,
    dealer: int,
    players: Sequence[str],
    deals: Sequence[DealRecord],
    result: Result | None = None,
    score: Sequence[int] = (0, 0),
    proof: Proof | None = None,
) -> dict[str, Any]:
    """The record of one match, ready for JSON; `dealer` dealt first, `players` are by seat."""
    record: dict[str, Any] = {"format": FORMAT, "ruleset": ruleset.name, "target": target, "dealer": dealer}
    if changed := options.changed(ruleset):
        record["options"] = changed
    record["players"] = list(players)
    record["deals"] = [_written_deal(deal) for deal in deals]
    if result is not None:
        record["result"] = {"kind": result["kind"], "winner": result["winner"], "score": list(score)}
    if proof is not None:
        record["proof"] = {
            "secret": proof.secret.hex(),
            "salt": proof.salt,
            "commitment": commitment(proof.secret),
        }
    return record


def _written_deal(deal: DealRecord) -> dict[str, Any]:
    written: dict[str, Any] = {
        "deck": " ".join(CODES[card] for card in deal.deck),
        "actions": " ".join(deal.actions),
    }
    if deal.by.strip("m"):
        written["by"] = deal.by
    if deal.ms:
        written["ms"] = list(deal.ms)
    return written


def replay(record: object) -> dict[str, Any]:
    """What `manage.py replay --json` prints of one record, good or bad, but its file and index."""
    try:
        match = fold(record)
    except RecordError as error:
        return {"ok": False, "error": error.as_dict()}
    return {
        "ok": True,
        "phase": match.phase,
        "deals": match.deals,
        "counted": match.counted,
        "dead_run": match.dead_run,
        "dealer": match.dealer,
        "turn": match.turn,
        "legal": match.legal(),
        "contract": match.contract,
        "tricks": match.tricks,
        "score": match.score,
        "changes": match.changes,
        "result": match.result,
    }


def fold(record: object) -> Match:
    """The match as it stands after everything in `record`; a claimed result and a proof are checked.

    Raises: RecordError for the first thing that does not hold: head, deals in turn, result, proof.
    """
    if not isinstance(record, Mapping):
        raise RecordError("malformed", "a record is a JSON object")
    match = _read_head(record)
    deals = record["deals"]
    for index, deal in enumerate(deals):
        if match.result is not None:
            raise RecordError("match-over", "the match ended before this deal", deal=index)
        _fold_deal(match, index, deal)
        if match.deal is not None and index < len(deals) - 1:
            raise RecordError("malformed", "only the last deal may be unfinished", deal=index)
    _check_result(match, record.get("result"))
    if record.get("proof") is not None:
        _check_proof(record)
    return match


# ---- The head


def _read_head(record: Mapping[str, Any]) -> Match:
    if required(record, "format") != FORMAT:
        raise RecordError("unknown-format", f"the format is not {FORMAT}")
    name = required(record, "ruleset")
    ruleset = RULESETS.get(name) if isinstance(name, str) else None
    if ruleset is None:
        raise RecordError("unknown-ruleset", f"there is no ruleset {short(name)}")
    dealer = required(record, "dealer")
    require(is_int(dealer) and dealer in SEATS, "the dealer is a seat from 0 to 3")
    require(isinstance(required(record, "deals"), list), "deals is a list")
    require(_are_players(required(record, "players")), "players is a list of four names")
    target = record.get("target", 31)
    if not is_int(target):
        raise RecordError("bad-target", f"{short(target)} is no target")
    try:
        return Match(ruleset, target=target, dealer=dealer, options=_options(ruleset, record))
    except (BadTarget, UnknownOption) as error:
        raise RecordError(error.code, str(error)) from error


def _options(ruleset: Ruleset, record: Mapping[str, Any]) -> Options:
    given = record.get("options", {})
    require(isinstance(given, Mapping), "options is an object")
    return read_options(ruleset, given)


def _are_players(players: object) -> bool:
    return isinstance(players, list) and len(players) == 4 and all(isinstance(name, str) for name in players)


# ---- A deal


def _fold_deal(match: Match, index: int, deal: object) -> None:
    require(isinstance(deal, Mapping), "a deal is an object", index)
    assert isinstance(deal, Mapping)
    actions = _words(deal, "actions", index)
    by = deal.get("by", "")
    try:
        match.start_deal([CARD.get(code, -1) for code in _words(deal, "deck", index)])
    except IllegalAction as refusal:
        raise RecordError(refusal.code, refusal.message, deal=index) from refusal
    for place, code in enumerate(actions):
        _fold_action(match, code, _actor(by, place), index, place)
    _check_lengths(deal, len(actions), index)


def _fold_action(match: Match, code: str, by: str, index: int, place: int) -> None:
    seat = match.turn
    try:
        match.act(code, by)
    except IllegalAction as refusal:
        raise RecordError(refusal.code, refusal.message, deal=index, action=place, seat=seat) from refusal


def _actor(by: object, place: int) -> str:
    """Who acted; the person where `by` is too short or wrong, which is told only after what was played."""
    return by[place] if isinstance(by, str) and place < len(by) and by[place] in ACTORS else "m"


def _check_lengths(deal: Mapping[str, Any], actions: int, index: int) -> None:
    by = deal.get("by", "")
    require(isinstance(by, str) and set(by) <= ACTORS, "by has one letter of m c b s an action", index)
    require(len(by) in (0, actions), f"by has {len(by)} letters for {actions} actions", index)
    if "ms" in deal:
        ms = deal["ms"]
        require(isinstance(ms, list) and all(is_time(time) for time in ms), "ms is a list of numbers", index)
        require(len(ms) == actions, f"ms has {len(ms)} times for {actions} actions", index)


def _words(deal: Mapping[str, Any], key: str, index: int) -> list[str]:
    text = required(deal, key, index)
    require(isinstance(text, str), f"{key} is a text of codes", index)
    return str(text).split()


# ---- What the writer claims


def _check_result(match: Match, claim: object) -> None:
    if claim is None:
        return
    require(isinstance(claim, Mapping), "result is an object")
    assert isinstance(claim, Mapping)
    claimed = {key: required(claim, key) for key in _CLAIMS}
    if match.result is None:
        raise RecordError("result-differs", "a result is claimed, but the match is not over")
    found = {"kind": match.result["kind"], "winner": match.result["winner"], "score": match.score}
    for key, value in found.items():
        if claimed[key] != value or isinstance(claimed[key], bool):
            raise RecordError("result-differs", f"{key} is {value}, not {short(claimed[key])}")


def _check_proof(record: Mapping[str, Any]) -> None:
    proof = record["proof"]
    require(isinstance(proof, Mapping), "proof is an object")
    secret_text, salt, shown = (required(proof, key) for key in ("secret", "salt", "commitment"))
    require(all(is_text(text) for text in (secret_text, salt, shown)), "a proof is three texts")
    secret = _secret(secret_text)
    if commitment(secret) != shown.lower():
        raise RecordError("proof-differs", "the commitment is not that of the secret")
    if first_dealer(secret, salt) != record["dealer"]:
        raise RecordError("proof-differs", "another seat should have dealt first")
    for index, deal in enumerate(record["deals"]):
        if [CARD[code] for code in deal["deck"].split()] != deck(secret, salt, index):
            raise RecordError("proof-differs", "the deck is not the one committed to", deal=index)


def _secret(text: str) -> bytes:
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != 32 or len(text) != 64:
        raise RecordError("proof-differs", "the secret is not 32 bytes in hex")
    return secret
