"""Nobody decides in a match of their own, but the owner whom nobody could replace; and then everybody reads so."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from tests.factories import make_user
from tests.tournaments.scenes import (
    NOW,
    adjudicate,
    end,
    enter_pair,
    lines,
    make_tournament,
    minutes,
    open_table,
    started,
)
from tournaments.models import Act, Role, Tournament
from tournaments.queries import plan_of
from tournaments.services import confirming, objections, officials, rounds, rulings, scoring
from tournaments.services.actions import Desk
from tournaments.services.refusals import Refused

pytestmark = pytest.mark.django_db
FORFEIT = {"type": "forfeit", "side": 0}
PLAYS = "\u2068Owner\u2069 plays in this match."


def reader() -> Client:
    client = Client()
    client.cookies["django_language"] = "en"
    return client


def code_of(work: Any, **arguments: Any) -> str | None:
    try:
        work(**arguments)
    except Refused as refusal:
        return refusal.code
    return None


def official(tournament: Tournament, role: str, user: User | None = None) -> User:
    user = user or make_user()
    tournament.officials.create(user=user, role=role, since=NOW)
    return user


def player(tournament: Tournament, ident: str, place: int = 0) -> User:
    return tournament.entries.get(number=int(ident[1:])).members.get(place=place).user


def owner_plays(**more: Any) -> tuple[Tournament, str]:
    """Four pairs, the owner in one of them; the name of the owner's match."""
    owner = make_user("Owner")
    tournament = make_tournament(organiser=owner, **more)
    own = enter_pair(tournament, owner, make_user())
    for _ in range(3):
        enter_pair(tournament)
    rounds.start(tournament_id=tournament.pk, actor=owner, now=NOW)
    tournament.refresh_from_db()
    name = next(p.id for p in plan_of(tournament).pairings if own.ident in p.sides and p.status == "ready")
    return tournament, name


def forfeit(tournament: Tournament, actor: User, pairing: str) -> str | None:
    item = {**FORFEIT, "pairing": pairing}
    return code_of(rulings.decide, tournament_id=tournament.pk, actor=actor, item=item, now=NOW)


@pytest.mark.parametrize("role", [Role.ORGANISER, Role.REFEREE])
def test_official_who_plays_decides_other_matches_and_not_their_own(role: Role) -> None:
    tournament = started(4)
    first, second = (open_table(tournament, name) for name in ("R1.1", "R1.2"))
    own = official(tournament, role, player(tournament, first.sides[1]))

    assert forfeit(tournament, own, "R1.1") == "own-match"
    assert (tournament.log.count(), tournament.acts.filter(kind="forfeit").count()) == (0, 0)
    assert forfeit(tournament, own, "R1.2") is None
    assert lines(tournament)["R1.2"][3] == second.sides[1]


def test_third_player_of_a_pair_is_of_that_pair_too() -> None:
    tournament = started(4)
    entry = tournament.entries.get(number=int(open_table(tournament, "R1.1").sides[0][1:]))
    third = official(tournament, Role.REFEREE)
    entry.members.create(tournament=tournament, place=2, user=third, plays=False, active=True)

    assert forfeit(tournament, third, "R1.1") == "own-match"


def test_result_of_their_own_match_is_neither_entered_nor_confirmed_for_both() -> None:
    tournament = started(4, holds_results=True)
    sides = open_table(tournament, "R1.1").sides
    scorer = official(tournament, Role.SCOREKEEPER, player(tournament, sides[0]))
    result = {"kind": "target", "score": [31, 5]}
    about = {"tournament_id": tournament.pk, "pairing": "R1.1", "now": NOW}

    assert code_of(scoring.enter_result, actor=scorer, result=result, **about) == "own-match"
    end(tournament, "R1.1")
    adjudicate(tournament)
    confirming.confirm(user=scorer, **about)
    assert tournament.tables.get(pairing="R1.1").confirmed == [True, False]

    tournament.members.filter(user=scorer).update(active=False)
    assert code_of(confirming.confirm, user=scorer, **about) == "own-match"


OWN_PAIR = [
    ({"type": "adjust", "points": 3}, "own", "own-pair"),
    ({"type": "disqualify"}, "own", "own-pair"),
    ({"type": "withdraw"}, "own", None),
    ({"type": "withdraw"}, "foe", "own-pair"),
    ({"type": "disqualify"}, "foe", "own-pair"),
    ({"type": "adjust", "points": 3}, "foe", None),
    ({"type": "withdraw"}, "other", None),
]


@pytest.mark.parametrize(("item", "whom", "code"), OWN_PAIR)
def test_own_pair_is_not_favoured_and_whom_one_plays_is_not_sent_away(
    item: dict[str, Any], whom: str, code: str | None
) -> None:
    tournament = started(4, format="swiss", settings={"rounds": 3})
    own, foe = open_table(tournament, "R1.1").sides
    referee = official(tournament, Role.REFEREE, player(tournament, own))
    entrant = {"own": own, "foe": foe, "other": open_table(tournament, "R1.2").sides[0]}[whom]

    item = {**item, "entrant": entrant}
    asked = {"tournament_id": tournament.pk, "actor": referee, "item": item, "now": NOW}
    assert code_of(rulings.decide, **asked) == code


def test_lost_match_of_their_own_is_not_played_again_by_correcting_another() -> None:
    tournament = started(4)
    for name in ("R1.1", "R1.2"):
        end(tournament, name)
    adjudicate(tournament)
    end(tournament, "R2.1", (12, 31))
    adjudicate(tournament)
    loser = player(tournament, plan_of(tournament).pairings[2].sides[0])
    referee = official(tournament, Role.REFEREE, loser)
    other = "R1.2"
    item = {"type": "correct", "pairing": other, "kind": "target", "score": [31, 11]}
    again = item | {"later": {"R2.1": "replay"}}
    about = {"tournament_id": tournament.pk, "actor": referee, "now": NOW}

    assert code_of(rulings.decide, item=again, **about) == "own-match"
    assert code_of(rulings.decide, item=item, **about) is None
    tournament.officials.filter(user=referee).delete()
    official(tournament, Role.REFEREE, player(tournament, lines(tournament)[other][0][1]))
    assert code_of(rulings.decide, item={"type": "undo"}, **about | {"actor": tournament.organiser}) is None


def test_correction_of_their_own_match_is_not_taken_back() -> None:
    tournament = started(4)
    sides = open_table(tournament, "R1.1").sides
    end(tournament, "R1.1")
    adjudicate(tournament)
    item = {"type": "correct", "pairing": "R1.1", "kind": "target", "score": [12, 31]}
    about = {"tournament_id": tournament.pk, "now": NOW}
    rulings.decide(actor=tournament.organiser, item=item, **about)
    winner = official(tournament, Role.REFEREE, player(tournament, sides[0]))

    assert code_of(rulings.decide, actor=winner, item={"type": "undo"}, **about) == "own-match"


def test_only_official_who_plays_too_decides_and_everybody_reads_so() -> None:
    tournament, own = owner_plays()
    assert forfeit(tournament, tournament.organiser, own) is None

    act = tournament.acts.get(kind="forfeit")
    page = reader().get(f"{tournament.get_absolute_url()}?tab=overview")
    feed = reader().get(f"{tournament.get_absolute_url()}?tab=results")
    assert (act.is_own, act.is_public) == (True, True)
    assert [PLAYS in shown.content.decode() for shown in (page, feed)] == [True, True]


@pytest.mark.parametrize(
    ("role", "state", "code"),
    [
        (Role.REFEREE, "free", "own-match"),
        (Role.ORGANISER, "free", "own-match"),
        (Role.SCOREKEEPER, "free", None),
        (Role.REFEREE, "closed", None),
        (Role.REFEREE, "plays", None),
    ],
)
def test_owner_leaves_an_own_match_to_who_could_decide_it(role: Role, state: str, code: str | None) -> None:
    tournament, own = owner_plays()
    sides = open_table(tournament, own).sides
    foe = next(
        side
        for side in sides
        if not tournament.entries.get(number=int(side[1:])).members.filter(user=tournament.organiser).exists()
    )
    other = official(tournament, role, player(tournament, foe) if state == "plays" else None)
    if state == "closed":
        User.objects.filter(pk=other.pk).update(is_active=False)

    assert forfeit(tournament, tournament.organiser, own) == code


def test_administrator_of_the_site_decides_and_everybody_reads_so() -> None:
    tournament, own = owner_plays()
    official(tournament, Role.REFEREE)
    User.objects.filter(pk=tournament.organiser.pk).update(is_superuser=True)
    tournament.organiser.refresh_from_db()

    assert forfeit(tournament, tournament.organiser, own) is None
    assert tournament.acts.get(kind="forfeit").is_own


def test_only_official_answers_an_objection_in_an_own_match_and_everybody_reads_so() -> None:
    tournament, own = owner_plays()
    row = open_table(tournament, own)
    row.table.started_at = NOW
    row.table.save()
    foe = next(s for s in row.sides if player(tournament, s) != tournament.organiser)
    made = objections.object_to(
        tournament_id=tournament.pk, user=player(tournament, foe), pairing=own, text="a card", now=NOW
    )
    about = {"tournament_id": tournament.pk, "number": made.pk, "now": NOW, "words": "it was not"}
    referee = official(tournament, Role.REFEREE)
    assert code_of(objections.dismiss, actor=tournament.organiser, **about) == "own-match"

    tournament.officials.filter(user=referee).delete()
    assert code_of(objections.dismiss, actor=tournament.organiser, **about) is None
    act = tournament.acts.get(kind="objection-dismissed")
    page = reader().get(f"{tournament.get_absolute_url()}?tab=overview")
    assert (act.is_own, PLAYS in page.content.decode()) == (True, True)


def test_what_is_refused_is_not_offered() -> None:
    tournament, own = owner_plays()
    owner, plan = tournament.organiser, plan_of(tournament)
    pairing = next(p for p in plan.pairings if p.id == own)
    alone = {action.kind for action in Desk(owner, tournament, plan, now=NOW).on_pairing(pairing)}
    referee = official(tournament, Role.REFEREE)
    beside = Desk(owner, tournament, plan, now=NOW).on_pairing(pairing)
    others = {action.kind for action in Desk(referee, tournament, plan, now=NOW).on_pairing(pairing)}

    assert (alone, beside, others) == ({"result", "forfeit", "rule"}, (), {"result", "forfeit", "rule"})


def test_pages_say_who_must_decide() -> None:
    tournament, own = owner_plays()
    client = reader()
    client.force_login(tournament.organiser)
    address = f"/tournaments/{tournament.slug}/"
    asked = {"pairing": own, "choice": "forfeit-0"}
    alone = client.get(f"{address}decide/", asked)
    official(tournament, Role.REFEREE)
    refused = client.get(f"{address}decide/", asked)

    assert (alone.status_code, alone.context["is_own"]) == (200, True)
    assert (refused.status_code, refused.context["error"].code) == (400, "own-match")
    assert "You play in this match: another official must decide it." in refused.content.decode()


@pytest.mark.django_db(transaction=True)
def test_owner_and_a_new_referee_at_once_are_one_after_the_other() -> None:
    tournament, own = owner_plays()
    link = officials.invite(
        tournament_id=tournament.pk, actor=tournament.organiser, role=Role.REFEREE, now=NOW
    )
    referee, barrier, codes = make_user(), threading.Barrier(2), {}

    def work(name: str, door: Any, **arguments: Any) -> None:
        barrier.wait()
        codes[name] = code_of(door, **arguments)
        connection.close()

    item = {**FORFEIT, "pairing": own}
    decision = {"tournament_id": tournament.pk, "actor": tournament.organiser, "item": item}
    threads = [
        threading.Thread(target=work, args=["owner", rulings.decide], kwargs=decision | {"now": NOW}),
        threading.Thread(
            target=work,
            args=["referee", officials.accept_invite],
            kwargs={"token": link.token, "user": referee, "now": minutes(1)},
        ),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    order = list(Act.objects.filter(kind__in=("forfeit", "official")).order_by("number"))
    came_first = order[0].kind == "official"
    assert codes == {"owner": "own-match" if came_first else None, "referee": None}
    assert [act.kind for act in order] == (["official"] if came_first else ["forfeit", "official"])
