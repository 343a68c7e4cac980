"""The pages of what was played: a player's matches searched, the numbers of them, and their records as one file."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language_bidi
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import Pair, User
from accounts.queries import find_player
from games.contracts import ME, PARTNER
from games.history import address, matches_of, may_list, searched, standby_has_history, visible
from games.history_form import HistoryForm, StatisticsForm
from games.plots import bar_plot, line_plot
from games.replica import from_history
from games.statistics import Statistics, statistics_of, statistics_of_pair
from games.streams import record_lines, streamed

CHUNK = 100


def _reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def player_of(request: HttpRequest, name: str) -> User:
    """The player of an address, whose matches the reader may see listed. Raises: Http404."""
    found = find_player(name)
    if found is None or not may_list(found, _reader(request)):
        raise Http404
    return found


@login_required
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The own matches: an address that is the same for everybody."""
    assert isinstance(request.user, User), "who is not logged in was sent away"
    return redirect("player_matches", request.user.username)


def _has_matches(name: str) -> bool:
    found = find_player(name)
    return found is None or standby_has_history(found)


def _has_matches_of_pair(number: int) -> bool:
    pair = Pair.objects.select_related("first", "second").filter(pk=number).first()
    return pair is None or standby_has_history(pair.first, pair.second)


@require_safe
@never_cache
@from_history(_has_matches)
def matches(request: HttpRequest, name: str) -> HttpResponse:
    """All matches of a player, and the search among them."""
    player = player_of(request, name)
    if player.username != name:
        return redirect("player_matches", player.username)
    form = HistoryForm(request.GET)
    found = matches_of(player, _reader(request), _clean(form), request.GET.get("page", ""))
    asked = {field: request.GET.get(field, "") for field in form.fields}
    context = {
        "player": player,
        "form": form,
        "found": found,
        "is_asked": any(asked.values()),
        "has_contract": any(asked[field] for field in form.CONTRACT),
        "pages": {side: address(asked, page=getattr(found, side)) for side in ("older", "newer")},
    }
    return render(request, "games/history.html", context)


def _clean(form: HistoryForm | StatisticsForm) -> dict[str, Any]:
    """What is asked for, without what was not understood: the form says what that was."""
    form.is_valid()
    return form.cleaned_data


@require_safe
@never_cache
def records(request: HttpRequest, name: str) -> HttpResponseBase:
    """The records of what the search finds, all of it where nothing is asked for, as one file."""
    player = player_of(request, name)
    rows = visible(player, _reader(request)).filter(open=True)
    found = searched(rows, _clean(HistoryForm(request.GET))).select_related("table")
    named = ((row.table, {"table": row.table.code}) for row in found.iterator(chunk_size=CHUNK))
    return streamed(request, record_lines(named), f"tarneeb-{player.username}.jsonl")


@require_safe
@never_cache
@from_history(_has_matches)
def statistics(request: HttpRequest, name: str) -> HttpResponse:
    """The numbers of a player's matches."""
    player = player_of(request, name)
    if player.username != name:
        return redirect("player_statistics", player.username)
    form = StatisticsForm(request.GET)
    found = statistics_of(player, _reader(request), _clean(form), now=timezone.now())
    context = {"player": player, "back": player.get_absolute_url()}
    return _statistics_page(request, form, found, context)


@require_safe
@never_cache
@from_history(_has_matches_of_pair)
def pair_statistics(request: HttpRequest, number: int) -> HttpResponse:
    """The numbers of what two partners played together."""
    pair = get_object_or_404(Pair.objects.select_related("first", "second"), pk=number)
    if pair.first.closed_at or pair.second.closed_at:
        raise Http404
    form = StatisticsForm(request.GET)
    found = statistics_of_pair(pair, _reader(request), _clean(form), now=timezone.now())
    context = {
        "player": pair.first,
        "partner": pair.second,
        "back": reverse("player", args=[pair.first.username]),
    }
    return _statistics_page(request, form, found, context)


def _statistics_page(
    request: HttpRequest, form: StatisticsForm, found: Statistics, context: dict[str, Any]
) -> HttpResponse:
    mirrored = get_language_bidi()
    # Of a player alone the own choice; of a pair that of either.
    choosers = (ME, PARTNER) if "partner" in context else (ME,)
    plots = {
        "levels": bar_plot(found.levels(), mirrored=mirrored),
        "trumps": bar_plot(found.trumps(*choosers), mirrored=mirrored),
        "margins": bar_plot(found.margins(), mirrored=mirrored),
        "wins": line_plot(found.wins(), mirrored=mirrored, low=0, high=100),
    }
    return render(request, "games/statistics.html", context | {"form": form, "found": found, "plots": plots})
