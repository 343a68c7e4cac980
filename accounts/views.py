"""Signing up and in, and the account's settings."""

from typing import Any

from allauth.account import views as allauth_views
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from accounts import services
from accounts.forms import EmailForm, NameForm
from accounts.models import TAKEN, User


class OwnRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


class _Refusing:
    """A form with errors is answered with status 400."""

    def form_invalid(self, form: BaseForm) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)  # type: ignore[misc]
        if response.status_code == 200:
            response.status_code = 400
        return response


class LoginView(_Refusing, allauth_views.LoginView):
    pass


class SignupView(_Refusing, allauth_views.SignupView):
    def form_valid(self, form: BaseForm) -> HttpResponse:
        try:
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)
                return response
        except IntegrityError:  # another took the name, or a lookalike, a moment before
            form.add_error("username", ValidationError(TAKEN, code="taken"))
            return self.form_invalid(form)


class PasswordChangeView(_Refusing, allauth_views.PasswordChangeView):
    pass


class PasswordResetView(_Refusing, allauth_views.PasswordResetView):
    pass


@method_decorator(sensitive_post_parameters(), name="dispatch")
class PasswordResetFromKeyView(_Refusing, allauth_views.PasswordResetFromKeyView):
    pass


@login_required
@require_GET
def settings(request: OwnRequest) -> HttpResponse:
    return _settings(request)


@login_required
@require_POST
def rename(request: OwnRequest) -> HttpResponse:
    form = NameForm(request.POST, user=request.user)
    if not form.is_valid():
        return _settings(request, status=400, name_form=form)
    try:
        services.rename(user=request.user, name=form.cleaned_data["name"])
    except ValidationError as error:
        form.add_error("name", error)
        return _settings(request, status=400, name_form=form)
    messages.success(request, _("Your name is changed."))
    return redirect("account_settings")


@sensitive_post_parameters("password")
@login_required
@require_POST
def change_email(request: OwnRequest) -> HttpResponse:
    form = EmailForm(request.POST, user=request.user)
    if not form.is_valid():
        return _settings(request, status=400, email_form=form)
    try:
        services.change_email(user=request.user, email=form.cleaned_data["email"])
    except ValidationError as error:
        form.add_error("email", error)
        return _settings(request, status=400, email_form=form)
    messages.success(request, _("Your e-mail address is changed."))
    return redirect("account_settings")


def _settings(request: OwnRequest, *, status: int = 200, **forms: Any) -> HttpResponse:
    shown = {"name_form": NameForm(user=request.user), "email_form": EmailForm(user=request.user), **forms}
    return render(request, "accounts/settings.html", shown, status=status)
