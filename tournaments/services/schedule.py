"""When rounds begin: an organiser sets a round's hour, or opens it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from tournaments.formats.names import read_name
from tournaments.live import ring_after_commit
from tournaments.models import RoundTime, State, Tournament
from tournaments.queries import plan_of
from tournaments.services.advancing import PLAYED, advance_tournament
from tournaments.services.log import locked, record_act
from tournaments.services.pace import names
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused

LONGEST = 12
OVER = (State.FINISHED, State.CERTIFIED, State.ARCHIVED, State.CANCELLED)


@transaction.atomic(durable=True)
def set_round_time(
    *, tournament_id: int, actor: User, key: str, starts_at: datetime | None, now: datetime
) -> RoundTime:
    """The round with its hour; None: it has none. Tables that are open already are left alone.

    Raises: Refused `not-organiser`, `not-your-role`, `already-over`, `unknown-round`, `round-open`.
    """
    tournament = _asked(tournament_id, actor)
    round_ = _round(tournament, key)
    if round_.opened_at is not None:
        raise Refused("round-open")
    if round_.pk and round_.starts_at == starts_at:
        return round_
    before, round_.starts_at = round_.starts_at, starts_at
    round_.save()
    record_act(
        tournament,
        "round-time",
        actor=actor,
        now=now,
        subject=key,
        before=None if before is None else before.isoformat(),
        after=None if starts_at is None else starts_at.isoformat(),
        is_public=True,
    )
    _move_on(tournament, now)
    return round_


@transaction.atomic(durable=True)
def open_round(*, tournament_id: int, actor: User, key: str, now: datetime) -> RoundTime:
    """The round, open from now on whatever its hour: its pairings get tables as their sides are free.

    Opening it again changes nothing.
    Raises: Refused `not-organiser`, `not-your-role`, `already-over`, `unknown-round`.
    """
    tournament = _asked(tournament_id, actor)
    round_ = _round(tournament, key)
    if round_.opened_at is not None:
        return round_
    round_.opened_at = now
    if round_.starts_at is not None:
        round_.starts_at = min(round_.starts_at, now)
    round_.save()
    record_act(tournament, "open-round", actor=actor, now=now, subject=key, is_public=True)
    _move_on(tournament, now)
    return round_


def _asked(tournament_id: int, actor: User) -> Tournament:
    tournament = locked(tournament_id)
    require(tournament, actor, "rounds")
    if tournament.state in OVER:
        raise Refused("already-over")
    return tournament


def _round(tournament: Tournament, key: str) -> RoundTime:
    """The round of that name. Before the start nobody knows which there will be: any that can be is taken."""
    times = {time.key: time for time in tournament.rounds.all()}
    is_planned = tournament.state in PLAYED
    if not (key in names(times, plan_of(tournament).pairings) if is_planned else _is_name(key)):
        raise Refused("unknown-round")
    return times.get(key) or RoundTime(tournament=tournament, key=key)


def _is_name(key: str) -> bool:
    try:
        name = read_name(key)
    except ValueError:
        return False
    return name.key == key and len(key) <= LONGEST


def _move_on(tournament: Tournament, now: datetime) -> None:
    if tournament.state in PLAYED:
        advance_tournament(tournament, now)
    ring_after_commit(tournament)
