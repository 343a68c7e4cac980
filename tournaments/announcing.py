"""The door by which officials tell everybody something."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.models import User
from tournaments.models import Tournament
from tournaments.services.announcing import LONGEST, announce
from tournaments.services.permissions import may
from tournaments.services.refusals import Refused
from tournaments.views import in_its_zone


@never_cache
def announcing(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = in_its_zone(get_object_or_404(Tournament, slug=slug))
    if not isinstance(request.user, User) or not may(tournament, request.user, "announce"):
        raise Http404
    error = None
    if request.method == "POST":
        try:
            announce(
                tournament_id=tournament.pk,
                actor=request.user,
                text=request.POST.get("text", ""),
                by_mail="by_mail" in request.POST,
                now=timezone.now(),
            )
        except Refused as refusal:
            error = refusal
        else:
            messages.success(request, _("Announced. Everybody who takes part is told."))
            return redirect("tournament_organise", tournament.slug)
    context = {
        "tournament": tournament,
        "error": error,
        "text": request.POST.get("text", ""),
        "longest": LONGEST,
        "earlier": tournament.announcements.select_related("by").order_by("-pk"),
    }
    return render(request, "tournaments/announce.html", context, status=400 if error else 200)
