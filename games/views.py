from django.http import HttpRequest, HttpResponse


def lobby(request: HttpRequest) -> HttpResponse:
    raise NotImplementedError


new = table = sit = leave = fill = record = match = player = lobby
