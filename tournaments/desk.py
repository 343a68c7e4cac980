"""The officials' desk before the start: registration by hand, pairs and their check-in, guests, seeds."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.text import isolate
from tournaments.desk_page import Desk, SeedsPage
from tournaments.entry_forms import AddForm, GuestsForm, RatingForm, SeedsForm
from tournaments.models import Access, Entry, Tournament
from tournaments.queries import pair_name, with_members
from tournaments.roll import wanted_of
from tournaments.services import (
    adding,
    check_in,
    guestlist,
    registration,
    seeding,
    teams,
)
from tournaments.services import entry as entries
from tournaments.services.permissions import may
from tournaments.services.refusals import Refused
from tournaments.views import entry_number, in_its_zone

Act = Callable[[HttpRequest, Tournament, User], None]
Shown = Callable[..., HttpResponse]


def show_desk(
    request: HttpRequest, tournament: Tournament, *, error: Any = None, status: int = 200, **forms: Form
) -> HttpResponse:
    assert isinstance(request.user, User)
    wanted = wanted_of(request.GET)
    context = {
        "tournament": tournament,
        "desk": Desk(tournament, request.user, timezone.now(), wanted),
        "query": urlencode(
            {key: value for key, value in (("q", wanted.words), ("show", wanted.show)) if value}
        ),
        "error": error,
        "link": _link_with_code(request, tournament),
        "add_form": AddForm(),
        "guests_form": GuestsForm(),
    }
    return render(request, "tournaments/desk.html", context | forms, status=status)


def _link_with_code(request: HttpRequest, tournament: Tournament) -> str:
    """Where one enters by code: the address that gives it."""
    if tournament.access != Access.CODE:
        return ""
    query = urlencode({"code": tournament.entry_code})
    return request.build_absolute_uri(f"{tournament.get_absolute_url()}?{query}")


def show_seeds(
    request: HttpRequest, tournament: Tournament, *, error: Any = None, status: int = 200
) -> HttpResponse:
    assert isinstance(request.user, User)
    context = {
        "tournament": tournament,
        "page": SeedsPage(
            tournament, request.user, request.GET.get("page", "")[:6], request.GET.get("meet", "")[:6]
        ),
        "error": error,
    }
    return render(request, "tournaments/seeding.html", context, status=status)


class InvalidForm(Exception):
    """What was typed has to be put right; `name` says which form of the page it is."""

    def __init__(self, name: str, form: Form) -> None:
        super().__init__(name)
        self.name, self.form = name, form


def page(acts: dict[str, Act], shown: Shown, view_as: str, address: str) -> Callable[..., HttpResponse]:
    """A page of officials that takes one act a POST, named by its `act`; to everybody else it is not there."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    @login_required
    @wraps(shown)
    def view(request: HttpRequest, slug: str) -> HttpResponse:
        assert isinstance(request.user, User)
        tournament = in_its_zone(get_object_or_404(Tournament.objects.select_related("organiser"), slug=slug))
        if not may(tournament, request.user, view_as):
            raise Http404
        if request.method != "POST":
            return shown(request, tournament)
        try:
            _named(acts, request)(request, tournament, request.user)
        except Entry.DoesNotExist as unknown:
            raise Http404 from unknown
        except InvalidForm as invalid:
            return shown(request, tournament, status=400, **{invalid.name: invalid.form})
        except Refused as refusal:
            tournament.refresh_from_db()
            return shown(request, tournament, status=400, error=refusal)
        return redirect(_back(request, reverse(address, args=[tournament.slug])))

    return view


def _back(request: HttpRequest, address: str) -> str:
    """The page as it was, at the pair that the act was about."""
    query, entry = request.GET.urlencode(), request.POST.get("entry", "")
    at = f"#pair-{entry}" if entry.isascii() and entry.isdecimal() else ""
    return f"{address}{'?' if query else ''}{query}{at}"


def _named(acts: dict[str, Act], request: HttpRequest) -> Act:
    act = acts.get(request.POST.get("act", ""))
    if act is None:
        raise Refused("malformed")
    return act


def _lifecycle(door: Callable[..., Any], said: str | Promise) -> Act:
    def act(request: HttpRequest, tournament: Tournament, user: User) -> None:
        door(tournament_id=tournament.pk, actor=user, now=timezone.now())
        messages.success(request, str(said))

    return act


def _of_entry(door: Callable[..., Any], said: str | Promise) -> Act:
    def act(request: HttpRequest, tournament: Tournament, user: User) -> None:
        number = entry_number(request, tournament, user)
        named = isolate(pair_name(with_members(tournament.entries.filter(number=number)).get()))
        door(tournament_id=tournament.pk, entry_number=number, actor=user, now=timezone.now())
        messages.success(request, str(said) % {"pair": named})

    return act


def _add(request: HttpRequest, tournament: Tournament, user: User) -> None:
    form = AddForm(request.POST)
    if not form.is_valid():
        raise InvalidForm("add_form", form)
    given = dict(form.cleaned_data)
    players = [given.pop("first"), given.pop("second")]
    adding.add(tournament_id=tournament.pk, actor=user, players=players, now=timezone.now(), **given)
    messages.success(request, _("The pair is entered."))


def _rate(request: HttpRequest, tournament: Tournament, user: User) -> None:
    form = RatingForm(request.POST)
    if not form.is_valid():
        raise Refused("malformed")
    teams.rate(
        tournament_id=tournament.pk,
        entry_number=entry_number(request, tournament, user),
        actor=user,
        rating=form.cleaned_data["rating"],
        now=timezone.now(),
    )


def _substitute(request: HttpRequest, tournament: Tournament, user: User) -> None:
    rests = request.POST.get("rests", "")
    if rests not in ("0", "1", "2"):
        raise Refused("malformed")
    teams.substitute(
        tournament_id=tournament.pk,
        entry_number=entry_number(request, tournament, user),
        user=user,
        rests=int(rests),
        now=timezone.now(),
    )


def _invite(request: HttpRequest, tournament: Tournament, user: User) -> None:
    form = GuestsForm(request.POST)
    if not form.is_valid():
        raise InvalidForm("guests_form", form)
    users = form.cleaned_data["names"]
    guestlist.invite(tournament_id=tournament.pk, actor=user, users=users, now=timezone.now())


def _uninvite(request: HttpRequest, tournament: Tournament, user: User) -> None:
    text = request.POST.get("guest", "")
    guest = tournament.invited.filter(user=int(text)).first() if text.isdecimal() and len(text) < 10 else None
    if guest is not None:
        guestlist.uninvite(tournament_id=tournament.pk, actor=user, user=guest.user, now=timezone.now())


DESK_ACTS: dict[str, Act] = {
    "publish": _lifecycle(registration.publish, gettext_lazy("The tournament is announced.")),
    "open": _lifecycle(registration.open_registration, gettext_lazy("Registration is open.")),
    "close": _lifecycle(registration.close_registration, gettext_lazy("Registration is closed.")),
    "reopen": _lifecycle(registration.reopen_registration, gettext_lazy("Registration is open again.")),
    "check-in": _of_entry(check_in.check_in_for, gettext_lazy("%(pair)s is checked in.")),
    "check-out": _of_entry(check_in.check_out, gettext_lazy("%(pair)s is not checked in any more.")),
    "remove": _of_entry(entries.remove, gettext_lazy("%(pair)s was taken out.")),
    "add": _add,
    "rate": _rate,
    "substitute": _substitute,
    "invite": _invite,
    "uninvite": _uninvite,
}


def _choose(request: HttpRequest, tournament: Tournament, user: User) -> None:
    method = request.POST.get("method", "")
    seeding.choose(tournament_id=tournament.pk, actor=user, method=method, now=timezone.now())


def _place(request: HttpRequest, tournament: Tournament, user: User) -> None:
    """`move`: one entry, as "12:3" says, to the third seed; otherwise all that were typed."""
    entry, _colon, seed = request.POST.get("move", "").partition(":")
    typed = {f"seed-{entry}": seed} if seed else request.POST.dict()
    seeds = SeedsForm(typed).seeds
    seeding.place(tournament_id=tournament.pk, actor=user, seeds=seeds, now=timezone.now())


def _forbid(request: HttpRequest, tournament: Tournament, user: User) -> None:
    pair = frozenset((request.POST.get("first", ""), request.POST.get("second", "")))
    seeding.forbid(tournament_id=tournament.pk, actor=user, pairs=[pair], now=timezone.now())


def _allow(request: HttpRequest, tournament: Tournament, user: User) -> None:
    pair = frozenset(request.POST.get("pair", "").split("-"))
    seeding.allow(tournament_id=tournament.pk, actor=user, pairs=[pair], now=timezone.now())


def _clubs(request: HttpRequest, tournament: Tournament, user: User) -> None:
    pairs = seeding.preview(tournament).same_club
    seeding.forbid(tournament_id=tournament.pk, actor=user, pairs=pairs, now=timezone.now())


SEED_ACTS: dict[str, Act] = {
    "choose": _choose,
    "place": _place,
    "forbid": _forbid,
    "allow": _allow,
    "clubs": _clubs,
}

desk = page(DESK_ACTS, show_desk, "check-in", "tournament_desk")
seeds = page(SEED_ACTS, show_seeds, "seeds", "tournament_seeding")
