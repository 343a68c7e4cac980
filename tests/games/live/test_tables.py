import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Table
from games.services import tables
from tests.factories import make_users

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_statement_about_a_table_in_play_holds_its_secret():
    """What a database could not do, it writes into its log."""
    users, now = make_users(4), timezone.now()
    asked = {"ruleset": "kotchina", "target": 31, "turn_seconds": 20, "visibility": "public"}
    code = tables.open_table(host=users[0], **asked, now=now).code
    with CaptureQueriesContext(
        connection,
    ) as queries:
        tables.sit(table_code=code, user=users[0], seat=0, now=now)
        tables.sit(table_code=code, user=users[0], seat=1, now=now)
        tables.fill(table_code=code, user=users[0], now=now)
        tables.leave(table_code=code, user=users[0], now=now)
        tables.come_back(table_code=code, user=users[0], now=now)
    table = Table.objects.get(code=code)
    assert (table.phase, table.version) == ("deal", 9)
    said = "".join(query["sql"] for query in queries)
    assert [text for text in (bytes(table.secret).hex(), table.commitment) if text in said] == []
