"""The paces at which a table can be played. Seconds; the bank is drawn only after a turn's own seconds."""

from typing import Final, NamedTuple


class Speed(NamedTuple):
    """Seconds for a call (naming trump too), for a card, and in each seat's time bank for the whole match."""

    call: int
    card: int
    bank: int


SPEEDS: Final = {"fast": Speed(10, 8, 30), "normal": Speed(20, 15, 60), "slow": Speed(45, 30, 180)}
CUSTOM: Final = "custom"


def speed_of(call: int, card: int, bank: int) -> str:
    """The name of a pace: `fast`, `normal`, `slow`, or `custom` where it is none of them."""
    return next((name for name, speed in SPEEDS.items() if speed == (call, card, bank)), CUSTOM)
