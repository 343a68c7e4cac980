"""A pair's own doors: its name, its third player, and which two of the three play."""

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.digits import fold_digits
from accounts.models import User
from accounts.text import isolate
from tournaments.entry_forms import TeamForm, ThirdForm
from tournaments.models import Entry, Tournament
from tournaments.services import teams
from tournaments.services.refusals import Refused
from tournaments.views import door, entry_number, show


@door
def describe(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    form = TeamForm(request.POST)
    if not form.is_valid():
        return show(request, tournament, status=400, error=_first_error(form))
    teams.describe(tournament_id=tournament.pk, user=user, now=timezone.now(), **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect(tournament)


@door
def ask_third(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    form = ThirdForm(request.POST)
    if not form.is_valid():
        return show(request, tournament, status=400, error=_first_error(form))
    third: User = form.cleaned_data["third"]
    teams.ask_third(tournament_id=tournament.pk, user=user, third=third, now=timezone.now())
    said = _("%(player)s was asked to be your third player.")
    messages.success(request, said % {"player": isolate(third.username)})
    return redirect(tournament)


@door
def drop_third(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    teams.drop_third(tournament_id=tournament.pk, user=user, now=timezone.now())
    return redirect(tournament)


@door
def substitute(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    """Which of the three rests: `rests` is the place, 0 to 2; `entry` the pair's number, for officials."""
    rests = fold_digits(request.POST.get("rests", "")).strip()
    if rests not in ("0", "1", "2"):
        raise Refused("malformed")
    teams.substitute(
        tournament_id=tournament.pk,
        entry_number=_which(request, tournament, user),
        user=user,
        rests=int(rests),
        reason=request.POST.get("reason", "")[:300],
        now=timezone.now(),
    )
    messages.success(request, _("Changed: the other two play."))
    return redirect(tournament)


def _which(request: HttpRequest, tournament: Tournament, user: User) -> int:
    if request.POST.get("entry"):
        return entry_number(request, tournament, user)
    own = tournament.entries.filter(members__user=user, members__active=True, withdrawn_at=None).first()
    if own is None:
        raise Entry.DoesNotExist
    return own.number


def _first_error(form: Form) -> str:
    return next(str(error) for errors in form.errors.values() for error in errors)
