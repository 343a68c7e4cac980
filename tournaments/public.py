"""Pages of a tournament for others than its players: a frame on another site, a hall's screen, paper."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from tournaments.asked import read_asked
from tournaments.models import Tournament
from tournaments.pages import Page
from tournaments.screen import calls, drawn_panes, resting
from tournaments.views import find, fragment_of, reader

SECONDS = 12
THEMES = ("light", "dark")


@require_safe
@never_cache
@xframe_options_exempt
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """The bracket or the standings for a frame on another site, as a stranger sees them."""
    tournament = _embeddable(request, slug)
    language = _language(request)
    with translation.override(language):
        page = Page(tournament, None, read_asked(request.GET))
        context = {
            "page": page,
            "tournament": tournament,
            "embedded": True,
            "show": request.GET.get("show", ""),
            "theme": _theme(request, ""),
            "lang": language,
            "keep": f"lang={language}&" if "lang" in request.GET else "",
            "fragment": fragment_of(request),
        }
        template = "embed_live" if request.GET.get("part") == "live" else "embed"
        # Nobody is logged in there, so the template is not told of who asks.
        response = render(request, f"tournaments/{template}.html", context)
    response.headers["Content-Language"] = language
    return response


@require_safe
@never_cache
def sharing(request: HttpRequest, slug: str) -> HttpResponse:
    """How another site shows the tournament."""
    tournament = _embeddable(request, slug)
    address = request.build_absolute_uri(reverse("tournament_embed", args=[tournament.slug]))
    codes = [
        (name, _code(f"{address}?lang={translation.get_language()}{more}", tournament.name))
        for name, more in ((_("Bracket or rounds"), ""), (_("Standings"), "&show=standings"))
    ]
    return render(request, "tournaments/sharing.html", {"tournament": tournament, "codes": codes})


def _code(address: str, name: str) -> str:
    return format_html(
        '<iframe src="{}" title="{}" width="100%" height="640" loading="lazy"></iframe>', address, name
    )


def _embeddable(request: HttpRequest, slug: str) -> Tournament:
    tournament = find(request, slug)
    if tournament.is_private or not tournament.embeddable:
        raise Http404
    return tournament


@require_safe
@never_cache
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Panes that take turns, for the hall; `?lang=both` or one language."""
    tournament = find(request, slug)
    page = Page(tournament, None, read_asked(request.GET))
    chosen = request.GET.get("lang", "both")
    known = [code for code, _name in settings.LANGUAGES]
    languages = [chosen] if chosen in known else known
    context = {
        "tournament": tournament,
        "panes": drawn_panes(page, languages),
        "seconds": _seconds(request),
        "theme": _theme(request, "dark"),
        "fragment": fragment_of(request),
    }
    template = "screen_live" if request.GET.get("part") == "live" else "screen"
    return render(request, f"tournaments/{template}.html", context)


def _seconds(request: HttpRequest) -> int:
    text = request.GET.get("seconds", "")
    return min(max(int(text), 4), 120) if text.isdecimal() and len(text) < 4 else SECONDS


def _theme(request: HttpRequest, otherwise: str) -> str:
    asked = request.GET.get("theme", "")
    return asked if asked in THEMES else otherwise


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("lang", "")
    return asked if asked in dict(settings.LANGUAGES) else translation.get_language()


@require_safe
@never_cache
def call_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Who goes to which table, to be read out or printed."""
    page = Page(find(request, slug), reader(request))
    context = {
        "tournament": page.tournament,
        "page": page,
        "calls": calls(page),
        "resting": resting(page),
        "now": timezone.now(),
    }
    template = "calls_live" if request.GET.get("part") == "live" else "calls"
    return render(request, f"tournaments/{template}.html", context)
