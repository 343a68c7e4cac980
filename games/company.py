"""The page of the people one knows: whom one follows and where they play, whom one blocks."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.guests import next_page
from accounts.models import User
from games import acquaintances
from games.services import company
from games.services.refusals import Refused


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User), "who is not logged in was sent away"
    if request.user.is_guest:
        return redirect("account_keep")
    if request.method == "POST":
        return _changed(request, request.user)
    page = request.GET.get("page", "1")
    context = {"tab": "people", **acquaintances.of(request.user, page)}
    return render(request, "games/people.html", context)


def _changed(request: HttpRequest, user: User) -> HttpResponse:
    act, name = request.POST.get("act", ""), request.POST.get("name", "")
    try:
        messages.success(request, _do(act, user, name))
    except Refused as refused:
        messages.error(request, str(refused))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect(next_page(request) or "people")


def _do(act: str, user: User, name: str) -> str:
    """One change of whom the user knows; in a word what came of it. Raises: as the service that does it."""
    now = timezone.now()
    if act == "follow":
        company.follow(user=user, name=name, now=now)
        return _("You follow this player now.")
    if act == "unfollow":
        company.unfollow(user=user, name=name)
        return _("You follow this player no more.")
    if act == "block":
        company.block(user=user, name=name, now=now)
        return _("This player is blocked.")
    if act == "unblock":
        company.unblock(user=user, name=name)
        return _("This player is not blocked any more.")
    raise Refused("malformed")
