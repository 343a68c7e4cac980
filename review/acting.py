"""What reviewers do by a button: one call of a service each, and back to the page, or the page with the refusal."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import Sanction, User
from accounts.queries import find_player
from accounts.sanctions import NotDone
from games.models import Table
from games.pages import table_at
from games.services.refusals import Refused
from review import views
from review.doors import ReviewRequest, reviewer
from review.forms import (
    AnnulForm,
    AppealForm,
    CloseForm,
    HintForm,
    NoteForm,
    ObjectionForm,
    ReasonForm,
    SanctionForm,
    VoidForm,
)
from review.models import Case, CaseKind
from review.services import annulling, cases, hinting, objecting, sanctioning, voiding
from tournaments.decisions import Consequences
from tournaments.queries import pair_name

REFUSALS = (Refused, NotDone)


def _went_through(form: Form, do: Callable[[dict[str, Any]], object]) -> bool:
    """Whether what the form asks for was done; where not, the form says why."""
    if form.is_valid():
        try:
            do(form.cleaned_data)
        except REFUSALS as refused:
            form.add_error(None, str(refused))
    return form.is_valid()


# A case.


@require_POST
@reviewer("claim")
def claim(request: ReviewRequest, number: int) -> HttpResponse:
    gives_back = request.POST.get("give") == "1"
    get_object_or_404(Case, pk=number)
    try:
        (cases.release if gives_back else cases.claim)(number=number, actor=request.user, now=timezone.now())
    except REFUSALS as refused:
        messages.error(request, str(refused))
    return redirect("review_case", number)


@require_POST
@reviewer("note")
def note(request: ReviewRequest, number: int) -> HttpResponse:
    get_object_or_404(Case, pk=number)
    form = NoteForm(request.POST)
    if not _went_through(
        form,
        lambda data: cases.add_note(number=number, actor=request.user, text=data["text"], now=timezone.now()),
    ):
        return views.case_answered(request, number, status=400, note_form=form)
    return redirect("review_case", number)


@require_POST
@reviewer("close")
def close(request: ReviewRequest, number: int) -> HttpResponse:
    found = get_object_or_404(Case, pk=number)
    given: dict[str, Any] = {"number": number, "actor": request.user, "now": timezone.now()}
    form, do = _closing(request, CaseKind(found.kind), given)
    if not _went_through(form, do):
        return views.case_answered(request, number, status=400, close_form=form)
    messages.success(request, _("The case is closed."))
    return redirect("review_desk")


def _closing(
    request: ReviewRequest, kind: CaseKind, given: dict[str, Any]
) -> tuple[Form, Callable[[dict[str, Any]], object]]:
    """The form that closes a case of this kind, and what it does."""
    if kind == CaseKind.APPEAL:
        return AppealForm(request.POST, prefix="close"), lambda data: sanctioning.answer_appeal(
            **given, answer=data["answer"], grant=data["grant"] == "1", key=data["key"]
        )
    if kind == CaseKind.OBJECTION:
        return ObjectionForm(request.POST, prefix="close"), lambda data: objecting.answer(
            **given, words=data["words"], upheld=data["upheld"] == "1", key=data["key"]
        )
    if kind == CaseKind.HINT:
        return HintForm(request.POST, prefix="close"), lambda data: cases.close(
            **given,
            outcome=data["outcome"],
            answer_ar="",
            answer_en="",
            reason=data["reason"],
            key=data["key"],
        )
    return CloseForm(request.POST, prefix="close"), lambda data: cases.close(
        **given,
        outcome=data["outcome"],
        answer_ar=data["words_ar"],
        answer_en=data["words_en"],
        key=data["key"],
    )


# A player.


@require_POST
@reviewer("warn")
def sanction(request: ReviewRequest, name: str) -> HttpResponse:
    person = _person(name)
    number = request.POST.get("case", "")
    found = Case.objects.filter(pk=number).first() if number.isdecimal() and len(number) < 10 else None
    form = SanctionForm(request.POST, acts=request.acts, prefix="sanction")

    def impose(data: dict[str, Any]) -> object:
        return sanctioning.impose(
            actor=request.user,
            user=person,
            wish=form.wish(),
            case=found,
            table=found.table if found else None,
            note=data["note"],
            key=data["key"],
            now=timezone.now(),
        )

    if not _went_through(form, impose):
        if found is not None:
            return views.case_answered(request, found.pk, status=400, sanction_form=form)
        return views.person_answered(request, person.username, status=400, sanction_form=form)
    messages.success(request, _("It is in force, and the player is told."))
    return redirect(found) if found else redirect("review_person", person.username)


@require_POST
@reviewer("lift")
def lift(request: ReviewRequest, number: int) -> HttpResponse:
    found = get_object_or_404(Sanction.objects.select_related("user"), pk=number)
    form = ReasonForm(request.POST, prefix="lift")
    if not _went_through(
        form,
        lambda data: sanctioning.lift(
            actor=request.user,
            sanction_id=number,
            reason=data["reason"],
            key=data["key"],
            now=timezone.now(),
        ),
    ):
        return views.person_answered(request, found.user.username, status=400, lift_form=form, lifting=number)
    messages.success(request, _("The sanction is lifted, and the player is told."))
    return redirect("review_person", found.user.username)


@require_POST
@reviewer("open-hint")
def open_hint(request: ReviewRequest) -> HttpResponse:
    one, other = (_person(request.POST.get(name, "")) for name in ("one", "other"))
    try:
        found = hinting.open_hint(actor=request.user, one=one, other=other, now=timezone.now())
    except REFUSALS as refused:
        messages.error(request, str(refused))
        return redirect("review_hints")
    return redirect(found)


def _person(name: str) -> User:
    found = find_player(name)
    if found is None:
        raise Http404
    return found


# A match.


@require_POST
@reviewer("void")
def void(request: ReviewRequest, code: str) -> HttpResponse:
    form = VoidForm(request.POST, prefix="void")
    table = _table(code)
    if not _went_through(
        form,
        lambda data: voiding.void_match(
            actor=request.user,
            table_code=table.code,
            reason_ar=data["words_ar"],
            reason_en=data["words_en"],
            key=data["key"],
            now=timezone.now(),
        ),
    ):
        return views.table_answered(request, table.code, status=400, void_form=form)
    messages.success(request, _("The match is void; its players are told."))
    return redirect("review_table", table.code)


@require_POST
@reviewer("restore")
def restore(request: ReviewRequest, code: str) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="restore")
    table = _table(code)
    if not _went_through(
        form,
        lambda data: voiding.restore_match(
            actor=request.user,
            table_code=table.code,
            reason=data["reason"],
            key=data["key"],
            now=timezone.now(),
        ),
    ):
        return views.table_answered(request, table.code, status=400, restore_form=form)
    messages.success(request, _("The match counts again; its players are told."))
    return redirect("review_table", table.code)


@require_http_methods(["GET", "HEAD", "POST"])
@reviewer("annul")
def annul(request: ReviewRequest, code: str) -> HttpResponse:
    """What would change is shown first; who decides sends its token back."""
    table = _table(code)
    try:
        match = annulling.match_of(table)
    except REFUSALS as refused:
        messages.error(request, str(refused))
        return redirect("review_table", table.code)
    entries = {
        entry.ident: pair_name(entry) for entry in match.tournament.entries.prefetch_related("members__user")
    }
    sides = [entries.get(side, side) for side in match.row.sides]
    sent = request.POST.copy() if request.method == "POST" else None
    form = AnnulForm(sent, sides=sides)
    if "decide" in request.POST and _went_through(form, lambda data: _annul(request, table, data)):
        messages.success(request, _("Decided. It stands in the tournament's log."))
        return redirect("review_table", table.code)
    shown = _look(form, sent, table)
    given = {
        "table": table,
        "form": form,
        "shown": shown,
        "tournament": match.tournament,
        "may": request.acts,
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "review/annul.html", given, status=status)


def _annul(request: ReviewRequest, table: Table, data: dict[str, Any]) -> object:
    return annulling.annul(
        actor=request.user,
        table=table,
        choice=data["choice"],
        reason=data["reason"],
        token=data["token"],
        key=data["key"],
        now=timezone.now(),
    )


def _look(form: AnnulForm, sent: QueryDict | None, table: Table) -> Consequences | None:
    """What the choice would change, if one was made; the token of that goes into the form."""
    if sent is None or sent.get("choice") not in annulling.CHOICES:
        return None
    try:
        preview = annulling.look(table=table, choice=str(sent["choice"]), token=sent.get("token", ""))
        found = Consequences(annulling.match_of(table).tournament, preview)
    except REFUSALS as refused:
        form.add_error(None, str(refused))
        return None
    sent["token"] = preview.token
    return found


def _table(code: str) -> Table:
    found = table_at(code)
    if found is None:
        raise Http404
    return found
