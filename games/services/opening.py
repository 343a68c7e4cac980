"""The rows of a new table."""

import secrets
from collections.abc import Mapping
from typing import Any

from games.models import Seat, Table, Visibility
from games.rules.ruleset import RULESETS, read_options
from games.rules.shuffle import commitment
from games.services.refusals import Refused

# No letters or digits that are taken for one another.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
PUBLIC_CODE_LENGTH = 5
LINK_CODE_LENGTH = 10  # who knows the code may come in: too long to guess
SECRET_BYTES = 32


def new_table(
    *, visibility: str, ruleset: str, target: int, options: Mapping[str, Any], **more: Any
) -> Table:
    """Inside an open transaction: a new table with four open seats; `more` are further fields of its row.

    Raises: Refused `bad-target`, `bad-options`.
    """
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
