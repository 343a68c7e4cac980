import pytest

from accounts.models import Notice
from games.models import Phase, Table
from tests.factories import make_user
from tests.games.services.races import refused
from tests.tournaments.scenes import NOW, awaited, lines, minutes, open_table, running
from tournaments.models import Act, Official, Tournament
from tournaments.queries import plan_of
from tournaments.services import advancing, rulings, sweeps

pytestmark = pytest.mark.django_db


def tamper(tournament: Tournament) -> None:
    """The two best seeds have changed places in the database; nobody decided that."""
    first, second = tournament.entries.get(seed=1), tournament.entries.get(seed=2)
    for entry, seed in ((first, None), (second, 1), (first, 2)):
        entry.seed = seed
        entry.save()


def reload(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def accept(tournament: Tournament, **more: object) -> None:
    asked = {"actor": tournament.organiser, "now": minutes(9)} | more
    advancing.accept_plan(tournament_id=tournament.pk, **asked)


def test_plan_that_changed_without_a_decision_is_held_back_and_told():
    tournament = running(4)
    tables = list(tournament.tables.values_list("table", flat=True))
    before = awaited(tournament)
    tamper(tournament)

    sweeps.sweep(now=minutes(2))
    sweeps.sweep(now=minutes(5))

    assert reload(tournament).differs_since == minutes(2)
    assert (awaited(tournament), tournament.tables.count()) == (before, 2)
    assert Table.objects.filter(pk__in=tables, phase=Phase.OVER).count() == 0
    assert Act.objects.filter(kind="plan-differs").count() == 1
    told = Notice.objects.filter(user=tournament.organiser, key__contains="-differs-")
    assert (told.count(), told.get().by_mail) == (1, True)
    found = advancing.differences(tournament, plan_of(tournament))
    assert [row.pairing for row, _pairing in found] == ["R1.1", "R1.2"]


def test_official_who_accepts_the_plan_gets_its_tables():
    tournament = running(4)
    old = {row.pairing: row.sides for row in tournament.tables.all()}
    tamper(tournament)
    sweeps.sweep(now=minutes(2))

    accept(tournament, reason="It was I.")

    act = Act.objects.get(kind="accept-plan")
    assert {entry["id"]: entry["sides"] for entry in act.before} == old
    now = {row.pairing: row.sides for row in tournament.tables.exclude(state="void")}
    assert {entry["id"]: entry["sides"] for entry in act.after} == now
    assert (act.actor, act.reason) == (tournament.organiser, "It was I.")
    assert awaited(tournament) == [("R1.1", 2), ("R1.2", 2)]
    for row in tournament.tables.filter(attempt=2):
        assert tuple(row.sides) == lines(tournament)[row.pairing][0]
    assert reload(tournament).differs_since is None
    with refused("nothing-differs"):
        accept(tournament)


def test_plan_that_is_as_it_was_again_needs_nobodys_word():
    tournament = running(4)
    tamper(tournament)
    sweeps.sweep(now=minutes(2))
    tamper(tournament)
    sweeps.sweep(now=minutes(5))

    assert reload(tournament).differs_since is None
    assert awaited(tournament) == [("R1.1", 1), ("R1.2", 1)]


def test_changed_pairing_without_a_table_is_noticed_too():
    tournament = running(5, pace="rounds")
    before = awaited(tournament)
    tamper(tournament)

    sweeps.sweep(now=minutes(2))

    assert before == [("R1.2", 1)]
    assert reload(tournament).differs_since == minutes(2)


def test_another_decision_does_not_take_the_difference_over():
    tournament = running(8)
    tamper(tournament)
    sweeps.sweep(now=minutes(2))
    spared = open_table(tournament, "R1.2")

    rulings.decide(
        tournament_id=tournament.pk,
        actor=tournament.organiser,
        item={"type": "withdraw", "entrant": spared.sides[0]},
        now=minutes(3),
    )

    assert reload(tournament).differs_since == minutes(2)
    assert [attempt for _pairing, attempt in awaited(tournament)] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("role", "code"),
    [
        ("organiser", ""),
        ("referee", ""),
        ("scorekeeper", "not-your-role"),
        ("viewer", "not-your-role"),
        (None, "not-organiser"),
    ],
)
def test_who_decides_accepts_the_plan(role: str | None, code: str):
    tournament, user = running(4), make_user()
    if role:
        Official.objects.create(tournament=tournament, user=user, role=role, since=NOW)
    tamper(tournament)
    sweeps.sweep(now=minutes(2))

    if code:
        with refused(code):
            accept(tournament, actor=user)
    else:
        accept(tournament, actor=user)
    assert (reload(tournament).differs_since is None) == (not code)
