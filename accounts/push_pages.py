"""A browser asks to be told while the page is closed, or not any more; and the worker that shows it there."""

import json
from typing import Any

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import pushing
from accounts.views import OwnRequest, account_required

LARGEST_BODY = 4096


@account_required
@require_POST
def subscribe(request: OwnRequest) -> HttpResponse:
    said = _said(request)
    keys = said.get("keys")
    keys = keys if isinstance(keys, dict) else {}
    try:
        pushing.add_browser(
            user=request.user,
            endpoint=str(said.get("endpoint", "")),
            p256dh=str(keys.get("p256dh", "")),
            auth=str(keys.get("auth", "")),
            now=timezone.now(),
        )
    except ValidationError as error:
        return JsonResponse({"message": " ".join(error.messages)}, status=400)
    return JsonResponse({})


@account_required
@require_POST
def unsubscribe(request: OwnRequest) -> HttpResponse:
    pushing.forget_browser(user=request.user, endpoint=str(_said(request).get("endpoint", "")))
    return JsonResponse({})


@never_cache
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, under an address whose scope holds no page: it touches nothing but notices."""
    if not pushing.is_offered():
        raise Http404
    name = "js/push_worker.js"
    path = finders.find(name)
    if path is None:
        with staticfiles_storage.open(name) as file:
            return HttpResponse(file.read(), content_type="text/javascript")
    with open(path, "rb") as file:  # noqa: PTH123 - the finders give a text
        return HttpResponse(file.read(), content_type="text/javascript")


def _said(request: HttpRequest) -> dict[str, Any]:
    try:
        said = json.loads(request.body) if len(request.body) <= LARGEST_BODY else {}
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
