"""The pages of those who watch: the list of live tables, and the way to wherever a player plays."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import find_player
from games import spectating
from games.models import Ruleset, Table


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("ruleset", "")
    ruleset = asked if asked in Ruleset.values else ""
    reader = request.user if isinstance(request.user, User) else None
    rows = spectating.live_tables(reader, ruleset)
    context = {
        "rows": rows,
        "is_cut": len(rows) == spectating.LISTED_TABLES,
        "ruleset": ruleset,
        "rulesets": Ruleset.choices,
    }
    name = "games/watch_list.html" if request.GET.get("part") == "list" else "games/watch.html"
    return render(request, name, context)


@require_safe
@never_cache
def follow(request: HttpRequest, name: str) -> HttpResponse:
    """To the public table where a player plays, else to wait until there is one."""
    player = find_player(name)
    if player is None:
        raise Http404
    table = spectating.table_of(player)
    if request.GET.get("part") == "where":
        return JsonResponse({"table": table and table.code, "address": table and _address(table, player)})
    if table is not None:
        return redirect(_address(table, player))
    if player.username != name:
        return redirect("follow", player.username)
    return render(request, "games/follow.html", {"player": player})


def _address(table: Table, player: User) -> str:
    return f"{reverse('table', args=[table.code])}?{urlencode({'follow': player.username})}"
