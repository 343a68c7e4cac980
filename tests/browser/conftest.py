"""A table's page with its far end in the hands of the test."""

import pytest

from games.models import Table
from tests.browser.far_end import Server
from tests.browser.pages import new_table
from tests.factories import make_user
from tests.live import LiveSite


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def table(live_site: LiveSite) -> Table:
    return new_table(make_user())
