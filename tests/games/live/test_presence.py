import pytest

from games.live.presence import Here, Lags, Presence

TABLE = 7
SEATED = (1, 2, 3, 4)


def here(*connected: int, gone: tuple[int, ...] = (), watching: int = 0) -> Here:
    return Here(frozenset(connected), frozenset(gone), watching)


@pytest.mark.parametrize(("seconds", "gone"), [(0, ()), (39.9, ()), (40, (1,)), (4000, (1,))])
def test_who_lost_the_last_socket_is_gone_after_forty_seconds(seconds, gone):
    presence = Presence()
    for user in SEATED:
        presence.came(TABLE, user, 100.0)
    presence.went(TABLE, 1, 200.0)
    assert presence.at(TABLE, SEATED, 200.0 + seconds) == here(2, 3, 4, gone=gone)


def test_who_was_never_seen_counts_from_when_the_table_was_first_watched():
    presence = Presence()
    presence.came(TABLE, 1, 100.0)
    presence.came(TABLE, 2, 130.0)
    assert presence.at(TABLE, SEATED, 139.0) == here(1, 2)
    assert presence.at(TABLE, SEATED, 140.0) == here(1, 2, gone=(3, 4))


def test_who_comes_back_is_there_and_may_be_lost_anew():
    presence = Presence()
    presence.came(TABLE, 1, 0.0)
    presence.went(TABLE, 1, 10.0)
    presence.came(TABLE, 1, 100.0)
    assert presence.at(TABLE, [1], 100.0) == here(1)
    presence.went(TABLE, 1, 110.0)
    assert [presence.at(TABLE, [1], now).gone for now in (149.0, 150.0)] == [frozenset(), {1}]


def test_what_another_process_says_counts_until_it_is_silent():
    presence = Presence()
    assert presence.heard("b", TABLE, [2], 3, 0.0) == (True, True)
    assert presence.heard("b", TABLE, [2], 5, 1.0) == (False, True)
    assert presence.at(TABLE, SEATED, 2.0) == here(2, watching=5)
    assert presence.expire(26.0) == set()
    assert presence.expire(26.5) == {TABLE}
    assert presence.at(TABLE, [2], 27.0) == here()
    # Gone since it was silent, not since it spoke last.
    assert [presence.at(TABLE, [2], now).gone for now in (66.0, 66.5)] == [frozenset(), {2}]


def test_spectators_are_counted_once_a_user_and_once_a_visitor():
    presence = Presence()
    for user in (1, 8, 8, None, None):
        presence.came(TABLE, user, 0.0)
    presence.heard("b", TABLE, [2], 4, 0.0)
    assert presence.own(TABLE, SEATED) == ([1], 3)
    assert (presence.at(TABLE, SEATED, 0.0).watching, presence.watching(TABLE, SEATED)) == (7, 7)
    for user in (8, 8, None):
        presence.went(TABLE, user, 1.0)
    assert presence.at(TABLE, SEATED, 1.0).watching == 5


def test_a_turn_from_reconnecting_to_gone_is_noticed_once():
    presence = Presence()
    presence.came(TABLE, 1, 0.0)
    presence.at(TABLE, [1, 2], 0.0)
    assert [presence.turned(TABLE, [1, 2], now) for now in (39.0, 40.0, 41.0)] == [False, True, False]


def test_a_table_left_for_long_is_forgotten():
    presence = Presence()
    presence.came(TABLE, 1, 0.0)
    presence.went(TABLE, 1, 1.0)
    presence.expire(300.0)
    assert presence.at(TABLE, [1], 300.0) == here(gone=(1,))
    presence.expire(302.0)
    assert presence.at(TABLE, [1], 302.0) == here()


def test_crowds_that_come_and_go_leave_no_trace():
    presence = Presence()
    presence.came(TABLE, 1, 0.0)
    for user in range(100, 1100):
        presence.came(TABLE, user, 1.0)
        presence.went(TABLE, user, 2.0)
    presence.at(TABLE, [1], 3.0)
    assert len(presence._tables[TABLE].since) == 0


def test_one_slow_answer_makes_no_slow_line():
    lags = Lags()
    lags.measured(1, 40)
    lags.measured(1, 440)
    assert (lags.of(1), lags.of(2)) == (140, 0)


def test_a_lag_is_known_from_here_else_from_elsewhere_for_a_while():
    lags = Lags()
    lags.told(1, 300, 0.0)
    lags.told(2, 200, 0.0)
    lags.measured(1, 50)
    assert (lags.of(1), lags.of(2), lags.own([1, 2])) == (50, 200, {1: 50})
    lags.forget(1)
    assert lags.of(1) == 300
    lags.expire(30.0)
    assert (lags.of(1), lags.of(2)) == (0, 0)
