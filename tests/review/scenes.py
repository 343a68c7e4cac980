"""Reviewers and what they look at, made with as little said as a test needs."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import Group

from accounts.models import User
from games.models import Connection, Report, ReportReason, Table
from review.models import Case
from review.services.gathering import gather
from tests.factories import NOON, make_user, make_users
from tests.games.matches import make_match

HOUR = timedelta(hours=1)


def reviewer(role: str, **more: Any) -> User:
    """Somebody of a role: moderator, referee, support, or superuser."""
    if role == "superuser":
        return make_user(is_staff=True, is_superuser=True, **more)
    user = make_user(is_staff=True, **more)
    user.groups.add(Group.objects.get(name=role))
    return user


def reported(
    table: Table | None = None, *, about: User | None = None, by: User | None = None, **more: Any
) -> Report:
    """A report about the first at a finished match, by the second."""
    table = table or make_match(make_users(4))
    seats = [seat.user for seat in table.seats.select_related("user").order_by("number")]
    facts: dict[str, Any] = {"reason": ReportReason.WORDS, "text": "He swore.", "version": 3, "at": NOON}
    return Report.objects.create(table=table, about=about or seats[0], by=by or seats[1], **(facts | more))


def case_of(report: Report) -> Case:
    """The case that the report belongs to."""
    gather(now=NOON)
    return report.filing.case


def connected(table: Table, user: User, kind: str, at: datetime, **marks: str) -> None:
    """A row of who came and went, with the marks of `games.marks.Mark`."""
    Connection.objects.create(table=table, user=user, kind=kind, at=at, **marks)
