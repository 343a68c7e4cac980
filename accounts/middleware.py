"""Which language a reader gets: the account's, else a cookie's, else Arabic. And when somebody was last here."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeGuard

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts import services
from accounts.models import User

SEEN_AGAIN_AFTER = timedelta(hours=1)
NOTED = "noted_at"


class LanguageMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = chosen_language(request)
        # What a page is shown in reaches no other page of the same thread.
        with translation.override(language), timezone.override(None):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


def chosen_language(request: HttpRequest) -> str:
    """The language code for this reader: "ar" or "en"."""
    offered = dict(settings.LANGUAGES)
    account = getattr(request.user, "language", "") if request.user.is_authenticated else ""
    for code in (account, request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")):
        if code in offered:
            return code
    return settings.LANGUAGE_CODE


class GuestMiddleware:
    """Writes down, once an hour, that a guest is here, and lets the session live on from then."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user, now = request.user, timezone.now()
        if isinstance(user, User) and user.is_guest and is_long_ago(user, now):
            services.seen(user=user, now=now)
            request.session.modified = True
        return self.get_response(request)


def is_at_home(user: object) -> TypeGuard[User]:
    """Whether a request is of somebody with an account."""
    return isinstance(user, User) and not user.is_guest and user.closed_at is None


def is_long_ago(guest: User, now: datetime) -> bool:
    """Whether a guest was not seen within the hour."""
    return guest.last_login is None or now - guest.last_login >= SEEN_AGAIN_AFTER


class SeenMiddleware:
    """Writes down, once an hour, from where an account is used: its owner sees the list and may end each.

    Pages that people look at count, not what these ask for meanwhile.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user, now = request.user, timezone.now()
        # Who has just logged out, in or on has another session than the one that came.
        if "text/html" in request.headers.get("Accept", "") and is_at_home(user):
            self._note(request, user, now)
        return response

    def _note(self, request: HttpRequest, user: User, now: datetime) -> None:
        session = request.session
        last = session.get(NOTED, 0)
        if session.session_key and now.timestamp() - last >= SEEN_AGAIN_AFTER.total_seconds():
            session[NOTED] = int(now.timestamp())
            UserSession.objects.create_from_request(request, user=user)
