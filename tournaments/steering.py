"""Doors of a tournament that runs: a result confirmed or entered, everything paused, rounds opened, a plan accepted."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from accounts.digits import fold_digits
from accounts.models import User
from tournaments.forms import LAST_YEAR, skipped_words
from tournaments.models import Tournament
from tournaments.services import advancing, confirming, pauses, schedule, scoring
from tournaments.services.figures import FIGURES
from tournaments.services.permissions import may, role_of
from tournaments.services.refusals import Refused
from tournaments.services.verdicts import check_reached
from tournaments.views import Door, door
from tournaments.zones import SkippedTime, moment


def for_officials(act: Door) -> Callable[[HttpRequest, str], HttpResponse]:
    """The door, there only for officials; afterwards they are at their console again."""

    @wraps(act)
    def guarded(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
        if role_of(tournament, user) is None:
            raise Http404
        return act(request, tournament, user)

    return door(guarded)


def _back(tournament: Tournament, said: str, request: HttpRequest) -> HttpResponse:
    messages.success(request, said)
    return redirect("tournament_organise", tournament.slug)


@door
def confirm(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    """`pairing`, and `score` as it was seen: "31:12"."""
    confirming.confirm(
        tournament_id=tournament.pk,
        pairing=request.POST.get("pairing", ""),
        user=user,
        score=_score(request.POST.get("score", "")),
        now=timezone.now(),
    )
    messages.success(request, _("You have confirmed the result."))
    at_console = request.POST.get("from") == "console" and may(tournament, user, "console")
    return redirect("tournament_organise", tournament.slug) if at_console else redirect(tournament)


def _score(text: str) -> list[int] | None:
    parts = fold_digits(text).replace(" ", "").split(":")
    try:
        return [int(part) for part in parts] if text else None
    except ValueError:
        raise Refused("malformed") from None


@for_officials
def pause(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    reason = request.POST.get("reason", "")[:300]
    pauses.pause(tournament_id=tournament.pk, actor=user, reason=reason, now=timezone.now())
    return _back(tournament, _("Everything stands still."), request)


@for_officials
def resume(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    pauses.resume(tournament_id=tournament.pk, actor=user, now=timezone.now())
    return _back(tournament, _("The tournament goes on."), request)


@for_officials
def accept_plan(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    reason = request.POST.get("reason", "")[:300]
    advancing.accept_plan(tournament_id=tournament.pk, actor=user, reason=reason, now=timezone.now())
    return _back(tournament, _("The tables are as the plan says."), request)


@for_officials
def open_round(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    key = request.POST.get("round", "")
    schedule.open_round(tournament_id=tournament.pk, actor=user, key=key, now=timezone.now())
    return _back(tournament, _("The round is open."), request)


@for_officials
def round_time(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    """`round`, and `starts_at` by the clocks of the tournament's time zone; empty: no hour."""
    schedule.set_round_time(
        tournament_id=tournament.pk,
        actor=user,
        key=request.POST.get("round", ""),
        starts_at=_hour(request.POST.get("starts_at", ""), tournament),
        now=timezone.now(),
    )
    return _back(tournament, _("Saved."), request)


def _hour(typed: str, tournament: Tournament) -> datetime | None:
    text = fold_digits(typed).strip()
    if not text:
        return None
    try:
        local = parse_datetime(text)
        if local is None or local.tzinfo is not None:
            raise Refused("malformed")
        if local.year > LAST_YEAR:
            raise Refused("malformed")
        return moment(local, ZoneInfo(tournament.time_zone), later=False)
    except SkippedTime as error:
        raise Refused("skipped-time", why=skipped_words(error)) from error
    except (ValueError, OverflowError):
        raise Refused("malformed") from None


def _result(request: HttpRequest) -> dict[str, object]:
    kind = request.POST.get("kind", "")
    if kind == "no-result":
        return {"kind": kind}
    gainer = fold_digits(request.POST.get("last_gainer", ""))
    if kind.startswith("draw-"):
        kind, _dash, gainer = kind.partition("-")
    result: dict[str, object] = {"kind": kind, "score": _sides(request, "score")}
    if kind == "draw":
        result["last_gainer"] = int(gainer) if gainer in ("0", "1") else None
    counted = {name: _sides(request, name) for name in FIGURES}
    return result | {name: figures for name, figures in counted.items() if figures is not None}


def _sides(request: HttpRequest, name: str) -> list[int] | None:
    """What is given of both sides, as "31:12" or in two fields; None where nothing is."""
    parts = [request.POST.get(f"{name}_{side}", "") for side in (0, 1)]
    return _score(request.POST.get(name) or (":".join(parts) if any(parts) else ""))


@for_officials
def score(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    """`pairing`, `kind`, `score` as "31:12" or `score_0` and `score_1`; for a draw also `last_gainer`, 0 or 1.

    `kind` may hold the gainer too, as a button can: "draw-1". With "no-result" there are no points. If wanted
    `deals` and `contracts` as "5:3", where tie-breaks count them.
    """
    result = _result(request)
    check_reached(tournament, result)
    seen = fold_digits(request.POST.get("seen", ""))
    scoring.enter_result(
        tournament_id=tournament.pk,
        actor=user,
        pairing=request.POST.get("pairing", ""),
        result=result,
        reason=request.POST.get("reason", "")[:300],
        seen=int(seen) if seen.isdecimal() else None,
        now=timezone.now(),
    )
    return _back(tournament, _("The result is entered."), request)
