"""The third player of a pair, and which two of the three play."""

import pytest

from tests.factories import make_user, make_users
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, TONIGHT, end, enter_pair, make_tournament, open_table
from tournaments.models import Tournament
from tournaments.services import entry, results, rounds, rulings, teams

pytestmark = pytest.mark.django_db


def with_third(tournament: Tournament):
    """A pair that is in, with a third player who has accepted: its entry, the two, the third."""
    layla, omar, rana = make_users(3)
    made = entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, third=rana, now=NOW)
    for user in (omar, rana):
        entry.accept(tournament_id=tournament.pk, entry_number=made.number, user=user, now=NOW)
    return made, (layla, omar), rana


def rest(tournament: Tournament, made, user, place: int, now=NOW):
    return teams.substitute(
        tournament_id=tournament.pk, entry_number=made.number, user=user, rests=place, now=now
    )


def playing(made) -> list[int]:
    return list(made.members.filter(plays=True).order_by("place").values_list("place", flat=True))


def test_third_player_is_asked_accepts_and_rests():
    tournament = make_tournament(substitutes=True)

    made, (layla, omar), rana = with_third(tournament)

    rows = made.members.order_by("place").values_list("user", "plays", "active")
    assert list(rows) == [(layla.pk, True, True), (omar.pk, True, True), (rana.pk, False, True)]
    assert rana.notices.get().text_en == (
        f"\u2068{layla.username}\u2069 asks you to be the third player of their pair in \u2068Thursday night\u2069."
    )


def test_third_player_may_be_asked_later_taken_back_and_may_say_no():
    tournament = make_tournament(substitutes=True)
    layla, omar, rana, sami = make_users(4)
    made = enter_pair(tournament, layla, omar)
    pair = {"tournament_id": tournament.pk, "user": omar, "now": NOW}
    answer = {"tournament_id": tournament.pk, "entry_number": made.number, "user": rana, "now": NOW}

    teams.ask_third(**pair, third=rana)
    entry.decline(**answer)
    after_no = made.members.count()
    teams.ask_third(**pair, third=rana)
    teams.ask_third(**pair, third=sami)
    asked = made.members.get(place=2).user
    teams.drop_third(**pair)

    assert (after_no, asked, made.members.count()) == (2, sami, 2)
    assert layla.notices.filter(text_en__contains="does not come as your third player").count() == 1


def test_third_player_belongs_to_one_pair():
    tournament = make_tournament(substitutes=True)
    made, (layla, _omar), rana = with_third(tournament)
    other = enter_pair(tournament)
    user = other.members.get(place=0).user

    with refused("partner-entered"):
        teams.ask_third(tournament_id=tournament.pk, user=user, third=rana, now=NOW)
    with refused("already-entered"):
        entry.enter(tournament_id=tournament.pk, user=rana, partner=make_user(), now=NOW)
    with refused("third-there"):
        teams.ask_third(tournament_id=tournament.pk, user=layla, third=make_user(), now=NOW)
    assert made.members.count() == 3


def test_who_is_in_with_a_pair_is_no_longer_asked_to_be_a_third():
    tournament = make_tournament(substitutes=True)
    made = enter_pair(tournament)
    rana = make_user()
    teams.ask_third(tournament_id=tournament.pk, user=made.members.get(place=0).user, third=rana, now=NOW)

    enter_pair(tournament, rana, make_user())

    assert made.members.count() == 2


def test_no_third_player_where_there_are_none():
    tournament = make_tournament()

    with refused("no-substitutes"):
        with_third(tournament)


@pytest.mark.parametrize("place", [0, 1])
def test_who_plays_is_changed_by_the_pair_or_an_official_and_back(place: int):
    tournament = make_tournament(substitutes=True)
    made, (layla, _omar), rana = with_third(tournament)
    enter_pair(tournament)

    rest(tournament, made, rana, place)
    rest(tournament, made, rana, place)
    changed = playing(made)
    rest(tournament, made, tournament.organiser, 2)

    assert (changed, playing(made)) == ([1 - place, 2], [0, 1])
    assert tournament.acts.filter(kind="substitution", is_public=True).count() == 2
    with refused("not-organiser"):
        rest(tournament, made, make_user(), 0)
    assert layla.notices.filter(text_en__contains="rests; the other two play").count() >= 1


def test_who_plays_sits_at_the_table_and_is_not_changed_while_it_is_open():
    tournament = make_tournament(substitutes=True)
    made, (_layla, omar), rana = with_third(tournament)
    for _ in range(3):
        enter_pair(tournament)
    rest(tournament, made, omar, 0)
    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)
    row = next(row for row in tournament.tables.all() if made.ident in row.sides)
    seated = {seat.user for seat in row.table.seats.all()}

    with refused("table-open"):
        rest(tournament, made, omar, 2)
    end(tournament, row.pairing, (31, 0) if row.sides[0] == made.ident else (0, 31))
    results.adjudicate(tournament_id=tournament.pk, now=NOW)
    rest(tournament, made, omar, 2)

    assert {omar, rana} < seated
    assert playing(made) == [0, 1]


def test_two_have_nobody_to_change_with():
    tournament = make_tournament(substitutes=True)
    made = enter_pair(tournament)
    user = made.members.get(place=0).user

    with refused("no-third"):
        rest(tournament, made, user, 0)
    teams.ask_third(tournament_id=tournament.pk, user=user, third=make_user(), now=NOW)
    with refused("no-third"):
        rest(tournament, made, user, 0)


def test_third_who_plays_cannot_be_dropped_and_a_resting_one_may_go_alone():
    tournament = make_tournament(substitutes=True)
    made, (layla, _omar), rana = with_third(tournament)
    rest(tournament, made, layla, 1)

    with refused("third-plays"):
        teams.drop_third(tournament_id=tournament.pk, user=rana, now=NOW)
    rest(tournament, made, layla, 2)
    teams.drop_third(tournament_id=tournament.pk, user=rana, now=NOW)

    assert (made.members.count(), made.members.filter(active=True).count()) == (2, 2)


def test_withdrawal_frees_all_three():
    tournament = make_tournament(substitutes=True)
    _made, (layla, _omar), rana = with_third(tournament)

    rulings.leave(tournament_id=tournament.pk, user=layla, now=NOW)

    assert enter_pair(tournament, rana, make_user()).number == 2


def test_third_who_has_not_answered_at_the_start_is_not_asked_any_more():
    tournament = make_tournament(substitutes=True)
    made, other = enter_pair(tournament), enter_pair(tournament)
    third = make_user()
    teams.ask_third(tournament_id=tournament.pk, user=made.members.get(place=0).user, third=third, now=NOW)

    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=TONIGHT)

    assert (made.members.count(), other.members.count()) == (2, 2)
    assert open_table(tournament, "R1.1").table.seats.filter(user=third).count() == 0


def test_pair_names_itself_before_the_start():
    tournament = make_tournament()
    made, other = enter_pair(tournament), enter_pair(tournament)

    def named(of, name: str):
        user = of.members.get(place=1).user
        return teams.describe(tournament_id=tournament.pk, user=user, name=name, club="Homs", now=NOW)

    assert (named(made, "Eagles").name, named(made, "Eagles").club) == ("Eagles", "Homs")
    with refused("name-taken"):
        named(other, "eagles")
