"""The page that stands in for all others while a tournament's log cannot be read by the rules as they are."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.formats.results import PlanError
from tournaments.models import Tournament
from tournaments.services.permissions import role_of

log = logging.getLogger(__name__)
Answer = Callable[[HttpRequest], HttpResponse]


class UnreadableMiddleware:
    """Turns a plan that cannot be computed into a page that says so, with what is still to be had."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """503 with the page, or nothing where the fault is another one."""
        match = request.resolver_match
        slug = match.kwargs.get("slug") if match else None
        if not isinstance(exception, PlanError) or slug is None:
            return None
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            return None
        log.error("the log of tournament %s cannot be read: %s", slug, exception)
        context = {"tournament": tournament, "error": exception, "role": role_of(tournament, request.user)}
        return render(request, "tournaments/unreadable.html", context, status=503)
