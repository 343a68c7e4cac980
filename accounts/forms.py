"""The forms of signing up, signing in and the account's settings."""

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.socialaccount import forms as social_forms
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts import queries, services
from accounts.models import EMAIL_TAKEN, User
from accounts.names import MAX_LENGTH

# Longer than the limit, so that a decomposed or a padded name is answered in words and not cut by the browser.
TYPED_LENGTH = 3 * MAX_LENGTH

NAME_HINT = _("Arabic or Latin letters, 2 to 20 characters. Everybody sees it.")
EMAIL_HINT = _(
    "Nobody sees it. We write when you have forgotten your password, and what you want to be told."
)
PASSWORD_HINT = _("8 characters at least; not digits alone, not your name, not a word everybody takes.")


def _say(form: forms.BaseForm, **words: Any) -> None:
    """Gives fields their labels; allauth's placeholders and hints go."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)
        field.help_text = ""
    for name, word in words.items():
        if name in form.fields:
            form.fields[name].label = word


class LoginForm(allauth_forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, login=_("Name or e-mail"), password=_("Password"))
        self.fields["login"].widget.attrs |= {
            "autocomplete": "username",
            "dir": "auto",
            "autocapitalize": "none",
        }


class SignupForm(allauth_forms.SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(
            self,
            username=_("Name"),
            email=_("E-mail"),
            password1=_("Password"),
            password2=_("Password once more"),
        )
        _loosen(self.fields["username"])
        self.fields["username"].help_text = NAME_HINT
        self.fields["email"].help_text = EMAIL_HINT
        self.fields["password1"].help_text = PASSWORD_HINT


class SocialSignupForm(social_forms.SignupForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, username=_("Name"), email=_("E-mail"))
        _loosen(self.fields["username"])
        self.fields["username"].help_text = NAME_HINT
        self.fields["email"].help_text = EMAIL_HINT


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, email=_("E-mail"))


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(self, password1=_("New password"), password2=_("New password once more"))
        self.fields["password1"].help_text = PASSWORD_HINT


class ChangePasswordForm(allauth_forms.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _say(
            self,
            oldpassword=_("Present password"),
            password1=_("New password"),
            password2=_("New password once more"),
        )
        self.fields["password1"].help_text = PASSWORD_HINT


class NameForm(forms.Form):
    name = forms.CharField(label=_("Shown to all as"), help_text=NAME_HINT)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"name": user.username})
        super().__init__(*args, **kwargs)
        self.user = user
        _loosen(self.fields["name"])

    def clean_name(self) -> str:
        return services.free_name(self.cleaned_data["name"], but_for=self.user)


class LettersForm(forms.Form):
    """Whether notices come by e-mail as well."""

    wants_mail = forms.BooleanField(
        label=_("Send me notices of my tournaments by e-mail as well"), required=False
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"wants_mail": user.wants_mail})
        super().__init__(*args, **kwargs)


class EmailForm(forms.Form):
    email = forms.EmailField(label=_("Address"), required=False, help_text=EMAIL_HINT)
    password = forms.CharField(
        label=_("Present password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"email": user.email})
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["email"].widget.attrs["autocomplete"] = "email"

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].strip().lower()
        if queries.with_email(email).exclude(pk=self.user.pk).exists():
            raise ValidationError(EMAIL_TAKEN, code="email_taken")
        return email

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise ValidationError(_("This is not your present password."), code="incorrect_password")
        return password


def _loosen(field: forms.Field) -> None:
    """A name is judged by `accounts.names` alone, and written in the direction of its letters."""
    field.min_length = field.max_length = None  # type: ignore[attr-defined]
    field.validators = [
        v for v in field.validators if getattr(v, "code", "") not in {"min_length", "max_length"}
    ]
    field.widget.attrs |= {"dir": "auto", "maxlength": str(TYPED_LENGTH), "autocomplete": "username"}
    field.widget.attrs.pop("minlength", None)
