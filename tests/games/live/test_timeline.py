from datetime import UTC, datetime, timedelta

import pytest

from games.live.timeline import Event, Timeline

START = datetime(2026, 1, 2, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def line(*events: tuple[str, float], phase: str = "play") -> Timeline:
    """A table's events, numbered from 1, with their times in seconds."""
    made = Timeline()
    made.add([Event(n, kind, at(seconds)) for n, (kind, seconds) in enumerate(events, 1)], phase)
    return made


# Two deals: of 4 and of 2 seconds, with 5 seconds between them.
TWO_DEALS = (("start", 0), ("deal", 1), ("act", 3), ("act", 5), ("deal", 10), ("act", 11), ("act", 12))


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, 1), (10.9, 1), (11, 2), (12.9, 2), (13, 3), (15, 4), (20, 5), (22, 7)]
)
def test_a_delay_in_seconds_holds_every_event_of_play_so_long(seconds, shown):
    assert line(*TWO_DEALS).advance(at(seconds), timedelta(seconds=10)) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, 1), (4.9, 1), (5, 2), (6.9, 2), (7, 3), (8.9, 3), (9, 4), (11.9, 4), (12, 5), (13, 6), (14, 7)],
)
def test_a_whole_deal_is_shown_in_its_own_rhythm_once_it_is_finished(seconds, shown):
    assert line(*TWO_DEALS, phase="deal").advance(at(seconds), None) == shown


def test_a_deal_in_play_is_not_shown_however_long_it_lasts():
    assert line(*TWO_DEALS).advance(at(9999), None) == 4


def test_a_short_deal_waits_until_the_long_one_ahead_was_shown():
    made = line(("deal", 0), ("act", 60), ("deal", 65), ("act", 66), phase="over")
    assert [made.advance(at(second), None) for second in (66, 119, 120, 122, 123, 124)] == [1, 1, 2, 2, 3, 4]


def test_what_happens_between_deals_comes_as_late_as_the_deal():
    made = line(("deal", 0), ("act", 8), ("leave", 9), phase="deal")
    assert [made.advance(at(second), None) for second in (8, 16, 16.9, 17)] == [1, 2, 2, 3]


def test_a_deal_that_ends_with_the_match_is_finished():
    made = line(("deal", 0), ("act", 3), ("yield", 4), phase="over")
    assert [(made.advance(at(second), None), made.is_through) for second in (4, 7, 8)] == [
        (1, False),
        (2, False),
        (3, True),
    ]


def test_a_gate_holds_a_deal_and_then_shows_all_of_it():
    made = line(*TWO_DEALS, phase="deal")
    gates = {0: at(30)}
    shown = [made.advance(at(second), timedelta(0), gates.get) for second in (29, 30, 32, 34, 99)]
    assert shown == [1, 2, 3, 4, 4]
    gates[1] = at(100)
    assert [made.advance(at(second), timedelta(0), gates.get) for second in (99, 100, 101, 102)] == [
        4,
        5,
        6,
        7,
    ]


def test_a_gate_does_not_open_a_deal_that_is_still_in_play_here():
    made = line(("deal", 0), ("act", 1))
    assert made.advance(at(99), timedelta(0), lambda deal: at(2)) == 0


def test_what_is_known_may_grow_step_by_step():
    made, whole = Timeline(), line(*TWO_DEALS, phase="over")
    for number, (kind, seconds) in enumerate(TWO_DEALS, 1):
        made.add([Event(number, kind, at(seconds))], "deal" if number == 4 else "play")
    made.add([], "over")
    assert (made.ends, made.over_at) == (whole.ends, whole.over_at) == ([at(5), at(12)], at(12))


# A deal of 4 seconds of play with a break of an hour in it, and one after it.
PAUSED = (
    ("deal", 0),
    ("act", 2),
    ("pause", 3),
    ("resume", 3603),
    ("act", 3604),
    ("deal", 3610),
    ("act", 3611),
)


@pytest.mark.parametrize(
    ("seconds", "shown"), [(3603.9, 0), (3604, 1), (3606, 2), (3607, 3), (3609.9, 3), (3610, 4), (3611, 5)]
)
def test_a_break_in_a_deal_that_is_shown_once_finished_is_shown_as_three_seconds(seconds, shown):
    assert line(*PAUSED, phase="deal").advance(at(seconds), None) == shown


def test_a_look_more_or_less_shows_a_break_no_sooner():
    made = line(*PAUSED, phase="deal")
    looks = [made.advance(at(3600 + second / 4), None) for second in range(48)]
    assert (looks[39], looks[40], looks[43], looks[44]) == (3, 4, 4, 5)


@pytest.mark.parametrize(("seconds", "shown"), [(13, 3), (3612.9, 3), (3613, 4), (3614, 5), (3621, 7)])
def test_a_delay_in_seconds_holds_what_comes_after_a_break_as_long(seconds, shown):
    assert line(*PAUSED).advance(at(seconds), timedelta(seconds=10)) == shown


@pytest.mark.parametrize("delay", [None, timedelta(seconds=30)])
def test_a_break_never_lets_cards_be_seen_before_the_deal_was_finished_everywhere(delay):
    opened = at(4000)
    made = line(*PAUSED, phase="deal")
    looks = [(second, made.advance(at(second), delay, lambda deal: opened)) for second in range(3590, 4040)]
    first = next(second for second, shown in looks if shown)
    last = next(second for second, shown in looks if shown >= 5)
    assert first == 4000
    assert all(
        second >= happened + (delay.seconds if delay else 0)
        for happened, seen in ((2, 2), (3604, 5))
        for second, shown in looks
        if shown == seen
    )
    assert last < 4060
