"""Second factors, recovery codes, passkeys, sessions, and limits on all of them."""

import time

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.usersessions.models import UserSession
from django.conf import settings as site
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.accounts.proving import prove
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture(autouse=True)
def _no_tries_yet() -> None:
    cache.clear()


@pytest.fixture
def player(client: Client) -> User:
    """Logged in, and shown to be himself a moment ago."""
    user = make_user("كريم")
    client.force_login(user)
    prove(client, user)
    client.get("/tables/", headers={"Accept": "text/html"})
    return user


def log_in(client: Client, user: User):
    return client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})


def is_logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def code_now(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def switch_on(client: Client) -> str:
    """Sets up an app; its secret."""
    secret: str = client.get("/accounts/security/app/").context["form"].secret
    answer = client.post("/accounts/security/app/", {"code": code_now(secret)})
    assert answer.url == "/accounts/security/codes/"
    cache.clear()  # a code is good once
    return secret


@pytest.mark.django_db(transaction=True)
def test_app_is_set_up_behind_the_password_and_asked_for_at_the_next_login(
    client: Client, player: User
) -> None:
    secret = switch_on(client)
    other = Client()
    assert log_in(other, player).url == "/accounts/security/ask/"
    assert not is_logged_in(other)
    assert other.get("/accounts/security/ask/").status_code == 200
    refused = other.post("/accounts/security/ask/", {"code": "000000"})
    assert "code" in refused.context["form"].errors
    typed = code_now(secret).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    assert other.post("/accounts/security/ask/", {"code": f"{typed[:3]} {typed[3:]}"}).status_code == 302
    assert is_logged_in(other)
    assert [letter.subject for letter in mail.outbox] == ["طرنيب: شُغّلت رموز التطبيق"]


def test_recovery_code_opens_the_account_once(client: Client, player: User) -> None:
    switch_on(client)
    page = client.get("/accounts/security/codes/")
    code, *others = page.context["unused_codes"]
    assert len(others) == 9
    file = client.get("/accounts/security/codes/file/")
    assert code in file.content.decode()
    outcomes = []
    for _ in range(2):
        other = Client()
        log_in(other, player)
        other.post("/accounts/security/ask/", {"code": code})
        outcomes.append(is_logged_in(other))
    assert outcomes == [True, False]


def test_new_recovery_codes_end_the_old_ones(client: Client, player: User) -> None:
    switch_on(client)
    old = client.get("/accounts/security/codes/").context["unused_codes"]
    client.post("/accounts/security/codes/new/")
    new = client.get("/accounts/security/codes/").context["unused_codes"]
    assert set(old) & set(new) == set()


def test_switching_the_app_off_ends_the_codes_too(client: Client, player: User) -> None:
    switch_on(client)
    assert client.post("/accounts/security/app/off/").url == "/accounts/security/"
    assert Authenticator.objects.count() == 0


def test_secrets_do_not_stand_in_the_database_and_survive_a_change_of_key(
    client: Client, player: User, settings
) -> None:
    secret = switch_on(client)
    row = Authenticator.objects.get(type="totp")
    assert secret not in str(row.data)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = (
        [site.SECRET_KEY],
        "another-key-of-fifty-characters-at-the-least-0123456",
    )
    assert row.wrap().validate_code(code_now(secret))


def test_old_login_is_asked_for_the_password_again(client: Client, player: User) -> None:
    session = client.session
    session["account_authentication_methods"] = []
    session.save()
    for page in ("security/app/", "security/passkeys/new/", "privacy/data/", "privacy/close/"):
        asked = client.get(f"/accounts/{page}")
        assert asked.url == f"/accounts/reauthenticate/?next=/accounts/{page}".replace("/", "%2F").replace(
            "%2Faccounts%2Freauthenticate%2F", "/accounts/reauthenticate/", 1
        )
    assert client.get("/accounts/reauthenticate/").status_code == 200


def test_wrong_codes_close_the_door_for_a_while(client: Client, player: User) -> None:
    secret = switch_on(client)
    other = Client()
    log_in(other, player)
    for _ in range(5):
        other.post("/accounts/security/ask/", {"code": "000000"})
    other.post("/accounts/security/ask/", {"code": code_now(secret)})
    assert not is_logged_in(other)


def test_limits_that_are_lifted_on_loopback_are_all_lifted(client: Client, player: User, settings) -> None:
    secret = switch_on(client)
    settings.LIMITS_ON_LOOPBACK = False
    other = Client()
    log_in(other, player)
    for _ in range(6):
        other.post("/accounts/security/ask/", {"code": "000000"})
    other.post("/accounts/security/ask/", {"code": code_now(secret)})
    assert is_logged_in(other)
    # Nothing was counted meanwhile: the first ten go through, the next does not.
    settings.LIMITS_ON_LOOPBACK = True
    tries = [client.post("/accounts/reauthenticate/").status_code for _ in range(11)]
    assert tries == [200] * 10 + [429]
    settings.LIMITS_ON_LOOPBACK = False
    assert client.post("/accounts/reauthenticate/").status_code == 200


def test_passkey_options_bind_it_to_this_site_and_ask_who_holds_it(client: Client, player: User) -> None:
    page = client.get("/accounts/security/passkeys/new/")
    options = page.context["js_data"]["creation_options"]["publicKey"]
    assert (options["rp"]["id"], options["user"]["name"]) == ("testserver", "كريم")
    assert b"<script>" not in page.content
    asked = Client().get("/accounts/login/passkey/", headers={"Accept": "application/json"}).json()
    assert asked["request_options"]["publicKey"]["userVerification"] == "required"


@pytest.mark.parametrize("credential", ["", "{}", "[]", "not json", '{"id": "x", "response": {}}'])
def test_false_passkey_opens_nothing(client: Client, credential: str) -> None:
    client.get("/accounts/login/passkey/", headers={"Accept": "application/json"})
    assert client.post("/accounts/login/passkey/", {"credential": credential}).url == "/accounts/login/"
    assert not is_logged_in(client)


@pytest.mark.parametrize("act", ["name", "remove"])
def test_nobody_touches_a_passkey_of_another(client: Client, player: User, act: str) -> None:
    other = make_user()
    key = Authenticator.objects.create(user=other, type="webauthn", data={"name": "Phone", "credential": {}})
    assert client.post(f"/accounts/security/passkeys/{key.pk}/{act}/", {"name": "Mine"}).status_code == 404
    assert Authenticator.objects.filter(pk=key.pk).exists()


def test_sessions_are_listed_and_each_can_be_ended(client: Client, player: User) -> None:
    other = Client(headers={"User-Agent": FIREFOX})
    log_in(other, player)
    page = client.get("/accounts/security/sessions/").content.decode()
    assert "Firefox · Linux" in page
    [theirs] = UserSession.objects.exclude(session_key=client.session.session_key)
    client.post(f"/accounts/security/sessions/{theirs.pk}/end/")
    assert [other.get("/accounts/settings/").status_code, client.get("/accounts/settings/").status_code] == [
        302,
        200,
    ]


def test_all_other_sessions_are_ended_at_once(client: Client, player: User) -> None:
    others = [Client(), Client()]
    for other in others:
        log_in(other, player)
    client.post("/accounts/security/sessions/")
    assert [other.get("/accounts/settings/").status_code for other in others] == [302, 302]
    assert client.get("/accounts/settings/").status_code == 200


def test_session_of_another_is_not_ended(client: Client, player: User) -> None:
    other = Client()
    log_in(other, make_user())
    [theirs] = UserSession.objects.exclude(user=player)
    assert client.post(f"/accounts/security/sessions/{theirs.pk}/end/").status_code == 404
    assert is_logged_in(other)


def test_session_that_began_before_the_list_is_in_it(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    for accepts in ("application/json", "text/html", "text/html"):
        client.get("/tables/", headers={"Accept": accepts})
        assert UserSession.objects.filter(user=user).count() == (accepts == "text/html")


def test_new_password_ends_the_other_sessions(client: Client, player: User) -> None:
    other = Client()
    log_in(other, player)
    new = "another-long-phrase"
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert (other.get("/accounts/settings/").status_code, is_logged_in(client)) == (302, True)
    assert len(mail.outbox) == 1


@pytest.mark.parametrize("language", ["ar", "en"])
def test_security_pages_are_shown(client: Client, player: User, language: str) -> None:
    User.objects.filter(pk=player.pk).update(language=language)
    switch_on(client)
    pages = ("", "app/off/", "codes/", "codes/new/", "passkeys/", "sessions/", "elsewhere/", "again/")
    for page in pages:
        answer = client.get(f"/accounts/security/{page}")
        assert answer.status_code == 200, page
        assert (b"<style" in answer.content, b"style=" in answer.content) == (False, False)


def test_letter_of_signing_up_asks_to_confirm_and_may_fail(client: Client, settings) -> None:
    new = {"username": "سعاد", "email": "s@example.org", "password1": PASSWORD, "password2": PASSWORD}
    assert client.post("/accounts/signup/", new).status_code == 302
    assert [letter.to for letter in mail.outbox] == [["s@example.org"]]
    settings.EMAIL_BACKEND = "tests.accounts.test_notices.Away"
    again = new | {"username": "هدى", "email": "h@example.org"}
    assert Client().post("/accounts/signup/", again).status_code == 302
    assert User.objects.filter(username="هدى").exists()


def test_account_without_a_password_shows_itself_by_a_code_in_a_letter(client: Client) -> None:
    from allauth.account.models import EmailAddress

    user = make_user()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    asked = client.get("/accounts/privacy/close/")
    assert asked.url.startswith("/accounts/reauthenticate/code/")
    sent = client.post(asked.url, {"recipient": user.email})
    code = mail.outbox[-1].body.split("\n\n")[1].strip()
    client.post(sent.url, {"code": code})
    assert client.get("/accounts/privacy/close/").status_code == 200
