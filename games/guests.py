"""Playing at once, against bots and without an account; and keeping the seat by making one."""

from typing import Any
from urllib.parse import urlencode

from allauth.core import ratelimit
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import emails
from accounts.forms import SignupForm
from accounts.guests import enter, go_on, next_page, present
from accounts.models import User
from games.models import Ruleset
from games.services import guests
from games.services.refusals import Refused
from games.speeds import SPEEDS

# Which field a refusal of the service belongs to; the others belong to the name.
_FIELDS = {"email_taken": "email", "no_guest": None}


class BotsForm(forms.Form):
    """What to play against bots; nothing need be said."""

    ruleset = forms.ChoiceField(choices=Ruleset.choices, required=False)
    speed = forms.ChoiceField(choices=[(name, name) for name in SPEEDS], required=False)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bots(request: HttpRequest) -> HttpResponse:
    form = BotsForm(request.POST)
    if request.method != "POST" or not form.is_valid():
        return redirect("lobby")
    now = timezone.now()
    try:
        user = enter(request, now=now)
        return redirect(guests.play_with_bots(user=user, now=now, **form.cleaned_data))
    except Refused as refused:
        messages.error(request, str(refused.message))
        return redirect("lobby")


@never_cache
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest) -> HttpResponse:
    guest, after = present(request), next_page(request)
    if guest is None or not guest.is_guest:
        return redirect(after or "home") if guest else redirect(_with_next("account_signup", after))
    if request.method != "POST":
        return _keep_page(request, guest, SignupForm(), after)
    if not ratelimit.consume(request, action="signup"):
        slower: HttpResponse = ratelimit.respond_429(request)
        return slower
    form = SignupForm(request.POST)
    if not form.is_valid() or not _kept(request, guest, form):
        return _keep_page(request, guest, form, after, status=400)
    messages.success(request, _("The account is yours, and so are your seat and your matches."))
    return redirect(after or guests.table_of(guest) or "home")


def _kept(request: HttpRequest, guest: User, form: SignupForm) -> bool:
    said: dict[str, Any] = form.cleaned_data
    try:
        user = guests.keep_seat(
            user=guest, name=said["username"], email=said["email"], password=said["password1"]
        )
    except ValidationError as error:
        form.add_error(_FIELDS.get(error.code or "", "username"), error)
        return False
    request.user = user
    go_on(request, user, now=timezone.now())
    emails.welcome(request, user)
    return True


def _keep_page(
    request: HttpRequest, guest: User, form: SignupForm, after: str, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "after": after,
        "table": guests.table_of(guest),
        "login": _with_next("account_login", after),
    }
    return render(request, "accounts/keep.html", context, status=status)


def _with_next(name: str, after: str) -> str:
    return f"{reverse(name)}?{urlencode({'next': after})}" if after else reverse(name)
