"""The pages of tournaments. Each door is one service call: read the form, call, answer."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.digits import fold_digits
from accounts.models import User
from accounts.text import isolate
from tournaments import codes, queries
from tournaments.asked import read_asked
from tournaments.entry_forms import EntryForm
from tournaments.field import place_in_line
from tournaments.models import Entry, Tournament
from tournaments.pages import Page
from tournaments.services import check_in as checking
from tournaments.services import entry as entries
from tournaments.services import rulings, teams
from tournaments.services.log import is_organiser
from tournaments.services.permissions import is_seen_by
from tournaments.services.refusals import Refused

TABS = ("overview", "bracket", "standings", "schedule", "results", "entrants", "rules")
LISTED_FINISHED = 50


def reader(request: HttpRequest) -> User | None:
    """Who looks at a page, if he is known."""
    return request.user if isinstance(request.user, User) else None


@require_safe
@never_cache
def listing(request: HttpRequest) -> HttpResponse:
    user = reader(request)
    context = {
        "upcoming": queries.upcoming(),
        "running": queries.running(),
        "finished": queries.finished()[:LISTED_FINISHED],
        "hidden": queries.out_of_sight(user) if user else (),
        "invitations": queries.invitations(user) if user else (),
        "awaited": queries.awaited_tables(user) if user else (),
    }
    return render(request, "tournaments/list.html", context)


@require_safe
@never_cache
def page(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = find(request, slug)
    if codes.code_of(request, tournament) and "code" in request.GET:
        # Remembered: it need not stand in the address, which people pass on.
        query = request.GET.copy()
        del query["code"]
        return redirect(f"{request.path}?{query.urlencode()}" if query else request.path)
    return show(request, tournament)


def find(request: HttpRequest, slug: str) -> Tournament:
    """The tournament of an address; 404 also for who may not know of it. Its code opens a private one."""
    tournament = get_object_or_404(Tournament.objects.select_related("organiser"), slug=slug)
    has_code = codes.has_code(request, tournament)
    if not has_code and not is_seen_by(tournament, request.user):
        raise Http404
    return in_its_zone(tournament)


def in_its_zone(tournament: Tournament) -> Tournament:
    """The tournament; from here on its own zone is the page's."""
    timezone.activate(ZoneInfo(tournament.time_zone))
    return tournament


def _first_tab(shown: Page) -> str:
    # Before the start and after the end the overview says most: who has entered, who has won.
    return "bracket" if shown.started and not shown.champion else "overview"


def show(request: HttpRequest, tournament: Tournament, *, status: int = 200, **more: Any) -> HttpResponse:
    """The page of a tournament, or with `?part=live` only what changes on it."""
    shown = Page(tournament, reader(request), read_asked(request.GET))
    tab = request.GET.get("tab", "")
    context = {
        "page": shown,
        "tournament": tournament,
        "tab": tab if tab in TABS else _first_tab(shown),
        "fragment": fragment_of(request, tab=request.GET.get("tab", "") or _first_tab(shown)),
        "partner_form": EntryForm(tournament, code=codes.code_of(request, tournament)),
        "organises": is_organiser(tournament, request.user),
        "error": None,
    }
    template = "tournaments/live.html" if request.GET.get("part") == "live" else "tournaments/page.html"
    return render(request, template, context | more, status=status)


def fragment_of(request: HttpRequest, **more: str) -> str:
    """The query of the address that answers with what changes on the page that is asked for."""
    query = request.GET.copy()
    for name, value in {"part": "live", **more}.items():
        query[name] = value
    return query.urlencode()


@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """The tournament as a file."""
    tournament = find(request, slug)
    response = JsonResponse(queries.event(tournament), json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Content-Disposition"] = f'inline; filename="tournament-{tournament.pk}.json"'
    return response


Door = Callable[[HttpRequest, Tournament, User], HttpResponse]


def door(act: Door) -> Callable[[HttpRequest, str], HttpResponse]:
    """A view that does one thing: POST by who is logged in; a refusal shows the page again, saying why."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @login_required
    @wraps(act)
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        tournament = find(request, slug)
        # Who had to log in first arrives here by GET: the page has the button again.
        if request.method != "POST":
            return redirect(tournament)
        assert isinstance(request.user, User)
        try:
            return act(request, tournament, request.user)
        except Entry.DoesNotExist as unknown:
            raise Http404 from unknown
        except Refused as refusal:
            tournament.refresh_from_db()
            return show(request, tournament, status=400, error=refusal)

    return view


@door
def enter(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    form = EntryForm(tournament, request.POST)
    if not form.is_valid():
        return show(request, tournament, status=400, partner_form=form)
    partner: User = form.cleaned_data["partner"]
    try:
        # Whether it is right the service says; here wrong ones are counted.
        codes.try_code(request, tournament, form.cleaned_data.get("code", ""))
    except codes.TooManyGuesses:
        form.add_error("code", _("Too many wrong codes. Wait a minute, then try again."))
        return show(request, tournament, status=429, partner_form=form)
    try:
        made = entries.enter(tournament_id=tournament.pk, user=user, now=timezone.now(), **form.said())
    except Refused as refusal:
        form.add_error(form.field_of(refusal.code), str(refusal))
        return show(request, tournament, status=400, partner_form=form)
    asked, in_ = _("%(partner)s was asked. You are in once they accept."), _("You are in, with %(partner)s.")
    said = in_ if made.accepted_at else asked
    messages.success(request, said % {"partner": isolate(partner.username)})
    return redirect(tournament)


@door
def accept(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    number = entry_number(request, tournament, user)
    entry = entries.accept(tournament_id=tournament.pk, entry_number=number, user=user, now=timezone.now())
    line = place_in_line(tournament, entry)
    waits = _("All places are taken: you are number %(place)s on the waiting list.") % {"place": line}
    messages.success(request, waits if line else _("You are in."))
    return redirect(tournament)


@door
def decline(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    number = entry_number(request, tournament, user)
    entries.decline(tournament_id=tournament.pk, entry_number=number, user=user, now=timezone.now())
    return redirect(tournament)


@door
def check_in(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    entry = checking.check_in(tournament_id=tournament.pk, user=user, now=timezone.now())
    if entry.checked_in_at:
        messages.success(request, _("You are checked in."))
    else:
        messages.info(request, _("This tournament needs no check-in: your place is kept."))
    return redirect(tournament)


@door
def withdraw(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    # A third player who rests leaves alone: the other two stay.
    if tournament.members.filter(user=user, active=True, place=2, plays=False).exists():
        teams.drop_third(tournament_id=tournament.pk, user=user, now=timezone.now())
        return redirect(tournament)
    rulings.leave(tournament_id=tournament.pk, user=user, now=timezone.now())
    messages.success(request, _("Your pair has withdrawn."))
    return redirect(tournament)


def entry_number(request: HttpRequest, tournament: Tournament, user: User) -> int:
    """The entry that is meant, by its number ("e3", "3"); without a word of it the only invitation there is."""
    text = fold_digits(request.POST.get("entry", "")).strip().removeprefix("e")
    if text.isdigit() and len(text) < 10:
        return int(text)
    asked = queries.invitations(user).filter(tournament=tournament)
    if text or len(asked) != 1:
        raise Entry.DoesNotExist
    return asked[0].number
