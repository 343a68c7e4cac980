"""Being asked: the notices of it, and the third player of a pair, who may sit in for one of the two."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.queries import may_ask
from accounts.text import isolate
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Member, Tournament
from tournaments.services.refusals import Refused

THIRD = 2


def invite_third(tournament: Tournament, entry: Entry, user: User, third: User, now: datetime) -> Member:
    """The third player, asked to be a substitute; another one who had not answered is not asked any more.

    Raises: Refused `no-substitutes`, `partner-is-guest`, `own-partner`, `third-there`, `partner-entered`,
    `not-invitable`.
    """
    if not tournament.substitutes:
        raise Refused("no-substitutes")
    if third.is_guest:
        raise Refused("partner-is-guest")
    if entry.members.filter(user=third, place__lt=THIRD).exists():
        raise Refused("own-partner")
    if entry.members.filter(place=THIRD, active=True).exists():
        raise Refused("third-there")
    busy = tournament.entries.filter(
        members__user=third, members__active=True, accepted_at__isnull=False, withdrawn_at=None
    )
    if busy.exists():
        raise Refused("partner-entered")
    if not may_ask(user, third):
        raise Refused("not-invitable")
    entry.members.filter(place=THIRD).delete()
    member = entry.members.create(tournament=tournament, place=THIRD, user=third, plays=False, active=False)
    _tell_third(tournament, entry, user, third, now)
    ring_after_commit(tournament)
    return member


def drop_answers(tournament: Tournament, player: User) -> None:
    """The player, who is in with a pair now, is not asked to be anybody's third any more."""
    tournament.members.filter(user=player, place=THIRD, active=False).delete()


def tell_asked(tournament: Tournament, entry: Entry, user: User, partner: User, now: datetime) -> None:
    """Who is asked to be a partner hears of it."""

    def say() -> str:
        said = _("%(player)s asks you to be their partner in %(name)s.")
        return said % {"player": isolate(user.username), "name": isolate(tournament.name)}

    key = f"asked-{tournament.pk}-{entry.ident}"
    notify([partner], key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)


def tell_answer(tournament: Tournament, entry: Entry, partner: User, now: datetime) -> None:
    """Who asked hears the answer."""
    asked_by = entry.members.get(place=0).user
    accepted = entry.accepted_at is not None

    def say() -> str:
        said = (
            _("%(player)s plays %(name)s with you: your pair is entered.")
            if accepted
            else _("%(player)s does not play %(name)s with you. Ask somebody else.")
        )
        return said % {"player": isolate(partner.username), "name": isolate(tournament.name)}

    if asked_by is not None:
        key = f"answer-{tournament.pk}-{entry.ident}-{accepted:d}"
        notify([asked_by], key, say, url=tournament.get_absolute_url(), now=now)


def tell_third_left(tournament: Tournament, entry: Entry, third: User, now: datetime) -> None:
    """The two who play hear that the third does not."""

    def say() -> str:
        said = _("%(player)s does not come as your third player in %(name)s.")
        return said % {"player": isolate(third.username), "name": isolate(tournament.name)}

    members = entry.members.filter(place__lt=THIRD, user__isnull=False).select_related("user")
    key = f"third-no-{tournament.pk}-{entry.ident}-{third.pk}-{now.isoformat()}"
    told = [member.user for member in members if member.user]
    notify(told, key, say, url=tournament.get_absolute_url(), now=now)


def _tell_third(tournament: Tournament, entry: Entry, user: User, third: User, now: datetime) -> None:
    def say() -> str:
        said = _("%(player)s asks you to be the third player of their pair in %(name)s.")
        return said % {"player": isolate(user.username), "name": isolate(tournament.name)}

    key = f"third-{tournament.pk}-{entry.ident}-{third.pk}-{now.isoformat()}"
    notify([third], key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)
