"""The site for an ASGI server: pages over HTTP, tables and tournaments over WebSocket."""

import gc
import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tarneeb_site.settings")
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from games.routing import websocket_urlpatterns as game_sockets  # noqa: E402
from tarneeb_site.doorway import AddressDoor, ClientAddress, UserDoor  # noqa: E402
from tarneeb_site.origin import SameOrigin, deny  # noqa: E402
from tarneeb_site.signed_in import SignedIn  # noqa: E402
from tarneeb_site.turnstile import Turnstile  # noqa: E402
from tournaments.routing import websocket_urlpatterns as tournament_sockets  # noqa: E402

# Channels' types know patterns of their own only, and take Django's just the same.
elsewhere = re_path(r"", deny)  # type: ignore[arg-type]
sockets = URLRouter([*game_sockets, *tournament_sockets, elsewhere])  # type: ignore[list-item]
http = Turnstile(pages, at_once=settings.PAGES_AT_ONCE)
door = SameOrigin(AddressDoor(SignedIn(UserDoor(sockets))))
application = ClientAddress(ProtocolTypeRouter({"http": http, "websocket": door}))

# With thousands of sockets the collector's full passes are the latency: what is loaded stays loaded.
gc.collect()
gc.freeze()
gc.set_threshold(100_000, 50, 100)
