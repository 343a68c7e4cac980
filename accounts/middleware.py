"""Which language a reader gets: the account's, else a cookie's, else Arabic."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation


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
