"""When rounds begin: an organiser sets a round's hour, or opens it."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from tournaments.formats.names import read_name, round_key
from tournaments.live import ring_after_commit
from tournaments.models import RoundTime, State, Tournament
from tournaments.queries import plan_of
from tournaments.services.actions import check
from tournaments.services.advancing import PLAYED, advance_tournament
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused
from tournaments.services.repairing import swiss_stages

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
    check(actor, tournament, "round-time", now=now)
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
    check(actor, tournament, "open-round", now=now)
    hour, round_.opened_at = round_.starts_at, now
    if round_.starts_at is not None:
        round_.starts_at = min(round_.starts_at, now)
    round_.save()
    record_act(
        tournament,
        "open-round",
        actor=actor,
        now=now,
        subject=key,
        before=None if hour is None else hour.isoformat(),
        after=now.isoformat(),
        is_public=True,
    )
    _move_on(tournament, now)
    return round_


def _asked(tournament_id: int, actor: User) -> Tournament:
    tournament = locked(tournament_id)
    require(tournament, actor, "rounds")
    if tournament.state in OVER:
        raise Refused("already-over")
    return tournament


def _round(tournament: Tournament, key: str) -> RoundTime:
    """The round of that name, there already or to come."""
    times = {time.key: time for time in tournament.rounds.all()}
    if key in times:
        return times[key]
    if not _may_come(tournament, key) and not (tournament.state in PLAYED and _is_planned(tournament, key)):
        raise Refused("unknown-round")
    return RoundTime(tournament=tournament, key=key)


def _is_planned(tournament: Tournament, key: str) -> bool:
    return any(round_key(pairing.id) == key for pairing in plan_of(tournament).pairings)


def _may_come(tournament: Tournament, key: str) -> bool:
    """Whether a round may yet be made: before the start any, later those of a Swiss and of further stages."""
    if not _is_name(key):
        return False
    if tournament.state not in PLAYED:
        return True
    name = read_name(key)
    if name.stage in swiss_stages(tournament):
        return name.part == "R"
    return 1 < name.stage <= len(tournament.settings.get("stages", ()))


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
