"""New tables: their rows, and those whose players are known from the start. Inside an open transaction."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, connection, transaction
from psycopg.errors import UniqueViolation

from accounts.bulk import insert, insert_all
from accounts.models import User
from games.live.announce import ring_item, table_item
from games.live.clocks import LAG_BUDGET_MS
from games.models import Absence, Phase, Seat, SeatKind, Table, Visibility
from games.rules.ruleset import RULESETS, read_options
from games.rules.seats import SEATS
from games.rules.shuffle import commitment, first_dealer
from games.services import drain
from games.services.allowed import require_all_allowed
from games.services.moving import tell_all
from games.services.refusals import Refused
from games.services.seating import leave_casual, put_bot, save, start_if_full, take
from games.speeds import Speed

# No letters or digits that are taken for one another.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
PUBLIC_CODE_LENGTH = 5
LINK_CODE_LENGTH = 10  # who knows the code may come in: too long to guess
SECRET_BYTES = 32
STARTED: Final = 5  # the version of a table at which four have sat down, once it has started

# The events of such tables, of which a round may open hundreds.
BEGUN_SQL = """
insert into games_event (table_id, version, kind, seat, user_id, code, by, at)
select table_id, number + 1, 'sit', number, user_id, '', '', %(now)s from games_seat where table_id = any(%(tables)s)
 union all
select id, version, 'start', null, null, '', '', %(now)s from games_table where id = any(%(tables)s)
"""


def new_table(
    *, visibility: str, ruleset: str, target: int, options: Mapping[str, Any], **more: Any
) -> Table:
    """Inside an open transaction: a new table with four open seats; `more` are further fields of its row.

    Raises: Refused `draining`, `bad-target`, `bad-options`.
    """
    drain.require_open()
    changed = changed_options(ruleset, target, options)
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


def changed_options(ruleset: str, target: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Of these options those that differ from the ruleset's own.

    Raises: Refused `bad-target`, `bad-options`.
    """
    rules = RULESETS[ruleset]
    if target not in rules.targets:
        raise Refused("bad-target")
    try:
        return read_options(rules, dict(options)).changed(rules)
    except ValueError:
        raise Refused("bad-options") from None


def free_code(length: int) -> str:
    """A code of that many characters that no table has."""
    while True:
        code = _code(length)
        if not Table.objects.filter(code=code).exists():
            return code


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSpec:
    """A public table for four `users`, by seat, who are called to it.

    The first deal waits for them at most `arrival_seconds`, and comes `first_deal_seconds` after the last of them;
    without `arrival_seconds` it waits for nobody. `call_url`: where its players call whoever decides disputes. `rated`:
    whether it counts for ratings, where none of them is a guest.
    """

    ruleset: str
    target: int
    options: Mapping[str, Any]
    turn_seconds: int
    users: Sequence[User]
    title: str
    back_url: str
    first_deal_seconds: float
    call_seconds: int | None = None
    bank_seconds: int = 0
    absence: str = Absence.BOT
    watch_delay: int = 0
    arrival_seconds: float | None = None
    call_url: str = ""
    rated: bool = False


def _code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def start_match_table(*, now: datetime, **spec: Any) -> Table:
    """Inside an open transaction: one table of `start_match_tables`; `spec` has the fields of a `MatchSpec`."""
    return start_match_tables([MatchSpec(**spec)], now=now)[0]


def start_match_tables(specs: Sequence[MatchSpec], *, now: datetime) -> list[Table]:
    """Inside an open transaction: a table for each spec, in its order; play begins by itself.

    Casual tables where the players sit go on without them. They are told wherever they are on the site.
    Raises: Refused `draining`, `bad-target`, `bad-options`.
    """
    if not specs:
        return []
    drain.require_open()
    users = {user.pk: user for spec in specs for user in spec.users}
    leave_casual(list(users.values()), now)
    tables = _stored([_match_row(spec, now) for spec in specs])
    seated = {
        "table_id": [table.pk for table in tables for _ in SEATS],
        "number": [number for _ in tables for number in SEATS],
        "user_id": [user.pk for spec in specs for user in spec.users],
    }
    insert(Seat, each=seated, shared={"kind": SeatKind.PLAYER})
    with connection.cursor() as cursor:
        cursor.execute(BEGUN_SQL, {"tables": [table.pk for table in tables], "now": now})
    news = [*(table_item(table.pk, table.version) for table in tables), ring_item("lobby")]
    tell_all(news + [ring_item(f"player-{user_id}") for user_id in users])
    return tables


def _match_row(spec: MatchSpec, now: datetime) -> Table:
    wait = spec.first_deal_seconds if spec.arrival_seconds is None else spec.arrival_seconds
    assert len(spec.users) == len(SEATS)
    return Table(
        ruleset=spec.ruleset,
        target=spec.target,
        options=changed_options(spec.ruleset, spec.target, spec.options),
        turn_seconds=spec.turn_seconds,
        call_seconds=spec.call_seconds,
        bank_seconds=spec.bank_seconds,
        absence=spec.absence,
        watch_delay=spec.watch_delay,
        rated=spec.rated and not any(user.is_guest for user in spec.users),
        visibility=Visibility.PUBLIC,
        title=spec.title,
        back_url=spec.back_url,
        call_url=spec.call_url,
        first_deal_seconds=spec.first_deal_seconds,
        version=STARTED,
        phase=Phase.DEAL,
        due_at=now + timedelta(seconds=wait),
        bank_ms=[1000 * spec.bank_seconds] * len(SEATS),
        lag_ms=[LAG_BUDGET_MS] * len(SEATS),
        created_at=now,
        started_at=now,
    )


def _stored(tables: Sequence[Table]) -> list[Table]:
    """These tables as rows, each with a code and a secret of its own."""
    while True:
        for table, code in zip(tables, _free_codes(len(tables)), strict=True):
            secret = secrets.token_bytes(SECRET_BYTES)
            table.code, table.secret, table.commitment = code, secret, commitment(secret)
            table.salt = ":".join([code, *("" for _ in SEATS)])
            table.first_dealer = first_dealer(secret, table.salt)
        try:
            with transaction.atomic():
                insert_all(tables)
        except IntegrityError as error:
            # Somebody opened a table with one of these codes meanwhile: others, and other secrets.
            if not _is_taken_code(error):
                raise
        else:
            return list(tables)


def _free_codes(count: int) -> set[str]:
    codes: set[str] = set()
    while len(codes) < count:
        drawn = {_code(PUBLIC_CODE_LENGTH) for _ in range(count - len(codes))}
        codes |= drawn - set(Table.objects.filter(code__in=drawn).values_list("code", flat=True))
    return codes


def _is_taken_code(error: IntegrityError) -> bool:
    cause = error.__cause__
    name = cause.diag.constraint_name if isinstance(cause, UniqueViolation) else None
    return name is not None and "code" in name


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

    Raises: Refused `bad-target`, `bad-options`, `at-another-table`, `somebody-banned`.
    """
    people = [user for user in users if user is not None]
    if len(people) > 1:
        require_all_allowed(people, now)
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
