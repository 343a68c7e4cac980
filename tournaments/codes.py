"""The code of a tournament, given in its link or to enter: who has it may look, and few guesses are free."""

import time
from collections.abc import Hashable

from django.http import HttpRequest

from games import limits
from tournaments.models import Access, State, Tournament
from tournaments.services.conditions import is_the_code


class TooManyGuesses(Exception):
    """Too many wrong codes lately: the next one is not looked at."""


def has_code(request: HttpRequest, tournament: Tournament) -> bool:
    """Whether the reader has the code: gives it in the address, `?code=`, or gave it before in this session.

    What is given is remembered; once the organiser changes the code, it no longer counts.
    """
    if tournament.access != Access.CODE or tournament.state == State.DRAFT:
        return False
    if code_of(request, tournament):
        return True
    try:
        return try_code(request, tournament, request.GET.get("code", ""))
    except TooManyGuesses:
        return False


def code_of(request: HttpRequest, tournament: Tournament) -> str:
    """The right code, where the reader gave it before; otherwise nothing."""
    given = str(request.session.get(_key(tournament), ""))
    return given if given and is_the_code(tournament, given) else ""


def try_code(request: HttpRequest, tournament: Tournament, code: str) -> bool:
    """Whether this is the code; it is then remembered.

    Raises: TooManyGuesses, by the user or by everybody at the address.
    """
    if not code.strip() or not tournament.entry_code:
        return False
    buckets = _buckets(request)
    now = time.monotonic()
    taken = [bucket for bucket in buckets if bucket.take(now)]
    is_right = len(taken) == len(buckets) and is_the_code(tournament, code)
    if is_right or len(taken) < len(buckets):
        for bucket in taken:
            bucket.give_back()
    if len(taken) < len(buckets):
        raise TooManyGuesses
    if is_right:
        request.session[_key(tournament)] = code
    return is_right


def _buckets(request: HttpRequest) -> list[limits.Bucket]:
    if getattr(request, "limits_lifted", False):
        return []
    now = time.monotonic()
    address = limits.place_of(request.META.get("REMOTE_ADDR") or "")
    asked: list[tuple[Hashable, limits.Rate]] = [(("code", address), limits.CODES.address)]
    if request.user.is_authenticated:
        asked.append((("code", request.user.pk), limits.CODES.user))
    return [limits.forms.of(who, rate, now) for who, rate in asked]


def _key(tournament: Tournament) -> str:
    return f"tournament-code-{tournament.pk}"
