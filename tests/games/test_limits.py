import pytest

from games import limits
from games.limits import FLOOD_STRIKES, FRAMES, Bucket, Buckets, Pace, Places, Rate, is_lifted, place_of


def taken(pace: Pace, at: float, most: int = 10_000) -> int:
    """How many frames are in time at that moment, one after the other."""
    count = 0
    while count < most and pace.allows(at):
        count += 1
    return count


def test_all_sockets_of_a_user_share_one_pace():
    first, second = (limits.pace(-1, "192.0.2.1", 0.0) for _ in range(2))
    assert taken(first, 0.0, 40) + taken(second, 0.0) == FRAMES.user.at_once
    assert taken(second, 1.0) == FRAMES.user.a_second


def test_sixty_players_behind_one_address_play_spectate_and_reconnect_at_once():
    players = [limits.pace(-1000 - number, "192.0.2.2", 0.0) for number in range(60)]
    assert [taken(pace, 0.0, 20) for pace in players] == [20] * 60
    assert limits.SOCKETS_OF_ADDRESS >= 60 * 3
    assert limits.OPENINGS.address.at_once >= 60 * 3 * 4


def test_too_much_from_an_address_strikes_none_of_its_sockets():
    others = [limits.pace(-2000 - number, "192.0.2.3", 0.0) for number in range(20)]
    assert sum(taken(pace, 0.0) for pace in others) == FRAMES.address.at_once
    late = limits.pace(-3000, "192.0.2.3", 0.0)
    assert [late.allows(0.0) for _ in range(200)] == [False] * 200
    assert (late.strikes, late.is_flood()) == (0, False)
    assert taken(late, 1.0) == FRAMES.user.at_once


def test_a_flood_is_known_by_its_strikes_and_a_pause_forgives_them():
    pace = limits.pace(None, "192.0.2.4", 0.0)
    assert taken(pace, 0.0) == 60
    for _ in range(FLOOD_STRIKES - 2):
        pace.allows(0.0)
    assert not pace.is_flood()
    assert pace.allows(3.0)
    assert pace.strikes == 0
    for _ in range(60 + FLOOD_STRIKES):
        pace.allows(3.0)
    assert pace.is_flood()


def test_an_act_that_was_done_costs_nothing():
    pace = limits.pace(None, "192.0.2.5", 0.0)
    for _ in range(500):
        assert pace.allows(0.0)
        pace.give_back()


def test_what_one_bucket_refuses_is_taken_from_none():
    buckets, rate = Buckets(), Rate(1, 0)
    assert buckets.take([("address", Rate(5, 0)), ("user", rate)], 0.0)
    assert not buckets.take([("address", Rate(5, 0)), ("user", rate)], 0.0)
    assert [buckets.take([("address", Rate(5, 0))], 0.0) for _ in range(5)] == [True] * 4 + [False]


def test_full_buckets_are_forgotten(monkeypatch):
    monkeypatch.setattr(limits, "FORGOTTEN_AT", 3)
    buckets, rate = Buckets(), Rate(2, 1)
    for who in range(3):
        buckets.take([(who, rate)], 0.0)
    kept = buckets.of(0, rate, 0.5)
    buckets.of("new", rate, 0.5)
    assert buckets.of(0, rate, 0.5) is kept
    buckets.of("newer", rate, 9.0)
    assert buckets.of(0, rate, 9.0) is not kept


def test_a_clock_that_stands_still_or_goes_back_gives_nothing():
    bucket = Bucket(Rate(1, 1), 5.0)
    assert [bucket.take(at) for at in (5.0, 5.0, 4.0)] == [True, False, False]


def test_places_are_given_up_whatever_ends_the_socket():
    places = Places()
    with places.place("u", 2) as first, places.place("u", 2) as second, places.place("u", 2) as third:
        assert (first, second, third) == (True, True, False)
    with pytest.raises(ZeroDivisionError), places.place("u", 1):
        1 / 0  # noqa: B018
    assert places.taken("u") == 0


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("", ""),
        ("/run/site.sock", "/run/site.sock"),
    ],
)
def test_one_line_is_one_address(address, place):
    assert place_of(address) == place


@pytest.mark.parametrize(
    ("limits_on_loopback", "address", "is_forwarded", "lifted"),
    [
        (True, "127.0.0.1", False, False),
        (False, "127.0.0.1", False, True),
        (False, "127.8.9.1", False, True),
        (False, "::1", False, True),
        (False, "127.0.0.1", True, False),
        (False, "192.0.2.1", False, False),
        (False, "10.0.0.1", False, False),
        (False, "", False, False),
        (False, "localhost", False, False),
    ],
)
def test_limits_are_lifted_on_loopback_alone(settings, limits_on_loopback, address, is_forwarded, lifted):
    settings.LIMITS_ON_LOOPBACK = limits_on_loopback
    assert is_lifted(address, is_forwarded=is_forwarded) is lifted
