"""Who may enter: the door of a tournament (everybody, a code, an invitation) and its conditions."""

import hmac
from collections.abc import Sequence
from datetime import datetime

from accounts.digits import fold_digits
from accounts.models import Scope, User
from accounts.queries import is_confirmed
from accounts.sanctions import banned
from games.services.bans import ban_sentence
from games.services.reliability import reliability_of
from tournaments.models import Access, Entry, Tournament
from tournaments.ratings import pair_rating
from tournaments.services.refusals import Refused


def check_access(tournament: Tournament, pair: Sequence[User], code: str) -> None:
    """Raises: Refused `code-missing`, `code-wrong`, `not-invited`. One of a pair who was invited is enough."""
    if tournament.access == Access.CODE:
        if not code.strip():
            raise Refused("code-missing")
        if not is_the_code(tournament, code):
            raise Refused("code-wrong")
    if tournament.access == Access.INVITATION and not tournament.invited.filter(user__in=pair).exists():
        raise Refused("not-invited")


def is_the_code(tournament: Tournament, code: str) -> bool:
    """Whether this is the code to enter, however it was typed."""
    return hmac.compare_digest(_spelt(code).encode(), _spelt(tournament.entry_code).encode())


def _spelt(code: str) -> str:
    return "".join(fold_digits(code).split()).casefold()


def check_player(tournament: Tournament, user: User, *, of: str = "", now: datetime) -> None:
    """Whether a player may enter.

    Raises: Refused `banned`, `email-unconfirmed`, `country-missing`, `region`, `reliability-low`; with `partner-`
    in front where `of` says so.
    """
    sanction = banned(user, Scope.TOURNAMENTS, now)
    if sanction is not None:
        raise Refused("partner-banned") if of else Refused("banned", why=ban_sentence(sanction, now))
    if tournament.verified_only and not is_confirmed(user):
        raise Refused(f"{of}email-unconfirmed")
    if tournament.regions and not user.country:
        raise Refused(f"{of}country-missing")
    if tournament.regions and user.country not in tournament.regions:
        raise Refused(f"{of}region")
    least = tournament.min_reliability
    if least is not None and reliability_of(user, now).score < least:
        raise Refused(f"{of}reliability-low")


def check_pair(tournament: Tournament, entry: Entry, asked: User, now: datetime) -> None:
    """The conditions for an entry that is about to be accepted by who was asked.

    Raises: Refused as `check_player`, and `rating-unknown`, `rating-low`, `rating-high`.
    """
    check_player(tournament, asked, now=now)
    for member in entry.members.select_related("user"):
        if member.user and member.plays and member.user_id != asked.pk:
            check_player(tournament, member.user, of="partner-", now=now)
    check_rating(tournament, pair_rating(entry, tournament))


def check_rating(tournament: Tournament, rating: int | None) -> None:
    """Raises: Refused `rating-unknown`, `rating-low`, `rating-high`."""
    if rating is None:
        if tournament.min_rating is not None:
            raise Refused("rating-unknown")
        return
    if tournament.min_rating is not None and rating < tournament.min_rating:
        raise Refused("rating-low")
    if tournament.max_rating is not None and rating > tournament.max_rating:
        raise Refused("rating-high")
