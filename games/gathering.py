"""How people come to a table: invitations by name, and its link as a code to photograph."""

import io
import time

import segno
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.text import isolate
from games import limits, pages, waiting
from games.models import Table
from games.services import invitations
from games.services.refusals import Refused

# Suggestions while one types: asked for at each pause of the fingers.
NAMES = limits.Rate(30, 2)


def reader_of(request: HttpRequest) -> User | None:
    """Who reads; None where nobody is logged in."""
    return request.user if isinstance(request.user, User) else None


def player_of(request: HttpRequest) -> User:
    """Who does something, behind a door that sends away who is not logged in."""
    assert isinstance(request.user, User), "who is not logged in was sent away"
    return request.user


def wants_json(request: HttpRequest) -> bool:
    """Whether a page that stays asks, not one that is left."""
    return request.accepts("application/json") and not request.accepts("text/html")


def in_short(refused: Refused) -> HttpResponse:
    """Why not, for a page that stays."""
    return JsonResponse({"code": refused.code, "message": str(refused)}, status=400)


# Invitations


@never_cache
@require_safe
@login_required
def news(request: HttpRequest) -> HttpResponse:
    user = player_of(request)
    found = waiting.news(user, now=timezone.now())
    if not wants_json(request):
        part = request.GET.get("part") == "news"
        if part:
            return render(request, "games/news.html", {"news": found})
        return render(request, "games/invitations.html", {"news": found, "told": waiting.told(user)})
    return JsonResponse(
        {
            "invitations": [
                {"id": one.pk, "by": one.by.username, "table": one.table.code} for one in found.invitations
            ],
            "asks": [{"seek": one.pk, "by": one.user.username} for one in found.asks],
            "declined": [
                {"id": one.pk, "by": one.to.username, "table": one.table.code} for one in found.declined
            ],
            "notices": [{"id": one.pk, "text": one.text, "url": one.url} for one in found.notices],
        }
    )


@never_cache
@require_safe
@login_required
def names(request: HttpRequest) -> HttpResponse:
    """Players of a name begun, for whoever looks for one: a few at a time, and not for harvesters."""
    user = player_of(request)
    if not getattr(request, "limits_lifted", False) and not limits.forms.take(
        [(("names", user.pk), NAMES)], time.monotonic()
    ):
        return JsonResponse({"names": []}, status=429)
    return JsonResponse({"names": waiting.suggested(request.GET.get("q", "")[:64], reader=user)})


@require_POST
@login_required
def accept(request: HttpRequest, number: int) -> HttpResponse:
    try:
        table = invitations.accept(user=player_of(request), invitation_id=number, now=timezone.now())
    except Refused as refused:
        return in_short(refused) if wants_json(request) else _lapsed(request, refused)
    return redirect(table)


@require_POST
@login_required
def decline(request: HttpRequest, number: int) -> HttpResponse:
    invitations.decline(user=player_of(request), invitation_id=number)
    if wants_json(request):
        return JsonResponse({"message": ""})
    return redirect(_back(request))


def _lapsed(request: HttpRequest, refused: Refused) -> HttpResponse:
    user = player_of(request)
    found = waiting.news(user, now=timezone.now())
    context = {"refusal": str(refused), "news": found, "told": waiting.told(user)}
    return render(request, "games/invitations.html", context, status=400)


def _back(request: HttpRequest) -> str:
    after = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(after, {request.get_host()}, require_https=request.is_secure())
    return after if safe else reverse("lobby")


def _table(code: str) -> Table:
    found = pages.table_at(code)
    if found is None:
        raise Http404
    return found


@login_required
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """Ask a player by name. A page that stays gets one sentence: `{"message": …}`, refused with a `code`."""
    found = _table(code)
    if request.method != "POST":
        return redirect("table_card", found.code)
    name = request.POST.get("name", "")
    try:
        asked = invitations.invite(
            table_code=found.code, user=player_of(request), name=name, now=timezone.now()
        )
    except Refused as refused:
        return in_short(refused) if wants_json(request) else _card(request, found, str(refused), name)
    if wants_json(request):
        sentence = gettext("%(name)s has been asked and can come at once.")
        return JsonResponse({"message": sentence % {"name": isolate(asked.username)}})
    return redirect("table_card", found.code)


# A table's link


@never_cache
@require_safe
def card(request: HttpRequest, code: str) -> HttpResponse:
    found = _table(code)
    return _card(request, found) if found.code == code else redirect("table_card", found.code)


def _card(request: HttpRequest, table: Table, refusal: str = "", name: str = "") -> HttpResponse:
    reader = reader_of(request)
    context = {
        "row": pages.lobby_table(table, reader),
        "table": table,
        "link": request.build_absolute_uri(table.get_absolute_url()),
        "may_invite": waiting.may_invite(table, reader),
        "invited": waiting.invited(table, reader) if reader and waiting.may_invite(table, reader) else [],
        "refusal": refusal,
        "name": name,
    }
    return render(request, "games/card.html", context, status=400 if refusal else 200)


@require_safe
def qr(request: HttpRequest, code: str) -> HttpResponse:
    """The link of a table as a QR code, black on white whatever the page's colours: phones read no other."""
    drawn = io.BytesIO()
    link = request.build_absolute_uri(_table(code).get_absolute_url())
    segno.make(link, error="m").save(
        drawn, kind="svg", border=4, light="#fff", xmldecl=False, svgns=True, omitsize=True, nl=False
    )
    response = HttpResponse(drawn.getvalue(), content_type="image/svg+xml")
    response["Cache-Control"] = "private, max-age=3600"
    return response
