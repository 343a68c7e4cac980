"""Objections: made, taken, answered; what they hold back meanwhile."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Notice, User
from games.models import Table
from tests.factories import make_user
from tests.tournaments.scenes import NOW, adjudicate, end, lines, open_table, started
from tournaments.models import Objection, Role, Tournament
from tournaments.services import certify, objections, results, rulings
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db


def player(tournament: Tournament, ident: str, place: int = 0) -> User:
    return tournament.entries.get(number=int(ident[1:])).members.get(place=place).user


def referee(tournament: Tournament) -> User:
    user = make_user()
    tournament.officials.create(user=user, role=Role.REFEREE, since=NOW)
    return user


def refused(work, **arguments: object) -> str | None:
    try:
        work(**arguments)
    except Refused as refusal:
        return refusal.code
    return None


def begun(tournament: Tournament) -> Tournament:
    Table.objects.filter(pairing__tournament=tournament).update(started_at=NOW)
    return tournament


def about(tournament: Tournament, user: User) -> dict[str, Any]:
    return {"tournament_id": tournament.pk, "user": user, "now": NOW}


def object_to(tournament: Tournament, pairing: str = "R1.1", side: int = 0, **more: object) -> Objection:
    row = tournament.tables.filter(pairing=pairing).order_by("attempt").last()
    user = player(tournament, row.sides[side])
    asked = {"text": "a card was played twice", "now": NOW} | more
    return objections.object_to(tournament_id=tournament.pk, user=user, pairing=pairing, **asked)


def test_objection_is_made_during_play_and_tells_the_referees() -> None:
    tournament = begun(started(4))
    judge = referee(tournament)
    made = object_to(tournament)
    assert (made.state, made.pairing) == ("open", "R1.1")
    told = Notice.objects.filter(key=f"objection-{made.pk}")
    assert {notice.user for notice in told} == {tournament.organiser, judge}


def test_second_objection_of_a_side_says_more_about_the_first() -> None:
    tournament = begun(started(4))
    first = object_to(tournament)
    partner = player(tournament, open_table(tournament, "R1.1").sides[0], 1)
    second = objections.object_to(
        tournament_id=tournament.pk, user=partner, pairing="R1.1", text="and a call was late", now=NOW
    )
    other = object_to(tournament, side=1)
    assert (second, second.text) == (first, "a card was played twice\nand a call was late")
    assert other != first
    assert tournament.objections.count() == 2


@pytest.mark.parametrize(("minutes", "code"), [(14, None), (16, "too-late-to-object")])
def test_objecting_ends_a_while_after_the_match(minutes: int, code: str | None) -> None:
    tournament = begun(started(4))
    end(tournament, "R1.1")
    adjudicate(tournament)
    row = tournament.tables.get(pairing="R1.1")
    late = NOW + timedelta(minutes=minutes)
    tournament.tables.update(final_at=None)
    asked = {"user": player(tournament, row.sides[0]), "pairing": "R1.1", "text": "x", "now": late}
    assert refused(objections.object_to, tournament_id=tournament.pk, **asked) == code


def test_what_cannot_be_objected_to() -> None:
    tournament = begun(started(4))
    sides = open_table(tournament, "R1.1").sides
    asked = {"tournament_id": tournament.pk, "pairing": "R1.1", "text": "x", "now": NOW}
    mine = {**asked, "user": player(tournament, sides[0])}

    assert refused(objections.object_to, **asked, user=make_user()) == "not-your-match"
    assert refused(objections.object_to, **{**mine, "pairing": "R1.2"}) == "not-your-match"
    assert refused(objections.object_to, **{**mine, "text": "  "}) == "nothing-said"
    assert refused(objections.object_to, **{**mine, "text": "x" * 1001}) == "too-long"
    assert refused(objections.object_to, **mine, deal=7) == "no-such-moment"
    assert refused(objections.object_to, **mine, act=0) == "no-such-moment"


def test_one_referee_takes_it_and_nobody_judges_a_match_of_their_own() -> None:
    tournament = begun(started(4))
    made = object_to(tournament)
    first, second = referee(tournament), referee(tournament)
    own = player(tournament, open_table(tournament, "R1.1").sides[1])
    tournament.officials.create(user=own, role=Role.REFEREE, since=NOW)
    about = {"tournament_id": tournament.pk, "number": made.pk, "now": NOW}

    assert refused(objections.take, actor=own, **about) == "own-match"
    objections.take(actor=first, **about)
    assert refused(objections.take, actor=second, **about) == "taken"
    assert refused(objections.dismiss, actor=second, words="no", **about) == "taken"
    objections.take(actor=first, leave=True, **about)
    assert refused(objections.take, actor=second, **about) is None


def test_objection_of_a_referee_who_was_let_go_is_answered_by_another() -> None:
    tournament = begun(started(4))
    made = object_to(tournament)
    first, second = referee(tournament), referee(tournament)
    about = {"tournament_id": tournament.pk, "number": made.pk, "now": NOW}
    objections.take(actor=first, **about)
    assert refused(objections.take, actor=second, **about) == "taken"
    tournament.officials.get(user=first).delete()
    assert refused(objections.take, actor=second, **about) is None
    assert refused(objections.dismiss, actor=tournament.organiser, words="no", **about) is None


def test_held_result_is_overruled_while_the_objection_is_open() -> None:
    tournament = begun(started(4, holds_results=True))
    end(tournament, "R1.1")
    made = object_to(tournament, side=1)
    late = NOW + timedelta(hours=1)
    results.adjudicate(tournament_id=tournament.pk, now=late)
    sides = tournament.tables.get(pairing="R1.1").sides
    item = {"type": "rule", "pairing": "R1.1", "winner": 1}
    token = rulings.preview(tournament=tournament, item=item).token
    about = {"tournament_id": tournament.pk, "number": made.pk, "actor": referee(tournament), "now": late}
    other = {**item, "pairing": "R1.2"}
    assert refused(objections.uphold, words="x", item=other, **about) == "not-this-match"
    objections.uphold(words="the score was misread", item=item, token=token, **about)
    made.refresh_from_db()
    assert (made.state, lines(tournament)["R1.1"][2:]) == ("upheld", ("ruling", sides[1]))
    assert tournament.tables.get(pairing="R1.1").state == "void"


def test_dismissed_objection_tells_both_sides_why() -> None:
    tournament = begun(started(4))
    made = object_to(tournament)
    objections.dismiss(
        tournament_id=tournament.pk, actor=referee(tournament), number=made.pk, words="it was not", now=NOW
    )
    made.refresh_from_db()
    assert (made.state, made.ruling) == ("dismissed", "it was not")
    assert Notice.objects.filter(key=f"objection-{made.pk}-ruled").count() == 4
    about = {"tournament_id": tournament.pk, "number": made.pk, "now": NOW}
    assert refused(objections.dismiss, actor=tournament.organiser, words="x", **about) == "already-ruled"


def test_upheld_objection_corrects_the_result_in_the_same_breath() -> None:
    tournament = begun(started(4))
    end(tournament, "R1.1")
    adjudicate(tournament)
    tournament.tables.update(final_at=None)
    made, judge = object_to(tournament), referee(tournament)
    sides = tournament.tables.get(pairing="R1.1").sides
    item = {"type": "correct", "pairing": "R1.1", "kind": "target", "score": [12, 31]}
    about = {"tournament_id": tournament.pk, "number": made.pk, "actor": judge, "item": item, "now": NOW}

    assert refused(objections.uphold, words="so it was", token="0.stale", **about) == "moved-on"
    made.refresh_from_db()
    assert made.state == "open"

    token = rulings.preview(tournament=tournament, item=item).token
    objections.uphold(words="so it was", token=token, **about)
    made.refresh_from_db()
    assert (made.state, made.item.item["reason"]) == ("upheld", "so it was")
    assert lines(tournament)["R1.1"][3] == sides[1]


def test_open_objection_holds_a_result_back_until_it_is_answered() -> None:
    tournament = begun(started(4, holds_results=True))
    end(tournament, "R1.1")
    made = object_to(tournament)
    adjudicate(tournament)
    row = tournament.tables.get(pairing="R1.1")
    late = NOW + timedelta(hours=1)
    results.adjudicate(tournament_id=tournament.pk, now=late)
    row.refresh_from_db()
    assert row.state == "held"
    objections.dismiss(
        tournament_id=tournament.pk, actor=referee(tournament), number=made.pk, words="no", now=late
    )
    row.refresh_from_db()
    assert (row.state, lines(tournament)["R1.1"][1]) == ("recorded", "done")


def test_nothing_is_certified_while_somebody_objects() -> None:
    tournament = begun(started(2))
    end(tournament, "R1.1")
    adjudicate(tournament)
    tournament.refresh_from_db()
    tournament.tables.update(final_at=None)
    made = object_to(tournament)
    about = {"tournament_id": tournament.pk, "now": NOW + timedelta(hours=1)}
    assert refused(certify.certify, actor=tournament.organiser, **about) is not None
    objections.withdraw_objection(user=made.made_by, number=made.pk, **about)
    made.refresh_from_db()
    assert made.state == "withdrawn"
    assert refused(certify.certify, actor=tournament.organiser, **about) is None


def test_objecting_and_taking_it_back_stand_in_the_log_and_disturb_no_decision() -> None:
    tournament = begun(started(4))
    item = {"type": "forfeit", "pairing": "R1.2", "side": 0}
    token = rulings.preview(tournament=tournament, item=item).token
    made = object_to(tournament)
    object_to(tournament, text="and a call was late")
    object_to(tournament, text="and a call was late")
    judge, more = referee(tournament), f"{made.text}\nand a call was late"
    about = {"tournament_id": tournament.pk, "number": made.pk, "now": NOW}
    objections.take(actor=judge, **about)
    objections.take(actor=judge, leave=True, **about)
    objections.withdraw_objection(user=made.made_by, **about)

    acts = tournament.acts.exclude(kind__in=("start", "state")).order_by("number")
    assert list(acts.values_list("kind", "subject", "before", "after", "actor", "is_public")) == [
        ("object", "R1.1", None, made.text, made.made_by_id, False),
        ("object", "R1.1", made.text, more, made.made_by_id, False),
        ("take-objection", "R1.1", None, judge.username, judge.pk, False),
        ("take-objection", "R1.1", judge.username, None, judge.pk, False),
        ("withdraw-objection", "R1.1", more, "withdrawn", made.made_by_id, False),
    ]
    decision = {"tournament_id": tournament.pk, "actor": tournament.organiser, "item": item, "token": token}
    assert refused(rulings.decide, **decision, now=NOW) is None


def test_objection_is_about_the_match_it_names_where_there_are_several(client: Client) -> None:
    tournament = begun(started(2, settings={"best_of": 3}))
    first = end(tournament, "R1.1", (31, 12))
    adjudicate(tournament)
    second = begun(tournament).tables.get(state="open")
    pair = player(tournament, second.sides[0])
    client.cookies["django_language"] = "en"
    client.force_login(pair)
    address = f"/tournaments/{tournament.slug}/object/"

    page = client.get(address, {"table": first.code}).content.decode()
    options = re.findall(r'<option value="(\w+)"( selected)?>([^<]+)<', page)
    said = {"act": "object", "text": "a card was played twice"}
    client.post(address, said | {"table": first.code})
    client.post(address, said | {"table": second.table.code})
    newest = refused(objections.object_to, **about(tournament, pair), pairing="R1.1", text="once more")

    assert [(code, bool(chosen)) for code, chosen, _words in options] == [
        (second.table.code, False),
        (first.code, True),
    ]
    assert [re.sub("[\u2066-\u2069\u200e]", "", words) for _code, _chosen, words in options] == [
        "Final, match 2",
        "Final, match 1 (31:12)",
    ]
    made = tournament.objections.order_by("pk")
    assert [(one.table.table, one.pairing, one.text) for one in made] == [
        (first, "R1.1", "a card was played twice"),
        (second.table, "R1.1", "a card was played twice\nonce more"),
    ]
    assert newest is None
    assert "Final, match 1" in client.get(address).content.decode()


@pytest.mark.parametrize("table", ["WRONG", ""])
def test_match_of_others_is_not_objected_to(table: str) -> None:
    tournament = begun(started(4))
    others = tournament.tables.get(pairing="R1.2")
    pair = player(tournament, tournament.tables.get(pairing="R1.1").sides[0])
    asked = about(tournament, pair) | {"table": table or others.table.code, "text": "wrong"}
    assert refused(objections.object_to, **asked) == "not-your-match"


def test_answered_objection_is_told_to_everybody_in_the_news(client: Client) -> None:
    tournament = begun(started(4))
    made = object_to(tournament)
    objections.dismiss(
        tournament_id=tournament.pk, actor=referee(tournament), number=made.pk, words="it was not", now=NOW
    )
    client.cookies["django_language"] = "en"
    page = client.get(f"/tournaments/{tournament.slug}/?tab=overview").content.decode()
    act = tournament.acts.get(kind="objection-dismissed")
    assert (act.before, act.after) == ("a card was played twice", "dismissed")
    assert "Semi-final 1: an objection was dismissed." in page


def test_player_objects_from_the_table_and_sees_the_answer(client: Client) -> None:
    tournament = begun(started(4))
    row = open_table(tournament, "R1.1")
    client.force_login(player(tournament, row.sides[0]))
    address = f"/tournaments/{tournament.slug}/object/"

    page = client.get(address, {"table": row.table.code, "act": "3"}).content.decode()
    answer = client.post(address, {"act": "object", "pairing": "R1.1", "text": "<b>look</b>"})
    made = Objection.objects.get()
    shown = client.get(address).content.decode()

    assert f'<option value="{row.table.code}" selected>' in page
    assert answer.status_code == 302
    assert "&lt;b&gt;look&lt;/b&gt;" in shown
    client.post(address, {"act": "withdraw", "objection": str(made.pk)})
    made.refresh_from_db()
    assert made.state == "withdrawn"


def test_referee_answers_on_the_page(client: Client) -> None:
    tournament = begun(started(4))
    made = object_to(tournament)
    client.force_login(referee(tournament))
    address = f"/tournaments/{tournament.slug}/objections/"

    client.post(address, {"act": "take", "objection": str(made.pk)})
    empty = client.post(address, {"act": "dismiss", "objection": str(made.pk), "words": " "})
    client.post(address, {"act": "dismiss", "objection": str(made.pk), "words": "no"})

    made.refresh_from_db()
    assert (empty.status_code, made.state) == (400, "dismissed")
    assert client.get(address).status_code == 200


def test_decision_for_an_unknown_objection_is_not_there(client: Client) -> None:
    tournament = begun(started(4))
    client.force_login(tournament.organiser)
    item = {"type": "forfeit", "pairing": "R1.1", "side": 0}
    token = rulings.preview(tournament=tournament, item=item).token
    fields = {"choice": "forfeit-0", "pairing": "R1.1", "token": token, "objection": "999", "reason": "x"}
    assert client.post(f"/tournaments/{tournament.slug}/decide/", fields).status_code == 404
