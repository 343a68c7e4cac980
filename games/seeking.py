"""The doors of quick match: seek, stay, agree to be a partner, stop. The page asks again for how it stands."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games import waiting
from games.forms import QuickForm, quick_initial, quick_memory
from games.gathering import in_short, player_of, reader_of, wants_json
from games.services import quick
from games.services.refusals import Refused

MEMORY_COOKIE = "quick"
MEMORY_SECONDS = 365 * 86400


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def quick_match(request: HttpRequest) -> HttpResponse:
    reader = reader_of(request)
    if request.method == "POST":
        return _seek(request)
    if request.GET.get("part") == "now":
        return _standing(request, reader)
    if reader is not None:
        quick.seen(user=reader, now=timezone.now())
    return _quick_page(request, QuickForm(initial=_beginning(request), reader=reader))


def _beginning(request: HttpRequest) -> dict[str, Any]:
    """What the form begins with: as last time, and what a link says of others who wait or of a partner."""
    remembered = quick_initial(request.COOKIES.get(MEMORY_COOKIE, ""))
    asked = [request.GET.get(name, "") for name in ("ruleset", "speed", "rated")]
    linked = quick_initial(".".join(asked))
    linked.pop("bots", None)
    partner = request.GET.get("partner", "")[:64]
    return remembered | linked | ({"partner": partner} if partner else {})


@login_required
def _seek(request: HttpRequest) -> HttpResponse:
    user = player_of(request)
    form = QuickForm(request.POST, reader=user)
    if not form.is_valid():
        return _quick_page(request, form, status=400)
    try:
        wish = quick.seek(user=user, now=timezone.now(), **form.cleaned_data)
    except Refused as refused:
        return _refused_quick(request, form, refused)
    response = redirect(wish.table) if wish.table else redirect("quick")
    memory = quick_memory(form.cleaned_data)
    response.set_cookie(MEMORY_COOKIE, memory, max_age=MEMORY_SECONDS, samesite="Lax", httponly=True)
    return response


def _refused_quick(request: HttpRequest, form: QuickForm, refused: Refused) -> HttpResponse:
    form.add_error(
        "rated" if refused.code in ("at-another-table", "guests-only-casual") else None, str(refused)
    )
    return _quick_page(request, form, status=400)


def _quick_page(request: HttpRequest, form: QuickForm, status: int = 200) -> HttpResponse:
    reader = reader_of(request)
    bound = quick.engaged_table(reader) if reader else None
    context = _now(reader) | {"form": form, "engaged": bound, "ended": request.GET.get("ended", "")}
    return render(request, "games/quick.html", context, status=status)


def _now(reader: User | None) -> dict[str, Any]:
    now = timezone.now()
    return {
        "standing": waiting.standing(reader, now=now) if reader else waiting.Standing("none"),
        "asks": list(waiting.asks(reader, now=now)) if reader else [],
        "crowds": waiting.crowds(now=now),
    }


def _standing(request: HttpRequest, reader: User | None) -> HttpResponse:
    found = _now(reader)
    if wants_json(request):
        return JsonResponse(_as_json(found["standing"]))
    return render(request, "games/quick_now.html", found)


def _as_json(standing: waiting.Standing) -> dict[str, Any]:
    return {
        "state": standing.state,
        "table": standing.table.code if standing.table else None,
        "partner": standing.partner.username if standing.partner else None,
        "waited_seconds": standing.waited_seconds,
        "people": standing.people,
    }


@never_cache
@require_POST
@login_required
def seen(request: HttpRequest) -> HttpResponse:
    user = player_of(request)
    quick.seen(user=user, leaving=request.POST.get("leaving") == "1", now=timezone.now())
    return _standing(request, user)


@require_POST
@login_required
def stop(request: HttpRequest) -> HttpResponse:
    quick.stop(user=player_of(request))
    return redirect("quick")


@require_POST
@login_required
def answer(request: HttpRequest) -> HttpResponse:
    number, yes = request.POST.get("seek", ""), request.POST.get("answer") == "yes"
    if not number.isascii() or not number.isdigit() or len(number) > 18:
        raise Http404
    user = player_of(request)
    try:
        wish = quick.answer(user=user, seek_id=int(number), yes=yes, now=timezone.now())
    except Refused as refused:
        if wants_json(request):
            return in_short(refused)
        return _refused_quick(request, _unbound(request, user), refused)
    if wants_json(request):
        return JsonResponse({"message": ""})
    return redirect(wish.table) if wish and wish.table else redirect("quick")


def _unbound(request: HttpRequest, user: User) -> QuickForm:
    """The form as it was last filled in, so that a refusal can stand on it."""
    initial = quick_initial(request.COOKIES.get(MEMORY_COOKIE, "")) or {
        "ruleset": "kotchina",
        "speed": "normal",
    }
    form = QuickForm({key: value for key, value in initial.items() if value}, reader=user)
    form.is_valid()
    return form
