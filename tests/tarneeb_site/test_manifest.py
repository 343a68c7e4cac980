import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("language", "name", "direction"), [("ar", "طرنيب", "rtl"), ("en", "Tarneeb", "ltr")]
)
def test_manifest_is_in_the_readers_language(client, language, name, direction):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page = client.get("/accounts/login/").content.decode()
    assert page.count(f'<link rel="manifest" href="/{language}.webmanifest">') == 1

    response = client.get(f"/{language}.webmanifest")
    manifest = response.json()
    assert response["Content-Type"] == "application/manifest+json"
    assert (manifest["name"], manifest["lang"], manifest["dir"]) == (name, language, direction)
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    assert [client.get(shortcut["url"]).status_code for shortcut in manifest["shortcuts"]] == [200]


def test_every_icon_of_the_manifest_is_a_picture_of_its_size(client):
    icons = client.get("/en.webmanifest").json()["icons"]
    assert [(icon["purpose"], icon["sizes"]) for icon in icons] == [
        ("any", "192x192"),
        ("any", "512x512"),
        ("maskable", "192x192"),
        ("maskable", "512x512"),
    ]
    assert [size_of(icon["src"]) for icon in icons] == [icon["sizes"] for icon in icons]


def size_of(address: str) -> str:
    """Width and height as the file itself says them."""
    path = finders.find(address.removeprefix(settings.STATIC_URL))
    width, height = struct.unpack(">II", Path(path).read_bytes()[16:24])
    return f"{width}x{height}"


def test_there_is_no_manifest_in_a_language_that_the_site_does_not_speak(client):
    assert client.get("/xx.webmanifest").status_code == 404
