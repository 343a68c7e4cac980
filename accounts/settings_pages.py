"""The settings of an account: who one is, what one is told, where one is logged in."""

from collections.abc import Callable
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from accounts import emails, pictures, profiles, pushing, queries, renaming, services, ways
from accounts.forms import EmailForm, LettersForm, NameForm
from accounts.profile_forms import LooksForm, PictureForm, PlaceForm, WaysForm, name_rule
from accounts.views import OwnRequest, account_required


@account_required
@require_GET
def settings(request: OwnRequest) -> HttpResponse:
    return _settings(request)


@account_required
@require_POST
def rename(request: OwnRequest) -> HttpResponse:
    form = NameForm(request.POST, user=request.user)
    if not _went_through(
        form,
        "name",
        lambda: renaming.rename(user=request.user, name=form.cleaned_data["name"], now=timezone.now()),
    ):
        return _settings(request, status=400, name_form=form)
    messages.success(request, _("Your name is changed."))
    return redirect("account_settings")


@account_required
@require_POST
def change_picture(request: OwnRequest) -> HttpResponse:
    form = PictureForm(request.POST, request.FILES)
    if not _went_through(
        form,
        "picture",
        lambda: pictures.change_picture(user=request.user, file=form.cleaned_data["picture"].file),
    ):
        return _settings(request, status=400, picture_form=form)
    messages.success(request, _("This is your picture now."))
    return redirect("account_settings")


@account_required
@require_POST
def remove_picture(request: OwnRequest) -> HttpResponse:
    pictures.remove_picture(user=request.user)
    messages.success(request, _("Your picture is removed."))
    return redirect("account_settings")


@sensitive_post_parameters("password")
@account_required
@require_POST
def change_email(request: OwnRequest) -> HttpResponse:
    form, came = EmailForm(request.POST, user=request.user), ""

    def ask() -> None:
        nonlocal came
        came = emails.ask_change(request, user=request.user, email=form.cleaned_data["email"])

    if not _went_through(form, "email", ask):
        return _settings(request, status=400, email_form=form)
    said = {
        "asked": _("A letter is on its way to the new address. It holds once you have opened its link."),
        "same": _("This is your address already."),
        "removed": _("Your e-mail address is removed."),
    }
    messages.success(request, said[came])
    return redirect("account_settings")


@account_required
@require_POST
def keep_email(request: OwnRequest) -> HttpResponse:
    emails.drop_pending(user=request.user)
    messages.success(request, _("Your address stays as it is."))
    return redirect("account_settings")


@account_required
@require_POST
def confirm_address(request: OwnRequest) -> HttpResponse:
    """A letter with a link that shows that the address is the player's."""
    if emails.ask_to_confirm(request, request.user):
        messages.success(request, _("A letter with a link is on its way to you. Open the link to confirm."))
    return redirect("account_settings")


@account_required
@require_POST
def change_country(request: OwnRequest) -> HttpResponse:
    form = PlaceForm(request.POST, user=request.user)
    if not form.is_valid():
        return _settings(request, status=400, place_form=form)
    profiles.change_place(user=request.user, **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("account_settings")


@account_required
@require_POST
def change_looks(request: OwnRequest) -> HttpResponse:
    form = LooksForm(request.POST, user=request.user)
    if not form.is_valid():
        return _settings(request, status=400, looks_form=form)
    profiles.change_looks(user=request.user, **form.cleaned_data)
    messages.success(request, _("Saved."))
    return redirect("account_settings")


@account_required
@require_POST
def change_letters(request: OwnRequest) -> HttpResponse:
    form = LettersForm(request.POST, user=request.user)
    form.full_clean()
    services.change_letters(user=request.user, wants_mail=form.cleaned_data["wants_mail"])
    messages.success(request, _("Saved."))
    return redirect("account_settings")


@account_required
def notice_ways(request: OwnRequest) -> HttpResponse:
    """On which ways one is told what."""
    chosen = ways.ways_of(request.user)
    form = WaysForm(request.POST or None, ways=chosen, wants_mail=request.user.wants_mail)
    # A form with every box empty posts its token alone.
    if request.method == "POST" and form.is_valid():
        ways.choose(user=request.user, ways=form.ways(), wants_mail=form.cleaned_data["wants_mail"])
        messages.success(request, _("Saved."))
        return redirect("account_notices")
    shown = {
        "form": form,
        "tab": "notices",
        "is_confirmed": queries.is_confirmed(request.user),
        "push_key": pushing.public_key() if pushing.is_offered() else "",
    }
    return render(request, "accounts/notice_ways.html", shown)


@account_required
@require_POST
def end_session(request: OwnRequest, number: int) -> HttpResponse:
    """One of the browsers in which the account is open is logged out."""
    get_object_or_404(UserSession, pk=number, user=request.user).end()
    messages.success(request, _("That session is ended."))
    return redirect("usersessions_list")


def _went_through(form: Form, field: str, change: Callable[[], object]) -> bool:
    """Whether what the form asks for was done; where not, the form says why."""
    if form.is_valid():
        try:
            change()
        except ValidationError as error:
            form.add_error(field, error)
    return form.is_valid()


def _settings(request: OwnRequest, *, status: int = 200, **forms: Any) -> HttpResponse:
    user, now = request.user, timezone.now()
    again_at = renaming.next_change_at(user)
    shown = {
        "tab": "account",
        "picture_form": PictureForm(),
        "name_form": NameForm(user=user),
        "name_rule": name_rule(),
        "name_again_at": again_at if again_at and again_at > now else None,
        "former_names": queries.former_names(user),
        "email_form": EmailForm(user=user),
        "pending_email": emails.pending_change(user),
        "place_form": PlaceForm(user=user),
        "looks_form": LooksForm(user=user),
        "is_confirmed": queries.is_confirmed(user),
        **forms,
    }
    return render(request, "accounts/settings.html", shown, status=status)
