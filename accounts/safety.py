"""How allauth's second factors and accounts elsewhere behave here."""

import base64
from io import BytesIO
from typing import Any, ClassVar

import segno
from allauth.account.adapter import get_adapter as account_adapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from cryptography.fernet import Fernet, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import EMAIL_TAKEN, User


class SafetyAdapter(DefaultMFAAdapter):
    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _("Recovery codes come with an app of codes or a passkey."),
        "incorrect_code": _("This code is not right, or it has been used. Wait for the next one."),
    }

    def get_totp_label(self, user: User) -> str:
        return user.username

    def build_totp_svg(self, url: str) -> str:
        drawn = BytesIO()
        code = segno.make(url, error="m")
        code.save(drawn, kind="svg", scale=5, border=2, dark="#0a3b3e", light="#fff", xmldecl=False)
        return drawn.getvalue().decode()

    def _get_site_name(self) -> str:
        return gettext("Tarneeb")

    def _get_user_identifier(self, user: User) -> str:
        return user.username

    def encrypt(self, text: str) -> str:
        return _seals().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _seals().decrypt(encrypted_text.encode()).decode()

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:  # noqa: A002 - the parent's name
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Passkey %(number)d") % {"number": number}


def _seals() -> MultiFernet:
    """What the secrets of second factors are kept under: a copy of the database alone opens no account."""
    return MultiFernet([_seal(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _seal(key: str) -> Fernet:
    drawn = HKDF(SHA256(), 32, salt=None, info=b"accounts.safety").derive(key.encode())
    return Fernet(base64.urlsafe_b64encode(drawn))


class SocialAdapter(DefaultSocialAccountAdapter):
    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultSocialAccountAdapter.error_messages,
        "email_taken": EMAIL_TAKEN,
        "no_password": _("Choose a password first: without one you could not log in any more."),
        "no_verified_email": _(
            "Confirm your e-mail address first: without one you could not log in any more."
        ),
        "disconnect_last": _("This is your only way to log in. Choose a password first."),
    }

    def list_apps(self, request: HttpRequest, provider: Any = None, client_id: Any = None) -> list[Any]:
        """The settings alone name them: nobody adds one in the administration, and no page asks the database."""
        found = (
            SocialApp(provider=name, **said)
            for name, provided in settings.SOCIALACCOUNT_PROVIDERS.items()
            for said in provided["APPS"]
        )
        return [
            app
            for app in found
            if provider in {None, app.provider, app.provider_id} and client_id in {None, app.client_id}
        ]

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        """Nothing but the address is taken over: everybody chooses a name here."""
        user = sociallogin.user
        user.email = (data.get("email") or "").lower()
        return user  # type: ignore[no-any-return]

    def save_user(self, request: HttpRequest, sociallogin: Any, form: BaseForm | None = None) -> User:
        sociallogin.user.language = translation.get_language() or ""
        user: User = super().save_user(request, sociallogin, form)
        return user

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return bool(account_adapter(request).is_open_for_signup(request))
