"""The organiser's doors: start, call off, decide. To everybody else they are not there."""

from functools import wraps

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from tournaments.console import Console
from tournaments.forms import DecisionForm
from tournaments.models import Tournament
from tournaments.services import entry as entries
from tournaments.services import rounds, rulings
from tournaments.services.log import is_organiser
from tournaments.services.refusals import Refused
from tournaments.views import Door, door, entry_number


def for_organisers(act: Door) -> Door:
    """The door, there only for who organises the tournament."""

    @wraps(act)
    def guarded(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
        if not is_organiser(tournament, user):
            raise Http404
        return act(request, tournament, user)

    return guarded


@door
@for_organisers
def start(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    rounds.start(tournament_id=tournament.pk, actor=user, now=timezone.now())
    messages.success(request, _("The tournament has started. The tables are open."))
    return redirect(tournament)


@door
@for_organisers
def cancel(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    reason = request.POST.get("reason", "")[:300]
    rounds.cancel(tournament_id=tournament.pk, actor=user, reason=reason, now=timezone.now())
    return redirect(tournament)


@door
@for_organisers
def remove(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    number = entry_number(request, tournament, user)
    entries.remove(tournament_id=tournament.pk, entry_number=number, actor=user, now=timezone.now())
    return redirect("tournament_organise", tournament.slug)


def _organised(request: HttpRequest, slug: str) -> Tournament:
    tournament = get_object_or_404(Tournament.objects.select_related("organiser"), slug=slug)
    if not is_organiser(tournament, request.user):
        raise Http404
    return tournament


@require_safe
@never_cache
def console(request: HttpRequest, slug: str) -> HttpResponse:
    return _console(request, _organised(request, slug))


def _console(
    request: HttpRequest,
    tournament: Tournament,
    *,
    error: Refused | None = None,
    form: DecisionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "page": Console(tournament, None),
        "tournament": tournament,
        "error": error,
        "typed": form.data if form else {},
    }
    return render(request, "tournaments/organise.html", context, status=status)


@never_cache
def decide(request: HttpRequest, slug: str) -> HttpResponse:
    """A decision: GET shows what it would change, POST makes it."""
    tournament = _organised(request, slug)
    data = request.POST if request.method == "POST" else request.GET
    form = DecisionForm(data)
    if not form.is_valid():
        return _refused(request, tournament, form, data, Refused("malformed"))
    try:
        if request.method == "POST":
            return _decided(request, tournament, form)
        return _previewed(request, tournament, form, data)
    except Refused as refusal:
        return _refused(request, tournament, form, data, refusal)


def _decided(request: HttpRequest, tournament: Tournament, form: DecisionForm) -> HttpResponse:
    assert isinstance(request.user, User)
    item = rulings.with_sides(tournament, form.item())
    token = form.cleaned_data["token"]
    rulings.decide(
        tournament_id=tournament.pk, actor=request.user, item=item, token=token, now=timezone.now()
    )
    messages.success(request, _("Decided."))
    return redirect("tournament_organise", tournament.slug)


def _refused(
    request: HttpRequest, tournament: Tournament, form: DecisionForm, data: QueryDict, refusal: Refused
) -> HttpResponse:
    if refusal.code == "moved-on":
        return _previewed(request, tournament, form, data, error=refusal, status=400)
    if refusal.code == "malformed" and form.is_about_points:
        refusal = Refused("points")
    return _console(request, tournament, error=refusal, form=form, status=400)


def _previewed(
    request: HttpRequest,
    tournament: Tournament,
    form: DecisionForm,
    data: QueryDict,
    *,
    error: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    shown = Console(tournament, None)
    item = rulings.with_sides(tournament, form.item())
    preview = rulings.preview(tournament=tournament, item=item)
    context = {
        "page": shown,
        "tournament": tournament,
        "sentence": shown.sentence(item),
        "changes": shown.changes(preview.before, preview.after, [change.pairing for change in preview.changes]),
        "crown": (preview.before.champion, preview.after.champion),
        "fields": form.kept(),
        "later": item.get("later", {}),
        "offers_later": item["type"] == "correct",
        "token": preview.token,
        "error": error,
    }
    return render(request, "tournaments/decide.html", context, status=status)
