"""A tournament made of the usual settings, in one call."""

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from tournaments.models import Tournament
from tournaments.services.making import draw_up


@transaction.atomic(durable=True)
def create(
    *,
    organiser: User,
    name: str,
    format: str,  # noqa: A002 - the word of the tournament file
    ruleset: str,
    target: int,
    turn_seconds: int,
    round_cap: int | None,
    capacity: int,
    starts_at: datetime,
    third_place: bool = False,
    lot: str = "",
    draft: bool = False,
    now: datetime,
    **more: Any,
) -> Tournament:
    """A new tournament, open for registration unless a draft is asked for, or registration opens later.

    `capacity` counts pairs; `round_cap` None means no cap; `more`: further settings by their names. `lot` fixes
    the order of the seeds beforehand, for rehearsals; otherwise chance draws it.
    Raises: Refused `guests-cannot-organise`, `bad-settings`.
    """
    settings = ({"third_place": True} if third_place else {}) | more.pop("settings", {})
    return draw_up(
        organiser=organiser,
        now=now,
        draft=draft,
        lot=lot,
        name=name,
        format=format,
        settings=settings,
        ruleset=ruleset,
        target=target,
        turn_seconds=turn_seconds,
        round_cap=round_cap,
        capacity=capacity,
        starts_at=starts_at,
        **more,
    )
