"""What the address of a tournament's page asks for; what makes no sense is as if it were not there."""

from dataclasses import dataclass

from django.http import QueryDict

from accounts.digits import fold_digits

LONGEST = 60


@dataclass(frozen=True, slots=True)
class Asked:
    """`stage`: a stage's number, -1 without a word of it. `root`, `round`, `of`, `road` are ids of the file."""

    stage: int = -1
    view: str = ""
    root: str = ""
    round: str = ""
    road: str = ""
    of: str = ""
    search: str = ""
    whole: bool = False
    page: int = 1
    has_page: bool = False
    before: int | None = None


def read_asked(query: QueryDict) -> Asked:
    """What a query string asks for."""
    page = _number(query.get("page", ""))
    stage = _number(query.get("stage", ""))
    return Asked(
        -1 if stage is None else stage,
        _short(query.get("view", "")),
        _short(query.get("root", "")),
        _short(query.get("round", "")),
        _short(query.get("road", "")),
        _short(query.get("of", "")),
        query.get("q", "").strip()[:LONGEST],
        "whole" in query,
        page or 1,
        page is not None,
        _number(query.get("before", "")),
    )


def _short(text: str) -> str:
    return text if len(text) <= 20 else ""


def _number(text: str) -> int | None:
    text = fold_digits(text)
    return int(text) if text.isdecimal() and len(text) < 9 else None
