"""A backup is whole, and makes an empty server what the site was."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as site_settings
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Event
from tarneeb_site.backups import DUMP, MEDIA, NOTE, NotDone, back_up, program, restore
from tarneeb_site.children import ROOT
from tarneeb_site.embedded.postgres import VERSION, Postgres
from tests.factories import make_user
from tests.games.services.test_verification import played

# The programs of PostgreSQL see what is committed.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def media(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    (settings.MEDIA_ROOT / "pictures").mkdir(parents=True)
    (settings.MEDIA_ROOT / "pictures" / "a.webp").write_bytes(b"picture")
    return settings.MEDIA_ROOT


@pytest.fixture
def empty_server() -> Iterator[str]:
    """The address of an empty database on a server that has no other."""
    server = Postgres(site_settings.VAR_DIR / "restored", configuration={"fsync": "off"})
    server.ensure_database("anew")
    yield server.url("anew")
    server.stop()


def manage(*arguments: str, database: str, media: Path) -> tuple[int, str]:
    """What a command says on the other server, with its exit status."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "manage.py", *arguments],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database, "MEDIA_ROOT": str(media)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_backup_makes_an_empty_server_what_the_site_was(
    tmp_path: Path, media: Path, empty_server: str
) -> None:
    with transaction.atomic():
        table, user = played(), make_user("رامي")
    out = StringIO()
    call_command("backup", str(tmp_path / "kept"), stdout=out)
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == [NOTE, DUMP, MEDIA]
    assert out.getvalue().startswith(f"{tmp_path / 'kept'}: ")

    where = {"database": empty_server, "media": tmp_path / "anew"}
    status, said = manage("restore", str(tmp_path / "kept"), **where)
    assert (status, said.count("\n"), said[:22]) == (0, 1, "restored what was kept")
    assert (tmp_path / "anew" / "pictures" / "a.webp").read_bytes() == b"picture"
    assert manage("verify", **where) == (0, f"1 tables, {table.version} events; 0 tables differ\n")
    with psycopg.connect(empty_server) as anew:
        asked = (
            "select (select count(*) from games_event), (select username from accounts_user where id = %s)"
        )
        assert anew.execute(asked, [user.pk]).fetchone() == (Event.objects.count(), "رامي")
        # What keeps history as it is came along, and numbers go on where they were.
        with pytest.raises(psycopg.errors.RestrictViolation):
            anew.execute("delete from games_table")
        anew.rollback()
        last = User.objects.order_by("pk").values_list("pk", flat=True).last()
        assert anew.execute("select nextval('accounts_user_id_seq')").fetchone()[0] > last

    # A second time it is no empty server any more, and nothing is touched.
    status, said = manage("restore", str(tmp_path / "kept"), **where)
    assert (status, "the database is not empty" in said) == (1, True)


def test_backup_does_not_write_over_anything(tmp_path: Path, media: Path) -> None:
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(tmp_path))


def test_backup_that_failed_leaves_nothing(tmp_path: Path, media: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("tarneeb_site.backups.VARIABLES", {"host": "PGHOST", "user": "PGDATABASE"})
    with pytest.raises(NotDone, match="pg_dump failed"):
        back_up(tmp_path / "kept", now=timezone.now())
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize("spoiled", [NOTE, DUMP, MEDIA])
def test_restore_refuses_what_is_not_as_it_was_written(tmp_path: Path, media: Path, spoiled: str) -> None:
    back_up(tmp_path / "kept", now=timezone.now())
    (tmp_path / "kept" / spoiled).write_bytes(b"{}")
    with pytest.raises(NotDone, match=r"is no tarneeb-backup/1|is not what was written"):
        restore(tmp_path / "kept")


def test_restore_refuses_a_database_that_is_in_use(tmp_path: Path, media: Path) -> None:
    back_up(tmp_path / "kept", now=timezone.now())
    with pytest.raises(NotDone, match="the database is not empty"):
        restore(tmp_path / "kept")


def test_backup_holds_no_key(tmp_path: Path, media: Path) -> None:
    back_up(tmp_path / "kept", now=timezone.now())
    files = [path.read_bytes() for path in (tmp_path / "kept").iterdir()]
    assert not any(site_settings.SECRET_KEY.encode() in file for file in files)
    assert json.loads((tmp_path / "kept" / NOTE).read_text())["format"] == "tarneeb-backup/1"


def test_program_is_as_new_as_the_server() -> None:
    assert program("pg_dump", VERSION).name == "pg_dump"
    with pytest.raises(NotDone, match="no pg_dump of PostgreSQL 99 or newer"):
        program("pg_dump", 99)
