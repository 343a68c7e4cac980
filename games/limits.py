"""How much anyone may do: every number, and the memory of who did how much lately.

Kept by user and by address, in the memory of one process: nothing that could be lost locks anybody out.
A café, a school or a hall is one address, so that an address may do what twenty users may.
"""

import threading
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

from django.conf import settings


class Rate(NamedTuple):
    """So many at once, so many a second."""

    at_once: float
    a_second: float


class Allowance(NamedTuple):
    """What one user may do, and what all users of one address together may."""

    user: Rate
    address: Rate


# Over the sockets: frames; sockets opened; sockets open at a time.
FRAMES = Allowance(user=Rate(60, 20), address=Rate(1200, 400))
OPENINGS = Allowance(user=Rate(60, 1), address=Rate(1200, 20))
# Phrases go to everybody at a table, and are read out to some.
PHRASES = Rate(8, 0.5)
SOCKETS_OF_USER, SOCKETS_OF_ADDRESS = 40, 1200
# Frames refused without a pause before the socket is cut off.
FLOOD_STRIKES = 100

# Over HTTP: forms that change something, by the name of their address.
TABLES = Allowance(user=Rate(20, 1 / 6), address=Rate(400, 4))
INVITATIONS = Allowance(user=Rate(20, 1 / 6), address=Rate(400, 4))
GUESTS = Allowance(user=Rate(10, 1 / 60), address=Rate(120, 1))
# Records brought along: each is played through by the rules.
RECORDS = Allowance(user=Rate(20, 1 / 6), address=Rate(200, 1))
REPORTS = Allowance(user=Rate(10, 1 / 30), address=Rate(200, 1))
# Letters that one asks for, to an address that may be somebody else's; pictures; "all my data".
LETTERS = Allowance(user=Rate(4, 1 / 120), address=Rate(120, 1))
PICTURES = Allowance(user=Rate(10, 1 / 30), address=Rate(200, 1))
DOWNLOADS = Allowance(user=Rate(3, 1 / 300), address=Rate(60, 1 / 10))
# Wrong codes of tournaments: a right one costs nothing, so that a whole café may give it at once.
CODES = Allowance(user=Rate(6, 1 / 20), address=Rate(20, 1 / 10))
OTHER_FORMS = Allowance(user=Rate(60, 2), address=Rate(1200, 40))

FORGOTTEN_AT = 20_000


class Bucket:
    """Holds what is left of a rate."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._left = float(rate.at_once)
        self._at = now

    def _fill(self, now: float) -> None:
        self._left = min(self._rate.at_once, self._left + max(0.0, now - self._at) * self._rate.a_second)
        self._at = now

    def take(self, now: float) -> bool:
        """Take one at `now` (seconds, monotonic); whether one was left."""
        self._fill(now)
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give_back(self) -> None:
        """What was taken last does not count."""
        self._left = min(self._rate.at_once, self._left + 1)

    def is_full(self, now: float) -> bool:
        """Whether nothing was taken lately."""
        self._fill(now)
        return self._left >= self._rate.at_once


class Buckets:
    """The buckets of everybody for one thing; the full ones are forgotten, and made again when asked for."""

    def __init__(self) -> None:
        self._buckets: dict[Hashable, Bucket] = {}
        self._lock = threading.Lock()

    def of(self, who: Hashable, rate: Rate, now: float) -> Bucket:
        """The bucket of a user or an address."""
        with self._lock:
            if len(self._buckets) >= FORGOTTEN_AT:
                self._buckets = {k: bucket for k, bucket in self._buckets.items() if not bucket.is_full(now)}
            found = self._buckets.get(who)
            if found is None:
                found = self._buckets[who] = Bucket(rate, now)
            return found

    def take(self, asked: Sequence[tuple[Hashable, Rate]], now: float) -> bool:
        """Take one from each; what one of them refuses is taken from none."""
        buckets = [self.of(who, rate, now) for who, rate in asked]
        with self._lock:
            for number, bucket in enumerate(buckets):
                if not bucket.take(now):
                    for taken in buckets[:number]:
                        taken.give_back()
                    return False
        return True


class Places:
    """How many sockets each user and each address has open."""

    def __init__(self) -> None:
        self._taken: Counter[Hashable] = Counter()

    @contextmanager
    def place(self, who: Hashable, most: int) -> Iterator[bool]:
        """Within it `who` has one place more; False where there was none left."""
        if self._taken[who] >= most:
            yield False
            return
        self._taken[who] += 1
        try:
            yield True
        finally:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]

    def taken(self, who: Hashable) -> int:
        """How many places `who` has."""
        return self._taken.get(who, 0)


class Pace:
    """Whether the frames of one socket come in time: its user's bucket first, then its address's."""

    def __init__(self, buckets: Sequence[Bucket]) -> None:
        self._buckets = buckets
        self.strikes = 0

    def allows(self, now: float) -> bool:
        """Take one frame at `now` (seconds, monotonic); whether it was in time."""
        if not self._buckets:
            return True
        own, *others = self._buckets
        if self.strikes and own.is_full(now):
            self.strikes = 0
        if not own.take(now):
            self.strikes += 1
            return False
        for number, other in enumerate(others):
            if not other.take(now):
                # Too much from this address: no fault of this socket's, so it is not struck for it.
                for taken in (own, *others[:number]):
                    taken.give_back()
                return False
        return True

    def give_back(self) -> None:
        """The frame last taken moved the game: it was no idle talk."""
        for bucket in self._buckets:
            bucket.give_back()

    def is_flood(self) -> bool:
        """Whether the sender goes on in spite of many refusals."""
        return self.strikes >= FLOOD_STRIKES


frames, openings, phrases, forms, places = Buckets(), Buckets(), Buckets(), Buckets(), Places()


def pace(user_id: int | None, address: str, now: float, *, is_lifted: bool = False) -> Pace:
    """The pace of a new socket; all sockets of a user share one bucket, who has no account has his own."""
    if is_lifted:
        return Pace(())
    own = Bucket(FRAMES.user, now) if user_id is None else frames.of(user_id, FRAMES.user, now)
    return Pace((own, frames.of(place_of(address), FRAMES.address, now)))


def place_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the network of an IPv6 address that one line gets."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(IPv6Network((parsed, 64), strict=False))
    return str(parsed)


def is_lifted(address: str, *, is_forwarded: bool) -> bool:
    """Whether limits do not hold: on loopback alone, for whom no proxy speaks, where the settings say so."""
    if settings.LIMITS_ON_LOOPBACK or is_forwarded:
        return False
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
