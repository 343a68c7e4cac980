import stat

import pytest
from django.core.exceptions import ImproperlyConfigured

from tarneeb_site import environment
from tarneeb_site.brokers import broker


@pytest.mark.parametrize(
    ("text", "truth"),
    [("1", True), ("true", True), ("YES", True), (" on ", True), ("0", False), ("no", False), ("", False)],
)
def test_flag_reads_yes_and_no(monkeypatch, text, truth):
    monkeypatch.setenv("DEBUG", text)
    assert environment.flag("DEBUG", default=not truth) is truth


def test_flag_not_set_is_its_default(monkeypatch):
    monkeypatch.delenv("DEBUG", raising=False)
    assert environment.flag("DEBUG", default=True) is True


def test_hosts_in_development_are_this_machine(monkeypatch):
    monkeypatch.delenv("ALLOWED_HOSTS", raising=False)
    assert environment.hosts(debug=True) == ["localhost", "127.0.0.1", "[::1]"]


def test_hosts_in_production_must_be_named(monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", " , ")
    with pytest.raises(ImproperlyConfigured):
        environment.hosts(debug=False)
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example")
    assert environment.hosts(debug=False) == ["a.example", "b.example"]


def test_secret_key_in_production_must_be_given(monkeypatch, tmp_path):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with pytest.raises(ImproperlyConfigured):
        environment.secret_key(tmp_path, debug=False)


def test_secret_key_in_development_is_made_once_for_its_owner_alone(monkeypatch, tmp_path):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key = environment.secret_key(tmp_path, debug=True)
    assert len(key) >= 50
    assert environment.secret_key(tmp_path, debug=True) == key
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "secret" / "key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "secret").iterdir()] == ["key"]


def test_secret_that_cannot_be_kept_is_refused_in_one_line(tmp_path):
    (tmp_path / "secret").write_text("")
    with pytest.raises(ImproperlyConfigured, match=r"^the secrets in .*/secret cannot be kept: "):
        environment.kept_secret(tmp_path / "secret" / "key", length=50)


def test_service_is_named_by_the_environment_then_by_the_note_then_by_habit(monkeypatch, tmp_path):
    monkeypatch.delenv("REDIS_URL", raising=False)
    assert environment.service_url("REDIS_URL", tmp_path) == "redis://127.0.0.1:6379/0"
    environment.write_secret(
        tmp_path / environment.SERVICES_NOTE, "REDIS_URL=redis://:a=b@c:1/0\n", replace=True
    )
    assert environment.service_url("REDIS_URL", tmp_path) == "redis://:a=b@c:1/0"
    monkeypatch.setenv("REDIS_URL", "redis://elsewhere:2/0")
    assert environment.service_url("REDIS_URL", tmp_path) == "redis://elsewhere:2/0"


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "",
        "mysql://me@host/db",
        "sqlite:///file",
        "postgresql://me@host:port/db",
        "postgresql://h",
    ],
)
def test_database_address_that_is_none_is_refused(url):
    with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_URL must read postgresql://"):
        environment.database(url)


def test_database_connections_are_not_kept():
    parsed = environment.database("postgresql://me:p%40ss@db.example:5433/tarneeb?sslmode=require")
    assert parsed["CONN_MAX_AGE"] == 0
    assert {name: parsed[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")} == {
        "NAME": "tarneeb",
        "USER": "me",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": 5433,
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:6379",
        "http://localhost:6379",
        "sentinel://one:26379",
        "sentinel:///cards",
        "sentinel://one:port/cards",
        "sentinel://one/cards/first",
    ],
)
def test_broker_address_that_is_none_is_refused(url):
    with pytest.raises(ImproperlyConfigured, match=r"^REDIS_URL must read redis://"):
        broker(url)


def test_sentinels_are_told_to_each_part_in_its_own_way():
    found = broker("sentinel://:p%40ss@one:26380,two/cards/3", "theirs")
    asking = {"socket_timeout": 2, "socket_connect_timeout": 2, "password": "theirs"}
    assert found.for_channels() == {
        "sentinels": [("one", 26380), ("two", 26379)],
        "master_name": "cards",
        "sentinel_kwargs": asking,
        "db": 3,
        "password": "p@ss",
    }
    assert found.for_celery() == (
        "sentinel://:p%40ss@one:26380/3;sentinel://:p%40ss@two:26379/3",
        {"master_name": "cards", "sentinel_kwargs": asking},
    )
    assert broker("redis://:x@one/2").for_celery() == ("redis://:x@one/2", {})


def test_database_of_histories_is_given_up_soon():
    parsed = environment.history_database("postgresql://me@standby/tarneeb")
    assert (parsed["OPTIONS"], parsed["TEST"]) == ({"connect_timeout": 2}, {"MIRROR": "default"})
    with pytest.raises(ImproperlyConfigured, match=r"^HISTORY_DATABASE_URL must read postgresql://"):
        environment.history_database("nonsense")


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf"])
def test_number_that_is_none_is_refused(monkeypatch, text):
    monkeypatch.setenv("TABLE_BOT_SECONDS", text)
    with pytest.raises(ImproperlyConfigured, match=r"^TABLE_BOT_SECONDS must be a number, not "):
        environment.number("TABLE_BOT_SECONDS", default=1)


def test_number_is_read(monkeypatch):
    monkeypatch.setenv("TABLE_BOT_SECONDS", "0.25")
    assert environment.number("TABLE_BOT_SECONDS", default=1) == 0.25
