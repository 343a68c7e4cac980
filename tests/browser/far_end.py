"""The far end of a table page's line, played by the test: it shows views and keeps what the page sends."""

import copy
import json
from typing import Any

NAMES = ["North", "East", "South", "West"]
VIEW: dict[str, Any] = {
    "table": "K7QF2",
    "ruleset": "kotchina",
    "target": 31,
    "options": {},
    "host": 0,
    "title": "",
    "phase": "play",
    "you": 2,
    "seats": [
        {"seat": seat, "name": name, "kind": "player", "connected": True, "away": False, "cards": 3}
        for seat, name in enumerate(NAMES)
    ],
    "hand": ["4H", "JH", "AS"],
    "legal": ["4H", "JH"],
    "turn": 2,
    "deadline_ms": 15000,
    "bank_ms": [0, 0, 0, 0],
    "turn_seconds": 20,
    "dealer": 3,
    "deal": 2,
    "calls": [[0, "b7"], [1, "p"], [2, "b9"], [3, "p"], [0, "p"], [1, "p"]],
    "contract": {"seat": 2, "bid": "b9", "trump": "S", "doubled": 1},
    "trick": [[0, "9H"], [1, "QH"]],
    "last_trick": None,
    "tricks": [7, 3],
    "score": [-1, 6],
    "changes": [[7, 0], [-8, 6]],
    "sheet": [
        {"contract": {"seat": 0, "bid": "b7", "trump": "H", "doubled": 1}, "tricks": [8, 5]},
        {"contract": {"seat": 2, "bid": "b8", "trump": "S", "doubled": 1}, "tricks": [7, 6]},
    ],
    "ended": None,
    "counted": 2,
    "dead_run": 0,
    "result": None,
    "commitment": "63" * 32,
    "salt": "K7QF2::::",
}


class Server:
    """The far end of the line: keeps what the page sends, answers as the test says."""

    def __init__(self) -> None:
        self.sockets: list[Any] = []
        self.frames: list[dict[str, Any]] = []
        self.version = 17
        self.refuses = False
        self.view = copy.deepcopy(VIEW)

    def prepare(self, page: Any) -> None:
        """Takes the place of the real line of that page."""
        page.route_web_socket("**/ws/tables/**", self.accept)

    def accept(self, socket: Any) -> None:
        self.sockets.append(socket)
        if self.refuses:
            socket.close(code=1012)
            return
        socket.on_message(self.hear)
        self.show()

    def hear(self, text: str) -> None:
        self.frames.append(json.loads(text))
        # A heartbeat without an answer would make the page open another line.
        if self.frames[-1]["type"] == "ping":
            self.send({"type": "pong", "version": self.version})

    @property
    def acts(self) -> list[dict[str, Any]]:
        """The acts that arrived, in order."""
        return [frame for frame in self.frames if frame["type"] == "act"]

    @property
    def said(self) -> list[dict[str, Any]]:
        """What arrived but for heartbeats and echoes, in order."""
        return [frame for frame in self.frames if frame["type"] not in {"ping", "echo"}]

    def heard(self, page: Any, count: int = 1) -> list[dict[str, Any]]:
        """The same, once there are so many; after ten seconds what there is."""
        for _ in range(200):
            if len(self.said) >= count:
                break
            page.wait_for_timeout(50)
        return self.said

    def show(self, **more: object) -> None:
        """Sends the view as it is now."""
        self.send({"type": "table", "version": self.version, "view": self.view, **more})

    def send(self, frame: dict[str, Any]) -> None:
        self.sockets[-1].send(json.dumps(frame))

    def go_on(self, **changes: object) -> None:
        """Shows the next version of the view, with these keys changed."""
        self.version += 1
        self.view |= changes
        self.show()
