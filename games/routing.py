"""Where the sockets are."""

from django.urls import URLPattern, re_path

from games.sockets import BellSocket, TableSocket

websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/tables/(?P<code>[0-9A-Za-z]{1,12})/$", TableSocket.as_asgi()),  # type: ignore[arg-type]
    re_path(r"^ws/bells/(?P<topic>[\w-]{1,120})/$", BellSocket.as_asgi()),  # type: ignore[arg-type]
]
