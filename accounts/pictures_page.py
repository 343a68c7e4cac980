"""Where pictures of players are fetched from: nothing but what we wrote ourselves."""

from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.pictures import FOLDER


@require_safe
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """A picture by its name, which is never used again for another one."""
    try:
        with default_storage.open(f"{FOLDER}/{name}.webp") as file:
            response = HttpResponse(file.read(), content_type="image/webp")
    except OSError as error:
        raise Http404 from error
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    return response
