"""Signing up and in, and the account's settings."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account import views as allauth_views
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import BaseForm, Form
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from accounts import guests, services
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


def _to_keep(request: HttpRequest) -> HttpResponse:
    after = guests.next_page(request)
    return redirect(f"{reverse('account_keep')}?{urlencode({'next': after})}" if after else "account_keep")


def _account_required(view: Callable[[OwnRequest], HttpResponse]) -> Callable[[OwnRequest], HttpResponse]:
    """Who is not logged in goes to log in; a guest, to make an account."""

    @login_required
    @wraps(view)
    def behind(request: OwnRequest) -> HttpResponse:
        return _to_keep(request) if request.user.is_guest else view(request)

    return behind


class LoginView(_Refusing, allauth_views.LoginView):
    guest: User | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        here = guests.present(request)
        if here and here.is_guest:
            # Who wants to be somebody else is nobody while he says who.
            self.guest, request.user = here, AnonymousUser()
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {
            **super().get_context_data(**kwargs),
            "guest": self.guest,
            "after": guests.next_page(self.request),
        }


class SignupView(_Refusing, allauth_views.SignupView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        here = guests.present(request)
        if here and here.is_guest:
            return _to_keep(request)
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def form_valid(self, form: BaseForm) -> HttpResponse:
        try:
            with transaction.atomic():
                response: HttpResponse = super().form_valid(form)
                return response
        except IntegrityError:  # another took the name, or a lookalike, a moment before
            form.add_error("username", ValidationError(TAKEN, code="taken"))
            return self.form_invalid(form)


class PasswordChangeView(_Refusing, allauth_views.PasswordChangeView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        here = guests.present(request)
        if here and here.is_guest:
            return _to_keep(request)
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response


class PasswordResetView(_Refusing, allauth_views.PasswordResetView):
    pass


@method_decorator(sensitive_post_parameters(), name="dispatch")
class PasswordResetFromKeyView(_Refusing, allauth_views.PasswordResetFromKeyView):
    pass


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """A guest from now on, for the page that was to be seen."""
    guests.enter(request, now=timezone.now())
    return redirect(guests.next_page(request) or "home")


@_account_required
@require_GET
def settings(request: OwnRequest) -> HttpResponse:
    return _settings(request)


@_account_required
@require_POST
def rename(request: OwnRequest) -> HttpResponse:
    form = NameForm(request.POST, user=request.user)
    if not _went_through(
        form, "name", lambda: services.rename(user=request.user, name=form.cleaned_data["name"])
    ):
        return _settings(request, status=400, name_form=form)
    messages.success(request, _("Your name is changed."))
    return redirect("account_settings")


@sensitive_post_parameters("password")
@_account_required
@require_POST
def change_email(request: OwnRequest) -> HttpResponse:
    form = EmailForm(request.POST, user=request.user)
    if not _went_through(
        form, "email", lambda: services.change_email(user=request.user, email=form.cleaned_data["email"])
    ):
        return _settings(request, status=400, email_form=form)
    messages.success(request, _("Your e-mail address is changed."))
    return redirect("account_settings")


def _went_through(form: Form, field: str, change: Callable[[], object]) -> bool:
    """Whether what the form asks for was done; where not, the form says why."""
    if form.is_valid():
        try:
            change()
        except ValidationError as error:
            form.add_error(field, error)
    return form.is_valid()


def _settings(request: OwnRequest, *, status: int = 200, **forms: Any) -> HttpResponse:
    shown = {"name_form": NameForm(user=request.user), "email_form": EmailForm(user=request.user), **forms}
    return render(request, "accounts/settings.html", shown, status=status)
