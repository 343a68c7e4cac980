from collections.abc import AsyncIterator

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

from games.live.hub import Hub, hub


@pytest.fixture
async def live(transactional_db: None) -> AsyncIterator[Hub]:
    """The hub of the test's own event loop, stopped at the end."""
    found = hub()
    yield found
    await found.stop()
    await sync_to_async(connections.close_all)()
