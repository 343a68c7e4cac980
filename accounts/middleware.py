"""Which language a reader gets: the account's, else a cookie's, else Arabic. And when a guest was last here."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts import services
from accounts.models import User

SEEN_AGAIN_AFTER = timedelta(hours=1)


class LanguageMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = chosen_language(request)
        with translation.override(language):
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


def is_long_ago(guest: User, now: datetime) -> bool:
    """Whether a guest was not seen within the hour."""
    return guest.last_login is None or now - guest.last_login >= SEEN_AGAIN_AFTER
