"""The deals that follow from a secret, as the published recipe tells anyone to work them out."""

import hashlib
import hmac

from tests.oracle.rules import PACK


def commitment_of(secret: bytes) -> str:
    return hashlib.sha256(secret).hexdigest()


def first_dealer_of(secret: bytes, salt: str) -> int:
    return keyed(secret, f"tarneeb-dealer/1|{salt}")[0] % 4


def deck_of(secret: bytes, salt: str, deal: int) -> list[str]:
    """The 52 cards of that deal in the order they are dealt."""
    cards = list(PACK)
    stream = b""
    blocks = 0
    for i in range(51, 0, -1):
        m = i + 1
        while True:
            if not stream:
                stream = keyed(secret, f"tarneeb-deal/1|{salt}|{deal}|{blocks}")
                blocks += 1
            u = int.from_bytes(stream[:4], "big")
            stream = stream[4:]
            if u < 2**32 - 2**32 % m:
                break
        j = u % m
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def keyed(secret: bytes, text: str) -> bytes:
    return hmac.new(secret, text.encode(), hashlib.sha256).digest()
