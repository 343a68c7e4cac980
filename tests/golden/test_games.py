"""Four whole games, act by act, as each seat sees them. Write them anew only with a change of the rules."""

import pytest

from tests.golden.games import GAMES, HERE, game


@pytest.mark.parametrize("name", GAMES)
def test_game_is_played_and_seen_as_written(name: str) -> None:
    assert game(name) == (HERE / f"{name}.txt").read_text("utf-8")
