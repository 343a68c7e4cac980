import pytest
import redis
from django.conf import settings
from django.db import connection

from tests.factories import make_table, make_user


@pytest.mark.django_db
def test_tests_run_on_a_real_postgresql():
    with connection.cursor() as cursor:
        cursor.execute("show server_version_num")
        assert int(cursor.fetchone()[0]) >= 180000


def test_tests_run_on_a_real_valkey():
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert client.info()["server_name"] == "valkey"


@pytest.mark.django_db
def test_factories_make_a_user_who_can_log_in(client):
    user = make_user("نور")
    assert client.login(username="نور", password="a-long-pass-phrase")
    assert user.username == "نور"


@pytest.mark.django_db
def test_factories_make_a_table_with_four_open_seats():
    assert [seat.kind for seat in make_table().seats.all()] == ["open"] * 4
