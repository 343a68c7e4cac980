"""A guest's way in: one press of a button, and a session."""

from datetime import datetime, timedelta

from django.contrib.auth import login, update_session_auth_hash
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import services
from accounts.models import User

LEFT_FOR = timedelta(minutes=1)


def present(request: HttpRequest) -> User | None:
    """Who is logged in, guests included; None for nobody."""
    return request.user if isinstance(request.user, User) else None


def enter(request: HttpRequest, *, now: datetime) -> User:
    """Who is logged in; else a new guest, logged in from now on."""
    if here := present(request):
        return here
    guest = services.make_guest(language=translation.get_language() or "ar", now=now)
    login(request, guest, backend="accounts.backends.NameOrEmail")
    return guest


def go_on(request: HttpRequest, user: User, *, now: datetime) -> None:
    """The session goes on as that user's, under a new key; whoever knew the old one is out.

    Nobody stands behind the old key for a minute more: a request of another tab that is under way with it would
    else be told to forget the cookie, and take the new one with it.
    """
    old = request.session.session_key
    update_session_auth_hash(request, user)
    if old:
        Session.objects.save(old, {"renewed": True}, now + LEFT_FOR)


def next_page(request: HttpRequest) -> str:
    """The page of this site that was asked for after this one; "" where none was."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    return address if url_has_allowed_host_and_scheme(address, {request.get_host()}) else ""
