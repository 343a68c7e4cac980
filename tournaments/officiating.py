"""What officials and players say to each other: roles by link, objections and their answers, the log of acts."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

import segno
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from accounts.digits import fold_digits
from accounts.models import User
from accounts.queries import find_player
from tournaments.models import Objection, Official, Role, RoleInvite, Tournament
from tournaments.registers import Acts, Objections
from tournaments.services import objections, officials
from tournaments.services.neutral import Neutrality, sides_of_objection
from tournaments.services.permissions import may, role_of
from tournaments.services.refusals import Refused
from tournaments.views import find

Act = Callable[[HttpRequest, Tournament, User], None]
ACTS_A_PAGE = 50


def _signed_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The view, for who is logged in, of a tournament that is there for them."""

    @never_cache
    @login_required
    @wraps(view)
    def seen(request: HttpRequest, slug: str, **more: Any) -> HttpResponse:
        assert isinstance(request.user, User)
        return view(request, find(request, slug), request.user, **more)

    return seen


def _done(request: HttpRequest, acts: dict[str, Act], tournament: Tournament, user: User) -> Refused | None:
    """Does what the pressed button names; why not, where it was refused."""
    act = acts.get(request.POST.get("act", ""))
    if act is None:
        return Refused("malformed")
    try:
        act(request, tournament, user)
    except Refused as refusal:
        return refusal
    except (Objection.DoesNotExist, Official.DoesNotExist, RoleInvite.DoesNotExist) as unknown:
        raise Http404 from unknown
    return None


def _number(request: HttpRequest, name: str) -> int | None:
    # The button that was pressed may have the name of a field.
    typed = [*request.POST.getlist(name), *request.GET.getlist(name)]
    read = [fold_digits(text).strip() for text in typed]
    return next((int(text) for text in read if text.isdecimal() and len(text) < 9), None)


# Officials


@_signed_in
def officials_page(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    if role_of(tournament, user) is None:
        raise Http404
    error = _done(request, OFFICIAL_ACTS, tournament, user) if request.method == "POST" else None
    if request.method == "POST" and error is None:
        there = role_of(tournament, user) is not None
        return redirect("tournament_officials" if there else "tournament", tournament.slug)
    is_owner = may(tournament, user, "officials")
    now = timezone.now()
    links = [_link(request, one) for one in officials.open_invites(tournament, now)] if is_owner else []
    context = {
        "tournament": tournament,
        "is_owner": is_owner,
        "officials": tournament.officials.select_related("user"),
        "links": links,
        "roles": [(role, role.label, ROLES[role]) for role in Role],
        "error": error,
    }
    return render(request, "tournaments/officials.html", context, status=400 if error else 200)


ROLES = {
    Role.ORGANISER: gettext_lazy("runs it with the owner: everything but the officials themselves"),
    Role.REFEREE: gettext_lazy("answers objections, rules, corrects"),
    Role.SCOREKEEPER: gettext_lazy("enters and confirms results, checks pairs in"),
    Role.VIEWER: gettext_lazy("sees a private tournament"),
}


def _link(request: HttpRequest, one: RoleInvite) -> dict[str, Any]:
    """The link, and its picture to be photographed."""
    link = request.build_absolute_uri(reverse("tournament_office", args=[one.token]))
    drawn = segno.make(link, error="m").svg_inline(border=4, light="#fff", omitsize=True)
    # Drawn here, of an address made here.
    return {"invite": one, "link": link, "qr": mark_safe(drawn)}


def _person(request: HttpRequest) -> User:
    person = find_player(request.POST.get("name", ""))
    if person is None:
        raise Refused("no-official")
    return person


def _invite(request: HttpRequest, tournament: Tournament, user: User) -> None:
    days = _number(request, "days")
    officials.invite(
        tournament_id=tournament.pk,
        actor=user,
        role=request.POST.get("role", ""),
        days=7 if days is None else days,
        now=timezone.now(),
    )
    messages.success(request, _("The link is below. Whoever opens it first has the role."))


def _revoke(request: HttpRequest, tournament: Tournament, user: User) -> None:
    number = _number(request, "invite") or 0
    officials.revoke_invite(tournament_id=tournament.pk, actor=user, number=number, now=timezone.now())


def _change(request: HttpRequest, tournament: Tournament, user: User) -> None:
    person, role = _person(request), request.POST.get("role", "")
    officials.change_role(tournament_id=tournament.pk, actor=user, user=person, role=role, now=timezone.now())


def _let_go(request: HttpRequest, tournament: Tournament, user: User) -> None:
    officials.let_go(tournament_id=tournament.pk, actor=user, user=_person(request), now=timezone.now())


def _hand_over(request: HttpRequest, tournament: Tournament, user: User) -> None:
    officials.hand_over(tournament_id=tournament.pk, actor=user, user=_person(request), now=timezone.now())


OFFICIAL_ACTS: dict[str, Act] = {
    "invite": _invite,
    "revoke": _revoke,
    "change": _change,
    "let-go": _let_go,
    "hand-over": _hand_over,
}


@never_cache
@login_required
def office(request: HttpRequest, token: str) -> HttpResponse:
    """The link of a role: GET asks, POST takes it."""
    found = get_object_or_404(RoleInvite.objects.select_related("tournament", "made_by"), token=token)
    assert isinstance(request.user, User)
    error = None
    if request.method == "POST":
        try:
            officials.accept_invite(token=token, user=request.user, now=timezone.now())
        except Refused as refusal:
            error = refusal
        else:
            messages.success(request, _("You are an official of this tournament now."))
            sees_console = may(found.tournament, request.user, "console")
            name = "tournament_organise" if sees_console else "tournament"
            return redirect(name, found.tournament.slug)
    context = {
        "invite": found,
        "tournament": found.tournament,
        "about": ROLES[Role(found.role)],
        "state": officials.state_of(found, request.user, timezone.now()),
        "sees_console": may(found.tournament, request.user, "console"),
        "error": error,
    }
    return render(request, "tournaments/office.html", context, status=400 if error else 200)


# Objections


@_signed_in
def object_page(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    """A player's: which matches may still be objected to, the form, what was said of earlier ones."""
    member = tournament.members.filter(user=user, active=True).select_related("entry").first()
    if member is None:
        raise Http404
    error = _done(request, PLAYER_ACTS, tournament, user) if request.method == "POST" else None
    if request.method == "POST" and error is None:
        return redirect("tournament_object", tournament.slug)
    register = Objections(tournament)
    rows = objections.to_object(tournament, user, timezone.now())
    context = {
        "tournament": tournament,
        "matches": [(row, register.match(row)) for row in rows],
        "chosen": request.POST.get("table") or request.GET.get("table", ""),
        "deal": _number(request, "deal"),
        "act": _number(request, "act"),
        "text": request.POST.get("text", ""),
        "longest": objections.LONGEST,
        "mine": register.of(member.entry),
        "error": error,
    }
    return render(request, "tournaments/object.html", context, status=400 if error else 200)


def _object(request: HttpRequest, tournament: Tournament, user: User) -> None:
    deal = _number(request, "deal")
    objections.object_to(
        tournament_id=tournament.pk,
        user=user,
        table=request.POST.get("table", ""),
        pairing=request.POST.get("pairing", ""),
        text=request.POST.get("text", ""),
        deal=deal,
        act=_number(request, "act") if deal is not None else None,
        now=timezone.now(),
    )
    messages.success(request, _("Your objection is with the referees. Play on: it counts all the same."))


def _withdraw(request: HttpRequest, tournament: Tournament, user: User) -> None:
    number = _number(request, "objection") or 0
    objections.withdraw_objection(tournament_id=tournament.pk, user=user, number=number, now=timezone.now())


PLAYER_ACTS: dict[str, Act] = {"object": _object, "withdraw": _withdraw}


@_signed_in
def queue(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    """The referees': what waits for an answer, and what was answered."""
    if not may(tournament, user, "objections"):
        raise Http404
    error = _done(request, REFEREE_ACTS, tournament, user) if request.method == "POST" else None
    if request.method == "POST" and error is None:
        return redirect("tournament_objections", tournament.slug)
    register = Objections(tournament)
    waiting = register.open()
    neutrality = Neutrality(tournament, user)
    context = {
        "tournament": tournament,
        "waiting": waiting,
        "barred": [
            asked.objection.pk
            for asked in waiting
            if not neutrality.allows("objections", sides_of_objection(asked.objection))
        ],
        "answered": register.answered(),
        "longest": objections.LONGEST,
        "words": request.POST.get("words", ""),
        "ruled": _number(request, "objection"),
        "error": error,
    }
    return render(request, "tournaments/objections.html", context, status=400 if error else 200)


def _take(request: HttpRequest, tournament: Tournament, user: User) -> None:
    number = _number(request, "objection") or 0
    leave = request.POST["act"] == "leave"
    objections.take(tournament_id=tournament.pk, actor=user, number=number, leave=leave, now=timezone.now())


def _dismiss(request: HttpRequest, tournament: Tournament, user: User) -> None:
    number, words = _number(request, "objection") or 0, request.POST.get("words", "")
    objections.dismiss(
        tournament_id=tournament.pk, actor=user, number=number, words=words, now=timezone.now()
    )
    messages.success(request, _("Dismissed. Both sides are told."))


def _uphold(request: HttpRequest, tournament: Tournament, user: User) -> None:
    number, words = _number(request, "objection") or 0, request.POST.get("words", "")
    objections.uphold(tournament_id=tournament.pk, actor=user, number=number, words=words, now=timezone.now())
    messages.success(request, _("Upheld. Both sides are told."))


REFEREE_ACTS: dict[str, Act] = {"take": _take, "leave": _take, "dismiss": _dismiss, "uphold": _uphold}


# The log


@_signed_in
def acts_page(request: HttpRequest, tournament: Tournament, user: User) -> HttpResponse:
    if not may(tournament, user, "console"):
        raise Http404
    register = Acts(tournament)
    asked = {key: request.GET.get(key, "")[:80] for key in ("who", "kind", "subject")}
    page = Paginator(register.found(**asked), ACTS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "page": page,
        "lines": register.lines(page.object_list),
        "kinds": [(kind, register.kind(kind)) for kind in register.kinds()],
        "actors": register.actors(),
        "asked": asked,
        "query": urlencode({key: value for key, value in asked.items() if value}),
    }
    return render(request, "tournaments/acts.html", context)
