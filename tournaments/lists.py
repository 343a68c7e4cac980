"""Entrants from a file, shown before anything is written; and the places that its names wait in."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import segno
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.names import search_key
from tournaments.deadlines import NOT_STARTED
from tournaments.models import Member, State, Tournament
from tournaments.roll import LONGEST
from tournaments.rosters import FAULTS, HEADS, Roster, read_roster
from tournaments.services import claims, importing
from tournaments.services.matching import Comparison
from tournaments.services.refusals import Refused
from tournaments.setting_up import organised
from tournaments.sheets import LARGEST_FILE, UnreadableSheet, read_rows
from tournaments.views import in_its_zone

SALT = "tournaments.lists"
# A preview that was left open for longer is made anew.
KEPT_SECONDS = 24 * 3600
SLIPS_A_PAGE = 48
TAKEN_A_PAGE = 50
Rows = list[tuple[int, list[str]]]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def import_list(request: HttpRequest, slug: str) -> HttpResponse:
    """A file is sent; what it would do is shown, with its rows; confirmed, it is done."""
    assert isinstance(request.user, User)
    tournament = organised(request, slug, "entries")
    if request.method != "POST" or tournament.state not in NOT_STARTED:
        return _show(request, tournament)
    try:
        rows = _kept(request, tournament) if "rows" in request.POST else _sent(request)
        roster = read_roster(rows)
    except UnreadableSheet as unreadable:
        return _show(request, tournament, error=str(FAULTS[unreadable.code]), status=400)
    if "rows" in request.POST:
        return _confirm(request, tournament, request.user, rows, roster)
    return _show(request, tournament, rows=rows, found=Comparison(tournament, roster), unread=roster.unread)


def _sent(request: HttpRequest) -> Rows:
    sent = request.FILES.get("file")
    if sent is None:
        raise UnreadableSheet("empty")
    if (sent.size or 0) > LARGEST_FILE:
        raise UnreadableSheet("too-large")
    return read_rows(sent.read())


def _kept(request: HttpRequest, tournament: Tournament) -> Rows:
    """The rows that the page was given to bring back: nobody else's, and as they were shown."""
    try:
        text = request.POST["rows"]
        rows = signing.loads(text, salt=f"{SALT}.{tournament.pk}", max_age=KEPT_SECONDS)
    except signing.BadSignature as error:
        raise UnreadableSheet("damaged") from error
    return [(number, cells) for number, cells in rows]


def _confirm(
    request: HttpRequest, tournament: Tournament, user: User, rows: Rows, roster: Roster
) -> HttpResponse:
    try:
        done = importing.import_entrants(
            tournament_id=tournament.pk,
            actor=user,
            roster=roster,
            seen=request.POST.get("seen", "")[:64],
            now=timezone.now(),
        )
    except Refused as refusal:
        tournament.refresh_from_db()
        found = Comparison(tournament, roster)
        said, unread = str(refusal), roster.unread
        return _show(request, tournament, rows=rows, found=found, unread=unread, error=said, status=400)
    messages.success(request, _summary(done))
    waits = any(proposal.waits_for for proposal in done.new + done.changed)
    return redirect("tournament_claims" if waits else "tournament_desk", tournament.slug)


def _summary(done: Comparison) -> str:
    if not done.new and not done.changed:
        return _("Everything was there already: nothing changed.")
    return _("New pairs: %(new)s. Changed: %(changed)s.") % {
        "new": len(done.new),
        "changed": len(done.changed),
    }


def _show(
    request: HttpRequest,
    tournament: Tournament,
    *,
    rows: Rows | None = None,
    found: Comparison | None = None,
    unread: Sequence[str] = (),
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    kept = signing.dumps(rows, salt=f"{SALT}.{tournament.pk}", compress=True) if rows else ""
    context = {
        "tournament": tournament,
        "found": found,
        "rows": kept,
        "unread": unread,
        "error": error,
        "is_open": tournament.state in NOT_STARTED,
        "heads": [(names[0], names[1]) for column, names in HEADS.items() if column != "id"],
        "over": _over(tournament, found),
    }
    return render(request, "tournaments/import.html", context, status=status)


def _over(tournament: Tournament, found: Comparison | None) -> int:
    """How many pairs more than there are places for."""
    if found is None:
        return 0
    return max(0, len(found.living) + len(found.new) - tournament.capacity)


@require_safe
@never_cache
@login_required
def places(request: HttpRequest, slug: str) -> HttpResponse:
    """The links of all places that wait to be claimed, to be sent or printed."""
    tournament = organised(request, slug, "entries")
    members, words = claims.claimable(tournament), request.GET.get("q", "").strip()[:LONGEST]
    if words:
        members = members.filter(pk__in=_named(members, words))
    # A code takes some milliseconds to draw.
    sheet = Paginator(members.filter(user=None), SLIPS_A_PAGE).get_page(request.GET.get("page"))
    taken = Paginator(members.filter(user__isnull=False), TAKEN_A_PAGE).get_page(request.GET.get("taken"))
    context = {
        "tournament": tournament,
        "free": [_place(request, tournament, member) for member in sheet],
        "sheet": sheet,
        "taken": taken,
        "words": words,
        "query": urlencode({"q": words} if words else {}),
        "is_open": tournament.state in NOT_STARTED,
    }
    return render(request, "tournaments/claims.html", context)


def _named(members: QuerySet[Member], words: str) -> list[int]:
    """Keys of those whose name, as it was written or the player's, or whose team's name the words are part of."""
    key = search_key(words)
    rows = members.values_list("pk", "name", "user__username", "entry__name")
    return [pk for pk, *names in rows if key and any(key in search_key(name or "") for name in names)]


def _place(request: HttpRequest, tournament: Tournament, member: Member) -> dict[str, Any]:
    link = request.build_absolute_uri(reverse("tournament_claim", args=[tournament.slug, member.claim]))
    drawn = segno.make(link, error="l").svg_inline(border=2, light="#fff", omitsize=True)
    # Drawn by the library from the link alone: rectangles, no text.
    return {"member": member, "link": link, "qr": mark_safe(drawn)}


@require_http_methods(["POST"])
@login_required
def renew(request: HttpRequest, slug: str) -> HttpResponse:
    """A new link in the place of an old one."""
    assert isinstance(request.user, User)
    tournament = organised(request, slug, "entries")
    number, place = (request.POST.get(name, "") for name in ("entry", "place"))
    if not (number.isdecimal() and len(number) < 8 and place in ("0", "1", "2")):
        raise Http404
    try:
        claims.renew(
            tournament_id=tournament.pk,
            entry_number=int(number),
            place=int(place),
            actor=request.user,
            now=timezone.now(),
        )
    except Member.DoesNotExist as unknown:
        raise Http404 from unknown
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("There is a new link. The old one leads nowhere."))
    return redirect("tournament_claims", tournament.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def claim(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The page of a place's link: whoever has it takes the place. The link is the right to see it."""
    tournament = in_its_zone(get_object_or_404(Tournament.objects.exclude(state=State.DRAFT), slug=slug))
    try:
        member = claims.place_of(tournament, token)
    except Member.DoesNotExist as unknown:
        raise Http404 from unknown
    if request.method != "POST" or not isinstance(request.user, User):
        return _show_claim(request, tournament, member)
    try:
        entry = claims.claim(tournament_id=tournament.pk, token=token, user=request.user, now=timezone.now())
    except Refused as refusal:
        member.refresh_from_db()
        return _show_claim(request, tournament, member, error=str(refusal), status=400)
    said = (
        _("The place is yours.")
        if entry.accepted_at
        else _("The place is yours. Your partner's is still free.")
    )
    messages.success(request, said)
    return redirect(tournament)


def _show_claim(
    request: HttpRequest, tournament: Tournament, member: Member, *, error: str = "", status: int = 200
) -> HttpResponse:
    others = member.entry.members.exclude(pk=member.pk).select_related("user").order_by("place")
    context = {
        "tournament": tournament,
        "member": member,
        "others": [other for other in others if other.plays],
        "is_mine": request.user.is_authenticated and member.user_id == request.user.pk,
        "is_open": tournament.state in NOT_STARTED and member.entry.withdrawn_at is None,
        "error": error,
    }
    return render(request, "tournaments/claim.html", context, status=status)
