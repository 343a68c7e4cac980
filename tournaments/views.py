"""The pages of tournaments. Each door is one service call: read the form, call, answer."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.digits import fold_digits
from accounts.models import User
from accounts.text import isolate
from tournaments import queries
from tournaments.forms import PartnerForm, TournamentForm
from tournaments.models import Entry, Tournament
from tournaments.pages import Page
from tournaments.services import entry as entries
from tournaments.services import rulings
from tournaments.services.log import is_organiser
from tournaments.services.refusals import SENTENCES, Refused

TABS = ("overview", "bracket", "standings", "entrants", "rules")
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
        "invitations": queries.invitations(user) if user else (),
        "awaited": queries.awaited_tables(user) if user else (),
    }
    return render(request, "tournaments/list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    if request.user.is_guest:
        messages.warning(request, str(SENTENCES["guests-cannot-organise"]))
        return redirect(f"{reverse('account_keep')}?{urlencode({'next': request.path})}")
    if request.method != "POST":
        return render(request, "tournaments/new.html", {"form": TournamentForm()})
    form = TournamentForm(request.POST)
    if not form.is_valid():
        return render(request, "tournaments/new.html", {"form": form}, status=400)
    made = entries.create(organiser=request.user, now=timezone.now(), **form.settings())
    return redirect(made)


@require_safe
@never_cache
def page(request: HttpRequest, slug: str) -> HttpResponse:
    return show(request, get_object_or_404(Tournament.objects.select_related("organiser"), slug=slug))


def _first_tab(shown: Page) -> str:
    # Before the start and after the end the overview says most: who has entered, who has won.
    return "bracket" if shown.started and not shown.champion else "overview"


def show(request: HttpRequest, tournament: Tournament, *, status: int = 200, **more: Any) -> HttpResponse:
    """The page of a tournament, or with `?part=live` only what changes on it."""
    shown = Page(tournament, reader(request), first=_first_round(request))
    tab = request.GET.get("tab", "")
    context = {
        "page": shown,
        "tournament": tournament,
        "tab": tab if tab in TABS else _first_tab(shown),
        "partner_form": PartnerForm(),
        "organises": is_organiser(tournament, request.user),
        "error": None,
    }
    template = "tournaments/live.html" if request.GET.get("part") == "live" else "tournaments/page.html"
    return render(request, template, context | more, status=status)


def _first_round(request: HttpRequest) -> int | None:
    text = request.GET.get("from", "")
    return int(text) if text.isdecimal() and len(text) < 3 else None


@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """The tournament as a file."""
    tournament = get_object_or_404(Tournament, slug=slug)
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
        tournament = get_object_or_404(Tournament.objects.select_related("organiser"), slug=slug)
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
    form = PartnerForm(request.POST)
    if not form.is_valid():
        return show(request, tournament, status=400, partner_form=form)
    partner: User = form.cleaned_data["partner"]
    try:
        made = entries.enter(tournament_id=tournament.pk, user=user, partner=partner, now=timezone.now())
    except Refused as refusal:
        form.add_error("partner", str(refusal))
        return show(request, tournament, status=400, partner_form=form)
    asked, in_ = _("%(partner)s was asked. You are in once they accept."), _("You are in, with %(partner)s.")
    said = in_ if made.accepted_at else asked
    messages.success(request, said % {"partner": isolate(partner.username)})
    return redirect(tournament)


@door
def accept(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    number = entry_number(request, tournament, user)
    entries.accept(tournament_id=tournament.pk, entry_number=number, user=user, now=timezone.now())
    messages.success(request, _("You are in."))
    return redirect(tournament)


@door
def decline(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    number = entry_number(request, tournament, user)
    entries.decline(tournament_id=tournament.pk, entry_number=number, user=user, now=timezone.now())
    return redirect(tournament)


@door
def check_in(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    entries.check_in(tournament_id=tournament.pk, user=user)
    messages.info(request, _("This tournament needs no check-in: your place is kept."))
    return redirect(tournament)


@door
def withdraw(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
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
