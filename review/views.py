"""The pages of reviewers: the desk, a case, a table, a player, hints, the log."""

from typing import Any
from urllib.parse import urlencode

from django.db import OperationalError
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from review import pages
from review.doors import ReviewRequest, reviewer
from review.forms import (
    AppealForm,
    CloseForm,
    HintForm,
    NoteForm,
    ObjectionForm,
    ReasonForm,
    SanctionForm,
    VoidForm,
)
from review.hints import hint_of, hints
from review.models import ActKind, CaseKind
from review.services.gathering import gather

CLOSE_FORMS: dict[CaseKind, type[Form]] = {
    CaseKind.REPORT: CloseForm,
    CaseKind.HINT: HintForm,
    CaseKind.APPEAL: AppealForm,
    CaseKind.OBJECTION: ObjectionForm,
}
CLOSE_ACTS = {CaseKind.APPEAL: "answer-appeal", CaseKind.OBJECTION: "answer-objection"}


@require_safe
@reviewer("desk")
def desk(request: ReviewRequest) -> HttpResponse:
    now = timezone.now()
    gather(now=now)
    shown = pages.desk(request.GET, request.user, now)
    return _page(request, "desk", {"desk": shown, "kinds": CaseKind.choices})


@require_safe
@reviewer("desk")
def case(request: ReviewRequest, number: int) -> HttpResponse:
    return case_answered(request, number)


def case_answered(request: ReviewRequest, number: int, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The page of a case, with the forms as they were sent where something was refused."""
    shown = pages.case_page(number, request.user)
    if shown is None:
        raise Http404
    found = shown.case
    kind = CaseKind(found.kind)
    close_act = CLOSE_ACTS.get(kind, "close")
    given: dict[str, Any] = {
        "shown": shown,
        "case": found,
        "note_form": NoteForm(),
        "close_form": CLOSE_FORMS[kind](prefix="close"),
        "may_close": close_act in request.acts,
    }
    if found.about is not None and found.kind != CaseKind.APPEAL:
        given["sanction_form"] = SanctionForm(acts=request.acts, prefix="sanction")
    if found.kind == CaseKind.HINT and found.about and found.other and "hints" in request.acts:
        given["hint"] = hint_of(found.about, found.other, now=timezone.now())
    return _page(request, "case", given | forms, status=status)


@require_safe
@reviewer("match")
def table(request: ReviewRequest, code: str) -> HttpResponse:
    return table_answered(request, code)


def table_answered(request: ReviewRequest, code: str, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The page of a table, with the forms as they were sent where something was refused."""
    shown = pages.table_page(code, request.user, deal=request.GET.get("deal", ""))
    if shown is None:
        raise Http404
    if shown.table.code != code:
        return redirect("review_table", shown.table.code)
    given = {
        "shown": shown,
        "table": shown.table,
        "seat": 0,
        "replay": shown.replay,
        "void_form": VoidForm(prefix="void"),
        "restore_form": ReasonForm(prefix="restore"),
        "sees_marks": "marks" in request.acts,
    }
    return _page(request, "table", given | forms, status=status)


@require_safe
@reviewer("person")
def person(request: ReviewRequest, name: str) -> HttpResponse:
    return person_answered(request, name)


def person_answered(request: ReviewRequest, name: str, *, status: int = 200, **forms: Any) -> HttpResponse:
    """The page of a player, with the forms as they were sent where something was refused."""
    shown = pages.person_page(name)
    if shown is None:
        raise Http404
    if shown.person.username != name:
        return redirect("review_person", shown.person.username)
    given = {
        "shown": shown,
        "person": shown.person,
        "now": timezone.now(),
        "sanction_form": SanctionForm(acts=request.acts, prefix="sanction"),
        "lift_form": ReasonForm(prefix="lift"),
    }
    return _page(request, "person", given | forms, status=status)


@require_safe
@reviewer("hints")
def hint_list(request: ReviewRequest) -> HttpResponse:
    try:
        found, is_late = hints(now=timezone.now()), False
    except OperationalError:
        found, is_late = [], True
    return _page(request, "hints", {"hints": found, "is_late": is_late})


@require_safe
@reviewer("log")
def log(request: ReviewRequest) -> HttpResponse:
    asked = {name: request.GET.get(name, "")[:64] for name in ("by", "about", "table", "kind")}
    address = urlencode({name: value for name, value in asked.items() if value})
    given = {"page": pages.log_page(request.GET), "asked": asked, "asked_address": address}
    return _page(request, "log", given | {"kinds": ActKind.choices})


def _page(request: ReviewRequest, name: str, given: dict[str, Any], *, status: int = 200) -> HttpResponse:
    return render(request, f"review/{name}.html", {"may": request.acts, "at": name, **given}, status=status)
