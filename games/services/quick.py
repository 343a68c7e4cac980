"""Quick match: players say what they want to play, and are brought to a table as soon as four want the same.

Doors that change who waits go one after another, under one lock of the database: nobody is matched twice, and
no two of them wait for each other. A wish whose page is closed is dropped.
"""

import logging
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import groupby

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import Scope, User
from accounts.queries import blocks_among
from accounts.sanctions import banned_among
from games.models import Phase, Ruleset, Seat, Seek, Table, Visibility
from games.rules.ruleset import RULESETS
from games.services import drain
from games.services.allowed import require_allowed
from games.services.invitations import require_askable
from games.services.matching import Foes, Found, Wish, find_matches
from games.services.opening import seat_and_start
from games.services.refusals import Refused
from games.services.wishes import (
    SEEN_FOR,
    all_wishes,
    asked_by,
    asks,
    drop,
    held,
    is_gone,
    lock,
    people_of,
    ring_people,
    takes_part,
)
from games.speeds import SPEEDS
from games.strengths import wish_strengths

log = logging.getLogger(__name__)

BOTS_AFTER = timedelta(seconds=30)
FOES_AFTER = timedelta(
    minutes=2
)  # who has blocked the other is not brought together before, and only if need be
LEAVING_KEEPS = timedelta(seconds=5)  # long enough to load the page again


def seek(
    *,
    user: User,
    partner: User | None = None,
    ruleset: str,
    speed: str,
    rated: bool = False,
    bots: bool = False,
    now: datetime,
) -> Seek:
    """The user's wish for a match, in place of any earlier one. A partner has to agree before it counts.

    Where the partner has asked for the same already, that is the agreement. A match that was found a moment
    ago and goes on is the answer to a wish that was sent twice.
    Raises: Refused `bad-options`, `own-partner`, `guests-cannot-invite`, `you-block-them`, `not-invitable`,
    `draining`, `guests-only-casual`, `at-another-table`, `banned`.
    """
    with transaction.atomic(durable=True):
        if ruleset not in Ruleset.values or speed not in SPEEDS:
            raise Refused("bad-options")
        if partner is not None and partner.pk == user.pk:
            raise Refused("own-partner")
        if partner is not None and user.is_guest:
            raise Refused("guests-cannot-invite")
        if partner is not None:
            require_askable(user, partner)
        wishes = held()
        if begun := _begun(wishes, user):
            return begun
        drain.require_open()
        require_allowed(user, now)
        if rated:
            _require_ratable(user)
        wanted = {"ruleset": ruleset, "speed": speed, "rated": rated}
        asked = asked_by(partner, user, wishes, wanted, now) if partner else None
        drop(wish for wish in wishes if takes_part(wish, user))
        if asked is not None:
            asked.bots = asked.bots and bots
            return _agree(asked, now)
        found = Seek.objects.create(
            user=user,
            partner=partner,
            accepted=partner is None,
            bots=bots,
            created_at=now,
            seen_at=now,
            **wanted,
        )
        return _awaited(found, now)


def answer(*, user: User, seek_id: int, yes: bool, now: datetime) -> Seek | None:
    """Agree to be somebody's partner, or not; one's own wish gives way. None after a no, or a wish that is gone.

    Raises: Refused `lapsed`, `guests-only-casual`, `at-another-table`, `banned`.
    """
    with transaction.atomic(durable=True):
        wishes = held()
        asked = next((wish for wish in wishes if wish.pk == seek_id and asks(wish, user, now)), None)
        if not yes:
            drop([asked] if asked else [])
            return None
        if asked is None:
            raise Refused("lapsed")
        if begun := _begun(wishes, user):
            return begun
        require_allowed(user, now)
        if asked.rated:
            _require_ratable(user)
        drop(wish for wish in wishes if takes_part(wish, user))
        return _agree(asked, now)


def stop(*, user: User) -> None:
    """Take one's wish back; a partner's ends with it."""
    with transaction.atomic(durable=True):
        drop(wish for wish in held() if takes_part(wish, user))


def seen(*, user: User, leaving: bool = False, now: datetime) -> None:
    """The user's page is there; one that is `leaving` keeps the wish just long enough to be loaded again."""
    at = now - SEEN_FOR + LEAVING_KEEPS if leaving else now
    fresh = now - SEEN_FOR
    Seek.objects.filter(user=user, seen_at__gt=fresh).update(seen_at=at)
    Seek.objects.filter(partner=user, accepted=True, partner_seen_at__gt=fresh).update(partner_seen_at=at)


def match_waiting(now: datetime) -> int:
    """Bring those who wait to tables, drop the wishes of those who left; how many tables were started."""
    if not Seek.objects.exists():
        return 0
    with transaction.atomic(durable=True):
        lock()
        return _match(now)


def engaged_table(user: User) -> Table | None:
    """The rated or tournament match that a user plays now: no other rated one goes beside it."""
    playing = Seat.objects.filter(user=user).exclude(table__phase__in=(Phase.WAITING, Phase.OVER))
    bound = playing.filter(Q(engaged=True) | ~Q(table__title=""))
    seat = bound.select_related("table").order_by("table__created_at").first()
    return seat.table if seat else None


# Inside an open transaction.


def _require_ratable(user: User) -> None:
    if user.is_guest:
        raise Refused("guests-only-casual")
    if engaged_table(user) is not None:
        raise Refused("at-another-table")


def _begun(wishes: Iterable[Seek], user: User) -> Seek | None:
    """The wish of this user whose match has begun and goes on."""
    found = next((wish for wish in wishes if wish.table_id is not None and takes_part(wish, user)), None)
    if found is None or found.table_id is None:
        return None
    if not Table.objects.filter(pk=found.table_id).exclude(phase=Phase.OVER).exists():
        return None
    return found


def _agree(wish: Seek, now: datetime) -> Seek:
    # Together they wait from now on: nobody who came before them alone is overtaken.
    wish.accepted, wish.created_at, wish.partner_seen_at = True, now, now
    wish.save(update_fields=["accepted", "bots", "created_at", "partner_seen_at"])
    return _awaited(wish, now)


def _awaited(wish: Seek, now: datetime) -> Seek:
    """The wish after looking for a table for it."""
    ring_people(wish)
    _match(now)
    found = Seek.objects.select_related("user", "partner", "table").filter(pk=wish.pk).first()
    if found is None:
        raise Refused("lapsed")
    return found


def _match(now: datetime) -> int:
    wishes = all_wishes()
    gone = [wish for wish in wishes if is_gone(wish, now)]
    drop(gone)
    ready = [wish for wish in wishes if wish.accepted and wish.table_id is None and wish not in gone]
    ready = _without_engaged(ready)
    ready.sort(key=_kind)
    foes = blocks_among({user_id for wish in ready for user_id in people_of(wish)}) if ready else frozenset()
    return sum(_match_kind(list(alike), foes, now) for _, alike in groupby(ready, key=_kind))


def _without_engaged(ready: list[Seek]) -> list[Seek]:
    """The wishes without those for a rated match of people whom another one has taken meanwhile."""
    rated = [one for wish in ready if wish.rated for one in people_of(wish)]
    bound = Q(engaged=True) | ~Q(table__title="")
    playing = Seat.objects.filter(bound, user__in=rated).exclude(table__phase__in=(Phase.WAITING, Phase.OVER))
    taken = set(playing.values_list("user", flat=True)) if rated else set()
    lost = [wish for wish in ready if wish.rated and taken.intersection(people_of(wish))]
    drop(lost)
    return [wish for wish in ready if wish not in lost]


def _kind(wish: Seek) -> tuple[str, str, bool]:
    return wish.ruleset, wish.speed, wish.rated


def _match_kind(alike: list[Seek], foes: Foes, now: datetime) -> int:
    """Start what tables these wishes for the same make; how many."""
    wishes = [
        Wish(wish.pk, people_of(wish), wish.created_at, wish.bots, strength)
        for wish, strength in zip(alike, wish_strengths(alike), strict=True)
    ]
    matches = find_matches(
        wishes,
        now=now,
        bots_after=BOTS_AFTER,
        chance=secrets.randbelow,
        foes=foes,
        foes_after=FOES_AFTER,
    )
    return sum(_start(found, alike, now) for found in matches)


def _start(found: Found, alike: list[Seek], now: datetime) -> bool:
    wishes = [wish for wish in alike if wish.pk in found.wishes]
    if kept_out := banned_among([one for wish in wishes for one in people_of(wish)], Scope.PLAY, now):
        # Whoever was kept from playing while they waited waits no more.
        drop(wish for wish in wishes if kept_out.intersection(people_of(wish)))
        return False
    users = {user.pk: user for wish in wishes for user in (wish.user, wish.partner) if user is not None}
    try:
        with transaction.atomic():
            table = _table_for(wishes[0], [None if pk is None else users[pk] for pk in found.seats], now)
    except (Refused, IntegrityError) as error:
        # Somebody was taken to another match at this very moment: the next round sees it.
        log.info("a quick match could not start: %s", error)
        return False
    Seek.objects.filter(pk__in=found.wishes).update(table=table, seen_at=now)
    asking = Seek.objects.filter(partner__in=users, accepted=False).select_related("user", "partner")
    drop(asking)
    ring_people(*wishes)
    return True


def _table_for(wish: Seek, users: list[User | None], now: datetime) -> Table:
    return seat_and_start(
        users=users,
        ruleset=wish.ruleset,
        target=RULESETS[wish.ruleset].targets[0],
        options={},
        speed=SPEEDS[wish.speed],
        rated=wish.rated and None not in users,
        visibility=Visibility.PUBLIC,
        now=now,
    )
