"""The doors of good conduct: whom one does not want to hear, and complaints. Asked by the page, which stays."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from accounts.models import User
from games import pages
from games.services import conduct
from games.services.refusals import Refused

Door = Callable[[HttpRequest, str, User], str]


def _answered(door: Door) -> Callable[[HttpRequest, str], HttpResponse]:
    """A door that says in one sentence what came of it: `{"message": …}`, with 400 and a `code` if refused."""

    @wraps(door)
    def view(request: HttpRequest, code: str) -> HttpResponse:
        assert isinstance(request.user, User), "who is not logged in was sent away"
        found = pages.table_at(code)
        if found is None:
            raise Http404
        try:
            return JsonResponse({"message": door(request, found.code, request.user)})
        except Refused as refused:
            return JsonResponse({"code": refused.code, "message": str(refused)}, status=400)

    return require_POST(login_required(view))


@_answered
def mute(request: HttpRequest, code: str, user: User) -> str:
    muted = request.POST.get("muted") == "1"
    conduct.mute(user=user, name=request.POST.get("name", ""), muted=muted)
    return (
        gettext("You will not hear this player any more.")
        if muted
        else gettext("You hear this player again.")
    )


@_answered
def report(request: HttpRequest, code: str, user: User) -> str:
    conduct.report(
        table_code=code,
        user=user,
        name=request.POST.get("name", ""),
        reason=request.POST.get("reason", ""),
        text=request.POST.get("text", ""),
        now=timezone.now(),
    )
    return gettext("Thank you. The report has arrived; somebody will look at this table.")
