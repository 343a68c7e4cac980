"""The end of a tournament on paper: certifying it, putting it away, and a sheet for each of the first three."""

from dataclasses import dataclass
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from tournaments import queries
from tournaments.course import course_of
from tournaments.models import Entry, ObjectionState, State, Tournament
from tournaments.services import certify as certifying
from tournaments.services.actions import Desk
from tournaments.services.permissions import may, role_of
from tournaments.services.refusals import Refused
from tournaments.views import Door, door, find, show

LAST_PLACE = 3
CERTIFIED = (State.CERTIFIED, State.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One certificate: a place, from 1, and who has it."""

    place: int
    entry: Entry
    names: tuple[str, ...]


def sheets(tournament: Tournament) -> list[Sheet]:
    """A sheet for each of the first three places, shared ones too; nobody who was sent away or left gets one."""
    entries = {entry.ident: entry for entry in queries.entrants(tournament)}
    placed = [
        (standing.rank, entries[standing.entrant])
        for standing in queries.plan_of(tournament).standings
        if standing.rank <= LAST_PLACE and standing.group is None
    ]
    return [
        Sheet(rank, entry, tuple(member.shown for member in entry.members.all()))
        for rank, entry in placed
        if entry.withdrawn_at is None
    ]


@require_safe
@never_cache
def certificate(request: HttpRequest, slug: str) -> HttpResponse:
    """All sheets, or with `?place=1` only those of a place; for everybody once the result is certified."""
    tournament = find(request, slug)
    if tournament.state not in CERTIFIED:
        raise Http404
    wanted = request.GET.get("place", "")
    shown = [sheet for sheet in sheets(tournament) if wanted in ("", str(sheet.place))]
    assert tournament.finished_at is not None
    context = {
        "tournament": tournament,
        "sheets": shown,
        "pairs": tournament.entries.filter(seed__isnull=False).count(),
        # The day as the organiser's calendar has it.
        "ended": tournament.finished_at.astimezone(ZoneInfo(tournament.time_zone)),
        # On paper it is read, not followed.
        "address": unquote(request.build_absolute_uri(tournament.get_absolute_url())),
    }
    return render(request, "tournaments/certificate.html", context)


def for_officials(act: Door) -> Door:
    """The door, there only for officials; which of them may, the service says."""

    def guarded(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
        if role_of(tournament, user) is None:
            raise Http404
        return act(request, tournament, user)

    return guarded


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def certify(request: HttpRequest, slug: str) -> HttpResponse:
    """How near the end is: what still keeps the result from being certified, and the button; then what comes next.

    POST certifies it; with `reason` also while a result may still be objected to.
    """
    assert isinstance(request.user, User)
    tournament = find(request, slug)
    if role_of(tournament, request.user) is None:
        raise Http404
    if request.method != "POST":
        if not may(tournament, request.user, "certify"):
            raise Http404
        return _show_end(request, tournament)
    reason = request.POST.get("reason", "")[:300]
    try:
        certifying.certify(tournament_id=tournament.pk, actor=request.user, reason=reason, now=timezone.now())
    except Refused as refusal:
        if not may(tournament, request.user, "certify"):
            return show(request, tournament, status=400, error=refusal)
        return _show_end(request, tournament, error=refusal, status=400)
    messages.success(request, _("The result is certified."))
    return redirect("tournament_certify", tournament.slug)


def _show_end(
    request: HttpRequest, tournament: Tournament, *, error: Refused | None = None, status: int = 200
) -> HttpResponse:
    assert isinstance(request.user, User)
    now = timezone.now()
    is_played = tournament.started_at is not None and tournament.state not in (*CERTIFIED, State.CANCELLED)
    rows = certifying.still_provisional(tournament, now) if is_played else []
    names = course_of(tournament).names if rows else None
    context = {
        "tournament": tournament,
        "acts": {action.kind for action in Desk(request.user, tournament, None, now=now).on_tournament()},
        "provisional": [(names.pairing(row.pairing), row) for row in rows] if names else [],
        "waiting": tournament.tables.filter(state__in=certifying.OPEN_TABLES).count() if is_played else 0,
        "objections": tournament.objections.filter(state=ObjectionState.OPEN).count(),
        "signed": tournament.acts.filter(kind="state", after=State.CERTIFIED).order_by("number").last(),
        "error": error,
    }
    return render(request, "tournaments/certify.html", context, status=status)


def _back(request: HttpRequest, tournament: Tournament, said: str) -> HttpResponse:
    messages.success(request, said)
    return redirect("tournament_certify", tournament.slug)


@door
@for_officials
def uncertify(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    reason = request.POST.get("reason", "")[:300]
    certifying.uncertify(tournament_id=tournament.pk, actor=user, reason=reason, now=timezone.now())
    return _back(request, tournament, _("The result is not certified any more and may be corrected."))


@door
@for_officials
def archive(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    certifying.archive(tournament_id=tournament.pk, actor=user, now=timezone.now())
    return _back(request, tournament, _("The tournament is in the archive. Its pages stay."))


@door
@for_officials
def unarchive(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    certifying.unarchive(tournament_id=tournament.pk, actor=user, now=timezone.now())
    return _back(request, tournament, _("The tournament is out of the archive."))
