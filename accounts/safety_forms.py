"""The forms of second factors and of showing once more that one is oneself."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account import forms as account_forms
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as passkey_forms
from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.digits import fold_digits

LONGEST_PASSKEY_NAME = 60
_CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "dir": "ltr", "maxlength": "20"}


class FoldedCode:
    """A code typed with the digits of any keyboard, with or without blanks."""

    def _fold(self: Any) -> None:
        field = self.fields["code"]
        field.label = _("Code")
        field.widget = forms.TextInput(attrs=_CODE)
        given = field.to_python
        field.to_python = lambda value: fold_digits("".join((given(value) or "").split()))


class CodeForm(FoldedCode, mfa_forms.AuthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._fold()


class CodeAgainForm(FoldedCode, mfa_forms.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._fold()


class TotpForm(FoldedCode, totp_forms.ActivateTOTPForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._fold()


@contextmanager
def _read_with_care() -> Iterator[None]:
    """What is no answer of a browser at all is a wrong one: its readers trip over it in many ways."""
    try:
        yield
    except (KeyError, ValueError, TypeError, AttributeError, struct.error) as error:
        raise get_adapter().validation_error("incorrect_code") from error


class PasskeyLoginForm(passkey_forms.LoginWebAuthnForm):
    def clean_credential(self) -> Authenticator:
        with _read_with_care():
            return super().clean_credential()


class PasskeyAskForm(passkey_forms.AuthenticateWebAuthnForm):
    def clean_credential(self) -> Authenticator:
        with _read_with_care():
            return super().clean_credential()


class PasskeyAgainForm(passkey_forms.ReauthenticateWebAuthnForm):
    def clean_credential(self) -> Authenticator:
        with _read_with_care():
            return super().clean_credential()


class PasskeyForm(passkey_forms.AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _named(self)
        # Every passkey also opens the account by itself: there is no other kind to choose.
        self.fields["passwordless"].widget = forms.HiddenInput()
        self.fields["passwordless"].initial = True

    def clean(self) -> dict[str, Any]:
        with _read_with_care():
            said: dict[str, Any] = super().clean()
            return said


class PasskeyNameForm(passkey_forms.EditWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _named(self)


def _named(form: forms.BaseForm) -> None:
    name = form.fields["name"]
    name.label, name.max_length = _("What you call it"), LONGEST_PASSKEY_NAME  # type: ignore[attr-defined]
    name.widget.attrs |= {"maxlength": str(LONGEST_PASSKEY_NAME), "dir": "auto"}


class PasswordForm(account_forms.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].label = _("Present password")
        self.fields["password"].widget.attrs.pop("placeholder", None)


class CodeRequestForm(account_forms.RequestReauthenticationCodeForm):
    pass


class LetterCodeForm(account_forms.ConfirmReauthenticationCodeForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code in the letter")
        self.fields["code"].widget.attrs.pop("placeholder", None)
        self.fields["code"].widget.attrs |= {"dir": "ltr"}
