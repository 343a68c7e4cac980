"""Who comes in: every page and every act asks for its right first."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from accounts.models import User
from review.roles import allowed_acts


class ReviewRequest(HttpRequest):
    """A request of a reviewer, with everything that they may do."""

    user: User
    acts: frozenset[str]


def reviewer(act: str) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """The view is for who may do this act of `roles.ALLOWED`; others are refused, strangers sent to log in."""

    def guarded(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @never_cache
        @login_required
        @wraps(view)
        def inside(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            acts = allowed_acts(request.user)
            if act not in acts:
                raise PermissionDenied
            request.acts = acts  # type: ignore[attr-defined]
            return view(request, *args, **more)

        return inside

    return guarded
