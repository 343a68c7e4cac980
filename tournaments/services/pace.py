"""When a pairing may be played: its round's hour has come and, where it goes round by round, the round is open."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from tournaments.formats.names import read_name
from tournaments.formats.results import Pairing
from tournaments.models import Pace, RoundTime, Tournament


class Rounds:
    """The times of a tournament's rounds, by the rounds' names, as they stand."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.times: dict[str, RoundTime] = {time.key: time for time in tournament.rounds.all()}

    def may_play(self, pairing: Pairing, now: datetime) -> bool:
        """Whether the pairing's round is open and its hour has come."""
        time = self.times.get(read_name(pairing.id).key)
        if self.tournament.pace == Pace.ROUNDS and (time is None or time.opened_at is None):
            return False
        return time is None or time.starts_at is None or time.starts_at <= now

    def open_next(self, pairings: Iterable[Pairing], now: datetime) -> list[str]:
        """Round by round: opens what comes next once all that was opened is done; the rounds only people may open.

        The first opens by itself; a later one at its hour, or when the break after the one before is over.
        """
        if self.tournament.pace != Pace.ROUNDS:
            return []
        ready = {read_name(pairing.id).key for pairing in pairings if pairing.status == "ready"}
        opened = {key for key, time in self.times.items() if time.opened_at is not None}
        if ready & opened:
            return []
        return [key for key in wave(ready) if not self._open(key, is_first=not opened, now=now)]

    def next_at(self, pairings: Iterable[Pairing], now: datetime) -> datetime | None:
        """The next hour at which a round with something to play begins."""
        if not self.times:
            return None
        ready = {read_name(pairing.id).key for pairing in pairings if pairing.status == "ready"}
        hours = [time.starts_at for key, time in self.times.items() if key in ready and time.starts_at]
        return min((hour for hour in hours if hour > now), default=None)

    def _open(self, key: str, *, is_first: bool, now: datetime) -> bool:
        """Whether the round opens by itself, now or at its hour."""
        time = self.times.get(key) or RoundTime(tournament=self.tournament, key=key)
        if time.starts_at is None:
            pause = 0 if is_first else self.tournament.break_minutes
            if pause is None:
                return False
            time.starts_at = now + timedelta(minutes=pause)
        if time.starts_at <= now:
            time.opened_at = now
        time.save()
        self.times[key] = time
        return True


def wave(keys: Iterable[str]) -> list[str]:
    """Of these rounds those that come next: of each part of a bracket the first, the groups' rounds one by one."""
    first: dict[tuple[int, str], tuple[int, str]] = {}
    for key in keys:
        name = read_name(key)
        part = name.stage, name.part
        first[part] = min(first.get(part, (name.round, key)), (name.round, key))
    return [key for _, key in sorted(first.values())]
