"""Four players and a spectator at one table of a real site."""

import asyncio

from accounts.models import User
from tests.factories import PASSWORD
from tests.games.live.clients import Browser, TableClient


class Party:
    """Four signed-in browsers, by seat, at a table; and a guest."""

    def __init__(self, url: str) -> None:
        self.browsers = [Browser(url) for _ in range(4)]
        self.guest = Browser(url)
        self.code = ""
        self.clients: list[TableClient] = []
        self.spectator: TableClient

    async def meet(self, users: list[User], **table: object) -> "Party":
        for browser, user in zip(self.browsers, users, strict=True):
            await browser.sign_in(user.username, PASSWORD)
        self.code = await self.browsers[0].open_table(**table)
        self.clients = [await browser.socket(self.code) for browser in self.browsers]
        self.spectator = await self.guest.socket(self.code)
        for seat, browser in enumerate(self.browsers):
            await browser.sit(self.code, seat, salt=str(seat) * 4)
        return self

    async def all_at(self, version: int) -> None:
        await asyncio.gather(*(self.caught_up(client, version) for client in [*self.clients, self.spectator]))

    @staticmethod
    async def caught_up(client: TableClient, version: int) -> None:
        while client.version < version:
            await client.next()

    async def playing(self) -> TableClient:
        """The client in turn, once everybody sees that it is."""
        first = self.clients[0]
        while first.view["phase"] in {"waiting", "deal"}:
            await first.next()
        await self.all_at(first.version)
        return self.clients[first.view["turn"]]

    async def leave(self) -> None:
        for browser in [*self.browsers, self.guest]:
            await browser.close()


def sensible(view: dict) -> str:
    """Somebody always bids; low cards first."""
    legal = view["legal"]
    if view["phase"] == "auction" and view["contract"] is None:
        return next(code for code in legal if code != "p")
    return legal[0]
