"""Who plays a seat whose owner is away: the clock, a bot that sits in, or nobody yet."""

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from games.live.hub import Hub
from games.live.state import TableState
from games.models import Event, Table
from games.services import steward, tables
from games.services.play import Request, act
from games.services.refusals import Refused
from games.services.votes import vote
from tests.games.live.seated import dealt, look

pytestmark = pytest.mark.django_db(transaction=True)


async def now_at(live: Hub, table: Table) -> TableState:
    state = await live.memo.reload(table.pk)
    assert state is not None
    return state


async def leave(table: Table, user: User) -> None:
    await sync_to_async(tables.leave)(table_code=table.code, user=user, now=timezone.now())


async def wish(table: Table, user: User, choice: str | None, on: str = "absence") -> None:
    await sync_to_async(vote)(table_code=table.code, user=user, on=on, choice=choice, now=timezone.now())


async def one_is_away(live: Hub, **more: Any) -> tuple[Table, list[User], int]:
    """A table whose seat in turn has just left; the others are there."""
    table, users = await dealt(live, **more)
    away = (await now_at(live, table)).turn
    assert away is not None
    await leave(table, users[away])
    return table, users, away


async def story(table: Table) -> list[tuple[str, int | None, str]]:
    kinds = ("act", "leave", "back", "sub", "rest", "close", "yield")
    found = Event.objects.filter(table=table, kind__in=kinds).order_by("version")
    return [(event.kind, event.seat, event.by) async for event in found]


async def test_a_bot_sits_in_for_who_is_away_and_its_cards_say_so(live: Hub):
    table, _, away = await one_is_away(live)
    before = (await now_at(live, table)).version
    await look(live)
    state = await now_at(live, table)
    assert (state.version, state.sitting_in[away], state.turn) == (before + 1, True, away)
    await look(live)
    assert await story(table) == [("leave", away, ""), ("sub", away, ""), ("act", away, "s")]
    assert (await now_at(live, table)).sitting_in[away]


async def test_the_owner_takes_the_seat_back_from_the_bot_with_one_click(live: Hub):
    table, users, away = await one_is_away(live)
    await look(live)
    await sync_to_async(tables.come_back)(table_code=table.code, user=users[away], now=timezone.now())
    state = await now_at(live, table)
    assert (state.sitting_in[away], state.is_away(away)) == (False, False)
    assert state.due_at is not None
    assert state.due_at - timezone.now() > timedelta(seconds=15)


async def test_the_owners_own_act_takes_the_seat_back_too(live: Hub):
    table, users, away = await one_is_away(live)
    await look(live)
    state = await now_at(live, table)
    request = Request(users[away].pk, "p", state.version, "own")
    after, _ = await act(live, table_id=table.pk, request=request, now=timezone.now())
    assert (after.sitting_in[away], after.is_away(away)) == (False, False)


async def test_no_bot_sits_in_where_nobody_plays_himself(live: Hub):
    table, users = await dealt(live)
    for user in users:
        await leave(table, user)
    for _ in range(4):
        await look(live)
    assert [(kind, by) for kind, _, by in await story(table)] == [("leave", "")] * 4 + [("act", "c")] * 4


async def test_the_bot_stands_up_when_the_last_owner_leaves(live: Hub):
    table, users, away = await one_is_away(live)
    await look(live)
    for seat in set(range(4)) - {away}:
        await leave(table, users[seat])
    await look(live)
    await look(live)
    assert (await story(table))[-2:] == [("rest", away, ""), ("act", away, "c")]


async def test_a_table_whose_policy_is_the_clock_never_has_a_bot(live: Hub):
    table, _, away = await one_is_away(live)
    await Table.objects.filter(pk=table.pk).aupdate(absence="clock")
    await now_at(live, table)
    await look(live)
    assert await story(table) == [("leave", away, ""), ("act", away, "c")]


async def test_most_may_wait_for_who_is_away_but_not_for_ever(live: Hub):
    table, users, away = await one_is_away(live)
    await look(live)
    others = [seat for seat in range(4) if seat != away]
    await wish(table, users[others[0]], "wait")
    assert (await now_at(live, table)).sitting_in[away]
    await wish(table, users[others[1]], "wait")
    state = await now_at(live, table)
    assert (state.sitting_in[away], (await story(table))[-1]) == (False, ("rest", away, ""))
    assert state.due_at is not None
    waits = state.due_at - timezone.now()
    assert timedelta(0) <= timedelta(seconds=settings.TABLE_WAIT_SECONDS) - waits < timedelta(seconds=5)
    await look(live)
    assert (await now_at(live, table)).sitting_in[away]


async def test_saying_wait_again_and_again_does_not_stop_the_clock(live: Hub):
    table, users, away = await one_is_away(live)
    others = [seat for seat in range(4) if seat != away]
    for seat in others[:2]:
        await wish(table, users[seat], "wait")
    first = (await now_at(live, table)).due_at
    later = timezone.now() + timedelta(seconds=90)
    for choice in (None, "wait"):
        asked = {"table_code": table.code, "user": users[others[0]], "on": "absence", "choice": choice}
        await sync_to_async(vote)(**asked, now=later)
    assert (await now_at(live, table)).due_at == first


async def test_wishes_about_an_absence_end_with_it(live: Hub):
    table, users, away = await one_is_away(live)
    other, third = [seat for seat in range(4) if seat != away][:2]
    await wish(table, users[other], "close")
    request = Request(users[away].pk, "p", (await now_at(live, table)).version, "own")
    after, _ = await act(live, table_id=table.pk, request=request, now=timezone.now())
    assert (after.votes, (await now_at(live, table)).votes) == ({}, {})
    await leave(table, users[away])
    await wish(table, users[third], "close")
    assert (await now_at(live, table)).phase == "auction"


async def test_most_may_close_a_casual_table(live: Hub):
    table, users, away = await one_is_away(live)
    others = [seat for seat in range(4) if seat != away]
    await wish(table, users[others[0]], "close")
    assert (await now_at(live, table)).phase == "auction"
    await wish(table, users[others[1]], "close")
    state = await now_at(live, table)
    assert (state.phase, state.result, (await story(table))[-1][0]) == ("over", None, "close")


async def test_a_vote_can_be_taken_back_and_raises_no_version(live: Hub):
    table, users, away = await one_is_away(live)
    version = (await now_at(live, table)).version
    other = (away + 1) % 4
    await wish(table, users[other], "close")
    assert (await now_at(live, table)).votes["absence"] == {str(other): "close"}
    await wish(table, users[other], None)
    state = await now_at(live, table)
    assert (state.votes["absence"], state.version) == ({}, version)


async def test_who_is_away_decides_nothing(live: Hub):
    table, users, away = await one_is_away(live)
    with pytest.raises(Refused) as refused:
        await wish(table, users[away], "close")
    assert refused.value.code == "not-seated"


async def test_where_everybody_is_there_is_nothing_to_decide(live: Hub):
    table, users = await dealt(live)
    with pytest.raises(Refused) as refused:
        await wish(table, users[0], "close")
    assert refused.value.code == "nobody-away"


@pytest.mark.parametrize("policy", ["bot", "clock"])
async def test_where_the_organiser_decides_the_players_do_not(live: Hub, policy: str):
    table, users, away = await one_is_away(live)
    await Table.objects.filter(pk=table.pk).aupdate(absence=policy)
    with pytest.raises(Refused) as refused:
        await wish(table, users[(away + 1) % 4], "close")
    assert refused.value.code == "no-vote-here"


# A clock runs out only where the site was served all the time.


async def timed_out(live: Hub, table: Table, served: steward.Served, after: timedelta) -> bool:
    """Whether the steward plays for the seat in turn that long after its time was up."""
    state = await now_at(live, table)
    assert state.due_at is not None
    await steward.play_due(live, now=state.due_at + after, served=served)
    return (await now_at(live, table)).version > state.version


async def test_no_clock_runs_out_that_the_web_processes_did_not_outlive(live: Hub):
    table, _ = await dealt(live)
    due_at = (await now_at(live, table)).due_at
    assert due_at is not None
    long_ago = due_at - timedelta(days=1)
    unproven = steward.Served(long_ago, due_at - timedelta(seconds=1))
    assert not await timed_out(live, table, unproven, timedelta(seconds=3))
    assert await timed_out(live, table, steward.Served(long_ago, due_at), timedelta(seconds=3))


async def test_each_call_naming_and_card_has_the_whole_of_its_time(live: Hub):
    table, users = await dealt(live, call_seconds=30, turn_seconds=20)
    state = await now_at(live, table)
    given = []
    for at, wanted in enumerate(["b7", "p", "p", "p", "tS", "", ""]):
        assert state.match is not None
        assert state.turn is not None
        assert state.due_at is not None
        assert state.last_at is not None
        given.append((state.phase, (state.due_at - state.last_at).total_seconds()))
        code = wanted or state.match.legal()[0]
        request = Request(users[state.turn].pk, code, state.version, f"late{at}")
        late = state.due_at - timedelta(seconds=2)
        state, _ = await act(live, table_id=table.pk, request=request, now=late)
    assert given == [("auction", 30.0)] * 4 + [("trump", 30.0), ("play", 20.0), ("play", 20.0)]


async def test_the_bank_is_added_to_a_turn_and_what_is_used_of_it_is_gone(live: Hub):
    table, users = await dealt(live, call_seconds=20, bank_seconds=60)
    state = await now_at(live, table)
    assert state.due_at is not None
    assert state.last_at is not None
    assert state.due_at - state.last_at == timedelta(seconds=80)
    seat = state.turn
    assert seat is not None
    late = state.last_at + timedelta(seconds=30)
    request = Request(users[seat].pk, "p", state.version, "late")
    after, _ = await act(live, table_id=table.pk, request=request, now=late)
    assert (after.bank_ms[seat], sum(after.bank_ms)) == (50000, 230000)


async def test_a_time_out_empties_the_bank_and_is_no_gift_for_the_next_turn(live: Hub):
    table, _ = await dealt(live, bank_seconds=60)
    seat = (await now_at(live, table)).turn
    assert seat is not None
    await look(live)
    assert (await now_at(live, table)).bank_ms[seat] == 0


async def test_a_slow_line_is_given_time_out_of_its_budget(live: Hub):
    table, users = await dealt(live)
    state = await now_at(live, table)
    seat = state.turn
    assert seat is not None
    following = (seat + 1) % 4
    for _ in range(3):
        live.measured(users[following].pk, 400)
    now = timezone.now()
    request = Request(users[seat].pk, "p", state.version, "x")
    after, _ = await act(live, table_id=table.pk, request=request, now=now)
    assert after.due_at == now + timedelta(seconds=20, milliseconds=400)
    assert after.lag_ms[following] == 2800
