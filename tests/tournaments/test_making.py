"""Making a tournament and changing it: presets, the words for it, what may be changed when, one like last year's."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone, translation

from tests.factories import make_user
from tests.tournaments.scenes import NOW, enter_pair, lines, make_tournament, started
from tournaments.format_form import READ, FormatForm
from tournaments.formats.notation import read_settings
from tournaments.models import State, Tournament
from tournaments.outline import matches, outline, rounds, warnings
from tournaments.presets import PRESETS
from tournaments.services import making
from tournaments.services.refusals import Refused
from tournaments.wizard import TournamentForm

pytestmark = pytest.mark.django_db
NEW = "/tournaments/new/"
LATER = timezone.now() + timedelta(days=40)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def browser(user=None) -> Client:
    client = Client()
    client.cookies["django_language"] = "en"
    if user is not None:
        client.force_login(user)
    return client


def sent(preset: str = "cafe", **more: Any) -> dict[str, Any]:
    """The form of a new tournament as a browser sends it, filled in from a preset."""
    values = next(one.values for one in PRESETS if one.key == preset)
    form = TournamentForm(initial=values)
    times = {"name": "كأس الشام", "starts_at": f"{LATER:%Y-%m-%dT20:30}", "time_zone": "Asia/Damascus"}
    return form.as_data() | times | {"asks_more": "1"} | more


def made(**fields: Any) -> Tournament:
    answer = browser(make_user()).post(NEW, sent(**fields))
    assert answer.status_code == 302, answer.context["form"].errors
    return Tournament.objects.latest("pk")


# Presets


@pytest.mark.parametrize(
    ("preset", "format_", "settings"),
    [
        ("cafe", "single_elimination", {"third_place": True}),
        ("league", "round_robin", {}),
        ("swiss", "swiss", {}),
        (
            "groups",
            "stages",
            {
                "stages": [
                    {"format": "round_robin", "groups": 4},
                    {"format": "single_elimination", "third_place": True, "qualify": 2},
                ]
            },
        ),
        ("double", "double_elimination", {}),
        ("championship", "single_elimination", {"third_place": True, "best_of": 3}),
    ],
)
def test_preset_with_a_name_and_a_time_is_a_tournament(preset: str, format_: str, settings: dict):
    one = made(preset=preset)

    assert (one.format, one.settings, one.state, one.time_zone) == (
        format_,
        settings,
        "open",
        "Asia/Damascus",
    )
    assert one.starts_at.astimezone(UTC).hour == 17
    values = next(p.values for p in PRESETS if p.key == preset)
    plain = {name: value for name, value in values.items() if hasattr(one, name) and name != "format"}
    plain |= {"starts_itself": plain.get("starts_itself") != "0"}
    assert {name: getattr(one, name) for name in plain} == plain
    read_settings({"format": one.format, **one.settings})


def test_page_offers_the_presets_and_begins_with_the_first():
    page = browser(make_user()).get(NEW)
    other = browser(make_user()).get(f"{NEW}?preset=groups").content.decode()

    assert [f'href="?preset={one.key}"' in page.content.decode() for one in PRESETS] == [True] * len(PRESETS)
    assert "A lost match and you are out: 16 pairs, 16 matches, 4 rounds." in page.content.decode()
    assert "In 4 groups everybody meets everybody: 16 pairs, 3 rounds, 24 matches." in other


# Every setting


EVERYTHING: dict[str, Any] = {
    "name": "A championship",
    "ruleset": "kings",
    "target": 41,
    "turn_seconds": 30,
    "call_seconds": 25,
    "bank_seconds": 90,
    "absence": "clock",
    "watch_delay": 30,
    "round_cap": 20,
    "capacity": 33,
    "time_zone": "Africa/Cairo",
    "description": "Two\nlines",
    "is_private": True,
    "access": "code",
    "entry_code": "شام 7",
    "verified_only": True,
    "min_rating": 1000,
    "max_rating": 2000,
    "min_reliability": 80,
    "regions": ["EG", "SY"],
    "substitutes": True,
    "check_in_minutes": 30,
    "seeding_minutes": 15,
    "seeding": "hand",
    "starts_itself": False,
    "pace": "rounds",
    "break_minutes": 7,
    "call_minutes": 4,
    "late_minutes": 12,
    "late_policy": "referee",
    "limit_minutes": 70,
    "limit_policy": "now",
    "holds_results": True,
    "objection_minutes": 25,
    "rated": False,
    "embeddable": False,
}


def test_every_setting_can_be_set_and_is_shown_again():
    told = {name: value for name, value in EVERYTHING.items() if value is not False}
    told |= {"starts_itself": "0"}
    fields = (
        sent()
        | told
        | {
            "registration_opens_at": f"{LATER - timedelta(days=9):%Y-%m-%dT10:00}",
            "registration_closes_at": f"{LATER - timedelta(days=1):%Y-%m-%dT10:00}",
        }
    )
    fields.pop("embeddable")
    fields.pop("rated")
    browser(make_user()).post(NEW, fields)
    one = Tournament.objects.get()

    assert {name: getattr(one, name) for name in EVERYTHING} == EVERYTHING
    assert making.CHANGEABLE.keys() - EVERYTHING.keys() == {
        *("format", "settings", "starts_at", "registration_opens_at", "registration_closes_at")
    }
    shown = TournamentForm(TournamentForm(tournament=one).as_data() | {"asks_more": "1"}, tournament=one)
    assert (shown.is_valid(), shown.errors) == (True, {})
    unchanged = {name: getattr(one, name) for name in making.CHANGEABLE}
    assert shown.changes() == {name: unchanged[name] for name in making.changeable(one)}
    assert one.state == "published"


SETTINGS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("single_elimination", {"third_place": "on", "best_of": "5"}, {"third_place": True, "best_of": 5}),
    ("single_elimination", {"groups": "4", "rounds": "9", "reset": "0"}, {}),
    ("double_elimination", {"reset": "0", "best_of": "3"}, {"reset": False, "best_of": 3}),
    ("double_elimination", {}, {}),
    (
        "round_robin",
        {"groups": "٤", "double": "on", "seed": "7", "points_win": "3", "points_draw": "1"},
        {"groups": 4, "double": True, "seed": 7, "points": {"win": 3}},
    ),
    (
        "swiss",
        {
            "rounds": "6",
            "points_forfeit": "-1",
            "tiebreak_1": "median_buchholz",
            "tiebreak_2": "deals_won",
            "tiebreak_4": "lot",
        },
        {"rounds": 6, "points": {"forfeit": -1}, "tiebreaks": ["median_buchholz", "deals_won", "lot"]},
    ),
    (
        "stages",
        {
            "s1-format": "swiss",
            "s1-rounds": "5",
            "s2-format": "double_elimination",
            "s2-qualify": "8",
            "s3-format": "single_elimination",
            "s3-qualify": "2",
            "s3-best_of": "3",
            "third_place": "on",
        },
        {
            "stages": [
                {"format": "swiss", "rounds": 5},
                {"format": "double_elimination", "qualify": 8},
                {"format": "single_elimination", "best_of": 3, "qualify": 2},
            ]
        },
    ),
]


@pytest.mark.parametrize(("format_", "told", "settings"), SETTINGS)
def test_settings_of_a_format_are_those_of_a_tournament_file(format_: str, told: dict, settings: dict):
    fields = sent() | {"format": format_}
    fields.pop("third_place", None)
    browser(make_user()).post(NEW, fields | told)
    one = Tournament.objects.get()
    again = TournamentForm(TournamentForm(tournament=one).as_data(), tournament=one)
    read_settings({"format": one.format, **one.settings})

    assert (one.settings, again.is_valid(), again.settings()["settings"]) == (settings, True, settings)


def test_each_format_reads_fields_that_the_form_has():
    names = set(FormatForm().fields) | {"points", "tiebreaks"}

    assert {name for read in READ.values() for name in read} - names == set()


@pytest.mark.parametrize(
    ("told", "field", "error"),
    [
        (
            {"format": "swiss", "tiebreak_1": "lot", "tiebreak_2": "lot"},
            "tiebreak_1",
            "Each tie-break stands in the list once.",
        ),
        (
            {"format": "stages", "s1-format": "swiss", "s2-format": "swiss", "s2-qualify": ""},
            "qualify",
            "Say how many go on.",
        ),
        (
            {"format": "stages", "s1-format": "swiss", "s2-format": "", "s2-qualify": ""},
            "format",
            "Choose how this stage is played.",
        ),
        ({"access": "code", "entry_code": ""}, "entry_code", "Give the code with which one enters."),
        ({"min_rating": "9", "max_rating": "8"}, "max_rating", "The highest rating is not below the lowest."),
        ({"call_minutes": "9", "late_minutes": "8"}, "late_minutes", "Nobody is late before being called."),
        (
            {"registration_closes_at": "2099-01-01T10:00"},
            "registration_closes_at",
            "Registration closes before the start.",
        ),
        (
            {"registration_opens_at": "2099-01-01T10:00"},
            "registration_opens_at",
            "Registration opens before the start.",
        ),
        (
            {"registration_opens_at": "2099-03-29T02:30", "time_zone": "Europe/Berlin"},
            "registration_opens_at",
            "The clocks go forward over this time: it does not exist there. Choose 01:59 or earlier, or 03:00.",
        ),
    ],
)
def test_what_does_not_go_together_is_400_and_says_why(told: dict, field: str, error: str):
    answer = browser(make_user()).post(NEW, sent() | told)
    form = answer.context["form"]
    errors = [part.errors[field] for part in (form, *form.parts) if field in part.errors]

    assert (answer.status_code, errors) == (400, [[error]])
    assert Tournament.objects.count() == 0


def test_draft_is_kept_and_seen_by_nobody_else():
    organiser = make_user()
    browser(organiser).post(NEW, sent() | {"as": "draft"})
    one = Tournament.objects.get()

    assert one.state == "draft"
    assert [
        browser(user).get(one.get_absolute_url()).status_code for user in (organiser, make_user(), None)
    ] == [
        200,
        404,
        404,
    ]


# In words


@pytest.mark.parametrize(
    ("own", "pairs", "figures"),
    [
        ({"format": "single_elimination"}, 16, (4, 15)),
        ({"format": "single_elimination", "third_place": True}, 13, (4, 13)),
        ({"format": "single_elimination", "third_place": True}, 3, (2, 2)),
        ({"format": "double_elimination"}, 8, (3, 15)),
        ({"format": "double_elimination", "reset": False}, 8, (3, 14)),
        ({"format": "round_robin"}, 8, (7, 28)),
        ({"format": "round_robin", "double": True}, 5, (10, 20)),
        ({"format": "round_robin", "groups": 4}, 18, (5, 32)),
        ({"format": "swiss"}, 32, (5, 80)),
        ({"format": "swiss", "rounds": 7}, 9, (7, 28)),
    ],
)
def test_rounds_and_matches_are_counted(own: dict, pairs: int, figures: tuple[int, int]):
    assert (rounds(own, pairs), matches(own, pairs)) == figures


def said(format_: str, settings: dict[str, Any], pairs: int) -> list[str]:
    form = TournamentForm(sent())
    form.is_valid()
    given = form.settings() | {"format": format_, "settings": settings, "capacity": pairs}
    return warnings(given, pairs, timezone.now())


@pytest.mark.parametrize(
    ("rounds_", "pairs", "warned"),
    [
        (3, 6, []),
        (4, 6, ["4 rounds are many for 6 pairs: in the last ones a rematch may be needed."]),
        (5, 6, ["In 5 rounds 6 pairs all meet each other."]),
        (7, 8, ["In 7 rounds 8 pairs all meet each other."]),
        (8, 8, ["8 pairs can play 7 rounds without meeting twice; in 8 rounds some meet again."]),
        (9, 9, ["In 9 rounds 9 pairs all meet each other."]),
        (10, 9, ["9 pairs can play 9 rounds without meeting twice; in 10 rounds some meet again."]),
        (5, 32, []),
        (None, 8, []),
    ],
)
def test_more_swiss_rounds_than_the_field_can_play_are_warned_of(
    rounds_: int | None, pairs: int, warned: list[str]
):
    found = said("swiss", {"rounds": rounds_} if rounds_ else {}, pairs)

    assert [sentence.startswith(start) for sentence, start in zip(found, warned, strict=True)] == [
        True
    ] * len(warned)


@pytest.mark.parametrize(
    ("stages", "warned"),
    [
        ([{"format": "round_robin", "groups": 4}, {"format": "single_elimination", "qualify": 2}], []),
        (
            [{"format": "round_robin", "groups": 4}, {"format": "single_elimination", "qualify": 4}],
            ["Everybody goes on to stage 2: nobody is out before it."],
        ),
        (
            [{"format": "round_robin", "groups": 9}, {"format": "single_elimination", "qualify": 1}],
            ["9 groups are too many for 16 pairs: some would have nobody to play."],
        ),
        (
            [{"format": "swiss"}, {"format": "swiss", "rounds": 4, "qualify": 4}],
            ["4 pairs can play 3 rounds without meeting twice; in 4 rounds some meet again."],
        ),
    ],
)
def test_stages_that_make_no_sense_are_warned_of(stages: list[dict], warned: list[str]):
    assert said("stages", {"stages": stages}, 16) == warned


def test_preview_says_what_is_chosen_and_warns_while_it_is_filled_in():
    client = browser(make_user())
    told = sent("swiss") | {"rounds": "7", "capacity": "8", "name": ""}
    page = client.get(f"{NEW}preview/", told).content.decode()
    wrong = client.get(f"{NEW}preview/", told | {"capacity": "many"}).content.decode()

    assert "Each round pairs that have done equally well meet: 8 pairs, 7 rounds, 28 matches." in page
    assert "In 7 rounds 8 pairs all meet each other. Choose the round robin" in page
    assert "Something does not go together yet." in wrong


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("preset", [one.key for one in PRESETS])
def test_every_preset_can_be_said_in_both_languages(preset: str, language: str):
    with translation.override(language):
        form = TournamentForm(sent(preset))
        assert form.is_valid(), form.errors
        sentences = outline(form.settings())

    assert len(sentences) > 3
    assert all(sentence and "%(" not in sentence for sentence in sentences)


# Changes


def change(tournament: Tournament, **changes: Any) -> list[str]:
    return making.edit(
        tournament_id=tournament.pk, actor=tournament.organiser, changes=changes, reason="because", now=NOW
    )


def refusal(act, *args: Any, **more: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(*args, **more)
    return refused.value.code


def test_change_is_in_the_log_with_what_was_before_and_only_if_there_is_one():
    tournament = make_tournament()
    before = tournament.starts_at
    later = before + timedelta(days=1)

    assert change(tournament, capacity=16, starts_at=later, name="Friday night") == ["name", "starts_at"]
    assert change(tournament, capacity=16, starts_at=later) == []
    act = tournament.acts.get()
    assert (act.kind, act.subject, act.reason, act.actor, act.is_public) == (
        "settings",
        "name, starts_at",
        "because",
        tournament.organiser,
        True,
    )
    assert (act.before, act.after) == (
        {"name": "Thursday night", "starts_at": before.isoformat()},
        {"name": "Friday night", "starts_at": later.isoformat()},
    )


def test_code_to_enter_stands_in_no_log():
    tournament = make_tournament(access="code", entry_code="old")
    change(tournament, entry_code="new")

    assert (tournament.acts.get().before, tournament.acts.get().after) == (
        {"entry_code": ""},
        {"entry_code": ""},
    )


SOME = {
    "registration_opens_at": ["draft", "published"],
    "access": ["draft", "published", "open"],
    "capacity": ["draft", "published", "open", "ready"],
    "target": ["draft", "published", "open", "ready"],
    "late_minutes": ["draft", "published", "open", "ready", "running"],
    "name": ["draft", "published", "open", "ready", "running", "finished", "certified"],
}


def _is_taken(tournament: Tournament, name: str, value: Any) -> bool:
    try:
        return change(tournament, **{name: value}) == [name]
    except Refused as refused:
        return refused.code != "settled"


@pytest.mark.parametrize("state", State.values)
def test_setting_may_be_changed_in_its_states_only(state: str):
    tournament = make_tournament(organiser=make_user())
    more = {"cancel_reason": "organiser"} if state == "cancelled" else {}
    Tournament.objects.filter(pk=tournament.pk).update(state=state, started_at=NOW, **more)
    tournament.refresh_from_db()
    values = {
        "registration_opens_at": NOW,
        "access": "invited",
        "capacity": 30,
        "target": 41,
        "late_minutes": 3,
        "name": "Other",
    }

    found = {name: _is_taken(tournament, name, value) for name, value in values.items()}
    assert found == {name: state in states for name, states in SOME.items()}


def test_running_swiss_takes_more_rounds_and_nothing_that_touches_its_pairings():
    tournament = started(6, format="swiss", settings={"rounds": 2})
    before = lines(tournament)

    tournament.refresh_from_db()
    kept = tournament.settings
    assert change(tournament, settings={**kept, "rounds": 3, "tiebreaks": ["lot"]}) == ["settings"]
    tournament.refresh_from_db()
    assert (tournament.settings["rounds"], lines(tournament)) == (3, before)
    assert refusal(change, tournament, settings={**kept, "rounds": 3, "seed": 5}) == "settled"
    assert refusal(change, tournament, format="round_robin") == "settled"
    assert refusal(change, tournament, settings={**kept, "best_of": 3, "rounds": 3}) == "settled"


def test_places_are_not_fewer_than_the_pairs_that_are_in():
    tournament = make_tournament(capacity=4)
    for _ in range(3):
        enter_pair(tournament)

    assert refusal(change, tournament, capacity=2) == "capacity-below-entries"
    assert change(tournament, capacity=3) == ["capacity"]


def test_settings_that_no_file_could_hold_are_refused():
    tournament = make_tournament()

    assert refusal(change, tournament, settings={"best_of": 2}) == "bad-settings"
    assert refusal(make_tournament, settings={"groups": 0}) == "bad-settings"


def test_second_official_does_not_overwrite_the_first():
    tournament = make_tournament()
    second = make_user()
    tournament.officials.create(user=second, role="organiser", since=NOW)
    client = browser(second)
    address = f"{tournament.get_absolute_url()}settings/"
    seen = client.get(address).context["seen"]
    change(tournament, name="By the first")
    told = TournamentForm(tournament=tournament).as_data() | {"asks_more": "1", "capacity": "20"}

    late = client.post(address, told | {"seen": seen})
    again = client.post(address, told | {"seen": client.get(address).context["seen"]})

    assert (late.status_code, "Somebody else has changed the settings" in late.content.decode()) == (
        400,
        True,
    )
    tournament.refresh_from_db()
    assert (again.status_code, tournament.capacity) == (302, 20)


@pytest.mark.parametrize(
    ("role", "status"), [("organiser", 200), ("referee", 404), ("scorekeeper", 404), ("viewer", 404)]
)
def test_settings_are_there_for_organisers_only(role: str, status: int):
    tournament = make_tournament()
    user = make_user()
    tournament.officials.create(user=user, role=role, since=NOW)

    assert browser(user).get(f"{tournament.get_absolute_url()}settings/").status_code == status
    if status == 404:
        call = {"tournament_id": tournament.pk, "actor": user, "changes": {"name": "x"}, "now": NOW}
        assert refusal(making.edit, **call) == "not-your-role"


def test_page_of_a_running_tournament_greys_what_is_settled():
    tournament = started(2)
    form = browser(tournament.organiser).get(f"{tournament.get_absolute_url()}settings/").context["form"]

    settled = {name for name, field in form.fields.items() if field.disabled}
    assert ("target" in settled, "late_minutes" in settled, "name" in settled, form.locked) == (
        True,
        False,
        False,
        True,
    )


def test_tournament_that_waits_past_its_hour_can_be_changed_and_keeps_its_hour():
    tournament = make_tournament(starts_itself=False)
    start = timezone.now() - timedelta(minutes=5, seconds=7)
    Tournament.objects.update(starts_at=start)
    tournament.refresh_from_db()
    told = TournamentForm(tournament=tournament).as_data() | {"asks_more": "1", "name": "Late"}

    answer = browser(tournament.organiser).post(f"{tournament.get_absolute_url()}settings/", told)
    tournament.refresh_from_db()

    assert (answer.status_code, tournament.name, tournament.starts_at) == (302, "Late", start)
    assert tournament.acts.get().subject == "name"


# One like it


def test_one_like_last_years_has_its_settings_and_its_officials_at_a_time_to_come():
    owner, referee, viewer = make_user(), make_user(), make_user()
    start = datetime(2026, 3, 27, 18, 30, tzinfo=UTC)
    old = making.create(
        organiser=owner,
        name="Spring cup",
        format="swiss",
        settings={"rounds": 5, "seed": 9, "forbidden": [["e1", "e2"]]},
        ruleset="egyptian",
        time_zone="Europe/Berlin",
        starts_at=start,
        registration_closes_at=start - timedelta(hours=2),
        check_in_minutes=25,
        now=start - timedelta(days=30),
    )
    for user, role in ((referee, "referee"), (viewer, "viewer")):
        old.officials.create(user=user, role=role, since=NOW)
    client = browser(owner)
    form = client.get(f"{NEW}?like={old.slug}").context["form"]
    answer = client.post(
        f"{NEW}?like={old.slug}", form.as_data() | {"asks_more": "1", "officials": [str(referee.pk)]}
    )

    new = Tournament.objects.latest("pk")
    assert (answer.status_code, new.cloned_from, new.slug, new.organiser) == (302, old, "spring-cup-2", owner)
    assert (new.format, new.settings, new.ruleset, new.check_in_minutes) == (
        "swiss",
        {"rounds": 5},
        "egyptian",
        25,
    )
    # The Friday after a year's Fridays, at the same hour by the clocks there.
    assert new.starts_at > timezone.now()
    local = new.starts_at.astimezone(ZoneInfo("Europe/Berlin"))
    assert (local.weekday(), local.hour, local.minute) == (4, 19, 30)
    assert new.starts_at - new.registration_closes_at == timedelta(hours=2)
    assert [(official.user, official.role) for official in new.officials.all()] == [(referee, "referee")]
    assert referee.notices.count() == 1


def test_one_like_anothers_is_made_by_who_may_run_it_only():
    old = make_tournament()
    stranger = make_user()

    page = browser(stranger).get(f"{NEW}?like={old.slug}")

    assert page.context["like"] is None
    assert refusal(making.clone, tournament_id=old.pk, actor=stranger, now=NOW) == "not-organiser"
