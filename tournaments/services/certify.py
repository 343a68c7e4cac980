"""The end of a tournament: its result certified, and the whole put away; both can be taken back."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from tournaments.live import ring_after_commit
from tournaments.models import ObjectionState, PairingTable, State, TableState, Tournament
from tournaments.queries import plan_of
from tournaments.services.actions import check, is_provisional
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused

OPEN_TABLES = (TableState.OPEN, TableState.HELD)


@transaction.atomic(durable=True)
def certify(*, tournament_id: int, actor: User, reason: str = "", now: datetime) -> Tournament:
    """The finished tournament, its result certified by an organiser. Doing it twice changes nothing.

    `reason`: why it is done although some result may still be objected to; everybody can read it.
    Raises: Refused `not-organiser`, `not-your-role`, `not-over`, `results-open`, `objections-open`,
    `time-to-object`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "certify")
    if tournament.state in (State.CERTIFIED, State.ARCHIVED):
        return tournament
    check_certifiable(tournament)
    if not reason.strip() and still_provisional(tournament, now):
        raise Refused("time-to-object")
    check(actor, tournament, "certify", now=now)
    tournament.certified_at, tournament.certified_by = now, actor
    tournament.save(update_fields=["certified_at", "certified_by"])
    return _to(tournament, State.CERTIFIED, actor, now, reason=reason.strip())


def still_provisional(tournament: Tournament, now: datetime) -> list[PairingTable]:
    """The results that neither both sides nor an official confirmed, and that may still be objected to.

    Those that may be for longest come first.
    """
    rows = tournament.tables.filter(state=TableState.RECORDED, final_at__gt=now).order_by("-final_at", "pk")
    return [row for row in rows.select_related("table") if is_provisional(row, now)]


def check_certifiable(tournament: Tournament) -> None:
    """Raises: Refused `not-over`, `results-open`, `objections-open`."""
    if tournament.state != State.FINISHED:
        raise Refused("not-over")
    if tournament.tables.filter(state__in=OPEN_TABLES).exists() or not plan_of(tournament).finished:
        raise Refused("results-open")
    if tournament.objections.filter(state=ObjectionState.OPEN).exists():
        raise Refused("objections-open")


@transaction.atomic(durable=True)
def uncertify(*, tournament_id: int, actor: User, reason: str, now: datetime) -> Tournament:
    """The tournament, finished but not certified: a result may be corrected again. Everybody can read the reason.

    Raises: Refused `not-organiser`, `not-your-role`, `not-certified`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "certify")
    if tournament.state == State.FINISHED:
        return tournament
    if tournament.state != State.CERTIFIED:
        raise Refused("not-certified")
    check(actor, tournament, "uncertify", now=now)
    tournament.certified_at = tournament.certified_by = None
    tournament.save(update_fields=["certified_at", "certified_by"])
    return _to(tournament, State.FINISHED, actor, now, reason=reason)


@transaction.atomic(durable=True)
def archive(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The certified tournament, put away: its pages stay. Doing it twice changes nothing.

    Raises: Refused `not-organiser`, `not-your-role`, `not-certified`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "archive")
    if tournament.state == State.ARCHIVED:
        return tournament
    if tournament.state != State.CERTIFIED:
        raise Refused("not-certified")
    check(actor, tournament, "archive", now=now)
    return _to(tournament, State.ARCHIVED, actor, now)


@transaction.atomic(durable=True)
def unarchive(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """The tournament, out of the archive again. Doing it twice changes nothing.

    Raises: Refused `not-organiser`, `not-your-role`, `not-certified`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "archive")
    if tournament.state == State.CERTIFIED:
        return tournament
    if tournament.state != State.ARCHIVED:
        raise Refused("not-certified")
    check(actor, tournament, "unarchive", now=now)
    return _to(tournament, State.CERTIFIED, actor, now)


def _to(tournament: Tournament, state: State, actor: User, now: datetime, *, reason: str = "") -> Tournament:
    before, tournament.state = tournament.state, state
    tournament.save(update_fields=["state"])
    record_act(
        tournament,
        "state",
        actor=actor,
        now=now,
        before=before,
        after=str(state),
        reason=reason,
        is_public=True,
    )
    ring_after_commit(tournament)
    return tournament
