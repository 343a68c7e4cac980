"""A site that answers each text: with as many letters as it asks for; `flood N` gets N frames of 3,000."""

from typing import Any


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    sent = 0
    while (message := await receive())["type"] != "websocket.disconnect":
        word, _, count = message["text"].partition(" ")
        if word == "flood":
            for _ in range(int(count)):
                await send({"type": "websocket.send", "text": "x" * 3000})
                sent += 1
        elif word == "sent":
            await send({"type": "websocket.send", "text": str(sent)})
        else:
            await send({"type": "websocket.send", "text": "ج" * int(count)})
