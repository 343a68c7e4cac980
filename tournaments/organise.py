"""The organiser's doors: start, call off, decide. To everybody else they are not there."""

from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from tournaments.console import STATES, Console
from tournaments.console_parts import Search
from tournaments.decisions import Consequences
from tournaments.forms import DecisionForm
from tournaments.models import Objection, Tournament
from tournaments.services import entry as entries
from tournaments.services import objections, rounds, rulings
from tournaments.services.log import is_organiser
from tournaments.services.making_up import byes
from tournaments.services.permissions import may
from tournaments.services.refusals import Refused
from tournaments.services.trial import Trial
from tournaments.services.verdicts import check_reached
from tournaments.views import Door, door, entry_number, in_its_zone

# What nobody should have to guess the reason of.
WITH_REASON = ("rule", "correct", "disqualify", "adjust", "undo", "round")


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
    started = rounds.start(tournament_id=tournament.pk, actor=user, now=timezone.now())
    has_tables = started.tables.exists()
    messages.success(
        request,
        _("The tournament has started. The tables are open.")
        if has_tables
        else _("The tournament has started. No table is open yet."),
    )
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


def organised(request: HttpRequest, slug: str) -> Tournament:
    """The tournament, for its officials who have something to do; to everybody else it is not there."""
    tournament = in_its_zone(get_object_or_404(Tournament.objects.select_related("organiser"), slug=slug))
    if not may(tournament, request.user, "console"):
        raise Http404
    return tournament


@require_safe
@never_cache
def console(request: HttpRequest, slug: str) -> HttpResponse:
    return _console(request, organised(request, slug))


def _console(
    request: HttpRequest,
    tournament: Tournament,
    *,
    error: Refused | None = None,
    form: DecisionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    assert isinstance(request.user, User)
    asked = request.GET if form is None else _about(form)
    search = Search(
        words=asked.get("q", "")[:60],
        state=asked.get("state", "") if asked.get("state") in STATES else "",
        round=asked.get("round", "")[:12],
        page=asked.get("page", "")[:6],
        pairs_page=asked.get("pairs", "")[:6],
        objection=_objection(request),
    )
    context = {
        "page": Console(tournament, request.user, search=search),
        "tournament": tournament,
        "error": error,
        "typed": form.data if form else {},
        "states": STATE_WORDS,
        "query": urlencode(_query(search)),
        "answering": urlencode({"objection": search.objection}) if search.objection else "",
        "fragment": urlencode({**_query(search), **_leaves(search), "part": "live"}),
    }
    template = "organise_live" if asked.get("part") == "live" else "organise"
    return render(request, f"tournaments/{template}.html", context, status=status)


def _about(form: DecisionForm) -> dict[str, str]:
    """What to look for so that the match or the pair of a decision is shown."""
    return {"q": form.data.get("pairing") or form.data.get("entrant", "")}


def _query(search: Search) -> dict[str, str]:
    asked = {"q": search.words, "state": search.state, "round": search.round, "objection": search.objection}
    return {key: value for key, value in asked.items() if value}


def _leaves(search: Search) -> dict[str, str]:
    asked = {"page": search.page, "pairs": search.pairs_page}
    return {key: value for key, value in asked.items() if value}


STATE_WORDS = (
    ("matter", gettext_lazy("needs you")),
    ("live", gettext_lazy("in play")),
    ("ready", gettext_lazy("to be played")),
    ("held", gettext_lazy("to be confirmed")),
    ("done", gettext_lazy("decided")),
)


def _objection(request: HttpRequest) -> str:
    number = request.POST.get("objection") or request.GET.get("objection", "")
    return number if number.isascii() and number.isdecimal() and len(number) < 10 else ""


@never_cache
def decide(request: HttpRequest, slug: str) -> HttpResponse:
    """A decision: GET shows what it would change, POST makes it, or with `look` shows what follows from a choice."""
    tournament = organised(request, slug)
    assert isinstance(request.user, User)
    if not may(tournament, request.user, "decide"):
        raise Http404
    if request.method != "POST" and not request.GET:
        # Back from the choice of a language, or from the login: there is nothing left to show.
        return redirect("tournament_organise", tournament.slug)
    data = request.POST if request.method == "POST" else request.GET
    form = DecisionForm(data)
    if not form.is_valid():
        return _refused(request, tournament, form, Refused("malformed"))
    try:
        if request.method == "POST" and "look" not in request.POST:
            return _decided(request, tournament, form)
        return _previewed(request, tournament, form)
    except Refused as refusal:
        return _refused(request, tournament, form, refusal)
    except Objection.DoesNotExist as unknown:
        raise Http404 from unknown


def _decided(request: HttpRequest, tournament: Tournament, form: DecisionForm) -> HttpResponse:
    assert isinstance(request.user, User)
    item = rulings.with_sides(tournament, form.item())
    check_reached(tournament, item)
    if not form.cleaned_data["token"]:
        # Nobody decides without having seen what follows.
        return _previewed(request, tournament, form, error=Refused("chosen-anew"), status=400)
    if form.has_unread_points:
        raise Refused("points-given")
    objection, reason = _objection(request), form.cleaned_data["reason"]
    if item["type"] in WITH_REASON and not objection and not reason.strip():
        raise Refused("no-reason")
    decision = {
        "tournament_id": tournament.pk,
        "actor": request.user,
        "item": item,
        "also": _also(tournament, item, form),
        "token": form.cleaned_data["token"],
        "now": timezone.now(),
    }
    if objection:
        objections.uphold(number=int(objection), words=reason, **decision)
    else:
        rulings.decide(reason=reason, **decision)
    messages.success(request, _("Decided."))
    return redirect("tournament_organise", tournament.slug)


def _also(tournament: Tournament, item: rulings.Item, form: DecisionForm) -> list[Any]:
    """What comes with a decision: points, and places in later rounds without play."""
    return [*form.also(), *byes(tournament, item, form.byes)]


def _refused(
    request: HttpRequest, tournament: Tournament, form: DecisionForm, refusal: Refused
) -> HttpResponse:
    if refusal.code in ("moved-on", "nothing-said", "no-reason", "points-given"):
        return _previewed(request, tournament, form, error=refusal, status=400)
    if refusal.code == "malformed" and form.is_about_points:
        refusal = Refused("points")
    return _console(request, tournament, error=refusal, form=form, status=400)


def _previewed(
    request: HttpRequest,
    tournament: Tournament,
    form: DecisionForm,
    *,
    error: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    trial = Trial(tournament)
    item = rulings.with_sides(tournament, form.item(), trial)
    check_reached(tournament, item)
    if not form.has_chosen:
        item = rulings.suggested(tournament, item, trial)
    if form.has_unread_points and error is None:
        error, status = Refused("points-given"), 400
    assert isinstance(request.user, User)
    token = form.cleaned_data["token"]
    also = _also(tournament, item, form)
    is_own = rulings.check_neutral(tournament, request.user, [item, *also], trial)
    preview = rulings.preview(tournament=tournament, item=item, also=also, token=token, trial=trial)
    shown = Consequences(tournament, preview)
    if error is not None and error.code == "moved-on" and not shown.since and token != preview.token:
        # Nobody else did anything: what was chosen here changes what follows.
        error = Refused("chosen-anew") if form.has_chosen else error
    context = {
        "tournament": tournament,
        "shown": shown,
        "fields": form.kept(),
        "token": preview.token,
        "reason": form.cleaned_data["reason"],
        "given": form.typed_points(),
        "closing": len(preview.closing),
        "is_own": is_own,
        "needs_reason": item["type"] in WITH_REASON,
        "objection": _objection(request),
        "back": urlencode(_query(Search(words=_about(form)["q"], objection=_objection(request)))),
        "error": error,
    }
    return render(request, "tournaments/decide.html", context, status=status)
