"""The pages around the table. Each door is one service call: read the form, call, answer."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.queries import find_player, formerly, head_of
from games import pages, queries, rulebook, waiting
from games.forms import SeatForm, SitForm, TableForm, initial_like
from games.marks import marked
from games.models import Ruleset, Table, Visibility
from games.moment import at_moment
from games.pages import Filters
from games.protocol import WIRE
from games.services import tables
from games.services.refusals import Refused
from games.standing import standing_of
from games.statistics import matches_part

FILTER_COOKIE = "lobby"
FILTER_SECONDS = 365 * 86400


def _reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _player(request: HttpRequest) -> User:
    assert isinstance(request.user, User), "who is not logged in was sent away"
    return request.user


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    reader, filters = _reader(request), _filters(request)
    context: dict[str, Any] = {
        "lobby": pages.lobby(reader, filters),
        "asks": list(waiting.asks(reader, now=timezone.now())) if reader else [],
        "filters": filters,
        "rulesets": [(name, label, filters.but(ruleset=name)) for name, label in Ruleset.choices],
        "all_rulesets": filters.but(ruleset=""),
    }
    if request.GET.get("part") == "tables":
        return render(request, "games/lobby_tables.html", context)
    context["people_waiting"] = waiting.people_waiting(now=timezone.now())
    response = render(request, "games/lobby.html", context)
    if "ruleset" in request.GET:
        kept = filters.address
        response.set_cookie(FILTER_COOKIE, kept, max_age=FILTER_SECONDS, samesite="Lax", httponly=True)
    return response


def _filters(request: HttpRequest) -> Filters:
    if "ruleset" in request.GET:
        return Filters.read(request.GET)
    return Filters.read(QueryDict(request.COOKIES.get(FILTER_COOKIE, "")))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _new_page(request, TableForm(initial=_beginning(request)))
    form = TableForm(request.POST)
    if form.is_valid():
        try:
            host, now = _player(request), timezone.now()
            return redirect(tables.open_table(host=host, now=now, **form.opening()))
        except Refused as refused:
            form.add_error(None, str(refused.message))
    return _new_page(request, form, status=400)


def _new_page(request: HttpRequest, form: TableForm, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "pace": [form[name] for name in ("call_seconds", "turn_seconds", "bank_seconds")],
        "has_delay": str(form["watch_delay"].value() or 0) != "0",
    }
    return render(request, "games/new.html", context, status=status)


def _beginning(request: HttpRequest) -> dict[str, Any]:
    """What a new table is like before anything is chosen: as another one, else as the lobby is filtered."""
    like = pages.table_at(request.GET.get("like", ""))
    if like is not None:
        return initial_like(like)
    ruleset = _filters(request).ruleset
    begun: dict[str, Any] = {"ruleset": ruleset} if ruleset else {}
    return begun | ({"visibility": Visibility.LINK} if _player(request).is_guest else {})


@require_safe
@never_cache
@marked
def table(request: HttpRequest, code: str) -> HttpResponse:
    found = _table(code)
    if {"deal", "act"} <= request.GET.keys() and pages.cards_are_out(found) and queries.has_replay(found):
        return redirect(at_moment(request, reverse("match", args=[found.code])))
    if found.code != code:
        return redirect(at_moment(request, found.get_absolute_url()))
    return _table_page(request, found)


def _table(code: str) -> Table:
    found = pages.table_at(code)
    if found is None:
        raise Http404
    return found


def _table_page(request: HttpRequest, table: Table, refusal: str = "") -> HttpResponse:
    context = {
        "table": table,
        "seats": list(table.seats.all()),
        "seat": pages.seat_of(table.seats.all(), _reader(request)),
        "urls": _urls(table.code) | _withheld(table, _reader(request)),
        "invitation": request.build_absolute_uri(table.get_absolute_url()),
        "refusal": refusal,
    }
    return render(request, "games/table.html", context, status=400 if refusal else 200)


def _withheld(table: Table, reader: User | None) -> dict[str, str]:
    """The doors that are not for this reader, without their addresses."""
    is_host = reader is not None and table.host_id == reader.pk
    return ({} if is_host else {"remove": ""}) | ({} if waiting.may_invite(table, reader) else {"invite": ""})


def _urls(code: str) -> dict[str, str]:
    names = {
        "sit": "table_sit",
        "leave": "table_leave",
        "fill": "table_fill",
        "record": "table_record",
        "remove": "table_remove",
        "invite": "table_invite",
        "card": "table_card",
        "qr": "table_qr",
    }
    return {
        "socket": f"/ws/tables/{code}/?wire={WIRE}",
        "table": reverse("table", args=[code]),
        "match": reverse("match", args=[code]),
        "lobby": reverse("lobby"),
        "suggest": reverse("names"),
        "new": f"{reverse('table_new')}?like={code}",
        "login": reverse("account_login"),
        **{key: reverse(name, args=[code]) for key, name in names.items()},
    }


def _at_the_table(request: HttpRequest, code: str, act: Callable[[HttpRequest, str], object]) -> HttpResponse:
    """One act by form at a table. Who comes here by a link, say back from logging in, is led to the table."""
    found = _table(code)
    if request.method != "POST":
        return redirect(found)
    try:
        act(request, found.code)
    except Refused as refused:
        return _table_page(request, _table(code), str(refused.message))
    return redirect(found)


@login_required
def sit(request: HttpRequest, code: str) -> HttpResponse:
    return _at_the_table(request, code, _sit)


def _sit(request: HttpRequest, code: str) -> None:
    form = SitForm(request.POST)
    if not form.is_valid():
        raise Refused("bad-salt" if "salt" in form.errors else "no-such-seat")
    tables.sit(table_code=code, user=_player(request), now=timezone.now(), **form.cleaned_data)


@login_required
def leave(request: HttpRequest, code: str) -> HttpResponse:
    return _at_the_table(request, code, _leave)


def _leave(request: HttpRequest, code: str) -> None:
    tables.leave(table_code=code, user=_player(request), now=timezone.now())


@login_required
def fill(request: HttpRequest, code: str) -> HttpResponse:
    return _at_the_table(request, code, _fill)


def _fill(request: HttpRequest, code: str) -> None:
    tables.fill(table_code=code, user=_player(request), now=timezone.now())


@login_required
def remove(request: HttpRequest, code: str) -> HttpResponse:
    return _at_the_table(request, code, _remove)


def _remove(request: HttpRequest, code: str) -> None:
    form = SeatForm(request.POST)
    if not form.is_valid():
        raise Refused("no-such-seat")
    tables.remove(table_code=code, user=_player(request), now=timezone.now(), **form.cleaned_data)


@require_safe
def player(request: HttpRequest, name: str) -> HttpResponse:
    found = find_player(name)
    if found is None:
        if had := formerly(name):
            return redirect("player", had.username)
        raise Http404
    if found.username != name:
        return redirect("player", found.username)
    context = {
        "player": found,
        "head": head_of(found, _reader(request)),
        "standing": standing_of(found, _reader(request), request.GET.get("rating", "")),
        "matches": matches_part(found, _reader(request)),
    }
    return render(request, "games/player.html", context)


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    return render(request, "games/rules.html", {"rulesets": rulebook.chapters()})


@require_safe
def rules_of(request: HttpRequest, ruleset: str) -> HttpResponse:
    if ruleset not in Ruleset.values:
        raise Http404
    context = {"chapter": rulebook.chapter(ruleset), "rulesets": rulebook.chapters()}
    return render(request, "games/rules_of.html", context)
