"""What reviewers do: cases from the queue to the answer, sanctions, voids; once each, with a reason, in the log."""

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts import sanctions
from accounts.models import Notice, Reckoned, Sanction, Scope, User
from games.models import Table, Void
from review.models import ActKind, Case, CaseKind, Outcome, ReviewAct
from review.services import annulling, cases, objecting, sanctioning, voiding
from review.services.cases import HELD_FOR
from review.services.gathering import gather
from review.services.refusals import Refused
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match, make_match_in_play
from tests.review.scenes import HOUR, case_of, reported, reviewer
from tests.tournaments.scenes import NOW, adjudicate, end, lines, started
from tournaments.models import Objection, ObjectionState, TableState, Tournament
from tournaments.services.refusals import Refused as TournamentRefused

pytestmark = pytest.mark.django_db


def code_of(do: Any, *args: Any, **more: Any) -> str:
    """The code of the refusal; "" where it was done."""
    try:
        do(*args, **more)
    except (Refused, TournamentRefused) as refused:
        return refused.code
    return ""


def told(user: User, language: str = "en") -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list(f"text_{language}", flat=True))


def logged() -> list[tuple[str, str, str]]:
    """Kind, actor and reason of every act, oldest first."""
    return list(ReviewAct.objects.order_by("pk").values_list("kind", "actor__username", "reason"))


# Cases.


def test_a_case_is_taken_by_one_and_the_second_is_told_so() -> None:
    first, second = reviewer("moderator"), reviewer("referee")
    case = case_of(reported())
    assert code_of(cases.claim, number=case.pk, actor=first, now=NOON) == ""
    assert code_of(cases.claim, number=case.pk, actor=first, now=NOON) == ""
    assert code_of(cases.claim, number=case.pk, actor=second, now=NOON + HOUR) == "taken"
    assert [kind for kind, _, _ in logged()] == ["claim"]


@pytest.mark.parametrize(
    ("role", "after", "code"),
    [("referee", HELD_FOR, "taken"), ("referee", HELD_FOR + HOUR, ""), ("superuser", HOUR, "")],
)
def test_a_case_is_taken_over_after_a_day_or_by_a_superuser(role: str, after: Any, code: str) -> None:
    case = case_of(reported())
    cases.claim(number=case.pk, actor=reviewer("moderator"), now=NOON)
    assert code_of(cases.claim, number=case.pk, actor=reviewer(role), now=NOON + after) == code


def test_a_case_is_given_back_by_who_has_it_alone() -> None:
    first, second = reviewer("moderator"), reviewer("moderator")
    case = case_of(reported())
    cases.claim(number=case.pk, actor=first, now=NOON)
    assert code_of(cases.release, number=case.pk, actor=second, now=NOON) == "not-taken"
    assert code_of(cases.release, number=case.pk, actor=first, now=NOON) == ""
    assert code_of(cases.claim, number=case.pk, actor=second, now=NOON) == ""


@pytest.mark.parametrize("part", ["accused", "reporter", "player"])
def test_nobody_takes_a_case_of_their_own(part: str) -> None:
    user = reviewer("superuser")
    table = make_match([user, *make_users(3)])
    others = {seat.number: seat.user for seat in table.seats.all()}
    report = {
        "accused": lambda: reported(make_match(make_users(4)), about=user, by=others[1]),
        "reporter": lambda: reported(make_match(make_users(4)), by=user),
        "player": lambda: reported(table, about=others[1], by=others[2]),
    }[part]()
    assert code_of(cases.claim, number=case_of(report).pk, actor=user, now=NOON) == "own-case"


def closing(case: Case, actor: User, **more: Any) -> dict[str, Any]:
    given = {
        "outcome": "upheld",
        "answer_ar": "كنت محقًا.",
        "answer_en": "You were right.",
        "key": "k",
        "now": NOON,
    }
    return {"number": case.pk, "actor": actor, **given, **more}


def test_who_reported_is_told_once_in_their_language_and_nobody_else() -> None:
    table = make_match(make_users(4))
    about, *others = [seat.user for seat in table.seats.order_by("number")]
    reports = [reported(table, about=about, by=by) for by in others[:2]]
    case, actor = case_of(reports[0]), reviewer("moderator")
    cases.claim(number=case.pk, actor=actor, now=NOON)
    for _ in range(2):
        cases.close(**closing(case, actor))
    case.refresh_from_db()
    assert (case.outcome, case.closed_by, case.answer_en) == ("upheld", actor, "You were right.")
    assert [len(told(user)) for user in (about, *others)] == [0, 1, 1, 0]
    assert ("You were right." in told(others[0])[0], "كنت محقًا." in told(others[0], "ar")[0]) == (True, True)
    assert [(kind, who) for kind, who, _ in logged()] == [
        ("claim", actor.username),
        ("close", actor.username),
    ]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"answer_ar": ""}, "no-answer"),
        ({"answer_en": " "}, "no-answer"),
        ({"answer_en": "x" * 901}, "too-long"),
        ({"outcome": "nonsense"}, "no-outcome"),
        ({"outcome": "elsewhere"}, "no-outcome"),
    ],
)
def test_a_case_is_not_closed_without_an_answer_in_both_languages(given: dict[str, str], code: str) -> None:
    case, actor = case_of(reported()), reviewer("moderator")
    cases.claim(number=case.pk, actor=actor, now=NOON)
    assert code_of(cases.close, **closing(case, actor, **given)) == code


@pytest.mark.parametrize("who", ["nobody", "another"])
def test_a_case_is_closed_by_who_has_taken_it(who: str) -> None:
    case = case_of(reported())
    if who == "another":
        cases.claim(number=case.pk, actor=reviewer("moderator"), now=NOON)
    code = code_of(cases.close, **closing(case, reviewer("moderator")))
    assert code == {"nobody": "not-taken", "another": "taken"}[who]


def test_notes_are_for_reviewers_and_the_same_twice_is_one() -> None:
    case, actor = case_of(reported()), reviewer("support")
    for _ in range(2):
        cases.add_note(number=case.pk, actor=actor, text="Looked at deal 3.", now=NOON)
    assert case.notes.count() == 1
    assert code_of(cases.add_note, number=case.pk, actor=actor, text="  ", now=NOON) == "no-reason"


# Sanctions and appeals.


def wish(kind: ActKind, days: int | None = 7) -> sanctioning.Wish:
    return sanctioning.Wish(kind, "كلام مسيء", "Rude words", days)


@pytest.mark.parametrize(
    ("kind", "scope"),
    [
        ("warn", "warning"),
        ("mute", "chat"),
        ("ban-play", "play"),
        ("ban-tournaments", "tournaments"),
        ("ban-all", "all"),
    ],
)
def test_a_sanction_is_in_force_told_and_logged_once(kind: str, scope: str) -> None:
    user, actor = make_user(), reviewer("superuser")
    for _ in range(2):
        sanctioning.impose(actor=actor, user=user, wish=wish(ActKind(kind)), key="k", now=NOON)
    made = Sanction.objects.get()
    assert (made.scope, made.by, made.user) == (scope, actor, user)
    assert made.until == (None if kind == "warn" else NOON + 7 * 24 * HOUR)
    kept = {one for one in ("chat", "play", "tournaments") if sanctions.banned(user, one, NOON)}
    assert kept == {"warning": set(), "all": {"chat", "play", "tournaments"}}.get(scope, {scope})
    assert (
        ["Rude words" in one for one in told(user)],
        ["كلام مسيء" in one for one in told(user, "ar")],
    ) == ([True], [True])
    assert logged() == [(kind, actor.username, "كلام مسيء\nRude words")]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (sanctioning.Wish(ActKind.MUTE, "", "x", 7), "no-answer"),
        (sanctioning.Wish(ActKind.MUTE, "س", "x" * 501, 7), "too-long"),
        (sanctioning.Wish(ActKind.MUTE, "س", "x", 0), "no-term"),
    ],
)
def test_a_sanction_without_reason_or_term_is_refused(given: sanctioning.Wish, code: str) -> None:
    user = make_user()
    assert code_of(sanctioning.impose, actor=reviewer("superuser"), user=user, wish=given, now=NOON) == code
    assert (Sanction.objects.count(), ReviewAct.objects.count()) == (0, 0)


def test_nobody_judges_themselves() -> None:
    user = reviewer("superuser")
    assert code_of(sanctioning.impose, actor=user, user=user, wish=wish(ActKind.WARN), now=NOON) == "own-case"


def test_a_sanction_is_lifted_once_and_its_player_told() -> None:
    user, actor = make_user(), reviewer("moderator")
    made = sanctions.impose(user, Scope.CHAT, reason_ar="س", reason_en="x", until=None, now=NOON)
    given = {"actor": actor, "sanction_id": made.pk, "reason": "A mistake", "now": NOON + HOUR}
    assert [code_of(sanctioning.lift, **given, key=key) for key in ("k", "k", "other")] == ["", "", "lifted"]
    assert (sanctions.banned(user, "chat", NOON + HOUR), len(told(user))) == (None, 1)
    assert logged() == [("lift", actor.username, "A mistake")]


def appealed(by: User | None = None) -> tuple[Case, User]:
    user = make_user()
    made = sanctions.impose(user, Scope.PLAY, reason_ar="س", reason_en="x", until=None, by=by, now=NOON)
    sanctions.appeal(made.pk, user=user, text="It was my brother.", now=NOON)
    gather(now=NOON)
    return made.case, user


@pytest.mark.parametrize(("grant", "outcome"), [(True, "upheld"), (False, "dismissed")])
def test_an_appeal_is_answered_once_and_its_player_told(grant: bool, outcome: str) -> None:
    case, user = appealed()
    actor = reviewer("moderator")
    cases.claim(number=case.pk, actor=actor, now=NOON)
    for _ in range(2):
        sanctioning.answer_appeal(
            number=case.pk, actor=actor, answer="We looked.", grant=grant, key="k", now=NOON
        )
    case.refresh_from_db()
    assert (case.outcome, sanctions.banned(user, "play", NOON) is None) == (outcome, grant)
    assert [one.endswith("We looked.\N{POP DIRECTIONAL ISOLATE}") for one in told(user)] == [True]
    assert [kind for kind, _, _ in logged()] == ["claim", "appeal"]


def test_an_appeal_is_not_answered_by_who_imposed() -> None:
    moderator = reviewer("moderator")
    case, _ = appealed(by=moderator)
    assert code_of(cases.claim, number=case.pk, actor=moderator, now=NOON) == "own-sanction"
    assert code_of(cases.claim, number=case.pk, actor=reviewer("moderator"), now=NOON) == ""


# Matches declared void.


def voided(table: Table, actor: User, key: str = "k") -> ReviewAct:
    return voiding.void_match(
        actor=actor, table_code=table.code, reason_ar="عطل", reason_en="A fault", key=key, now=NOON
    )


def test_a_void_match_keeps_its_rows_and_its_players_are_told_once() -> None:
    users = make_users(4)
    table, actor = make_match(users, rated=True), reviewer("referee")
    before = Table.objects.filter(pk=table.pk).values().get()
    for _ in range(2):
        voided(table, actor)
    assert code_of(voided, table, actor, key="other") == "void-already"
    assert Table.objects.filter(pk=table.pk).values().get() == before
    assert (Void.objects.count(), [len(told(user)) for user in users]) == (1, [1] * 4)
    assert Reckoned.objects.get(table_number=table.pk).stale
    assert logged() == [("void", actor.username, "عطل\nA fault")]


def test_a_restored_match_can_be_void_again_and_every_time_is_kept() -> None:
    table, actor = make_match(make_users(4)), reviewer("referee")
    restore = {"actor": actor, "table_code": table.code, "reason": "It was fair", "now": NOON}
    assert code_of(voiding.restore_match, **restore) == "not-void"
    voided(table, actor)
    voiding.restore_match(**restore, key="r")
    voiding.restore_match(**restore, key="r")
    voided(table, actor, key="k2")
    assert [void.lifted_at is None for void in table.voids.order_by("pk")] == [False, True]
    assert [kind for kind, _, _ in logged()] == ["void", "restore", "void"]


@pytest.mark.parametrize("which", ["in play", "own"])
def test_a_match_in_play_or_ones_own_is_not_declared_void(which: str) -> None:
    actor = reviewer("referee")
    if which == "own":
        assert code_of(voided, make_match([actor, *make_users(3)]), actor) == "own-case"
    else:
        assert code_of(voided, make_match_in_play(make_users(4)), actor) == "not-over"
    assert not Void.objects.exists()


def test_a_tournaments_officials_hear_of_a_void_match_and_its_log_of_acts_says_so() -> None:
    tournament = started(4)
    table = end(tournament, "R1.1")
    adjudicate(tournament)
    actor = reviewer("referee")
    voided(table, actor)
    act = tournament.acts.order_by("-number").first()
    assert (act.kind, act.subject, act.actor, act.is_public) == ("match-void", "R1.1", actor, True)
    assert [one for one in told(tournament.organiser) if "void" in one] != []
    assert lines(tournament)["R1.1"][1] == "done"


def test_a_held_result_waits_for_the_officials_once_its_match_is_void() -> None:
    tournament = started(4)
    Tournament.objects.filter(pk=tournament.pk).update(holds_results=True)
    table = end(tournament, "R1.1")
    adjudicate(tournament)
    row = tournament.tables.get(table=table)
    assert row.state == TableState.HELD
    tournament.tables.filter(pk=row.pk).update(confirmed=[True, False])
    voided(table, reviewer("referee"))
    row.refresh_from_db()
    assert (row.state, row.final_at, row.confirmed) == (TableState.HELD, None, [False, False])


# Through the tournament.


def test_a_result_is_annulled_through_the_tournaments_own_correction() -> None:
    tournament = started(4)
    table = end(tournament, "R1.1")
    adjudicate(tournament)
    actor = reviewer("referee")
    winner = lines(tournament)["R1.1"][3]
    other = str(1 - lines(tournament)["R1.1"][0].index(winner))
    shown = annulling.look(table=table, choice=other)
    for _ in range(2):
        annulling.annul(
            actor=actor, table=table, choice=other, reason="Two accounts", token=shown.token, key="k", now=NOW
        )
    item = tournament.log.order_by("-number").first()
    assert (item.item["type"], item.item["pairing"], item.actor) == ("correct", "R1.1", actor)
    assert lines(tournament)["R1.1"][3] != winner
    assert logged() == [("annul", actor.username, "Two accounts")]


def test_a_result_is_not_annulled_where_the_tournament_moved_on_meanwhile() -> None:
    tournament = started(4)
    table = end(tournament, "R1.1")
    adjudicate(tournament)
    shown = annulling.look(table=table, choice="nobody")
    end(tournament, "R1.2")
    adjudicate(tournament)
    given = {"actor": reviewer("referee"), "table": table, "choice": "nobody", "reason": "x", "now": NOW}
    assert code_of(annulling.annul, **given, token=shown.token) == "moved-on"
    assert (logged(), tournament.log.filter(item__type="correct").count()) == ([], 0)


def test_a_member_of_the_tournament_annuls_nothing_in_it() -> None:
    tournament = started(4)
    table = end(tournament, "R1.1")
    adjudicate(tournament)
    member = tournament.members.exclude(user__seats__table=table).first().user
    member.is_superuser = True
    member.save()
    given = {"actor": member, "table": table, "choice": "nobody", "reason": "x", "token": "", "now": NOW}
    assert code_of(annulling.annul, **given) == "own-case"


def test_the_page_of_a_changed_result_shows_what_follows_before_it_is_decided() -> None:
    tournament = started(4)
    table = end(tournament, "R1.1")
    adjudicate(tournament)
    client = Client()
    client.force_login(reviewer("referee", language="en"))
    url = reverse("review_annul", args=[table.code])
    looked = client.post(url, {"choice": "nobody", "look": "1"})
    page = looked.content.decode()
    token = looked.context["form"].data["token"]
    assert ("If you decide so, the log will say:" in page, bool(token), logged()) == (True, True, [])
    sent = {"choice": "nobody", "token": token, "reason": "Two accounts", "key": "k", "decide": "1"}
    assert client.post(url, sent)["Location"] == reverse("review_table", args=[table.code])
    assert [kind for kind, _, _ in logged()] == ["annul"]
    assert client.post(url, sent | {"key": "k2", "reason": ""}).status_code == 400


def objected() -> tuple[Case, Objection]:
    tournament = started(4)
    table = end(tournament, "R1.1")
    row = tournament.tables.get(table=table)
    entry = tournament.entries.get(number=int(row.sides[0].removeprefix("e")))
    made = tournament.objections.create(
        pairing="R1.1",
        table=row,
        entry=entry,
        made_by=entry.members.first().user,
        made_at=NOW,
        text="He saw my cards.",
    )
    gather(now=NOW)
    return made.case, made


@pytest.mark.parametrize("upheld", [True, False])
def test_an_objection_is_answered_for_the_officials_and_told_to_both_sides(upheld: bool) -> None:
    case, objection = objected()
    actor = reviewer("referee")
    cases.claim(number=case.pk, actor=actor, now=NOW)
    for _ in range(2):
        objecting.answer(
            number=case.pk, actor=actor, upheld=upheld, words="The record says so.", key="k", now=NOW
        )
    objection.refresh_from_db()
    case.refresh_from_db()
    state, outcome = ("upheld", "upheld") if upheld else ("dismissed", "dismissed")
    assert (objection.state, objection.ruled_by, case.outcome) == (state, actor, outcome)
    assert [one for one in told(objection.made_by) if "The record says so." in one] != []
    assert [kind for kind, _, _ in logged()] == ["claim", "objection"]


@pytest.mark.parametrize(
    ("state", "outcome"), [("upheld", Outcome.ELSEWHERE), ("withdrawn", Outcome.WITHDRAWN)]
)
def test_a_case_is_closed_by_itself_once_its_objection_is_answered_there(state: str, outcome: str) -> None:
    case, objection = objected()
    Objection.objects.filter(pk=objection.pk).update(
        state=ObjectionState(state), ruled_by=make_user(), ruled_at=NOW
    )
    assert gather(now=NOW) == 1
    case.refresh_from_db()
    assert (case.kind, case.outcome, gather(now=NOW)) == (CaseKind.OBJECTION, outcome, 0)


# The log.


@pytest.mark.parametrize("sql", ["update review_reviewact set reason = 'x'", "delete from review_reviewact"])
def test_the_log_can_only_be_added_to(sql: str) -> None:
    sanctioning.impose(actor=reviewer("superuser"), user=make_user(), wish=wish(ActKind.WARN), now=NOON)
    with (
        pytest.raises(DatabaseError, match="only added to"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql)


# By the buttons.


@pytest.fixture
def moderator(client: Client) -> Client:
    client.force_login(reviewer("moderator", language="en"))
    return client


def test_a_case_from_the_desk_to_its_end_by_the_buttons(moderator: Client) -> None:
    report = reported()
    case = case_of(report)
    url = case.get_absolute_url()
    assert moderator.post(f"{url}claim/").status_code == 302
    moderator.post(f"{url}note/", {"text": "Deal 3."})
    form = moderator.get(url).context["sanction_form"]
    sent = {"act": "mute", "days": "3", "preset": "words", "key": form.initial["key"]}
    sanction = {f"sanction-{name}": value for name, value in sent.items()} | {"case": case.pk}
    for _ in range(2):
        answer = moderator.post(reverse("review_sanction", args=[report.about.username]), sanction)
        assert (answer.status_code, answer["Location"]) == (302, url)
    made = Sanction.objects.get()
    assert (made.scope, made.reason_en[:10], made.reason_ar != made.reason_en) == ("chat", "Rude words", True)
    refused = moderator.post(f"{url}close/", {"close-outcome": "upheld", "close-preset": ""})
    assert (refused.status_code, "both languages" in refused.content.decode()) == (400, True)
    assert (
        moderator.post(f"{url}close/", {"close-outcome": "upheld", "close-preset": "acted"}).status_code
        == 302
    )
    assert [kind for kind, _, _ in logged()] == ["claim", "mute", "close"]
    assert len(told(report.by)) == 1


def test_a_sanction_too_long_is_refused_on_the_page_and_nothing_typed_is_lost(moderator: Client) -> None:
    user = make_user()
    sent = {"act": "ban-play", "days": "400", "words_ar": "غش", "words_en": "Cheating"}
    answer = moderator.post(
        reverse("review_sanction", args=[user.username]),
        {f"sanction-{name}": value for name, value in sent.items()},
    )
    page = answer.content.decode()
    assert (answer.status_code, "90 days" in page, ">\nCheating</textarea>" in page) == (400, True, True)
    assert not Sanction.objects.exists()


def test_a_match_is_declared_void_and_restored_by_the_buttons(client: Client) -> None:
    client.force_login(reviewer("referee", language="en"))
    table = make_match(make_users(4))
    base = reverse("review_table", args=[table.code])
    assert client.post(f"{base}void/", {"void-preset": "fault", "void-key": "a"}).status_code == 302
    assert ">void</span>" in client.get(base).content.decode()
    assert client.post(f"{base}restore/", {"restore-reason": "", "restore-key": "b"}).status_code == 400
    assert client.post(f"{base}restore/", {"restore-reason": "Fair", "restore-key": "b"}).status_code == 302
    assert [kind for kind, _, _ in logged()] == ["void", "restore"]
