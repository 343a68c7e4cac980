"""Local times of day, as an organiser types them, made into moments."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)


class SkippedTime(ValueError):
    """The clocks jump over this local time. `before` and `after` are the nearest that exist, local."""

    def __init__(self, before: datetime, after: datetime) -> None:
        super().__init__(f"{before} is followed by {after}")
        self.before = before
        self.after = after


class DoubledTime(ValueError):
    """The clocks show this local time twice. `first` and `second` are the two moments, local."""

    def __init__(self, first: datetime, second: datetime) -> None:
        super().__init__(f"{first} and {second}")
        self.first = first
        self.second = second


def moment(local: datetime, zone: ZoneInfo, *, later: bool | None = None) -> datetime:
    """The moment when the clocks of a zone show `local` (naive). `later` chooses where there are two.

    Raises: SkippedTime, DoubledTime where `later` is None; OverflowError near the ends of the calendar.
    """
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    if not _shown(first):
        raise _skipped(local, zone)
    if later is None:
        raise DoubledTime(first, second)
    return second if later else first


def _shown(moment: datetime) -> bool:
    """Whether a clock ever shows this time: it survives the way to UTC and back."""
    back = moment.astimezone(UTC).astimezone(moment.tzinfo)
    return back.replace(tzinfo=None, fold=0) == moment.replace(tzinfo=None, fold=0)


def _skipped(local: datetime, zone: ZoneInfo) -> SkippedTime:
    before = after = local.replace(second=0, microsecond=0)
    while not _shown(before.replace(tzinfo=zone)):
        before -= MINUTE
    while not _shown(after.replace(tzinfo=zone)):
        after += MINUTE
    return SkippedTime(before.replace(tzinfo=zone), after.replace(tzinfo=zone))
