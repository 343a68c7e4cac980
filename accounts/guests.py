"""A guest's way in: one press of a button, and a session."""

from datetime import datetime

from django.contrib.auth import login
from django.http import HttpRequest
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme

from accounts import services
from accounts.models import User


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


def next_page(request: HttpRequest) -> str:
    """The page of this site that was asked for after this one; "" where none was."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    return address if url_has_allowed_host_and_scheme(address, {request.get_host()}) else ""
