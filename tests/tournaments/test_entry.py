import pytest

from tests.factories import make_user, make_users
from tests.tournaments.scenes import NOW, enter_pair, make_tournament, started
from tournaments.models import Entry, Tournament
from tournaments.services import entry, rounds, rulings
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def ask(tournament: Tournament, user, partner) -> Entry:
    return entry.enter(tournament_id=tournament.pk, user=user, partner=partner, now=NOW)


def say_yes(tournament: Tournament, made: Entry, user) -> Entry:
    return entry.accept(tournament_id=tournament.pk, entry_number=made.number, user=user, now=NOW)


def refusal(work, *args, **more) -> str | None:
    try:
        work(*args, **more)
    except Refused as refused:
        return refused.code
    return None


def players_in(tournament: Tournament) -> list[str]:
    active = tournament.members.filter(active=True, entry__accepted_at__isnull=False)
    return list(active.order_by("entry", "place").values_list("user__username", flat=True))


def test_pair_is_in_once_the_partner_accepts():
    tournament, (layla, omar) = make_tournament(), make_users(2)

    made = ask(tournament, layla, omar)
    before = players_in(tournament)
    say_yes(tournament, made, omar)

    assert (before, players_in(tournament)) == ([], [layla.username, omar.username])


def test_accepting_twice_changes_nothing():
    tournament, (layla, omar) = make_tournament(), make_users(2)
    made = ask(tournament, layla, omar)

    first, second = say_yes(tournament, made, omar), say_yes(tournament, made, omar)

    assert first.accepted_at == second.accepted_at


def test_asking_who_has_asked_is_accepting():
    tournament, (layla, omar) = make_tournament(), make_users(2)
    asked = ask(tournament, layla, omar)

    answer = ask(tournament, omar, layla)

    assert (answer.pk, tournament.entries.count()) == (asked.pk, 1)
    assert players_in(tournament) == [layla.username, omar.username]


def test_accepting_one_declines_the_other_invitations_and_frees_who_made_them():
    tournament, (layla, rana, omar, sami) = make_tournament(), make_users(4)
    first, second = ask(tournament, layla, omar), ask(tournament, rana, omar)

    say_yes(tournament, first, omar)
    second.refresh_from_db()

    assert second.declined_at == NOW
    assert refusal(ask, tournament, rana, sami) is None


def test_accepting_takes_back_what_the_partner_had_asked_elsewhere():
    tournament, (layla, omar, rana) = make_tournament(), make_users(3)
    own, asked = ask(tournament, omar, rana), ask(tournament, layla, omar)

    say_yes(tournament, asked, omar)
    own.refresh_from_db()

    assert own.withdrawn_at == NOW
    assert players_in(tournament) == [layla.username, omar.username]


def test_only_who_was_asked_can_accept():
    tournament, (layla, omar, rana) = make_tournament(), make_users(3)
    made = ask(tournament, layla, omar)

    for other in (layla, rana):
        with pytest.raises(Entry.DoesNotExist):
            say_yes(tournament, made, other)


def test_player_cannot_be_his_own_partner():
    tournament, layla = make_tournament(), make_user()

    assert refusal(ask, tournament, layla, layla) == "own-partner"


def test_player_enters_once():
    tournament, (layla, omar, rana) = make_tournament(), make_users(3)
    ask(tournament, layla, omar)

    assert refusal(ask, tournament, layla, rana) == "already-entered"


def test_player_who_is_in_cannot_be_asked_nor_accept_elsewhere():
    tournament, (layla, omar, rana) = make_tournament(), make_users(3)
    late = ask(tournament, rana, omar)
    enter_pair(tournament, layla, omar)

    assert refusal(ask, tournament, rana, layla) == "partner-entered"
    assert refusal(say_yes, tournament, late, omar) == "lapsed"


def test_who_withdrew_may_enter_again_under_a_new_number():
    tournament, (layla, omar) = make_tournament(), make_users(2)
    enter_pair(tournament, layla, omar)
    rulings.leave(tournament_id=tournament.pk, user=omar, now=NOW)

    again = enter_pair(tournament, layla, omar)

    assert again.number == 2
    assert players_in(tournament) == [layla.username, omar.username]


def test_nobody_enters_accepts_or_declines_after_the_start():
    tournament = make_tournament()
    layla, omar = make_users(2)
    made = ask(tournament, layla, omar)
    enter_pair(tournament)
    enter_pair(tournament)
    rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=NOW)

    assert refusal(say_yes, tournament, made, omar) == "not-open"
    assert refusal(ask, tournament, *make_users(2)) == "not-open"
    decline = {"tournament_id": tournament.pk, "entry_number": made.number, "user": omar, "now": NOW}
    assert refusal(entry.decline, **decline) == "not-open"
    assert tournament.members.filter(user__in=(layla, omar), active=True).count() == 0


def test_declined_invitation_frees_who_made_it():
    tournament, (layla, omar, rana) = make_tournament(), make_users(3)
    made = ask(tournament, layla, omar)

    entry.decline(tournament_id=tournament.pk, entry_number=made.number, user=omar, now=NOW)

    assert refusal(ask, tournament, layla, rana) is None


def test_organiser_takes_a_pair_out_before_the_start_and_nobody_else_does():
    tournament = make_tournament()
    made = enter_pair(tournament)
    take_out = {"tournament_id": tournament.pk, "entry_number": made.number, "now": NOW}

    assert refusal(entry.remove, actor=make_user(), **take_out) == "not-organiser"
    assert refusal(entry.remove, actor=tournament.organiser, **take_out) is None
    assert players_in(tournament) == []


def test_started_tournament_has_its_entries_seeded_by_lot():
    tournament = started(5)

    seeds = tournament.entries.order_by("seed").values_list("number", flat=True)
    assert list(seeds) == rounds.seed_order(tournament.lot, range(1, 6))
