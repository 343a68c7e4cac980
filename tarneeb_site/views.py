"""The home page, the choice of language and the error pages."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from tarneeb_site.home import home_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    return render(request, "home.html", {"home": home_of(user)})


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    after = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(after, {request.get_host()}):
        after = "/"
    response = HttpResponseRedirect(after)
    language = request.POST.get("language", "")
    if language in dict(settings.LANGUAGES):
        _remember(request, response, language)
    return response


def _remember(request: HttpRequest, response: HttpResponse, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, language, max_age=365 * 86400, samesite="Lax", httponly=True
    )
    if request.user.is_authenticated:
        request.user.language = language
        request.user.save(update_fields=["language"])


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    return render(request, "404.html", status=404)


def too_many_requests(request: HttpRequest) -> HttpResponseBase:
    response = render(request, "429.html", status=429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponseBase:
    # Without the request: whoever it is would be asked of a database that may be what failed.
    return HttpResponse(render_to_string("500.html"), status=500)
