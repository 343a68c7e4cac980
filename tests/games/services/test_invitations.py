"""Asking people to a table by name."""

from contextlib import nullcontext
from datetime import timedelta

import pytest

from accounts.models import Mute, User
from games.models import Invitation, Phase, Table
from games.services import invitations, tables
from games.services.refusals import Refused
from tests.factories import NOON, make_table, make_user, make_users, seat_user
from tests.games.services.races import at_once, refused

pytestmark = pytest.mark.django_db


def at(seconds: float) -> object:
    return NOON + timedelta(seconds=seconds)


def invite(table: Table, by: User, to: User, seconds: float = 0) -> Invitation:
    invitations.invite(table_code=table.code, user=by, name=to.username, now=at(seconds))
    return Invitation.objects.get(table=table, to=to)


def accept(invitation: Invitation, user: User | None = None) -> Table:
    return invitations.accept(user=user or invitation.to, invitation_id=invitation.pk, now=at(60))


def place_of(user: User, table: Table) -> int:
    return table.seats.get(user=user).number


@pytest.mark.parametrize(
    ("inviter", "taken", "seat"), [(0, [], 2), (1, [], 3), (3, [], 1), (0, [2], 1), (None, [0], 1)]
)
def test_who_comes_sits_opposite_whoever_asked_where_that_is_free(
    inviter: int | None, taken: list[int], seat: int
) -> None:
    host, friend = make_users(2)
    table = make_table(host=host)
    if inviter is not None:
        seat_user(table, inviter, host)
    for number in taken:
        seat_user(table, number, make_user())
    invitation = invite(table, host, friend)
    accept(invitation)
    invitation.refresh_from_db()

    assert (place_of(friend, table), invitation.accepted) == (seat, True)


def test_fourth_to_come_starts_the_match() -> None:
    host, *others = make_users(4)
    table = make_table(host=host)
    for number, user in enumerate([host, *others[:2]]):
        seat_user(table, number, user)

    assert accept(invite(table, host, others[2])).phase == Phase.DEAL


def test_name_is_found_in_any_spelling() -> None:
    host, friend = make_user(), make_user("Abu Samra")
    asked = invitations.invite(table_code=make_table(host=host).code, user=host, name="ABU samra", now=at(0))

    assert asked == friend


@pytest.mark.parametrize("who", ["host", "seated"])
def test_host_and_those_seated_may_invite(who: str) -> None:
    host, seated, friend = make_users(3)
    table = make_table(host=host)
    seat_user(table, 1, seated)

    assert invite(table, {"host": host, "seated": seated}[who], friend).accepted is None


def test_nobody_else_may_invite() -> None:
    table = make_table(host=make_user())
    with refused("not-at-table"):
        invite(table, make_user(), make_user())
    guest = make_user(is_guest=True)
    seat_user(table, 0, guest)
    with refused("guests-cannot-invite"):
        invite(table, guest, make_user())

    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "no-player"),
        ("nobody at all", "no-player"),
        ("closed", "no-player"),
        ("visitor", "no-player"),
        ("host", "seated-already"),
        ("seated", "seated-already"),
    ],
)
def test_only_players_who_do_not_sit_there_are_invited(name: str, code: str) -> None:
    host, seated = make_user("host"), make_user("seated")
    make_user("closed", is_active=False)
    make_user("visitor", is_guest=True)
    table = make_table(host=host)
    seat_user(table, 1, seated)
    with refused(code):
        invitations.invite(table_code=table.code, user=host, name=name, now=at(0))


@pytest.mark.parametrize(("phase", "code"), [(Phase.DEAL, "already-started"), (Phase.OVER, "table-closed")])
def test_a_table_that_has_started_or_is_closed_is_past_inviting(phase: Phase, code: str) -> None:
    host, friend, late = make_users(3)
    table = make_table(host=host)
    invitation = invite(table, host, friend)
    Table.objects.update(phase=phase)
    with refused(code):
        invite(table, host, late)
    with refused(code):
        accept(invitation)

    assert list(invitations.open_invitations(friend)) == []


def test_nobody_is_asked_again_at_once_not_even_after_a_no() -> None:
    host, friend = make_users(2)
    table = make_table(host=host)
    invitations.decline(user=friend, invitation_id=invite(table, host, friend).pk)
    with refused("invited-already"):
        invite(table, host, friend, seconds=119)
    invite(table, host, friend, seconds=121)

    assert [asked.table for asked in invitations.open_invitations(friend)] == [table]


def test_invitations_are_bounded() -> None:
    host = make_user()
    tables_of_host = [make_table(host=host) for _ in range(2)]
    for number, user in enumerate(make_users(20)):
        invite(tables_of_host[number % 2], host, user)
    with refused("too-many-invitations"):
        invite(tables_of_host[0], host, make_user())

    assert invite(tables_of_host[0], host, make_user(), seconds=601).pk


def test_who_is_muted_asks_in_vain_and_is_not_told() -> None:
    host, friend = make_users(2)
    Mute.objects.create(user=friend, muted=host)
    invitation = invite(make_table(host=host), host, friend)

    assert invitation.accepted is None
    assert list(invitations.open_invitations(friend)) == []


def test_only_who_was_asked_answers_and_once() -> None:
    host, friend, other = make_users(3)
    table = make_table(host=host)
    invitation = invite(table, host, friend)
    invitations.decline(user=other, invitation_id=invitation.pk)
    with refused("lapsed"):
        accept(invitation, other)
    accept(invitation)
    invitations.decline(user=friend, invitation_id=invitation.pk)
    with refused("lapsed"):
        accept(invitation)

    assert Invitation.objects.get().accepted is True
    assert place_of(friend, table) == 0


def test_accepting_where_one_sits_already_keeps_the_seat() -> None:
    host, friend = make_users(2)
    table = make_table(host=host)
    invitation = invite(table, host, friend)
    seat_user(table, 3, friend)
    accept(invitation)

    assert (place_of(friend, table), Invitation.objects.get().accepted) == (3, True)


@pytest.mark.parametrize(("by_host", "comes_back"), [(True, True), (False, False)])
def test_only_the_hosts_invitation_brings_back_who_was_removed(by_host: bool, comes_back: bool) -> None:
    host, seated, friend = make_users(3)
    table = make_table(host=host)
    seat_user(table, 1, seated)
    seat_user(table, 2, friend)
    tables.remove(table_code=table.code, user=host, seat=2, now=at(0))
    invitation = invite(table, host if by_host else seated, friend)
    with nullcontext() if by_host else refused("removed"):
        accept(invitation)

    assert table.seats.filter(user=friend).exists() == comes_back


@pytest.mark.django_db(transaction=True)
def test_last_seat_is_taken_once_by_those_who_accept_at_once() -> None:
    host, *others = make_users(6)
    table = make_table(host=host)
    for number, user in enumerate([host, *others[:2]]):
        seat_user(table, number, user)
    asked = [invite(table, host, user) for user in others[2:]]
    outcomes = at_once(*[lambda invitation=invitation: accept(invitation) for invitation in asked])

    codes = sorted(one.code if isinstance(one, Refused) else one.phase for one in outcomes)
    assert codes == ["already-started", "already-started", "deal"]
    assert sorted(Invitation.objects.values_list("accepted", flat=True), key=str) == [None, None, True]
