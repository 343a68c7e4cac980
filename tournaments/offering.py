"""What an official may do now, for programs: about the tournament, a match, a pair; each with where it is done."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from tournaments.course import Course, course_of
from tournaments.models import Tournament
from tournaments.organise import organised
from tournaments.services.actions import Action, Desk

# Where what has no item of its own is done; the others are decided at `decide/`.
DOORS = {
    "confirm": "tournament_confirm",
    "result": "tournament_score",
    "start": "tournament_start",
    "cancel": "tournament_cancel",
    "pause": "tournament_pause",
    "resume": "tournament_resume",
    "accept-plan": "tournament_accept_plan",
    "open-round": "tournament_round_open",
    "round-time": "tournament_round_time",
    "certify": "tournament_certify",
    "uncertify": "tournament_uncertify",
    "archive": "tournament_archive",
    "unarchive": "tournament_unarchive",
    "settings": "tournament_settings",
    "announce": "tournament_announce",
    "officials": "tournament_officials",
    "seeds": "tournament_seeding",
    "import": "tournament_import",
}
# What the registration desk does, by the `act` that its address wants.
AT_THE_DESK = (
    *("publish", "open", "close", "reopen", "add", "invite"),
    *("check-in", "check-out", "remove", "rate"),
)


@require_safe
@never_cache
def whole(request: HttpRequest, slug: str) -> JsonResponse:
    """About the tournament as a whole."""
    tournament, user, course = _asked(request, slug)
    desk = Desk(user, tournament, course.plan if course else None, now=timezone.now())
    told = {"tournament": tournament.slug, "state": tournament.state}
    return JsonResponse(told | {"actions": _printed(tournament, desk.on_tournament())})


@require_safe
@never_cache
def pairing(request: HttpRequest, slug: str, pairing: str) -> JsonResponse:
    """About a pairing of the plan."""
    tournament, user, course = _asked(request, slug)
    found = course.by_id.get(pairing) if course else None
    if course is None or found is None:
        raise Http404
    desk = Desk(user, tournament, course.plan, now=timezone.now(), about=pairing)
    told = {"pairing": pairing, "own": desk.neutrality.is_own(found.sides)}
    return JsonResponse(told | {"actions": _printed(tournament, desk.on_pairing(found))})


@require_safe
@never_cache
def entrant(request: HttpRequest, slug: str, ident: str) -> JsonResponse:
    """About a pair, by its id in the tournament's file."""
    tournament, user, course = _asked(request, slug)
    number = ident.removeprefix("e")
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Http404
    entry = tournament.entries.filter(number=int(number)).first()
    if entry is None:
        raise Http404
    desk = Desk(user, tournament, course.plan if course else None, now=timezone.now())
    told = {"entrant": entry.ident, "own": desk.neutrality.is_own([entry.ident])}
    return JsonResponse(told | {"actions": _printed(tournament, desk.on_entrant(entry))})


def _asked(request: HttpRequest, slug: str) -> tuple[Tournament, User, Course | None]:
    tournament = organised(request, slug)
    assert isinstance(request.user, User)
    return tournament, request.user, course_of(tournament) if tournament.started_at else None


def _printed(tournament: Tournament, actions: Iterable[Action]) -> list[dict[str, Any]]:
    return [
        {
            "kind": action.kind,
            "label": str(action.label),
            "item": action.item,
            "fields": list(action.fields),
            "options": list(action.options),
            "preview": action.has_preview,
            "address": reverse(_door(action.kind), args=[tournament.slug]),
        }
        for action in actions
    ]


def _door(kind: str) -> str:
    return "tournament_desk" if kind in AT_THE_DESK else DOORS.get(kind, "tournament_decide")
