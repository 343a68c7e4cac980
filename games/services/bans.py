"""What follows by rule from leaving matches: a warning, then bans from playing that grow. Nobody's judgement."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext, override

from accounts import sanctions
from accounts.models import Attendance, Conduct, NoticeKind, Sanction, Scope, User
from accounts.notices import notify

# By how many marks there are among the last thirty matches; the first is a warning.
BANS: Final = (
    timedelta(minutes=10),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=8),
    timedelta(hours=24),
)


def ban_after(marks: int) -> timedelta | None:
    """How long one is kept from playing after so many marks; None: one is only warned."""
    return BANS[min(marks - 2, len(BANS) - 1)] if marks >= 2 else None


def follow(row: Attendance, marks: int, *, now: datetime) -> None:
    """Inside an open transaction: what follows from a new mark, once for each match."""
    user = User.objects.get(pk=row.user_id)
    lasts = ban_after(marks)
    with override("ar"):
        reason_ar = _reason(row, marks)
    with override("en"):
        reason_en = _reason(row, marks)
    sanction = sanctions.impose(
        user,
        Scope.WARNING if lasts is None else Scope.PLAY,
        until=None if lasts is None else now + lasts,
        cause=_cause(row.table_number, user.pk),
        reason_ar=reason_ar,
        reason_en=reason_en,
        now=now,
    )
    notify(
        [user],
        f"sanction-{sanction.pk}",
        lambda: _told(sanction),
        url=reverse("standing"),
        kind=NoticeKind.REVIEWS,
        now=now,
    )


def lift_for(table_ids: Collection[int], *, now: datetime) -> None:
    """Inside an open transaction: what followed from these matches is lifted."""
    of_them = Q(pk=None)
    for table_id in table_ids:
        of_them |= Q(cause__startswith=_cause(table_id, ""))
    Sanction.objects.filter(of_them, lifted_at=None).update(lifted_at=now)


def lasts(seconds: float) -> str:
    """A length of time in words, rounded up: minutes below two hours, hours above, days above two."""
    minutes = max(1, -int(-seconds // 60))
    hours, days = -(-minutes // 60), -(-minutes // 1440)
    if minutes < 120:
        return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    if hours < 48:
        return ngettext("%(count)s hour", "%(count)s hours", hours) % {"count": hours}
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}


def reason(sanction: Sanction) -> str:
    """Why, in the reader's language."""
    return sanction.reason_ar if (get_language() or "ar").startswith("ar") else sanction.reason_en


def ban_sentence(sanction: Sanction, now: datetime) -> str:
    """What somebody reads who is refused something by a ban."""
    said = {"reason": reason(sanction)}
    what = Scope(sanction.scope)
    if sanction.until is None:
        sentence = {
            Scope.PLAY: gettext("You cannot play any more: %(reason)s"),
            Scope.CHAT: gettext("You cannot write here any more: %(reason)s"),
            Scope.TOURNAMENTS: gettext("You cannot enter tournaments any more: %(reason)s"),
        }.get(what, gettext("You are banned from this site: %(reason)s"))
        return sentence % said
    said["time"] = lasts((sanction.until - now).total_seconds())
    sentence = {
        Scope.PLAY: gettext("You cannot start a match for %(time)s: %(reason)s"),
        Scope.CHAT: gettext("You cannot write here for %(time)s: %(reason)s"),
        Scope.TOURNAMENTS: gettext("You cannot enter tournaments for %(time)s: %(reason)s"),
    }.get(what, gettext("You are banned from this site for %(time)s: %(reason)s"))
    return sentence % said


def _cause(table_id: int, user_id: Any) -> str:
    return f"conduct:{table_id}:{user_id}"


def _reason(row: Attendance, marks: int) -> str:
    what = {
        Conduct.ABSENT: gettext("You did not come to the match at table %(table)s."),
        Conduct.LEFT: gettext("You left the match at table %(table)s and did not play it to its end."),
        Conduct.STALLED: gettext("At table %(table)s you let the clock play for you."),
    }[Conduct(row.conduct)] % {"table": row.table_code}
    if marks < 2:
        return f"{what} {gettext('Next time you will be kept from playing for a while.')}"
    often = ngettext(
        "That is %(count)s such match among your last thirty.",
        "Those are %(count)s such matches among your last thirty.",
        marks,
    ) % {"count": marks}
    return f"{what} {often}"


def _told(sanction: Sanction) -> str:
    return reason(sanction) if sanction.until is None else ban_sentence(sanction, sanction.at)
