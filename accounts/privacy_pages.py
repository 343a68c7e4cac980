"""What is public of a player, all one's data, and closing the account."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts import closing, own_data, profiles
from accounts.models import DataFile
from accounts.profile_forms import ClosingForm, OpennessForm
from accounts.views import OwnRequest, account_required


@account_required
def privacy(request: OwnRequest) -> HttpResponse:
    form = OpennessForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        profiles.change_openness(user=request.user, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("account_privacy")
    file = DataFile.objects.filter(user=request.user).defer("content").first()
    shown = {"form": form, "tab": "privacy", "file": file, "kept_days": own_data.KEPT_FOR.days}
    return render(request, "accounts/privacy.html", shown, status=400 if form.is_bound else 200)


@account_required
@require_POST
@reauthentication_required
def ask_for_data(request: OwnRequest) -> HttpResponse:
    own_data.ask_for_file(user=request.user, now=timezone.now())
    messages.success(request, _("Your file is being made. Come back to this page in a minute."))
    return redirect("account_privacy")


@account_required
@require_GET
@never_cache
@reauthentication_required
def data(request: OwnRequest) -> HttpResponse:
    file = DataFile.objects.filter(user=request.user, made_at__isnull=False).first()
    if file is None:
        raise Http404
    response = HttpResponse(bytes(file.content), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="tarneeb-{file.made_at:%Y-%m-%d}.zip"'
    return response


@account_required
@reauthentication_required
def close(request: OwnRequest) -> HttpResponse:
    user = request.user
    form = ClosingForm(request.POST or None, user=user)
    hindrance = closing.hindrance(user)
    if request.method == "POST" and form.is_valid():
        try:
            closing.close(user=user, now=timezone.now())
        except closing.Staying as staying:
            hindrance = staying.message
        else:
            logout(request)
            return render(request, "accounts/closed.html")
    shown = {"form": form, "tab": "privacy", "hindrance": hindrance}
    return render(request, "accounts/close.html", shown, status=400 if form.is_bound else 200)
