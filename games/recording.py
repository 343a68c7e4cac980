"""A finished match from its record: replayed, on paper, as a file to take away; and records brought along."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games import pages, queries
from games.diagrams import diagrams
from games.models import Table, Void
from games.moment import at_moment
from games.pbn import write_pbn
from games.replays import Replay, score_sheet, stored_replay
from games.replica import from_history
from games.said import lines_of
from games.uploads import Checked, TooMuch, check, read_upload

log = logging.getLogger(__name__)
Page = Callable[[HttpRequest, str], HttpResponse]
PBN = "application/x-pbn; charset=utf-8"


def _reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _finished(code: str) -> Table:
    found = pages.table_at(code)
    if found is None or not pages.cards_are_out(found) or not queries.has_replay(found):
        raise Http404
    return found


def _readable(view: Page) -> Page:
    """The view of a match; where what is stored of it cannot be read, a page that says so, with 503."""

    @wraps(view)
    def shown(request: HttpRequest, code: str) -> HttpResponse:
        try:
            return view(request, code)
        except queries.UnreadableMatch as fault:
            log.exception("%s", fault)
            return render(request, "games/unreadable.html", {"code": fault.code}, status=503)

    return shown


@require_safe
@from_history(queries.standby_has_match)
@_readable
def record(request: HttpRequest, code: str) -> HttpResponse:
    """The record of a finished match."""
    found = _finished(code)
    response = JsonResponse(queries.record(found), json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="tarneeb-{found.code}.json"'
    return response


@require_safe
@from_history(queries.standby_has_match)
@_readable
def pbn(request: HttpRequest, code: str) -> HttpResponse:
    """The deals of a finished match for bridge programs."""
    found = _finished(code)
    when = found.ended_at or found.created_at
    text = write_pbn(
        stored_replay(found),
        event=found.title or f"Tarneeb, {found.ruleset}",
        site=request.build_absolute_uri(reverse("match", args=[found.code])),
        date=f"{when:%Y.%m.%d}",
    )
    response = HttpResponse(text, content_type=PBN)
    response["Content-Disposition"] = content_disposition_header(True, f"tarneeb-{found.code}.pbn") or ""
    return response


@require_safe
@from_history(queries.standby_has_match)
@_readable
def match(request: HttpRequest, code: str) -> HttpResponse:
    """The replay of a finished match."""
    found = _finished(code)
    if found.code != code:
        return redirect(at_moment(request, reverse("match", args=[found.code])))
    reader, seats = _reader(request), list(found.seats.all())
    seat = pages.seat_of(seats, reader)
    replay = stored_replay(found, timed=True)
    names = {"names": [pages.shown_name(one) for one in seats]}
    context = {
        "table": found,
        "seats": seats,
        "sides": [{"number": n, "seats": seats[n::2], "score": found.score[n]} for n in (0, 1)],
        "seat": seat or 0,
        "call_url": found.call_url if seat is not None else "",
        "replay": replay | names | {"chat": lines_of(found, reader)},
        "sheet": score_sheet(replay),
        "void": Void.objects.filter(table=found, lifted_at=None).first(),
    }
    return render(request, "games/match.html", context)


@require_safe
@from_history(queries.standby_has_match)
@_readable
def printed(request: HttpRequest, code: str) -> HttpResponse:
    """Every deal of a finished match on paper, or the one that is asked for, with the score sheet."""
    found = _finished(code)
    seats = list(found.seats.all())
    replay = stored_replay(found)
    asked = request.GET.get("deal", "")
    drawn = diagrams(replay, pages.seat_of(seats, _reader(request)) or 0)
    chosen = [one for one in drawn if str(one.deal["number"]) == asked]
    context = {
        "table": found,
        "seats": seats,
        "sides": [{"number": n, "seats": seats[n::2], "score": found.score[n]} for n in (0, 1)],
        "sheet": score_sheet(replay),
        "diagrams": chosen or drawn,
        "is_one": bool(chosen),
    }
    return render(request, "games/printed.html", context)


@dataclass(frozen=True)
class Guest:
    """Who sat on a seat in a record from elsewhere: a name that is no account here."""

    number: int
    name: str
    kind: str = "named"


@require_http_methods(["GET", "HEAD", "POST"])
def records(request: HttpRequest) -> HttpResponse:
    """Records brought along: checked, listed and shown, and not kept."""
    if request.method != "POST":
        return render(request, "games/records.html", {})
    try:
        checked = _given(request)
    except TooMuch as error:
        return render(request, "games/records.html", {"refusal": str(error)}, status=400)
    if not checked:
        return render(request, "games/records.html", {"refusal": "", "is_empty": True}, status=400)
    whole = [one for one in checked if one.fault is None]
    shown = whole[0] if len(checked) == 1 and whole else None
    context: dict[str, Any] = {"checked": checked, "whole": len(whole), "shown": shown}
    if shown is not None:
        context |= _replayed(shown)
    return render(request, "games/records.html", context, status=200 if whole else 400)


def _given(request: HttpRequest) -> list[Checked]:
    """The records of the file, or the one that the page handed on. Raises: TooMuch."""
    if text := request.POST.get("record", ""):
        return [check(text)]
    file = request.FILES.get("file")
    return read_upload(file.read()) if file is not None else []


def _replayed(shown: Checked) -> dict[str, Any]:
    assert shown.match is not None, "a record that holds has a match"
    replay: Replay = shown.replay
    seats = [Guest(number, name) for number, name in enumerate(shown.names)]
    result = shown.match.result
    return {
        "replay": replay,
        "seats": seats,
        "seat": 0,
        "sides": [{"number": n, "seats": seats[n::2], "score": shown.match.score[n]} for n in (0, 1)],
        "sheet": score_sheet(replay),
        "diagrams": diagrams(replay),
        "winner": result["winner"] if result else None,
        "told": {"result_kind": result["kind"] if result else "", "target": shown.match.target},
    }
