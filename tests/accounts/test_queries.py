"""Finding people and putting them in order."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.queries import by_name, find_player, search_players
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("typed", ["كريم علي", "کریم علی", "كريم_علي", "كَريم علي"])
def test_player_is_found_by_any_spelling_of_one_identity(typed: str) -> None:
    user = make_user("كريم علي")
    assert find_player(typed) == user


@pytest.mark.parametrize("typed", ["", " ", "كريم", "\u202e"])
def test_player_is_not_found_by_another_name(typed: str) -> None:
    make_user("كريم علي")
    assert find_player(typed) is None


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("آسفي", "اسفي"),
        ("أحمد", "احمد"),
        ("إبراهيم", "ابراهيم"),
        ("مراكش", "مَرَّاكُش"),
        ("فاطمة", "فاطمه"),
        ("مصطفى", "مصطفي"),
        ("مؤمن", "مومن"),
        ("كريم علي", "کریم"),
        ("كريم علي", "علي"),
        ("Zoë", "ZOE"),
    ],
)
def test_search_finds_everyday_spellings(name: str, typed: str) -> None:
    user = make_user(name)
    make_user("ياسر")
    assert search_players(typed) == [user]


def test_search_ranks_whole_names_before_beginnings_before_the_rest() -> None:
    names = ["بطل احمد", "احمدي", "أحمد", "احمد", "محاحمد"]
    for name in names:
        make_user(name)
    assert [user.username for user in search_players("احمد")] == [
        "احمد",
        "أحمد",
        "احمدي",
        "بطل احمد",
        "محاحمد",
    ]


def test_search_leaves_closed_accounts_out() -> None:
    make_user("Ali", is_active=False)
    assert search_players("ali") == []


def test_search_gives_no_more_than_asked_for() -> None:
    for number in range(4):
        make_user(f"Ali {number}")
    assert len(search_players("ali", limit=3)) == 3


def test_names_stand_in_the_order_of_the_arabic_alphabet() -> None:
    ordered = ["٧ نجوم", "7up", "أحمد", "احمد", "آدم", "إياد", "بسام", "پويا", "هبة", "ياسر", "Ali", "Ziad"]
    for name in reversed(ordered):
        make_user(name)
    assert [user.username for user in by_name(User.objects.all())] == ordered


def test_two_lookalikes_cannot_be_stored_even_past_the_forms() -> None:
    make_user("ali")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_user("aIi")


def test_keys_follow_a_name_saved_alone() -> None:
    user = make_user("ali")
    user.username = "Zoë"
    user.save(update_fields=["username"])
    user.refresh_from_db()
    assert (user.name_key, user.search_key, user.sort_key[-3:]) == ("zoe", "zoe", "Zoë")
