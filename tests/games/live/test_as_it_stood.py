"""A table folded at every one of its versions is what it was when it stood there."""

import pytest
from django.utils import timezone

from games.live.frames import Frames, public_view
from games.live.hub import Hub
from games.live.presence import Here
from games.live.state import TableState
from tests.games.live.seated import dealt, look

pytestmark = pytest.mark.django_db(transaction=True)

NOBODY = Here(frozenset(), frozenset(), 0)
# Clocks are today's and not shown; who plays a seat is shown as it is now.
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
