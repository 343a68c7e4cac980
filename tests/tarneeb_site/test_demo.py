from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.models import Phase, Table
from tarneeb_site import demo
from tests.factories import make_user
from tests.tampering import erase
from tournaments.models import State, Tournament

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def facts():
    """How much there is of what the demo makes."""
    return {
        "accounts": User.objects.count(),
        "waiting": Table.objects.filter(phase=Phase.WAITING).count(),
        "over": Table.objects.filter(phase=Phase.OVER).count(),
        "tournaments": sorted(Tournament.objects.values_list("state", flat=True)),
        "entries": sorted(
            t.entries.filter(accepted_at__isnull=False).count() for t in Tournament.objects.all()
        ),
    }


MADE = {
    "accounts": 18,
    "waiting": 3,
    "over": 7,
    "tournaments": ["finished", "open"],
    "entries": [5, 8],
}


def test_demo_of_a_first_start_has_accounts_tables_and_tournaments(tmp_path, client):
    told = demo.show(tmp_path, now=NOON)
    assert facts() == MADE
    password = (tmp_path / "secret" / "demo").read_text()
    assert f"with the password {password}\n" in told
    for name in ("admin", "organiser", "layla", "نور"):
        assert client.login(username=name, password=password)
    admin, organiser = User.objects.get(username="admin"), User.objects.get(username="organiser")
    assert (admin.is_superuser, organiser.is_superuser) == (True, False)


def test_demo_of_a_later_start_changes_nothing(tmp_path):
    told = demo.show(tmp_path, now=NOON)
    assert demo.show(tmp_path, now=NOON) == told
    assert facts() == MADE


def test_demo_opens_tables_where_none_waits_any_more(tmp_path):
    demo.show(tmp_path, now=NOON)
    Table.objects.filter(phase=Phase.WAITING).update(phase=Phase.OVER)
    demo.show(tmp_path, now=NOON)
    assert facts() == MADE | {"over": 10}


def test_demo_that_was_killed_half_way_is_made_whole(tmp_path):
    demo.show(tmp_path, now=NOON)
    (tmp_path / "demo-made").unlink()
    erase(Tournament.objects.filter(state=State.OPEN))
    User.objects.filter(username="admin").delete()
    demo.show(tmp_path, now=NOON)
    assert facts() == MADE


def test_demo_stays_away_from_a_site_that_has_people(tmp_path):
    make_user()
    assert demo.show(tmp_path, now=NOON) == ""
    assert User.objects.count() == 1
    assert not (tmp_path / "secret").exists()
