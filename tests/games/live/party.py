"""Four real players and a spectator, who play a match over real sockets as fast as they can."""

import asyncio
from time import perf_counter

from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.services import tables
from tests.games.live.clients import Browser, TableClient


def signed_in(users: list[User]) -> list[str]:
    """A session key for each, without the way over the log-in page."""
    keys = []
    for user in users:
        browser = Client()
        browser.force_login(user)
        keys.append(browser.cookies["sessionid"].value)
    return keys


def seated_table(users: list[User], **more: object) -> str:
    """The code of a table that starts, at which four users sit by seat."""
    now = timezone.now()
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"} | more
    code = tables.open_table(host=users[0], **asked, now=now).code
    for seat, user in enumerate(users):
        tables.sit(table_code=code, user=user, seat=seat, now=now)
    return code


class PlayingParty:
    """Plays in the background; notes how long each act took until its player was shown what it made."""

    def __init__(self, url: str) -> None:
        self.browsers = [Browser(url) for _ in range(4)]
        self.clients: list[TableClient] = []
        self.code = ""
        self.seconds: list[float] = []
        self._playing: list[asyncio.Task[None]] = []

    async def begin(self, code: str, sessions: list[str]) -> None:
        """Play at a table at which the owners of four sessions sit, in this order."""
        self.code = code
        for browser, session in zip(self.browsers, sessions, strict=True):
            browser.http.cookies.set("sessionid", session)
        self.clients = [await browser.socket(code) for browser in self.browsers]
        self._playing = [asyncio.create_task(self._play(client)) for client in self.clients]

    async def _play(self, client: TableClient) -> None:
        while client.view["phase"] != "over":
            if not client.view.get("legal"):
                await client.next()
                continue
            began, version = perf_counter(), client.version
            await client.act(client.view["legal"][0])
            # What comes may be this player's turn again, so that the view is looked at and not the frame.
            while client.version == version:
                if (await client.next()).get("code") == "too-fast":
                    # Other sockets of this player have sent too much meanwhile: the card is played again.
                    await asyncio.sleep(0.1)
                    began = perf_counter()
                    await client.act(client.view["legal"][0])
            self.seconds.append(perf_counter() - began)
            # At a person's pace: what is measured is whether others disturb, not how fast it can be.
            await asyncio.sleep(0.05)

    @property
    def version(self) -> int:
        """The newest that any of them has seen."""
        return max(client.version for client in self.clients)

    @property
    def is_over(self) -> bool:
        return all(task.done() for task in self._playing)

    async def end(self) -> None:
        """Stop playing and close; raises what went wrong meanwhile."""
        for task in self._playing:
            task.cancel()
        ended = await asyncio.gather(*self._playing, return_exceptions=True)
        for browser in self.browsers:
            await browser.close()
        for error in ended:
            if isinstance(error, Exception):
                raise error
