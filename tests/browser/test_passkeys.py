"""A passkey made in a browser, asked for at the next login, and nothing inline on the way."""

from typing import Any

import pytest

from accounts.models import User
from tests.factories import PASSWORD, make_user
from tests.live import LiveSite

pytestmark = pytest.mark.browser
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_passkey_is_made_and_logs_in_without_a_password(browser: Any, live_site: LiveSite) -> None:
    user = make_user("كريم", language="en")
    # A passkey belongs to a name; an address of numbers is none.
    url = live_site.url.replace("127.0.0.1", "localhost")
    context = browser.new_context()
    page, faults = context.new_page(), []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto(f"{url}/accounts/login/")
    page.fill("[name=login]", user.username)
    page.fill("[name=password]", PASSWORD)
    page.click("main form.card button")
    page.goto(f"{url}/accounts/security/passkeys/new/")
    page.fill("[name=password]", PASSWORD)
    page.click("main form.card button")
    page.fill("[name=name]", "My phone")
    page.click("[data-passkey=make] button")
    page.wait_for_url("**/security/codes/")
    page.goto(f"{url}/accounts/security/app/")
    assert page.evaluate("document.querySelector('img.qr').naturalWidth") > 100
    page.goto(f"{url}/accounts/security/passkeys/")
    assert page.locator("bdi", has_text="My phone").count() == 1
    context.clear_cookies()
    page.goto(f"{url}/accounts/login/")
    page.click("[data-passkey=enter] button")
    page.wait_for_url(f"{url}/")
    page.goto(f"{url}/accounts/settings/")
    assert page.locator("[name=name]").input_value() == User.objects.get(pk=user.pk).username
    assert faults == []
    context.close()
