import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.contracts import ME, OPPONENTS, PARTNER, Kind, number_of
from games.history import A_PAGE, matches_of
from games.history_form import HistoryForm
from games.models import Appearance, Table, Void
from games.services.histories import keep
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match, make_match_in_play

pytestmark = pytest.mark.django_db

# Kept as it is typed: hamza, ta marbuta, vowel marks and Eastern digits are what the search is about.
PEOPLE = ("أحمد", "فاطمة", "مُصطفى", "Layla")


@pytest.fixture
def found() -> list[User]:
    """Four players, one match, named FOUND; the first of them looks for it."""
    users = [make_user(name) for name in PEOPLE]
    make_match(users, code="FOUND", title="كأس الأُردن ٢٠٢٦", rated=True, ruleset="egyptian")
    return users


def search(player: User, reader: User | None = None, /, **asked: str) -> list[str]:
    form = HistoryForm(asked)
    assert form.is_valid(), form.errors
    page = matches_of(player, reader or player, form.cleaned_data)
    return [row.table.code for row in page.rows]


@pytest.mark.parametrize(
    ("asked", "is_found"),
    [
        ({"opponent": "فاطمه"}, True),
        ({"opponent": "FÁTIMA"}, False),
        ({"opponent": "layla"}, True),
        ({"opponent": "لَيلى"}, False),
        ({"opponent": "مصطفي"}, False),
        ({"partner": "مصطفي"}, True),
        ({"partner": "صطف"}, True),
        ({"partner": "فاطمة"}, False),
        ({"tournament": "الاردن 2026"}, True),
        ({"tournament": "كاس"}, True),
        ({"tournament": "كأس بيروت"}, False),
        ({"ruleset": "egyptian"}, True),
        ({"ruleset": "kings"}, False),
        ({"rated": "1"}, True),
        ({"rated": "0"}, False),
        ({"since": "2026-03-01", "until": "2026-03-01"}, True),
        ({"since": "٢٠٢٦-٠٣-٠١"}, True),
        ({"since": "2026-03-02"}, False),
        ({"until": "۲۰۲۶/۰۲/۲۸"}, False),
        ({"opponent": "fatima", "ruleset": "egyptian"}, False),
    ],
)
def test_search_finds_by_what_is_known_of_a_match(
    found: list[User], asked: dict[str, str], is_found: bool
) -> None:
    assert search(found[0], **asked) == (["FOUND"] if is_found else [])


@pytest.mark.parametrize("outcome", ["won", "lost", "draw", "no-result"])
def test_search_by_result_is_from_the_players_side(found: list[User], outcome: str) -> None:
    Appearance.objects.filter(user=found[0]).update(outcome=outcome)

    assert [name for name in ("won", "lost", "draw", "no-result") if search(found[0], result=name)] == [
        outcome
    ]


@pytest.mark.parametrize(
    ("asked", "is_found"),
    [
        ({"who": "0"}, True),
        ({"who": "2"}, True),
        ({"who": "1"}, False),
        ({"level": "8"}, True),
        ({"level": "13"}, False),
        ({"trump": "N", "made": "0"}, True),
        ({"trump": "N", "made": "1"}, False),
        # Each is so of some deal, both of none.
        ({"level": "8", "trump": "N"}, False),
        ({"who": "0", "level": "8", "trump": "S", "made": "1"}, True),
    ],
)
def test_search_by_contract_wants_one_deal_that_fits_all(
    found: list[User], asked: dict[str, str], is_found: bool
) -> None:
    contracts = [Kind(ME, 8, "S", True), Kind(OPPONENTS, 9, "N", False)]
    Appearance.objects.update(contracts=[number_of(kind) for kind in contracts])

    assert bool(search(found[0], **asked)) == is_found


def test_partners_and_opponents_contracts_are_told_apart(found: list[User]) -> None:
    for user, who in ((found[0], ME), (found[2], PARTNER)):
        Appearance.objects.filter(user=user).update(contracts=[number_of(Kind(who, 7, "H", True))])

    assert [(search(found[0], who=str(who)), search(found[2], who=str(who))) for who in (ME, PARTNER)] == [
        (["FOUND"], []),
        ([], ["FOUND"]),
    ]


def test_contracts_are_not_found_while_the_same_cards_are_in_play(found: list[User]) -> None:
    Appearance.objects.update(contracts=[number_of(Kind(ME, 7, "H", True))])
    Appearance.objects.update(open=False)

    assert (search(found[0], who="0"), search(found[0])) == ([], ["FOUND"])


def test_matches_by_link_are_for_their_players_alone() -> None:
    users, stranger = make_users(4), make_user()
    make_match(users, code="PUBLIC", ended_at=NOON)
    make_match(
        [*users[:3], None], code="BYLINK", visibility="link", seed="2", ended_at=NOON + timedelta(days=1)
    )
    seen = {
        "owner": search(users[0]),
        "partner": search(users[0], users[2]),
        "opponent": search(users[0], users[1]),
        "not there that time": search(users[0], users[3]),
        "stranger": search(users[0], stranger),
    }

    assert seen == {
        "owner": ["BYLINK", "PUBLIC"],
        "partner": ["BYLINK", "PUBLIC"],
        "opponent": ["BYLINK", "PUBLIC"],
        "not there that time": ["PUBLIC"],
        "stranger": ["PUBLIC"],
    }
    assert [row.table.code for row in matches_of(users[0], None).rows] == ["PUBLIC"]


def test_matches_in_play_and_unplayed_tables_are_not_in_it() -> None:
    users = make_users(4)
    playing = make_match_in_play(users, code="PLAYING")
    keep([playing.pk])

    assert search(users[0]) == []


def many(user: User, count: int) -> None:
    others = make_users(3)
    table = make_match([user, *others])
    row = Appearance.objects.get(user=user)
    Appearance.objects.all().delete()
    for number in range(count):
        # Two at each moment: the table decides.
        twin = Table.objects.get(pk=table.pk)
        twin.pk, twin.code, twin.commitment = None, f"M{number:03d}", f"{number:064x}"
        twin.save(force_insert=True)
        row.pk, row.table, row.ended_at = None, twin, NOON + timedelta(hours=number // 2)
        row.save(force_insert=True)


def test_pages_follow_each_other_without_a_gap_in_both_directions() -> None:
    user = make_user()
    many(user, 2 * A_PAGE + 3)
    pages, key = [], ""
    while True:
        page = matches_of(user, user, page=key)
        pages.append([row.table.code for row in page.rows])
        if not page.older:
            break
        key = page.older
    back = []
    while page.newer:
        page = matches_of(user, user, page=page.newer)
        back.append([row.table.code for row in page.rows])

    assert [code for listed in pages for code in listed] == [
        f"M{number:03d}" for number in reversed(range(2 * A_PAGE + 3))
    ]
    assert [len(page) for page in pages] == [A_PAGE, A_PAGE, 3]
    assert back == [pages[1], pages[0]]


@pytest.mark.parametrize(
    "key", ["x", "older", "older-1", "older-1-x", "older-²-1", "newer-" + "9" * 30 + "-1", "sideways-1-1"]
)
def test_an_unreadable_key_leads_to_the_newest_page(key: str) -> None:
    user = make_user()
    many(user, 3)

    assert [row.table.code for row in matches_of(user, user, page=key).rows] == ["M002", "M001", "M000"]


def test_a_search_is_counted() -> None:
    user = make_user()
    many(user, A_PAGE + 1)

    assert matches_of(user, user, {}).found == A_PAGE + 1
    assert matches_of(user, user).found is None


def test_a_void_match_is_marked_until_it_is_restored(found: list[User]) -> None:
    void = Void.objects.create(
        table=Table.objects.get(code="FOUND"), reason_ar="سبب", reason_en="Why", by=make_user(), at=NOON
    )
    marked = matches_of(found[0], found[0]).rows[0].is_void
    void.lifted_at = NOON
    void.save()

    assert (marked, matches_of(found[0], found[0]).rows[0].is_void) == (True, False)


# ---- The page


@pytest.fixture
def english(client: Client) -> Client:
    client.cookies["django_language"] = "en"
    return client


def codes(page: str) -> list[str]:
    return re.findall(r'href="/matches/(\w+)/"', page)


def test_page_searches_by_its_address(english: Client, found: list[User]) -> None:
    make_match([found[0], *make_users(3)], code="OTHER", seed="2")
    page = english.get(f"/players/{PEOPLE[0]}/matches/", {"opponent": "ليلى"}).content.decode()
    other = english.get(
        f"/players/{PEOPLE[0]}/matches/", {"opponent": "LAYLA", "rated": "1"}
    ).content.decode()

    assert ("No match fits all of this." in page, codes(page), codes(other)) == (True, [], ["FOUND"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"since": "soon"}, "Enter a valid date."),
        ({"since": "2026-02-28", "until": "2026-02-27"}, "The last day comes before the first."),
        ({"level": "99"}, "Select a valid choice."),
        ({"opponent": "x" * 61}, "at most 60 characters"),
    ],
)
def test_what_is_not_understood_is_said_and_does_not_matter(
    english: Client, found: list[User], asked: dict[str, str], said: str
) -> None:
    response = english.get(f"/players/{PEOPLE[0]}/matches/", asked)
    page = response.content.decode()

    assert (response.status_code, said in page, codes(page)) == (200, True, ["FOUND"])


def test_links_to_other_pages_keep_the_search(english: Client) -> None:
    user = make_user("Many")
    many(user, A_PAGE + 1)
    page = english.get("/players/Many/matches/", {"ruleset": "kotchina", "partner": ""}).content.decode()
    older = re.search(r'rel="next" href="\?([^"]*)"', page)

    assert older is not None
    assert older[1].startswith("ruleset=kotchina&amp;page=older-")


@pytest.mark.parametrize(
    ("door", "leads_to"),
    [
        ("/players/MANY/matches/", "/players/Many/matches/"),
        ("/players/MANY/statistics/", "/players/Many/statistics/"),
    ],
)
def test_other_spellings_of_a_name_lead_on(english: Client, door: str, leads_to: str) -> None:
    make_user("Many")

    assert english.get(door)["Location"] == leads_to


@pytest.mark.parametrize("what", ["matches", "statistics", "records"])
@pytest.mark.parametrize("hidden", [{"is_guest": True}, {"closed_at": NOON}, None])
def test_guests_closed_accounts_and_nobody_have_no_such_pages(
    english: Client, what: str, hidden: dict[str, object] | None
) -> None:
    if hidden is not None:
        make_user("Hidden", **hidden)

    assert english.get(f"/players/Hidden/{what}/").status_code == 404


def test_own_matches_have_one_address(english: Client) -> None:
    anonymous = english.get("/matches/")["Location"]
    english.force_login(make_user("Me", language="en"))

    assert (anonymous, english.get("/matches/")["Location"]) == (
        "/accounts/login/?next=/matches/",
        "/players/Me/matches/",
    )


def test_page_asks_the_same_number_of_queries_for_three_as_for_one(english: Client) -> None:
    user, counts = make_user("Many"), []
    for seed in "123":
        make_match([user, *make_users(3)], seed=seed)
        with CaptureQueriesContext(connection) as queries:
            english.get("/players/Many/matches/", {"opponent": "player", "level": "7"})
        counts.append(len(queries))

    assert counts[0] == counts[2] <= 4
