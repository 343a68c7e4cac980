"""What an official tells everybody who takes part."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from accounts.notices import notify
from tournaments.live import ring_after_commit
from tournaments.models import Announcement, Tournament
from tournaments.services.actions import check
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused

LONGEST = 1000


@transaction.atomic(durable=True)
def announce(
    *, tournament_id: int, actor: User, text: str, by_mail: bool = False, now: datetime
) -> Announcement:
    """The announcement, on the tournament's page and told to everybody in it; by e-mail too where asked for.

    Said again word for word within the same minute, it is the same announcement.
    Raises: Refused `not-organiser`, `not-your-role`, `nothing-said`, `too-long`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "announce")
    # The database keeps no NUL.
    said = text.replace("\0", "").strip()
    if not said:
        raise Refused("nothing-said")
    if len(said) > LONGEST:
        raise Refused("too-long")
    last = tournament.announcements.order_by("-pk").first()
    if last is not None and last.text == said and (now - last.at).total_seconds() < 60:
        return last
    check(actor, tournament, "announce", now=now)
    made = tournament.announcements.create(text=said, by=actor, at=now)
    record_act(tournament, "announce", actor=actor, now=now, after=said, is_public=True)
    notify(
        involved(tournament),
        f"announcement-{made.pk}",
        lambda: f"{tournament.name}: {said}",
        url=tournament.get_absolute_url(),
        by_mail=by_mail,
        now=now,
    )
    ring_after_commit(tournament)
    return made


def involved(tournament: Tournament) -> list[User]:
    """Everybody whom news of the tournament concern: who is in it, and its officials."""
    members = User.objects.filter(memberships__tournament=tournament, memberships__active=True)
    officials = User.objects.filter(offices__tournament=tournament)
    owner = User.objects.filter(pk=tournament.organiser_id)
    return list((members | officials | owner).distinct().order_by("pk"))
