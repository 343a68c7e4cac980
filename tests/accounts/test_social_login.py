"""Signing in by an account elsewhere: nowhere to be seen unless the environment names one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from tarneeb_site.social import social

ROOT = Path(__file__).resolve().parent.parent.parent
ASKS = """
import django; django.setup()
from django.conf import settings
from django.test import RequestFactory
from django.urls import reverse
from accounts.templatetags.people import social_providers
from tarneeb_site.headers import policy
request = RequestFactory().get("/")
print([provider.name for provider in social_providers({"request": request})])
print(reverse("github_login"), [part for part in policy("x").split("; ") if part.startswith("form-action")])
"""


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    named = os.environ | {"DJANGO_SETTINGS_MODULE": "tarneeb_site.settings"} | environment
    asked = [sys.executable, "-W", "ignore", "-c", ASKS]
    return subprocess.run(asked, cwd=ROOT, env=named, capture_output=True, text=True, check=False)


@pytest.mark.django_db
def test_nothing_is_offered_without_a_provider(client: Client) -> None:
    page = client.get("/accounts/login/").content.decode()
    assert "elsewhere" not in page
    assert client.get("/accounts/github/login/").status_code == 404


def test_named_providers_are_offered_and_forms_may_lead_to_them() -> None:
    keys = {"SOCIAL_GITHUB_ID": "a", "SOCIAL_GITHUB_SECRET": "b", "SOCIAL_OPENID_ID": "c"}
    club = {
        "SOCIAL_OPENID_SECRET": "d",
        "SOCIAL_OPENID_SERVER": "https://id.club.example/realm",
        "SOCIAL_OPENID_NAME": "Club",
    }
    done = run(SOCIAL_LOGIN="github,openid", **keys, **club)
    assert done.stdout.splitlines() == [
        "['GitHub', 'Club']",
        "/accounts/github/login/ [\"form-action 'self' https://github.com https://id.club.example\"]",
    ], done.stderr


@pytest.mark.parametrize("named", [["nobody"], ["google"], ["openid"]])
def test_provider_without_its_keys_is_refused_in_one_line(named: list[str]) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        social(named)
    assert "SOCIAL_" in str(refusal.value)
