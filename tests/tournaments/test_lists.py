"""Entrants from a list: what a row means, what is refused, that the same list twice does nothing."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from tests.factories import make_user, make_users
from tests.tournaments.scenes import NOW, enter_pair, make_tournament, started
from tournaments import lists
from tournaments.downloads import entrants_rows
from tournaments.field import waiting_list
from tournaments.models import Entry, Member, Tournament
from tournaments.rosters import read_roster
from tournaments.services import claims, entry, making, registration
from tournaments.services.importing import import_entrants
from tournaments.services.matching import Comparison
from tournaments.services.refusals import Refused
from tournaments.sheets import csv_bytes, read_rows, xlsx_bytes

pytestmark = pytest.mark.django_db
HEAD = "team,player 1,player 2,substitute,club,rating,seed\n"


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def roster(text: str, head: str = HEAD):
    return read_roster(read_rows((head + text).encode()))


def bring(tournament: Tournament, text: str, head: str = HEAD) -> Comparison:
    """The list, looked at and then done."""
    listed = roster(text, head)
    seen = Comparison(tournament, listed).digest
    return import_entrants(
        tournament_id=tournament.pk, actor=tournament.organiser, roster=listed, seen=seen, now=NOW
    )


def pairs(tournament: Tournament) -> list[tuple]:
    """Of every living entry: team, players, whether it is in."""
    living = tournament.entries.filter(withdrawn_at=None).prefetch_related("members__user")
    return [
        (one.name, *[member.shown for member in one.members.all()], bool(one.accepted_at)) for one in living
    ]


def faults(found: Comparison) -> list[str]:
    """The faults in words, each behind its row; without the marks that keep names apart from them."""
    said = (f"{fault.number}: {fault.sentence}" for fault in found.faults)
    return [sentence.translate({0x2068: None, 0x2069: None}) for sentence in said]


def done(found: Comparison) -> tuple[int, int, int, int]:
    return len(found.new), len(found.changed), len(found.same), len(found.faults)


# What a row means


def test_players_with_an_account_are_in_and_the_others_have_a_place_kept():
    tournament = make_tournament(substitutes=True)
    make_user("Layla"), make_user("عمر"), make_user("Sami")
    found = bring(
        tournament,
        "Eagles,layla,عُمر,,Café Nour,١٥٠٠,1\nHawks,Nobody Yet,Sami,Third One,,,\n",
    )

    assert done(found) == (2, 0, 0, 0)
    assert pairs(tournament) == [
        ("Eagles", "Layla", "عمر", True),
        ("Hawks", "Sami", "Nobody Yet", "Third One", False),
    ]
    eagles, hawks = tournament.entries.order_by("number")
    assert (eagles.club, eagles.rating, eagles.seed) == ("Café Nour", 1500, 1)
    members = hawks.members.order_by("place")
    assert [(m.plays, m.active, bool(m.claim)) for m in members] == [
        (True, True, False),
        (True, False, True),
        (False, False, True),
    ]


@pytest.mark.parametrize(
    "head",
    [
        "الفريق;اللاعب الأول;اللاعب الثاني\n",
        "Team;Player 1;Player 2\n",
        "اسم الفريق;لاعب ١;لاعب ٢\n",
        "كأس الشام\nteam;PLAYER_1;player-2\n",
    ],
)
def test_columns_are_known_by_their_heads_in_both_languages(head: str):
    tournament = make_tournament()

    bring(tournament, "نسور;ليلى;عمر\n", head)

    assert pairs(tournament) == [("نسور", "ليلى", "عمر", False)]


def test_player_is_found_by_an_address_only_where_it_was_confirmed():
    tournament = make_tournament()
    layla, omar = make_user("Layla"), make_user("Omar")
    EmailAddress.objects.create(user=layla, email=layla.email, verified=True)
    EmailAddress.objects.create(user=omar, email=omar.email, verified=False)

    found = bring(tournament, f"A,{layla.email.upper()},Abu Omar <{omar.email}>\nB,x,{omar.email}\n")

    assert pairs(tournament) == [("A", "Layla", "Abu Omar", False)]
    assert faults(found) == [
        f"3: Nobody has confirmed the address {omar.email}. Write the player's name instead."
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A,x,\n", ["2: A pair has two players; one of them is missing."]),
        ("A,x,X\n", ["2: The same player twice."]),
        ("A,x,y\nB,z,x\n", ["3: x is in row 2 already."]),
        ("A,x,y\na,z,w\n", ["3: The team “a” is in row 2 already."]),
        ("A,x,y,,,1400.5,\n", ["2: “1400.5” is no rating: a whole number up to 9999."]),
        ("A,x,y,,,99999,\n", ["2: “99999” is no rating: a whole number up to 9999."]),
        ("A,x,y,,,,0\n", ["2: “0” is no seed: a whole number from 1 up."]),
        ("A,x,y,,,,2\nB,z,w,,,,٢\n", ["3: Seed 2 is in row 2 already."]),
        ("A,123,y\n", ["2: “123” has no letters."]),
        ("A,x,y,z,,,\n", ["2: This tournament has no substitutes; its settings can allow them."]),
        (f"{'a' * 61},x,y\n", [f"2: “{'a' * 60}…” is too long: 60 characters at most."]),
    ],
)
def test_row_that_makes_no_sense_is_named_and_left_out(text: str, named: list[str]):
    tournament = make_tournament()

    found = bring(tournament, text)

    assert faults(found) == named
    assert tournament.entries.count() == len(text.splitlines()) - len(named)


def test_guests_and_players_of_other_pairs_are_refused_row_by_row():
    tournament = make_tournament()
    make_user("Layla"), make_user("Guesty", is_guest=True), make_user("Closed", is_active=False)
    omar, sami = make_user("Omar"), make_user("Sami")
    enter_pair(tournament, omar, sami)
    enter_pair(tournament)
    third = [member.user.username for member in enter_pair(tournament).members.all()]
    Entry.objects.filter(number=2).update(name="Eagles", seed=3)
    other = tournament.entries.get(number=2).members.first().user.username

    found = bring(
        tournament,
        f"A,Guesty,x\nB,Closed,y\nC,Omar,{other}\nEagles,{third[0]},{third[1]}\nD,Layla,q,,,,3\n",
    )

    assert faults(found) == [
        "2: Guesty is a guest: players in a tournament need an account.",
        "3: The account of Closed is closed.",
        "4: Omar is in another pair here.",
        "5: There is a team “Eagles” already.",
        "6: Seed 3 is another pair's, which is not in this file.",
    ]


# Twice, and corrected


def test_same_list_twice_changes_nothing_however_it_is_told():
    tournament = make_tournament(capacity=4)
    make_user("Layla"), make_user("Omar")
    text = "Eagles,Layla,Omar,,Nour,1500,2\nHawks,New One,Other One,,,,1\n"
    bring(tournament, text)
    before = (pairs(tournament), tournament.acts.count())

    again = bring(tournament, text)
    moved = bring(tournament, "\n".join(reversed(text.splitlines())) + "\n")

    assert (done(again), done(moved)) == ((0, 0, 2, 0), (0, 0, 2, 0))
    assert (pairs(tournament), tournament.acts.count()) == before


def test_list_is_the_same_after_its_places_were_claimed():
    tournament = make_tournament()
    text = "Hawks,New One,Other One\n"
    bring(tournament, text)
    for place, user in enumerate(make_users(2)):
        token = tournament.members.get(name=("New One", "Other One")[place]).claim
        claims.claim(tournament_id=tournament.pk, token=token, user=user, now=NOW)

    assert done(bring(tournament, text)) == (0, 0, 1, 0)
    assert pairs(tournament)[0][3] is True


def test_corrected_list_shows_what_it_changes_and_changes_only_that():
    tournament = make_tournament(substitutes=True)
    layla, _omar, sami = (make_user(name) for name in ("Layla", "Omar", "Sami"))
    bring(tournament, "Eagles,Layla,Omar,,Nour,1500,1\nHawks,a,b,,,,2\nStay,c,d,,,,\n")

    text = "Falcons,Layla,Sami,Third,,1600,2\nHawks,a,b,,,,1\n"
    found = Comparison(tournament, roster(text))
    shown = {p.entry.ident: [(c.column, c.before, c.after) for c in p.changes] for p in found.changed}
    bring(tournament, text)

    assert shown == {
        "e1": [
            ("team", "Eagles", "Falcons"),
            ("club", "Nour", ""),
            ("rating", "1500", "1600"),
            ("seed", "1", "2"),
            ("player_2", "Omar", "Sami"),
            ("substitute", "", "Third"),
        ],
        "e2": [("seed", "2", "1")],
    }
    assert [entry.ident for entry in found.absent] == ["e3"]
    assert pairs(tournament) == [
        ("Falcons", "Layla", "Sami", "Third", True),
        ("Hawks", "a", "b", False),
        ("Stay", "c", "d", False),
    ]
    assert list(tournament.entries.order_by("number").values_list("seed", flat=True)) == [2, 1, None]
    assert entry.living_entry(tournament, sami) == entry.living_entry(tournament, layla)
    assert tournament.acts.last().after == {
        "new": [],
        "changed": {ident: {c: [b, a] for c, b, a in changes} for ident, changes in shown.items()},
    }


def test_column_that_is_not_there_says_nothing():
    tournament = make_tournament()
    bring(tournament, "Eagles,x,y,,Nour,1500,1\n")

    assert done(bring(tournament, "x,y\n", "player 1,player 2\n")) == (0, 0, 1, 0)


def test_pair_that_lacks_a_player_again_waits_until_the_place_is_claimed():
    tournament = make_tournament()
    make_user("Layla"), make_user("Omar"), make_user("Sami")
    bring(tournament, "Eagles,Layla,Omar\n")
    waits = bring(tournament, "Eagles,Somebody,Omar\n")
    between = pairs(tournament)
    bring(tournament, "Eagles,Sami,Omar\n")

    assert [proposal.waits_for for proposal in waits.changed] == [["Somebody"]]
    assert between == [("Eagles", "Omar", "Somebody", False)]
    assert pairs(tournament) == [("Eagles", "Omar", "Sami", True)]


def test_team_that_withdrew_is_registered_anew_under_its_name_and_stays_in_history():
    tournament = make_tournament()
    make_users(0)
    for name in ("Layla", "Omar", "Sami", "Nour"):
        make_user(name)
    bring(tournament, "Eagles,Layla,Omar\n")
    entry.remove(tournament_id=tournament.pk, entry_number=1, actor=tournament.organiser, now=NOW)

    same = done(bring(tournament, "Eagles,Layla,Omar\n"))
    entry.remove(tournament_id=tournament.pk, entry_number=2, actor=tournament.organiser, now=NOW)
    others = done(bring(tournament, "Eagles,Sami,Nour\n"))

    assert (same, others) == ((1, 0, 0, 0), (1, 0, 0, 0))
    assert [(e.number, bool(e.withdrawn_at)) for e in tournament.entries.all()] == [
        (1, True),
        (2, True),
        (3, False),
    ]


def test_more_pairs_than_places_wait_in_the_order_of_the_list():
    tournament = make_tournament(capacity=2)
    names = [user.username for user in make_users(6)]
    bring(tournament, "".join(f"T{n},{names[2 * n]},{names[2 * n + 1]}\n" for n in range(3)))

    assert [entry.name for entry in waiting_list(tournament)] == ["T2"]


def test_hundreds_of_pairs_take_seconds():
    tournament = make_tournament(capacity=512)
    text = "".join(f"Team {n},First of {n},Second of {n},,,{n},{n + 1}\n" for n in range(500))

    assert done(bring(tournament, text)) == (500, 0, 0, 0)
    assert done(bring(tournament, text)) == (0, 0, 500, 0)


# Who may, and when


def test_list_that_would_do_something_else_by_now_is_shown_again():
    tournament = make_tournament()
    layla = make_user("Layla")
    listed = roster("Eagles,Layla,Omar\n")
    seen = Comparison(tournament, listed).digest
    enter_pair(tournament, layla, make_user())

    with pytest.raises(Refused) as refused:
        import_entrants(
            tournament_id=tournament.pk, actor=tournament.organiser, roster=listed, seen=seen, now=NOW
        )

    assert refused.value.code == "list-moved"


def test_nothing_is_brought_in_once_it_has_started():
    tournament = started(2)

    with pytest.raises(Refused) as refused:
        bring(tournament, "Eagles,x,y\n")

    assert refused.value.code == "already-started"


# Files that come back


@pytest.mark.parametrize("write", [csv_bytes, lambda rows: xlsx_bytes(rows, title="x")], ids=["csv", "xlsx"])
@pytest.mark.parametrize("language", ["ar", "en"])
def test_exported_entrants_come_back_the_same_here_and_into_another_tournament(write, language: str):
    tournament = make_tournament(substitutes=True)
    names = ["=1+1", "+x", "-x", "@x", "-16", "نسور الشام", 'a,"b"']
    bring(tournament, "".join(f"T{n},p{n} one,p{n} two,,,{1000 + n},{n + 1}\n" for n in range(len(names))))
    for number, name in enumerate([*names, "\tx", "\rx"], 1):
        tournament.entries.filter(number=number).update(name=name)
    with translation.override(language):
        data = write(entrants_rows(tournament, whole=True))
    back = read_roster(read_rows(data))

    other = make_tournament(name="Another", organiser=tournament.organiser, substitutes=True)
    import_entrants(
        tournament_id=other.pk,
        actor=other.organiser,
        roster=back,
        seen=Comparison(other, back).digest,
        now=NOW,
    )

    assert done(Comparison(tournament, back)) == (0, 0, len(names), 0)
    assert pairs(other) == pairs(tournament)


# The pages


def browser(user=None) -> Client:
    client = Client()
    client.cookies["django_language"] = "en"
    if user is not None:
        client.force_login(user)
    return client


def sent(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def test_file_is_shown_before_anything_is_written_and_done_once_confirmed():
    tournament = make_tournament()
    client = browser(tournament.organiser)
    address = f"{tournament.get_absolute_url()}import/"
    data = (HEAD + "<b>Eagles</b>,x,y\nHawks,x,z\n").encode("utf-16")

    shown = client.post(address, {"file": sent("list.csv", data)})
    before = tournament.entries.count()
    kept = {"rows": shown.context["rows"], "seen": shown.context["found"].digest}
    first, second = client.post(address, kept), client.post(address, kept)

    page = shown.content.decode()
    assert ("&lt;b&gt;Eagles" in page, "\u2068x\u2069 is in row 2 already." in page, before) == (
        True,
        True,
        0,
    )
    assert [(answer.status_code, answer.url.rsplit("/", 2)[1]) for answer in (first, second)] == [
        (302, "claims"),
        (302, "desk"),
    ]
    assert pairs(tournament) == [("<b>Eagles</b>", "x", "y", False)]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a" * (1024 * 1024 + 1), "The file is too large: a list of entrants has 1 MB at most."),
        (b"a,b\n1,2\n", "No row names the columns."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is a workbook of old Excel, or one with a password."),
        (HEAD.encode(), "Below the names of the columns there is no row."),
    ],
)
def test_file_that_cannot_be_read_is_400_and_says_why(data: bytes, said: str):
    tournament = make_tournament()

    answer = browser(tournament.organiser).post(
        f"{tournament.get_absolute_url()}import/", {"file": sent("list.csv", data)}
    )

    assert (answer.status_code, said in answer.content.decode()) == (400, True)


def test_rows_that_were_not_shown_here_are_refused():
    tournament, other = make_tournament(), make_tournament(name="Other")
    shown = browser(other.organiser).post(
        f"{other.get_absolute_url()}import/", {"file": sent("list.csv", (HEAD + "A,x,y\n").encode())}
    )
    client = browser(tournament.organiser)
    address = f"{tournament.get_absolute_url()}import/"

    answers = [client.post(address, {"rows": rows, "seen": ""}) for rows in (shown.context["rows"], "x")]

    assert [answer.status_code for answer in answers] == [400, 400]
    assert tournament.entries.count() == 0


@pytest.mark.parametrize("door", ["import/", "claims/"])
def test_lists_and_links_are_there_for_organisers_only(door: str):
    tournament = make_tournament()
    bring(tournament, "Eagles,x,y\n")
    roles = {role: make_user() for role in ("organiser", "referee", "scorekeeper", "viewer")}
    for role, user in roles.items():
        tournament.officials.create(user=user, role=role, since=NOW)
    address = tournament.get_absolute_url() + door

    assert {role: browser(user).get(address).status_code for role, user in roles.items()} == {
        "organiser": 200,
        "referee": 404,
        "scorekeeper": 404,
        "viewer": 404,
    }
    assert browser(make_user()).get(address).status_code == 404
    assert browser().get(address).status_code == 302
    assert browser(roles["referee"]).post(address + "renew/").status_code == 404


# Places that are claimed


def links(tournament: Tournament) -> dict[str, str]:
    return dict(claims.claimable(tournament).values_list("name", "claim"))


def test_whoever_has_the_link_takes_the_place_and_the_pair_is_in_when_both_are_taken():
    tournament = make_tournament(is_private=True)
    bring(tournament, "Hawks,First,Second\n")
    base = f"{tournament.get_absolute_url()}claim/"
    token = links(tournament)
    layla, omar = make_user("Layla"), make_user("Omar")

    strange = browser().get(base + token["Second"] + "/")
    early = browser(layla).post(base + token["Second"] + "/")
    half = pairs(tournament)
    both = [browser(layla).post(base + token["First"] + "/"), browser(omar).post(base + token["First"] + "/")]
    late = browser(make_user()).post(base + token["First"] + "/")

    assert (strange.status_code, "Log in" in strange.content.decode()) == (200, True)
    assert (early.status_code, half) == (302, [("Hawks", "Layla", "First", False)])
    assert [answer.status_code for answer in both] == [400, 302]
    assert (late.status_code, "Somebody has taken this place" in late.content.decode()) == (400, True)
    assert pairs(tournament) == [("Hawks", "Layla", "Omar", True)]
    assert browser(make_user()).get(base + "nothing/").status_code == 404


def test_link_says_the_same_to_who_took_the_place():
    tournament = make_tournament()
    bring(tournament, "Hawks,First,Second\n")
    user = make_user()
    token = links(tournament)["Second"]
    for _ in range(2):
        claims.claim(tournament_id=tournament.pk, token=token, user=user, now=NOW)

    page = browser(user).get(f"{tournament.get_absolute_url()}claim/{token}/").content.decode()

    assert "This place is yours." in page


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        (lambda tournament, user: setattr(user, "is_guest", True), "guests-cannot-enter"),
        (lambda tournament, user: enter_pair(tournament, user, make_user()), "already-entered"),
        (
            lambda tournament, user: entry.remove(
                tournament_id=tournament.pk, entry_number=1, actor=tournament.organiser, now=NOW
            ),
            "place-gone",
        ),
        (lambda tournament, user: Tournament.objects.update(state="draft"), "not-open"),
        (
            lambda tournament, user: Tournament.objects.update(state="running", started_at=NOW),
            "already-started",
        ),
    ],
)
def test_place_is_refused_to_who_may_not_have_it(prepare, code: str):
    tournament, user = make_tournament(), make_user()
    bring(tournament, "Hawks,First,Second\n")
    prepare(tournament, user)

    with pytest.raises(Refused) as refused:
        claims.claim(
            tournament_id=tournament.pk,
            token=Member.objects.exclude(claim="").first().claim,
            user=user,
            now=NOW,
        )

    assert refused.value.code == code


def test_wrongly_claimed_place_is_freed_under_a_new_link():
    tournament = make_tournament()
    make_user("Layla")
    bring(tournament, "Hawks,Layla,Second\n")
    old = links(tournament)["Second"]
    wrong = make_user("Wrong")
    claims.claim(tournament_id=tournament.pk, token=old, user=wrong, now=NOW)
    renewed = browser(tournament.organiser).post(
        f"{tournament.get_absolute_url()}claims/renew/", {"entry": "1", "place": "1"}
    )

    assert (renewed.status_code, pairs(tournament)) == (302, [("Hawks", "Layla", "Second", False)])
    assert entry.living_entry(tournament, wrong) is None
    assert links(tournament)["Second"] not in ("", old)
    with pytest.raises(Member.DoesNotExist):
        claims.claim(tournament_id=tournament.pk, token=old, user=wrong, now=NOW)


def test_slips_hold_a_link_and_its_code_for_each_place():
    tournament = make_tournament(name="كأس الشام")
    bring(tournament, "Hawks,First,Second\n")

    page = browser(tournament.organiser).get(f"{tournament.get_absolute_url()}claims/").content.decode()

    assert page.count('class="segno"') == 2
    assert all(
        f"http://testserver{tournament.get_absolute_url()}claim/{token}/" in page
        for token in links(tournament).values()
    )


def test_slips_of_a_large_field_come_a_sheet_at_a_time():
    tournament = make_tournament(capacity=64)
    bring(tournament, "".join(f"T{n},first {n},second {n}\n" for n in range(30)))
    client = browser(tournament.organiser)
    address = f"{tournament.get_absolute_url()}claims/"

    pages = [client.get(address + query).content.decode() for query in ("", "?page=2", "?page=x")]

    assert [page.count('class="segno"') for page in pages] == [48, 12, 48]
    assert ['rel="prev"' in page for page in pages] == [False, True, False]


def test_places_are_looked_for_by_any_spelling_of_a_name_and_claimed_ones_come_a_page_at_a_time(monkeypatch):
    monkeypatch.setattr(lists, "TAKEN_A_PAGE", 1)
    tournament = make_tournament(capacity=64)
    bring(tournament, "Falcons,أحمد الحلبي,سامر\nEagles,دانة,فارس\n")
    for token, claimer in zip(list(links(tournament).values())[2:], make_users(2), strict=True):
        claims.claim(tournament_id=tournament.pk, token=token, user=claimer, now=NOW)
    client = browser(tournament.organiser)
    address = f"{tournament.get_absolute_url()}claims/"

    def shown(query: str) -> tuple[list[str], list[str]]:
        context = client.get(address + query).context
        return [place["member"].name for place in context["free"]], [m.name for m in context["taken"]]

    assert shown("") == (["أحمد الحلبي", "سامر"], ["دانة"])
    assert shown("?taken=2")[1] == ["فارس"]
    assert shown("?q=احمد") == (["أحمد الحلبي"], [])
    assert shown("?q=eagles") == ([], ["دانة"])
    assert shown("?q=nobody") == ([], [])


def test_players_are_told_once_what_they_were_entered_in_is_published():
    layla, omar = make_user("Layla"), make_user("Omar")
    cups = {}
    for draft in (True, False):
        cups[draft] = making.create(
            organiser=make_user(),
            name=f"Cup {draft}",
            starts_at=NOW + timedelta(hours=3),
            draft=draft,
            now=NOW,
        )
        bring(cups[draft], "Eagles,Layla,Omar\n")

    def told() -> list[list[str]]:
        return [[notice.text_en for notice in user.notices.order_by("pk")] for user in (layla, omar)]

    before = told()
    registration.publish(tournament_id=cups[True].pk, actor=cups[True].organiser, now=NOW)

    first, second = (f"The organiser has entered you in \u2068Cup {draft}\u2069." for draft in (False, True))
    assert (before, told()) == ([[first]] * 2, [[first, second]] * 2)


def test_preview_names_the_columns_that_are_not_read():
    tournament = make_tournament()
    data = "الفريق;اللاعب 1;اللاعب 2;المدينة;;Team\r\nنسور;كريم;نادين;حمص;;x\r\n".encode()

    page = browser(tournament.organiser).post(
        f"{tournament.get_absolute_url()}import/", {"file": sent("list.csv", data)}
    )

    assert page.context["unread"] == ("المدينة", "Team")
    assert "<bdi>المدينة</bdi> · <bdi>Team</bdi>" in page.content.decode()
