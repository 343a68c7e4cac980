"""The pages of ratings: the boards, a pair, and one's own standing with what one may say against a ban."""

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import sanctions
from accounts.models import Pair, Rating, Sanction, Scope, User
from games import boards, strength
from games.models import Ruleset
from games.services.bans import BANS
from games.services.counting import LENT_SHARE
from games.services.reliability import reliability_of
from games.speeds import SPEEDS
from games.standing import strengths_of, together

SANCTIONS_SHOWN = 50


def _reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    choice = boards.Choice.read(request.GET, now)
    context = {
        "board": boards.board(choice, request.GET.get("page", 1), _reader(request), now),
        "choice": choice,
        "kinds": boards.KINDS,
        "rulesets": Ruleset.choices,
        "speeds": (strength.ALL, *SPEEDS),
        "seasons": [(key, *key.split("-")) for key in boards.seasons(now)],
        "address": choice.address,
        "season_matches": strength.SEASON_MATCHES,
        "team": boards.TEAM,
        "lent_percent": round(100 * LENT_SHARE),
    }
    return render(request, "games/ratings.html", context)


@require_safe
def pair(request: HttpRequest, number: int) -> HttpResponse:
    found = get_object_or_404(Pair.objects.select_related("first", "second"), pk=number)
    if found.first.closed_at or found.second.closed_at:
        raise Http404
    now = timezone.now()
    asked = request.GET.get("rating", "")
    context = {
        "pair": found,
        "strengths": strengths_of(Rating.objects.filter(pair=found), asked, now),
        "together": together(found, _reader(request)),
    }
    return render(request, "games/pair.html", context)


@require_safe
@never_cache
@login_required
def standing(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    now = timezone.now()
    context = {
        "reliability": reliability_of(request.user, now),
        "sanctions": [
            {"sanction": one, "stands": _stands(one, now)}
            for one in sanctions.of(request.user)[:SANCTIONS_SHOWN]
        ],
        "bans": BANS,
    }
    return render(request, "games/standing.html", context)


def _stands(sanction: Sanction, now: datetime) -> bool:
    until = sanction.until
    return sanction.scope != Scope.WARNING and sanction.lifted_at is None and (until is None or until > now)


@require_POST
@login_required
def appeal(request: HttpRequest, number: int) -> HttpResponse:
    assert isinstance(request.user, User)
    try:
        sanctions.appeal(number, user=request.user, text=request.POST.get("text", ""), now=timezone.now())
    except sanctions.NotDone as refused:
        if refused.code == "not-yours":
            raise Http404 from None
        messages.error(request, str(refused))
    else:
        messages.success(request, _("What you say has arrived. Somebody will look at it and answer here."))
    return redirect("standing")
