"""Making a tournament and changing its settings: one form, with a preview of it in words."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from tournaments.field import counting
from tournaments.models import State, Tournament
from tournaments.outline import outline, warnings
from tournaments.presets import PRESETS, preset
from tournaments.services import making
from tournaments.services.permissions import may
from tournaments.services.refusals import SENTENCES, Refused
from tournaments.views import in_its_zone
from tournaments.wizard import TournamentForm


def organised(request: HttpRequest, slug: str, act: str = "settings") -> Tournament:
    """The tournament, where the reader's role in it allows the act. To others it is not there. Raises: Http404."""
    tournament = in_its_zone(get_object_or_404(Tournament.objects.select_related("organiser"), slug=slug))
    if not may(tournament, request.user, act):
        raise Http404
    return tournament


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    if request.user.is_guest:
        messages.warning(request, str(SENTENCES["guests-cannot-organise"]))
        return redirect(f"{reverse('account_keep')}?{urlencode({'next': request.path})}")
    like = _like(request)
    if request.method != "POST":
        chosen = preset(request.GET.get("preset", ""))
        form = TournamentForm(like=like, initial=None if like else chosen.values)
        return _show(request, form, like=like, chosen=None if like else chosen.key)
    form = TournamentForm(request.POST, like=like)
    if not form.is_valid():
        return _show(request, form, like=like, status=400)
    try:
        made = _made(request, request.user, form, like)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return _show(request, form, like=like, status=400)
    if made.state == State.DRAFT:
        messages.success(
            request, _("The draft is kept. Nobody sees it but its officials until you publish it.")
        )
    return redirect(made)


def _made(request: HttpRequest, user: User, form: TournamentForm, like: Tournament | None) -> Tournament:
    draft = request.POST.get("as") == "draft"
    now = timezone.now()
    if like is None:
        return making.create(organiser=user, draft=draft, now=now, **form.settings())
    officials = [
        int(text) for text in request.POST.getlist("officials") if text.isdecimal() and len(text) < 12
    ]
    return making.clone(
        tournament_id=like.pk, actor=user, officials=officials, draft=draft, now=now, **form.settings()
    )


def _like(request: HttpRequest) -> Tournament | None:
    """The tournament that a new one is to be like: one that the reader may run."""
    slug = request.GET.get("like", "").replace("\0", "")
    origin = Tournament.objects.filter(slug=slug).first() if slug else None
    return origin if origin is not None and may(origin, request.user, "settings") else None


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    assert isinstance(request.user, User)
    tournament = organised(request, slug)
    if request.method != "POST":
        return _show(request, TournamentForm(tournament=tournament), tournament=tournament)
    form = TournamentForm(request.POST, tournament=tournament)
    if not form.is_valid():
        return _show(request, form, tournament=tournament, status=400)
    try:
        changed = making.edit(
            tournament_id=tournament.pk,
            actor=request.user,
            changes=form.changes(),
            seen=request.POST.get("seen", "")[:64],
            reason=request.POST.get("reason", "")[:300],
            now=timezone.now(),
        )
    except Refused as refusal:
        tournament.refresh_from_db()
        form.add_error(None, str(refusal))
        return _show(request, form, tournament=tournament, status=400)
    messages.success(request, _("Saved.") if changed else _("Nothing was different."))
    return redirect(tournament)


@require_safe
@never_cache
@login_required
def preview(request: HttpRequest) -> HttpResponse:
    """What the form says so far, in words: the part of the page that changes while it is filled in."""
    slug = request.GET.get("of", "")
    tournament = organised(request, slug) if slug else None
    form = TournamentForm(request.GET, tournament=tournament)
    return render(request, "tournaments/wizard_preview.html", _preview(form, tournament))


def _preview(form: TournamentForm, tournament: Tournament | None) -> dict[str, Any]:
    if not form.is_bound:
        form = TournamentForm(form.as_data(), tournament=tournament)
    form.is_valid()
    fields = form.so_far()
    if fields is None:
        return {"sentences": [], "warnings": []}
    pairs = _pairs(tournament, fields["capacity"])
    return {"sentences": outline(fields), "warnings": warnings(fields, pairs, timezone.now())}


def _pairs(tournament: Tournament | None, capacity: int) -> int:
    """How many will play, as far as it is known."""
    if tournament is None or tournament.state not in (State.READY, State.RUNNING):
        return capacity
    return min(capacity, counting(tournament).count())


def _show(
    request: HttpRequest,
    form: TournamentForm,
    *,
    tournament: Tournament | None = None,
    like: Tournament | None = None,
    chosen: str | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "tournament": tournament,
        "like": like,
        "officials": like.officials.select_related("user") if like else (),
        "presets": () if tournament or like else PRESETS,
        "chosen": chosen or request.GET.get("preset", ""),
        "seen": making.fingerprint(tournament) if tournament else "",
        **_preview(form, tournament),
    }
    template = "tournaments/settings.html" if tournament else "tournaments/new.html"
    return render(request, template, context, status=status)
