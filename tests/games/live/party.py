"""Four real players and a spectator, who play a match over real sockets as fast as they can."""

import asyncio
from time import perf_counter

from accounts.models import User
from tests.factories import PASSWORD
from tests.games.live.clients import Browser, TableClient


class PlayingParty:
    """Plays in the background; notes how long each act took until its player was shown what it made."""

    def __init__(self, url: str) -> None:
        self.browsers = [Browser(url) for _ in range(4)]
        self.clients: list[TableClient] = []
        self.code = ""
        self.seconds: list[float] = []
        self._playing: list[asyncio.Task[None]] = []

    async def begin(self, users: list[User], **table: object) -> None:
        for browser, user in zip(self.browsers, users, strict=True):
            await browser.sign_in(user.username, PASSWORD)
        self.code = await self.browsers[0].open_table(**table)
        self.clients = [await browser.socket(self.code) for browser in self.browsers]
        for seat, browser in enumerate(self.browsers):
            await browser.sit(self.code, seat)
        self._playing = [asyncio.create_task(self._play(client)) for client in self.clients]

    async def _play(self, client: TableClient) -> None:
        while client.view["phase"] != "over":
            frame = await client.next()
            if frame["type"] == "table" and client.view.get("legal"):
                began, version = perf_counter(), client.version
                await client.act(client.view["legal"][0])
                while client.version == version:
                    await client.next()
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
