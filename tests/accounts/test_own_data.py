"""All my data: complete, and nothing that is another one's."""

import io
import json
import zipfile
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.test import Client
from django.utils import timezone

from accounts import own_data
from accounts.models import DataFile, Follow, User
from games.models import ChatLine, Event, EventKind, Phase, Report
from games.services.own_data import KEPT_BACK, REPEATED
from tests.accounts.proving import prove
from tests.factories import make_table, make_user, seat_user

pytestmark = pytest.mark.django_db
NOW = timezone.now()
# Rows that say what the site's own people did for it, or how others stand to a player: not the player's to take.
OTHERS = {
    "admin.LogEntry.user",
    "accounts.Mute.muted",
    "accounts.Block.blocked",
    "accounts.Follow.followed",
    "accounts.Sanction.by",
    "accounts.Sanction.lifted_by",
    *KEPT_BACK,
    *REPEATED,
}


def file_of(user: User) -> dict[str, list[dict[str, object]]]:
    with zipfile.ZipFile(io.BytesIO(own_data.zipped(user, NOW))) as archive:
        assert archive.testzip() is None
        return {
            name.removesuffix(".json"): json.loads(archive.read(name))
            for name in archive.namelist()
            if name.endswith(".json")
        }


def test_every_row_that_names_a_player_is_in_the_file_or_left_out_for_a_reason() -> None:
    covered = {column for part in own_data.all_parts(make_user()) for column in part.covers}
    named = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.fields
        if field.is_relation and field.related_model is User and not model._meta.label.startswith("review.")
    }
    assert named - covered - OTHERS == set()


def test_file_holds_what_one_said_did_and_chose() -> None:
    user, other = make_user("كريم", city="حمص"), make_user("Salim")
    Follow.objects.create(user=user, followed=other, at=NOW)
    table = make_table(phase=Phase.OVER)
    seat_user(table, 2, user)
    ChatLine.objects.create(table=table, user=user, seat=2, text="أحسنت", version=4, at=NOW)
    Event.objects.create(table=table, version=5, kind=EventKind.ACT, seat=2, user=user, code="QS", at=NOW)
    found = file_of(user)
    assert (found["account"][0]["username"], found["account"][0]["city"]) == ("كريم", "حمص")
    assert found["follows"][0]["name"] == "Salim"
    assert (found["words"][0]["text"], found["words"][0]["table"]) == ("أحسنت", table.code)
    assert [act["code"] for act in found["acts"]] == ["QS"]


def test_file_holds_no_secret_and_no_card_of_a_match_in_play() -> None:
    user, other = make_user(), make_user("Salim")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "SEALED"})
    table = make_table(phase=Phase.PLAY, secret=b"\x07" * 32)
    seat_user(table, 0, user)
    Event.objects.create(table=table, version=5, kind=EventKind.ACT, seat=0, user=user, code="QS", at=NOW)
    over = make_table(phase=Phase.OVER)
    Report.objects.create(table=over, by=other, about=user, reason="abuse", text="TOLD", version=1, at=NOW)
    written = json.dumps(file_of(user))
    assert [word for word in ("SEALED", "QS", "TOLD", user.password, "07" * 32) if word in written] == []


def test_file_is_asked_for_made_by_the_worker_and_fetched_with_proof(client: Client) -> None:
    user = make_user("Karim", language="en")
    client.force_login(user)
    assert client.post("/accounts/privacy/data/ask/").url.startswith("/accounts/reauthenticate/")
    prove(client, user)
    client.post("/accounts/privacy/data/ask/")
    assert client.get("/accounts/privacy/data/").status_code == 404
    assert "Your file is being made." in client.get("/accounts/privacy/").content.decode()
    assert [own_data.make_files(now=NOW), own_data.make_files(now=NOW)] == [1, 0]
    answer = client.get("/accounts/privacy/data/")
    assert (answer["Content-Type"], answer.content[:2]) == ("application/zip", b"PK")
    other = Client()
    other.force_login(stranger := make_user())
    prove(other, stranger)
    assert other.get("/accounts/privacy/data/").status_code == 404


def test_file_is_gone_after_a_week() -> None:
    own_data.ask_for_file(user=make_user(), now=NOW)
    assert [own_data.forget_files(now=NOW + timedelta(days=days)) for days in (6, 8)] == [0, 1]
    assert not DataFile.objects.exists()


def test_list_of_many_rows_asks_no_more_than_one_of_few(django_assert_max_num_queries) -> None:
    user = make_user()
    for _ in range(30):
        Follow.objects.create(user=user, followed=make_user(), at=NOW)
    with django_assert_max_num_queries(60):
        assert len(file_of(user)["follows"]) == 30


def test_privacy_page_lists_what_is_public_and_keeps_choices(client: Client) -> None:
    user = make_user(language="en")
    client.force_login(user)
    assert "What everybody sees" in client.get("/accounts/privacy/").content.decode()
    assert client.post("/accounts/privacy/", {"asked_by": "followed"}).status_code == 302
    user.refresh_from_db()
    assert (user.asked_by, user.shows_play) == ("followed", False)
    assert client.post("/accounts/privacy/", {"asked_by": "everyone"}).status_code == 400
