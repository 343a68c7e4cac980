"""The end of a tournament on paper: certifying it, putting it away, and a sheet for each of the first three."""

from dataclasses import dataclass
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from tournaments import queries
from tournaments.models import Entry, State, Tournament
from tournaments.services import certify as certifying
from tournaments.services.permissions import role_of
from tournaments.views import Door, door, find

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


@door
@for_officials
def certify(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    certifying.certify(tournament_id=tournament.pk, actor=user, now=timezone.now())
    messages.success(request, _("The result is certified."))
    return redirect(tournament)


@door
@for_officials
def uncertify(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    reason = request.POST.get("reason", "")[:300]
    certifying.uncertify(tournament_id=tournament.pk, actor=user, reason=reason, now=timezone.now())
    messages.success(request, _("The result is not certified any more and may be corrected."))
    return redirect(tournament)


@door
@for_officials
def archive(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    certifying.archive(tournament_id=tournament.pk, actor=user, now=timezone.now())
    messages.success(request, _("The tournament is in the archive. Its pages stay."))
    return redirect(tournament)


@door
@for_officials
def unarchive(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    certifying.unarchive(tournament_id=tournament.pk, actor=user, now=timezone.now())
    return redirect(tournament)
