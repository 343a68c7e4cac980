import json

import pytest

from games.protocol import Act, parse

ACT = {"type": "act", "action": "p", "version": 3, "id": "k1"}


@pytest.mark.parametrize(
    "given",
    [
        {"action": "b0"},
        {"action": "b" + "9" * 300 + "S"},
        {"action": "xx"},
        {"action": "tC"},
        {"action": "TD"},
        {"version": 0},
        {"version": 10**30},
        {"id": "x" * 64},
        {"id": "a b"},
        {"id": "\n"},
        {"id": "a\u200db\u202e"},
        {"id": "ل" * 64},
    ],
)
def test_an_act_of_any_known_code_version_and_id_is_well_formed(given):
    frame = ACT | given
    assert parse(json.dumps(frame)) == (Act(frame["action"], frame["version"], frame["id"]), frame["id"])


@pytest.mark.parametrize(
    "given",
    [
        {"action": "b"},
        {"action": "b٧"},
        {"action": "b7Z"},
        {"action": "xxx"},
        {"action": "tN"},
        {"action": "10S"},
        {"action": "p\n"},
        {"version": -1},
        {"version": 1.0},
        {"version": True},
        {"id": ""},
        {"id": "x" * 65},
        {"id": "a\0b"},
        {"id": "\ud800"},
    ],
)
def test_an_act_of_another_shape_is_malformed(given):
    assert parse(json.dumps(ACT | given))[0] is None
