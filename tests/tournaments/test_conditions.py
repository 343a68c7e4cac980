"""Who may enter: code, invitation, confirmed address, country, rating; and that each is told what to do."""

import pytest
from allauth.account.models import EmailAddress

from tests.factories import make_user, make_users
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, enter_pair, make_tournament
from tournaments.models import Tournament
from tournaments.services import entry, guestlist, teams
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def code_of(work, **more) -> str | None:
    try:
        work(**more)
    except Refused as refusal:
        return refusal.code
    return None


def entering(tournament: Tournament, user=None, partner=None, **more) -> str | None:
    pair = {"user": user or make_user(), "partner": partner or make_user()}
    return code_of(entry.enter, tournament_id=tournament.pk, now=NOW, **pair, **more)


def accepting(tournament: Tournament, user, partner) -> str | None:
    number = entry.enter(tournament_id=tournament.pk, user=user, partner=partner, now=NOW).number
    return code_of(entry.accept, tournament_id=tournament.pk, entry_number=number, user=partner, now=NOW)


def confirmed(**more):
    user = make_user(**more)
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "code-missing"),
        ("  ", "code-missing"),
        ("damas 8", "code-wrong"),
        ("Damas7", None),
        ("dAMAS ٧", None),
    ],
)
def test_tournament_by_code_is_entered_with_it_however_it_is_typed(typed: str, code: str | None):
    tournament = make_tournament(access="code", entry_code="Damas 7")

    assert entering(tournament, code=typed) == code


def test_partner_needs_no_code():
    tournament = make_tournament(access="code", entry_code="Damas 7")
    layla, omar = make_users(2)
    number = entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, code="damas7", now=NOW).number

    assert (
        entry.accept(tournament_id=tournament.pk, entry_number=number, user=omar, now=NOW).accepted_at == NOW
    )


def test_tournament_by_invitation_is_entered_by_who_is_on_the_list_or_with_them():
    tournament = make_tournament(access="invited")
    guest, other = make_users(2)
    invite = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": NOW}
    before = entering(tournament, guest)
    invited = [guestlist.invite(**invite, users=[guest, guest]) for _ in range(2)]

    assert (before, invited) == ("not-invited", [[guest], []])
    assert entering(tournament) == "not-invited"
    assert entering(tournament, other, guest) is None
    assert guest.notices.get(key=f"invited-{tournament.pk}").text_en == (
        "You are invited to \u2068Thursday night\u2069. Enter with a partner."
    )
    assert (guestlist.uninvite(**invite, user=guest), guestlist.uninvite(**invite, user=guest)) == (
        True,
        False,
    )


def test_confirmed_address_is_asked_of_both_and_each_is_told_of_their_own():
    tournament = make_tournament(verified_only=True)

    assert entering(tournament) == "email-unconfirmed"
    assert accepting(tournament, confirmed(), make_user()) == "email-unconfirmed"
    assert accepting(tournament, confirmed(), confirmed()) is None


def test_address_that_was_changed_since_stands_in_the_partners_way():
    tournament = make_tournament(verified_only=True)
    layla, omar = confirmed(), confirmed()
    number = entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, now=NOW).number
    EmailAddress.objects.filter(user=layla).update(verified=False)

    with refused("partner-email-unconfirmed"):
        entry.accept(tournament_id=tournament.pk, entry_number=number, user=omar, now=NOW)


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [("SY", "LB", None), ("", "SY", "country-missing"), ("EG", "SY", "region")],
)
def test_region_is_asked_of_who_enters(first: str, second: str, code: str | None):
    tournament = make_tournament(regions=["SY", "LB"])

    assert entering(tournament, make_user(country=first), make_user(country=second)) == code


@pytest.mark.parametrize(("second", "code"), [("LB", None), ("", "country-missing"), ("EG", "region")])
def test_region_is_asked_of_the_partner(second: str, code: str | None):
    tournament = make_tournament(regions=["SY", "LB"])

    assert accepting(tournament, make_user(country="SY"), make_user(country=second)) == code


@pytest.mark.parametrize(
    ("bounds", "rating", "code"),
    [
        ({"min_rating": 1500}, None, "rating-unknown"),
        ({"min_rating": 1500}, 1499, "rating-low"),
        ({"min_rating": 1500}, 1500, None),
        ({"max_rating": 1800}, None, None),
        ({"max_rating": 1800}, 1801, "rating-high"),
        ({"min_rating": 1500, "max_rating": 1800}, 1700, None),
    ],
)
def test_rating_an_official_entered_decides(bounds: dict, rating: int | None, code: str | None):
    tournament = make_tournament(**bounds)
    layla, omar = make_users(2)
    number = entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, now=NOW).number
    official = {"tournament_id": tournament.pk, "actor": tournament.organiser, "now": NOW}
    teams.rate(**official, entry_number=number, rating=rating)

    assert code_of(entry.accept, tournament_id=tournament.pk, entry_number=number, user=omar, now=NOW) == code


@pytest.mark.parametrize("name", ["نسور الشام", "نسُور  الشام"])
def test_name_of_a_living_team_is_taken_and_free_once_it_has_left(name: str):
    tournament = make_tournament()
    layla, omar, rana, sami = make_users(4)
    entry.enter(tournament_id=tournament.pk, user=layla, partner=omar, name="نسور الشام", now=NOW)
    first = entry.accept(tournament_id=tournament.pk, entry_number=1, user=omar, now=NOW)

    taken = entering(tournament, rana, sami, name=name)
    entry.remove(tournament_id=tournament.pk, entry_number=first.number, actor=tournament.organiser, now=NOW)
    again = [entering(tournament, layla, rana, name=name)]

    assert (taken, again) == ("name-taken", [None])
    assert list(tournament.entries.order_by("number").values_list("number", "withdrawn_at")) == [
        (1, NOW),
        (2, None),
    ]


def test_pair_that_is_in_is_told_what_the_partner_answered():
    tournament = make_tournament()
    layla, omar = make_user("Layla"), make_user("Omar")
    enter_pair(tournament, layla, omar)

    assert [notice.text_en for notice in omar.notices.all()] == [
        "\u2068Layla\u2069 asks you to be their partner in \u2068Thursday night\u2069."
    ]
    assert [notice.text_en for notice in layla.notices.all()] == [
        "\u2068Omar\u2069 plays \u2068Thursday night\u2069 with you: your pair is entered."
    ]
