"""A whole session at a site that logs all it can: nothing of it tells who somebody is, or what anybody holds."""

import asyncio
import io
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.utils import timezone
from PIL import Image
from pytest_django import DjangoDbBlocker

from games.models import Deal, Table
from tests.factories import PASSWORD
from tests.games.live.clients import Browser
from tests.live import LiveSite, database_url
from tests.tarneeb_site.test_several import SEAT, at_the_table, play
from tests.tournaments.scenes import make_tournament

NAME, MAIL, CITY = "Vorname", "vorname@mail.example.org", "Qamischli"
WRONG, SAID, TOKEN = "a-wrong-pass-phrase", "heute abend geheimnis", "tok-9f8e7d6c5b4a"
# Letters that cannot be sent are told of too.
NO_MAIL = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": "1", "EMAIL_USE_TLS": "0"}


@pytest.fixture(scope="module")
def site(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSite]:
    """A whole site that logs all it can, as JSON; with DEBUG on, when it would say most."""
    found = LiveSite(tmp_path_factory.mktemp("talkative"))
    found.environment = {"LOG_LEVEL": "DEBUG", "LOG_JSON": "1", "DEBUG": "1"} | NO_MAIL
    with django_db_blocker.unblock():
        try:
            for name in found.commands:
                found.start(name)
            found.wait_until_green()
            yield found
        finally:
            found.stop()
        call_command("flush", interactive=False, verbosity=0)


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (300, 300), "navy").save(file, "PNG")
    return file.getvalue()


async def session(site: LiveSite) -> dict[str, str]:
    """Somebody does what people do; what of it nobody should find in a log."""
    async with Browser(site.url) as browser:
        await browser.http.get("/accounts/signup/")
        fields = {"username": NAME, "email": MAIL, "password1": PASSWORD, "password2": PASSWORD}
        assert (await browser.post("/accounts/signup/", **fields)).status_code == 302
        await browser.post("/accounts/logout/")
        await browser.http.get("/accounts/login/")
        assert (await browser.post("/accounts/login/", login=NAME, password=WRONG)).status_code == 400
        assert (await browser.post("/accounts/login/", login=MAIL, password=PASSWORD)).status_code == 302
        code = await browser.open_table(target=31, free_chat="on")
        await browser.sit(code, SEAT)
        assert (await browser.post(f"/tables/{code}/fill/")).status_code == 302
        client = await at_the_table(browser, code)
        client = await play(browser, client, code, 2)
        hand = " ".join(client.view["hand"]) if client.view.get("hand") else ""
        await client.send(type="say", text=SAID, id="s1")
        await client.send(type="act", action="QS", version=1, id=TOKEN)
        await client.connection.send('{"type": "nonsense", "name": "' + NAME)
        client = await play(browser, client, code, 1)
        await upload(browser)
        slug = await sync_to_async(open_tournament)()
        await browser.http.get(f"/tournaments/{slug}/?code={TOKEN}")
        await browser.post(f"/tournaments/{slug}/enter/", partner=NAME, code=TOKEN)
        await browser.http.get(f"/players/{NAME}/matches/?opponent={NAME}")
        await browser.post("/accounts/password/reset/", email=MAIL)
        await asyncio.to_thread(rename, "games_appearance", "games_gone")
        try:
            failed = await browser.http.get(f"/players/{NAME}/matches/?opponent={NAME}")
        finally:
            await asyncio.to_thread(rename, "games_gone", "games_appearance")
        assert failed.status_code == 500
        cookies = {cookie.name: cookie.value or "" for cookie in browser.http.cookies.jar}
        return {"hand": hand, "session": cookies["sessionid"], "csrf": cookies["csrftoken"], "code": code}


async def upload(browser: Browser) -> None:
    token = browser.http.cookies.get("csrftoken", "")
    answer: httpx.Response = await browser.http.post(
        "/accounts/settings/picture/",
        data={"csrfmiddlewaretoken": token},
        files={"picture": (f"{NAME}.png", picture(), "image/png")},
        headers={"Referer": browser.url},
    )
    assert answer.status_code in {200, 302}, answer.text[:500]


def open_tournament() -> str:
    now = timezone.now()
    return str(make_tournament(now=now, starts_at=now + timedelta(days=1)).slug)


def rename(before: str, after: str) -> None:
    with psycopg.connect(database_url(), autocommit=True) as database:
        database.execute(f"alter table {before} rename to {after}")


def sayers(word: str, log: str) -> list[str]:
    """Who says it, and how it begins: of a line that is no object the line."""
    quoting = [line for line in log.splitlines() if word in line]
    objects = [json.loads(line) if line.startswith("{") else {"logger": line} for line in quoting]
    return sorted({f"{found['logger']}: {found.get('message', '')[:80]}" for found in objects})


async def test_a_whole_session_leaves_nothing_of_a_person_in_the_log(site: LiveSite) -> None:
    found = await session(site)
    # What the processes still have to say.
    await asyncio.sleep(3)
    log = "\n".join(site.log(name) for name in site.commands)
    lines: list[dict[str, Any]] = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert {"debug", "error"} <= {line["level"] for line in lines}
    assert [line for line in lines if line.get("error") == "ProgrammingError"] != []
    secrets = {
        "name": NAME,
        "mail": MAIL,
        "password": PASSWORD,
        "wrong": WRONG,
        "said": SAID,
        "token": TOKEN,
        **{name: found[name] for name in ("session", "csrf", "hand") if found[name]},
    }
    told = {what: sayers(word, log) for what, word in secrets.items() if word in log}
    assert told == {}
    deals = await sync_to_async(lambda: list(Deal.objects.values_list("deck", flat=True)))()
    secret = bytes((await Table.objects.aget(code=found["code"])).secret)
    assert [deck for deck in [*deals, secret.hex(), repr(secret)] if deck in log] == []
    # Not a hand, or a part of one, in whatever order: three cards beside each other.
    cards = r"(?:[2-9TJQKA][SHDC]\W{1,4}){2}[2-9TJQKA][SHDC]\b"
    assert re.findall(cards, log) == []
