"""What a browser is told when somebody puts the site among the programs of a phone or desktop."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

THEME_COLOUR = "#0a3b3e"
PAPER = "#f7f1e3"
SIZES = (192, 512)


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest, language: str) -> HttpResponse:
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        return JsonResponse(content(language), content_type="application/manifest+json")


def content(language: str) -> dict[str, Any]:
    """The manifest in the language that is active."""
    return {
        "id": "/",
        "name": _("Tarneeb"),
        "short_name": _("Tarneeb"),
        "description": _("Play Tarneeb live, take part in tournaments, run your own."),
        "lang": language,
        "dir": "rtl" if language == "ar" else "ltr",
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": THEME_COLOUR,
        "background_color": PAPER,
        "categories": ["games"],
        "icons": [icon(purpose, size) for purpose in ("any", "maskable") for size in SIZES],
        "shortcuts": [{"name": _("Tables"), "url": reverse("lobby")}],
    }


def icon(purpose: str, size: int) -> dict[str, str]:
    """One picture; a launcher may cut a round or a square out of a maskable one."""
    name = "maskable" if purpose == "maskable" else "icon"
    return {
        "src": static(f"img/icons/{name}-{size}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }
