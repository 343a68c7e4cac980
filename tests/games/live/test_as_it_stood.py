"""A table folded at every one of its versions is what it was when it stood there."""

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live.frames import Frames, public_view
from games.live.hub import Hub
from games.live.presence import Here
from games.live.state import TableState
from games.services import tables
from tests.games.live.seated import dealt, look

pytestmark = pytest.mark.django_db(transaction=True)

NOBODY = Here(frozenset(), frozenset(), 0)
# Clocks are today's and not shown; time-outs count as absence only once the seat is played for.
OF_TODAY = ("deadline_ms", "bank_ms", "seats", "votes", "watching")


def stood(state: TableState) -> dict[str, object]:
    view = public_view(state, NOBODY, timezone.now())
    return {key: value for key, value in view.items() if key not in OF_TODAY}


async def test_every_version_of_a_match_folds_to_what_stood_then(live: Hub):
    table, _ = await dealt(live)
    states = {}
    for _ in range(190):
        state = await live.memo.current(table.pk)
        assert state is not None
        states[state.version] = state
        await look(live)
    assert {state.match.deals for state in states.values() if state.match} >= {1, 2, 3}
    for version, state in list(states.items())[::7]:
        again = await live.store.load_at(table.pk, version)
        assert again is not None
        assert (again.version, stood(again)) == (version, stood(state))
        for seat in range(4):
            assert again.match is not None
            assert state.match is not None
            assert again.match.hand(seat) == state.match.hand(seat)


async def test_an_earlier_version_has_no_clock(live: Hub):
    table, _ = await dealt(live)
    first = (await live.memo.current(table.pk)).version
    await look(live)
    state = await live.store.load_at(table.pk, first)
    view = Frames(state, NOBODY, timezone.now()).table(None)
    assert '"deadline_ms":null' in view
    assert f'"version":{first},' in view


async def test_who_was_away_and_sat_in_for_is_as_it_was(live: Hub):
    table, users = await dealt(live)
    state = await live.memo.current(table.pk)
    seat = state.turn
    moments = {state.version: (False, False)}
    await sync_to_async(tables.leave)(table_code=table.code, user=users[seat], now=timezone.now())
    moments[(await live.memo.reload(table.pk)).version] = (True, False)
    await look(live)
    moments[(await live.memo.current(table.pk)).version] = (True, True)
    await sync_to_async(tables.come_back)(table_code=table.code, user=users[seat], now=timezone.now())
    moments[(await live.memo.reload(table.pk)).version] = (False, False)
    for version, stood_then in moments.items():
        again = await live.store.load_at(table.pk, version)
        assert (again.is_away(seat), again.sitting_in[seat]) == stood_then
