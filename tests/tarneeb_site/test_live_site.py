import json
import urllib.request

import pytest

from tests.factories import PASSWORD, make_user


def test_live_site_is_green_in_every_part(live_site):
    with urllib.request.urlopen(f"{live_site.url}/healthz") as answer:
        assert json.load(answer) == dict.fromkeys(("database", "broker", "worker", "steward"), "ok")


@pytest.mark.browser
def test_a_browser_sees_the_home_page_and_the_rows_that_tests_make(live_site, browser):
    make_user("Salma")
    page = browser.new_page()
    page.goto(f"{live_site.url}/accounts/login/")
    page.fill("[name=login]", "Salma")
    page.fill("[name=password]", PASSWORD)
    page.click("main form button")
    page.wait_for_url(f"{live_site.url}/")
    assert page.locator("html").get_attribute("dir") == "rtl"
