"""New tables: their rows, and those whose players are known from the start. Inside an open transaction."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from accounts.models import User
from games.models import Absence, Phase, Seat, Table, Visibility
from games.rules.ruleset import RULESETS, read_options
from games.rules.shuffle import commitment
from games.services import drain
from games.services.refusals import Refused
from games.services.seating import leave_casual, put_bot, ring_players, save, start_if_full, take
from games.speeds import Speed

# No letters or digits that are taken for one another.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
PUBLIC_CODE_LENGTH = 5
LINK_CODE_LENGTH = 10  # who knows the code may come in: too long to guess
SECRET_BYTES = 32


def new_table(
    *, visibility: str, ruleset: str, target: int, options: Mapping[str, Any], **more: Any
) -> Table:
    """Inside an open transaction: a new table with four open seats; `more` are further fields of its row.

    Raises: Refused `draining`, `bad-target`, `bad-options`.
    """
    drain.require_open()
    rules = RULESETS[ruleset]
    if target not in rules.targets:
        raise Refused("bad-target")
    try:
        changed = read_options(rules, dict(options)).changed(rules)
    except ValueError:
        raise Refused("bad-options") from None
    secret = secrets.token_bytes(SECRET_BYTES)
    table = Table.objects.create(
        code=free_code(PUBLIC_CODE_LENGTH if visibility == Visibility.PUBLIC else LINK_CODE_LENGTH),
        ruleset=ruleset,
        target=target,
        options=changed,
        visibility=visibility,
        secret=secret,
        commitment=commitment(secret),
        **more,
    )
    Seat.objects.bulk_create([Seat(table=table, number=number) for number in range(4)])
    return table


def free_code(length: int) -> str:
    """A code of that many characters that no table has."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(length))
        if not Table.objects.filter(code=code).exists():
            return code


def start_match_table(
    *,
    ruleset: str,
    target: int,
    options: Mapping[str, Any],
    turn_seconds: int,
    users: Sequence[User],
    title: str,
    back_url: str,
    first_deal_seconds: float,
    call_seconds: int | None = None,
    bank_seconds: int = 0,
    absence: str = Absence.BOT,
    watch_delay: int = 0,
    now: datetime,
) -> Table:
    """Inside an open transaction: a public table where four `users`, by seat, sit; play begins by itself.

    Casual tables where they sit go on without them. They are told wherever they are on the site.
    """
    leave_casual(users, now)
    table = new_table(
        host=None,
        ruleset=ruleset,
        target=target,
        turn_seconds=turn_seconds,
        call_seconds=call_seconds,
        bank_seconds=bank_seconds,
        absence=absence,
        watch_delay=watch_delay,
        visibility=Visibility.PUBLIC,
        options=options,
        title=title,
        back_url=back_url,
        due_at=None,
        created_at=now,
    )
    seats = list(table.seats.order_by("number"))
    for seat, user in zip(seats, users, strict=True):
        take(table, seat, user, "", now)
    start_if_full(table, seats, now, first_deal_seconds=first_deal_seconds)
    save(table)
    ring_players(users)
    return table


def seat_and_start(
    *,
    users: Sequence[User | None],
    ruleset: str,
    target: int,
    options: Mapping[str, Any],
    speed: Speed,
    visibility: str,
    rated: bool = False,
    free_chat: bool = False,
    watch_delay: int = 0,
    host: User | None = None,
    rematch_of: Table | None = None,
    now: datetime,
) -> Table:
    """Inside an open transaction: a casual table where `users` sit by seat, bots where there is None; it starts.

    Raises: Refused `bad-target`, `bad-options`, `at-another-table`.
    """
    table = new_table(
        host=host,
        ruleset=ruleset,
        target=target,
        options=options,
        call_seconds=speed.call,
        turn_seconds=speed.card,
        bank_seconds=speed.bank,
        visibility=visibility,
        rated=rated,
        free_chat=free_chat,
        watch_delay=watch_delay,
        rematch_of=rematch_of,
        due_at=None,
        created_at=now,
    )
    seats = list(table.seats.order_by("number"))
    for seat, user in zip(seats, users, strict=True):
        if user is None:
            put_bot(table, seat, now)
        else:
            take(table, seat, user, "", now)
    start_if_full(table, seats, now)
    if table.phase == Phase.WAITING:
        raise Refused("at-another-table")
    save(table)
    return table
