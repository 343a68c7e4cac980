"""Where the sockets are."""

from django.urls import URLPattern, path, re_path

from games.sockets import BellSocket, TableSocket

websocket_urlpatterns: list[URLPattern] = [
    path("ws/tables/<str:code>/", TableSocket.as_asgi()),  # type: ignore[arg-type]
    re_path(r"^ws/bells/(?P<topic>[\w-]{1,120})/$", BellSocket.as_asgi()),  # type: ignore[arg-type]
]
