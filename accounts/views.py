"""Signing up and in, confirming an address, and reading notices."""

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
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from accounts import guests, notices
from accounts.models import EMAIL_TAKEN, TAKEN, Notice, User


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


def account_required(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Who is not logged in goes to log in; a guest, to make an account."""

    @login_required
    @wraps(view)
    def behind(request: OwnRequest, **more: Any) -> HttpResponseBase:
        return _to_keep(request) if request.user.is_guest else view(request, **more)

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


class ConfirmEmailView(allauth_views.ConfirmEmailView):
    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            with transaction.atomic():
                response: HttpResponse = super().post(*args, **kwargs)
                return response
        except IntegrityError:  # another account has taken the address meanwhile
            messages.error(self.request, EMAIL_TAKEN)
            return redirect("account_settings")


@require_POST
def guest(request: HttpRequest) -> HttpResponse:
    """A guest from now on, for the page that was to be seen."""
    guests.enter(request, now=timezone.now())
    return redirect(guests.next_page(request) or "home")


@account_required
@require_GET
def open_notice(request: OwnRequest, number: int) -> HttpResponse:
    """Where a notice leads; it is read now."""
    notice = get_object_or_404(Notice, pk=number, user=request.user)
    notices.read(user=request.user, number=number, now=timezone.now())
    safe = url_has_allowed_host_and_scheme(notice.url, None)
    return redirect(notice.url if notice.url and safe else "news")


@account_required
@require_POST
def read_notices(request: OwnRequest) -> HttpResponse:
    notices.read(user=request.user, now=timezone.now())
    return redirect("news")
