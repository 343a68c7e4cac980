"""Who is brought to one table: pure, so that every case is a line."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.services.matching import SEATS, Wish, closeness, find_matches
from tests.factories import NOON

AFTER = timedelta(seconds=30)


def wishes(*groups: str, bots: str = "") -> list[Wish]:
    """Wishes a second apart, oldest first, each named by its players: "a" alone, "bc" together."""
    return [
        Wish(
            number,
            tuple(map(ord, group)),
            NOON + timedelta(seconds=number),
            bots=bool(set(group) & set(bots)),
        )
        for number, group in enumerate(groups)
    ]


def tables(found: list[Wish], seconds: float = 60) -> list[str]:
    """The seats of each table that comes together so long after noon; "-" is a bot."""
    made = find_matches(
        found, now=NOON + timedelta(seconds=seconds), bots_after=AFTER, chance=lambda below: below - 1
    )
    return ["".join("-" if user is None else chr(user) for user in table.seats) for table in made]


@pytest.mark.parametrize(
    ("groups", "made"),
    [
        ("", []),
        ("a b c", []),
        ("a b c d", ["acbd"]),
        ("a b c d e f g h", ["acbd", "egfh"]),
        ("a b c d e", ["acbd"]),
        ("ab cd", ["acbd"]),
        ("ab c d", ["acbd"]),
        ("c ab d", ["acbd"]),
        ("a bc", []),
        ("ab c", []),
        # Three who came alone and a pair: the two who came first beside the pair.
        ("a b c de", ["daeb"]),
        # Nobody fits beside the first, but two pairs make a table.
        ("a bc de", ["bdce"]),
        # The pair came before the third and the fourth alone.
        ("a b cd e f", ["cadb"]),
        # Whoever waits longest goes first.
        ("ab c de f", ["acbf"]),
    ],
)
def test_four_make_a_table_whoever_waits_longest_first(groups: str, made: list[str]) -> None:
    assert tables(wishes(*groups.split())) == made


@pytest.mark.parametrize(
    ("groups", "bots", "seconds", "made"),
    [
        ("a", "a", 29.9, []),
        ("a", "a", 30, ["a---"]),
        ("a", "", 3600, []),
        ("a b c", "abc", 31, ["acb-"]),
        # Those who want people only stay, and keep nobody else from bots.
        ("a b", "b", 32, ["b---"]),
        ("a b c", "ac", 31, ["a-c-"]),
        ("ab", "a", 30, ["a-b-"]),
        ("ab c", "abc", 30, ["acb-"]),
        # Four people need no bots, whatever they have agreed to.
        ("a b c d", "ab", 60, ["acbd"]),
    ],
)
def test_bots_fill_after_the_wait_where_all_agreed(
    groups: str, bots: str, seconds: float, made: list[str]
) -> None:
    assert sorted(map(sorted, tables(wishes(*groups.split(), bots=bots), seconds))) == sorted(
        map(sorted, made)
    )


def test_partner_of_a_pair_is_never_given_to_another() -> None:
    assert tables(wishes("ab", "c", bots="abc"), 31) in (["acb-"], ["a-bc"])


def test_those_alone_are_dealt_to_the_sides_by_chance() -> None:
    opposite = set()
    for drawn in range(24):
        digits = iter((drawn % 4, drawn // 4 % 3, drawn // 12))
        found = find_matches(
            wishes("a", "b", "c", "d"),
            now=NOON,
            bots_after=AFTER,
            chance=lambda below, digits=digits: next(digits),
        )
        seats = found[0].seats
        place = seats.index(ord("a"))
        opposite.add(chr(seats[(place + 2) % 4] or 0))

    assert opposite == {"b", "c", "d"}


def test_closest_in_strength_come_first_once_there_are_ratings() -> None:
    strengths = [1500.0, 2000.0, 1510.0, 1490.0, 1520.0]
    rated = [wish._replace(rating=rating) for wish, rating in zip(wishes(*"abcde"), strengths, strict=True)]

    assert [sorted(table) for table in tables(rated)] == [["a", "c", "d", "e"]]


def test_without_ratings_nobody_is_closer_than_another() -> None:
    one, other = wishes("a", "b")
    assert (closeness(one, other._replace(rating=1500)), closeness(one, other)) == (0, 0)


@given(
    st.lists(
        st.tuples(st.integers(1, 2), st.booleans(), st.integers(0, 90), st.none() | st.floats(0, 3000)),
        max_size=14,
    )
)
def test_any_crowd_is_seated_once_partners_opposite_and_bots_by_consent(
    crowd: list[tuple[int, bool, int, float | None]],
) -> None:
    numbers = iter(range(1, 100))
    waiting = [
        Wish(
            number,
            tuple(next(numbers) for _ in range(people)),
            NOON + timedelta(seconds=age),
            bots,
            rating,
        )
        for number, (people, bots, age, rating) in enumerate(crowd)
    ]
    now = NOON + timedelta(seconds=90)
    found = find_matches(waiting, now=now, bots_after=AFTER, chance=lambda below: 0)
    by_id = {wish.id: wish for wish in waiting}
    seated = [user for table in found for user in table.seats if user is not None]

    assert len(seated) == len(set(seated))
    for table in found:
        group = [by_id[number] for number in table.wishes]
        assert len(table.seats) == SEATS
        assert sorted(user for wish in group for user in wish.users) == sorted(filter(None, table.seats))
        for wish in group:
            places = [table.seats.index(user) for user in wish.users]
            assert len(places) == 1 or abs(places[0] - places[1]) == 2
        if None in table.seats:
            assert all(wish.bots for wish in group)
            assert any(wish.since <= now - AFTER for wish in group)
    # Nobody is left waiting who could play.
    assert (
        find_matches(
            [wish for wish in waiting if not set(wish.users) & set(seated)],
            now=now,
            bots_after=AFTER,
            chance=lambda below: 0,
        )
        == []
    )


@pytest.mark.parametrize(
    ("groups", "foes", "seconds", "bots", "made"),
    [
        # b does not want to meet a: who came later takes the place, whoever it is.
        ("a b c d", "ab", 60, "", []),
        ("a b c d e", "ab", 60, "", ["acde"]),
        ("a b c d", "cd", 60, "", []),
        ("a b c d e", "cd", 60, "", ["abce"]),
        ("ab c d", "bd", 60, "", []),
        ("ab cd ef", "ac", 60, "", ["aebf"]),
        # Nobody else came for long.
        ("a b c d", "ab", 121, "", ["abcd"]),
        # Bots are others too, and they are always there.
        ("a b", "ab", 31, "ab", ["a---", "b---"]),
    ],
)
def test_foes_come_together_only_where_nobody_else_is_there(
    groups: str, foes: str, seconds: float, bots: str, made: list[str]
) -> None:
    found = find_matches(
        wishes(*groups.split(), bots=bots),
        now=NOON + timedelta(seconds=seconds),
        bots_after=AFTER,
        chance=lambda below: below - 1,
        foes=frozenset({frozenset(map(ord, foes))}),
        foes_after=timedelta(seconds=120),
    )
    seated = ["".join("-" if user is None else chr(user) for user in table.seats) for table in found]
    assert ["".join(sorted(table)) for table in seated] == ["".join(sorted(table)) for table in made]
