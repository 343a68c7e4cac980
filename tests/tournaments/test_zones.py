from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from tournaments.zones import DoubledTime, SkippedTime, moment

BERLIN = ZoneInfo("Europe/Berlin")
DAMASCUS = ZoneInfo("Asia/Damascus")
# Their clocks change at midnight.
CAIRO, BEIRUT = ZoneInfo("Africa/Cairo"), ZoneInfo("Asia/Beirut")
# Half an hour forward, not a whole one.
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")


def local(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("shown", "zone", "utc"),
    [
        (local("2027-01-05 20:30"), BERLIN, datetime(2027, 1, 5, 19, 30, tzinfo=UTC)),
        (local("2027-07-05 20:30"), BERLIN, datetime(2027, 7, 5, 18, 30, tzinfo=UTC)),
        (local("2027-07-05 20:30"), DAMASCUS, datetime(2027, 7, 5, 17, 30, tzinfo=UTC)),
        (local("2027-07-05 20:30"), ZoneInfo("UTC"), datetime(2027, 7, 5, 20, 30, tzinfo=UTC)),
    ],
)
def test_local_time_is_the_zones(shown: datetime, zone: ZoneInfo, utc: datetime):
    assert moment(shown, zone).astimezone(UTC) == utc


@pytest.mark.parametrize(
    ("shown", "zone", "before", "after"),
    [
        (local("2027-03-28 02:30"), BERLIN, "01:59", "03:00"),
        (local("2027-03-28 02:00"), BERLIN, "01:59", "03:00"),
        (local("2027-10-03 02:10"), LORD_HOWE, "01:59", "02:30"),
        (local("2027-04-30 00:30"), CAIRO, "23:59", "01:00"),
        (local("2027-03-28 00:30"), BEIRUT, "23:59", "01:00"),
    ],
)
def test_time_the_clocks_jump_over_is_refused_with_its_neighbours(
    shown: datetime, zone: ZoneInfo, before: str, after: str
):
    with pytest.raises(SkippedTime) as skipped:
        moment(shown, zone)

    assert (f"{skipped.value.before:%H:%M}", f"{skipped.value.after:%H:%M}") == (before, after)


@pytest.mark.parametrize(
    ("twice", "zone", "instants"),
    [
        ("2027-10-31 02:30", BERLIN, ("2027-10-31 00:30", "2027-10-31 01:30")),
        ("2027-10-28 23:30", CAIRO, ("2027-10-28 20:30", "2027-10-28 21:30")),
        ("2027-10-30 23:30", BEIRUT, ("2027-10-30 20:30", "2027-10-30 21:30")),
    ],
)
def test_time_the_clocks_show_twice_asks_which(twice: str, zone: ZoneInfo, instants: tuple[str, str]):
    with pytest.raises(DoubledTime) as doubled:
        moment(local(twice), zone)

    first, second = (moment(local(twice), zone, later=later) for later in (False, True))
    assert (first, second) == (doubled.value.first, doubled.value.second)
    assert [f"{shown.astimezone(UTC):%Y-%m-%d %H:%M}" for shown in (first, second)] == list(instants)
