"""How allauth names, finds and writes to accounts here."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from smtplib import SMTPException
from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.forms import BaseForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from accounts import queries, services
from accounts.models import TAKEN, User
from accounts.names import name_key

log = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "incorrect_code": _("This code is not right. Look again, or ask for a new one."),
        "account_inactive": _("This account is closed."),
        "email_password_mismatch": _("This name or address and this password do not belong together."),
        "username_password_mismatch": _("This name or address and this password do not belong together."),
        "email_taken": _("Another account has this e-mail address."),
        "enter_current_password": _("This is not your present password."),
        "incorrect_password": _("This is not your present password."),
        "invalid_password_reset": _("This link is used up or too old. Ask for a new one."),
        "rate_limited": _("Too many tries in a short time. Wait a minute, then try again."),
        "too_many_login_attempts": _(
            "Too many tries with a wrong password. Wait five minutes, then try again."
        ),
        "username_taken": TAKEN,
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        return services.free_name(username)

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        user.language = translation.get_language() or ""
        super().save_user(request, user, form, commit)
        return user

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """In the language of whom it goes to."""
        context = {"site_url": settings.SITE_URL, **context}
        reader = context.get("user") or queries.with_email(email).first()
        with translation.override(getattr(reader, "language", "") or translation.get_language()):
            super().send_mail(template_prefix, email, context)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account_settings")

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """What was done stays done, where the letter about it cannot be sent."""
        with _letters_may_fail():
            super().send_notification_mail(template_prefix, user, context, email or user.email or None)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Nobody is kept from signing up by a mail server: the letter can be asked for again."""
        if not signup:
            super().send_confirmation_mail(request, emailconfirmation, signup)
            return
        with _letters_may_fail():
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """One count for all spellings of a name."""
        spelled = {key: name_key(value) for key, value in credentials.items() if key == "username"}
        key: str = super()._get_login_attempts_cache_key(request, **{**credentials, **spelled})
        return key


@contextmanager
def _letters_may_fail() -> Iterator[None]:
    try:
        yield
    except (OSError, SMTPException) as error:
        log.warning("a letter was not sent: %s", type(error).__name__)
