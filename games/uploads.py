"""Records that somebody brings along: read, checked by the rules, and told in the reader's language what is wrong.

Nothing of them is stored. A record was played elsewhere, under names that are no accounts here; kept, it would need
an owner, a term and a way to object. The page carries what it was given, and shows one record after the other.
"""

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from games.replays import Replay, replay_of
from games.rules.match import Match
from games.rules.record import RecordError, fold

MOST_BYTES: Final = 2 * 1024 * 1024
MOST_RECORDS: Final = 100
LONGEST_NAME: Final = 40
# A day: what is claimed beyond is no thinking time.
LONGEST_MS: Final = 86_400_000


@dataclass(frozen=True)
class Fault:
    """What does not hold: a sentence, its stable `code`, and where: deal and action from 1, seat from 0, or None."""

    sentence: str
    code: str
    detail: str = ""
    deal: int | None = None
    action: int | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Checked:
    """One record of a file: its text as it came and the match it tells, or its fault. `number` counts from 1."""

    number: int
    text: str
    match: Match | None = None
    record: Mapping[str, Any] | None = None
    fault: Fault | None = None

    @property
    def names(self) -> list[str]:
        """The four players by seat, fit to be shown."""
        return [shown_name(name) for name in self.record["players"]] if self.record else []

    @property
    def replay(self) -> Replay:
        """All of its steps. Only of a record that holds."""
        assert self.record is not None, "a record with a fault has no replay"
        replay = replay_of(self.record)
        for step in (step for deal in replay["deals"] for step in deal["steps"] if step["ms"] is not None):
            step["ms"] = int(min(step["ms"] or 0, LONGEST_MS))
        replay["names"] = self.names
        return replay


class TooMuch(ValueError):
    """A file with more than is read; its text says so in the reader's language."""


def read_upload(data: bytes) -> list[Checked]:
    """Each record of a file, in order: one JSON value, or a record a line.

    Raises: TooMuch.
    """
    if len(data) > MOST_BYTES:
        raise TooMuch(_("The file is larger than 2 MB."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return [Checked(1, "", fault=_malformed(f"not UTF-8: {error.reason} at byte {error.start}"))]
    texts = list(_records_in(text))
    if len(texts) > MOST_RECORDS:
        raise TooMuch(_("The file holds more than %(most)s records.") % {"most": MOST_RECORDS})
    return [check(one, number) for number, one in enumerate(texts, start=1)]


def _records_in(text: str) -> Iterator[str]:
    """A record a line, where the first line is one by itself; else all of it is one."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and _is_whole(lines[0]):
        yield from lines
    else:
        yield text


def _is_whole(line: str) -> bool:
    try:
        _parsed(line)
    except (ValueError, RecursionError):
        return False
    return True


def check(text: str, number: int = 1) -> Checked:
    """One record, checked from its head to its proof by the rules that play live."""
    try:
        record = _parsed(text)
        match = fold(record)
    except RecordError as error:
        return Checked(number, text, fault=_fault(error))
    except (ValueError, RecursionError) as error:
        return Checked(number, text, fault=_malformed(f"not JSON: {error}"))
    assert isinstance(record, Mapping), "the rules fold nothing else"
    return Checked(number, text, match=match, record=record)


def _parsed(text: str) -> object:
    return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def shown_name(name: str) -> str:
    """A name from outside as it may be shown: one line of visible characters, not too long."""
    kept = "".join(
        " " if c.isspace() else c for c in name if unicodedata.category(c)[0] != "C" or c.isspace()
    )
    return " ".join(kept.split())[:LONGEST_NAME] or "?"


def _malformed(detail: str) -> Fault:
    return Fault(sentence_of("malformed"), "malformed", detail)


def _fault(error: RecordError) -> Fault:
    return Fault(
        sentence_of(error.code),
        error.code,
        error.message,
        deal=None if error.deal is None else error.deal + 1,
        action=None if error.action is None else error.action + 1,
        seat=error.seat,
    )


def sentence_of(code: str) -> str:
    """What a code of the record format says, in the reader's language."""
    return {
        "malformed": _("This is not a record as the format says."),
        "unknown-format": _("The format is not tarneeb-record/1."),
        "unknown-ruleset": _("The ruleset is not known."),
        "bad-target": _("The ruleset is not played to this target."),
        "bad-deck": _("The deck is not the 52 cards, each once."),
        "bid-too-low": _("The bid does not go above the one that stands."),
        "bid-out-of-range": _("The ruleset has no such bid."),
        "pass-not-allowed": _("The dealer has to bid after three passes."),
        "double-not-allowed": _("There is nothing to double here."),
        "wrong-phase": _("Something else is due at this point: a call, a trump or a card."),
        "card-not-held": _("The player does not hold this card."),
        "must-follow-suit": _("The player holds the suit that was led and has to follow."),
        "deal-over": _("The deal is over; nothing comes after its last card."),
        "match-over": _("The match had ended before this deal."),
        "result-differs": _("The result that is claimed is not the one that was played."),
        "proof-differs": _("The proof does not fit: secret, commitment, first dealer or a deck."),
    }.get(code, _("This is not a record as the format says."))
