"""What every page tells the browser not to do: load from elsewhere, run inline code, sit in a frame."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

POLICY = {
    "default-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "manifest-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class HeadersMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not is_debug_page(response):
            # Where Django's own header about frames is left out, any site may show the page in one.
            framed_by = "*" if getattr(response, "xframe_options_exempt", False) else "'none'"
            response.headers.setdefault("Content-Security-Policy", policy(host_of(request), framed_by))
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response


def host_of(request: HttpRequest) -> str:
    """The host asked, or nothing where it is not one of ours."""
    try:
        return request.get_host()
    except DisallowedHost:
        return ""


def policy(host: str, framed_by: str = "'none'") -> str:
    """The policy for pages of that host. Older Safaris do not count a socket to it as 'self'.

    `framed_by`: the sites that may show the page in a frame.
    """
    sockets = f" ws://{host} wss://{host}" if host else ""
    directives = POLICY | {
        # Browsers follow a form through redirects: signing in elsewhere leads away from here.
        "form-action": " ".join(["'self'", *settings.FORM_TARGETS]),
        "frame-ancestors": framed_by,
        "connect-src": f"'self'{sockets}",
    }
    return "; ".join(f"{name} {value}" for name, value in directives.items())


def is_debug_page(response: HttpResponse) -> bool:
    """Whether this is one of Django's own pages for developers, which bring their style along."""
    return settings.DEBUG and response.status_code in {404, 500}
