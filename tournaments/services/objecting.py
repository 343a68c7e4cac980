"""What is noted of objections, and what referees and players are told of them."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import NoticeKind, User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.course import course_of
from tournaments.models import Objection, ObjectionState, Tournament
from tournaments.queries import playing
from tournaments.services.log import record_act
from tournaments.services.telling import tell_officials


def tell_referees(tournament: Tournament, made: Objection, now: datetime) -> None:
    """Inside an open transaction: an objection waits for whoever may answer it."""
    names = course_of(tournament).names

    def say() -> str:
        said = {"tournament": isolate(tournament.name), "pairing": names.pairing(made.pairing)}
        return _("%(tournament)s: an objection waits for a referee (%(pairing)s).") % said

    url = f"{tournament.get_absolute_url()}objections/"
    tell_officials(tournament, "objections", f"objection-{made.pk}", say, now, url=url)


def tell_sides(tournament: Tournament, found: Objection, now: datetime) -> None:
    """Inside an open transaction: both sides hear how their objection was answered, and why."""
    sides = found.table.sides if found.table else [found.entry.ident]
    users = [user for pair in playing(tournament, sides).values() for user in pair]
    said = {"tournament": isolate(tournament.name), "words": isolate(found.ruling)}
    upheld = found.state == ObjectionState.UPHELD

    def say() -> str:
        if upheld:
            return _("%(tournament)s: the objection to your match was upheld. %(words)s") % said
        return _("%(tournament)s: the objection to your match was dismissed. %(words)s") % said

    url = tournament.get_absolute_url()
    notify(users, f"objection-{found.pk}-ruled", say, url=url, kind=NoticeKind.REVIEWS, now=now)


def give(
    tournament: Tournament,
    found: Objection,
    referee: User | None,
    actor: User,
    now: datetime,
    *,
    is_own: bool = False,
) -> None:
    """Inside an open transaction: the objection is this referee's to answer from now on, or anybody's."""
    before = found.taken_by.username if found.taken_by else None
    found.taken_by = referee
    found.save(update_fields=["taken_by"])
    record_act(
        tournament,
        "take-objection",
        actor=actor,
        now=now,
        subject=found.pairing,
        before=before,
        after=referee.username if referee else None,
        is_own=is_own,
    )


def note_answer(tournament: Tournament, found: Objection, now: datetime, *, is_own: bool) -> None:
    """Inside an open transaction: that it was answered stands in the log, and both sides are told."""
    record_act(
        tournament,
        f"objection-{ObjectionState(found.state).value}",
        actor=found.ruled_by,
        now=now,
        subject=found.pairing,
        before=found.text,
        after=str(ObjectionState(found.state).value),
        reason=found.ruling[:300],
        is_public=True,
        is_own=is_own,
    )
    tell_sides(tournament, found, now)
