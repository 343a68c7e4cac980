"""Files of a tournament: tables, records, calendars. To be had by whoever sees the tournament itself."""

from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.streams import streamed
from tournaments import calendars, downloads
from tournaments.models import Tournament
from tournaments.services.permissions import may
from tournaments.sheets import Cell, csv_bytes, xlsx_bytes
from tournaments.views import find

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CALENDAR = "text/calendar; charset=utf-8"


@require_safe
@never_cache
def files(request: HttpRequest, slug: str) -> HttpResponse:
    """All that can be taken away, and the calendars."""
    tournament = find(request, slug)
    language = get_language() or "ar"
    feed = f"{reverse('tournament_calendar', args=[slug])}?lang={language}"
    own = ""
    if isinstance(request.user, User) and not request.user.is_guest:
        own = f"{reverse('my_calendar', args=[calendars.key_of(request.user)])}?lang={language}"
    context = {
        "tournament": tournament,
        "tables": downloads.titles().items(),
        "records": downloads.finished_tables(tournament).count(),
        "feed": request.build_absolute_uri(feed),
        "own_feed": request.build_absolute_uri(own) if own else "",
        "may_change": may(tournament, request.user, "entries"),
    }
    return render(request, "tournaments/files.html", context)


@require_safe
@never_cache
def table(request: HttpRequest, slug: str, what: str, kind: str) -> HttpResponse:
    """One of the tables, as CSV or XLSX, in the language of the reader."""
    tournament = find(request, slug)
    title = downloads.titles().get(what)
    if title is None or kind not in ("csv", "xlsx"):
        raise Http404
    rows = _rows(tournament, what, whole=may(tournament, request.user, "entries"))
    if kind == "csv":
        response = HttpResponse(csv_bytes(rows), content_type=CSV)
    else:
        rightwards = not (get_language() or "ar").startswith("ar")
        response = HttpResponse(xlsx_bytes(rows, title=title, rightwards=rightwards), content_type=XLSX)
    return _attached(response, f"{tournament.slug}-{what}.{kind}")


def _rows(tournament: Tournament, what: str, *, whole: bool) -> Iterator[list[Cell]]:
    if what == "entrants":
        return downloads.entrants_rows(tournament, whole=whole)
    if what == "standings":
        return downloads.standings_rows(tournament)
    return downloads.pairings_rows(tournament)


@require_safe
@never_cache
def records(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The records of all finished matches, a line each."""
    tournament = find(request, slug)
    return streamed(request, downloads.record_lines(tournament), f"{tournament.slug}-records.jsonl")


@require_safe
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The calendar of the tournament."""
    with override(_language(request)):
        drawn = calendars.of_tournament(find(request, slug))
    return _attached(_feed(drawn), f"{slug}.ics")


@require_safe
def my_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """The calendar of a player, for programs that cannot log in: its address is the secret."""
    user = calendars.user_of(key)
    if user is None:
        raise Http404
    with override(_language(request, user.language)):
        drawn = calendars.of_player(user, timezone.now())
    return _attached(_feed(drawn), "tarneeb.ics")


def _feed(drawn: bytes) -> HttpResponse:
    response = HttpResponse(drawn, content_type=CALENDAR)
    response["Cache-Control"] = "private, max-age=300"
    return response


def _language(request: HttpRequest, otherwise: str = "") -> str:
    asked = request.GET.get("lang", "")
    return asked if asked in ("ar", "en") else otherwise or get_language() or "ar"


def _attached(response: HttpResponse, name: str) -> HttpResponse:
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    return response
