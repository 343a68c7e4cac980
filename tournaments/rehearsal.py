"""A whole tournament played by built-in players, through the services and tasks that serve a real one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any

from accounts.models import User
from games.models import Phase, Table
from games.rules.shuffle import commitment, first_dealer
from games.services.playout import play_out
from tournaments import tasks
from tournaments.formats.plan import Plan
from tournaments.models import PairingTable, State, TableState, Tournament
from tournaments.queries import plan_of
from tournaments.services import entry, making, rounds

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Script:
    """What is rehearsed. `players` are names of built-in ones: seat i is played by the i-mod-k-th."""

    entries: int
    ruleset: str
    seed: int
    format: str = "single_elimination"
    players: Sequence[str] = ("cautious", "random")
    target: int = 31
    round_cap: int | None = 50
    # Further settings of the format, as in a tournament file.
    settings: Mapping[str, Any] = field(default_factory=dict)


def prepare(script: Script) -> Tournament:
    """The tournament of the script with all its pairs in, started; the same seed draws the same lot."""
    users = [_account(f"player{number}") for number in range(1, 2 * script.entries + 1)]
    tournament = making.create(
        organiser=_account("organiser"),
        name=f"Rehearsal {script.seed}",
        format=script.format,
        ruleset=script.ruleset,
        target=script.target,
        turn_seconds=20,
        round_cap=script.round_cap,
        capacity=script.entries,
        rated=False,
        starts_at=EPOCH + timedelta(days=1),
        settings=dict(script.settings),
        lot=sha256(f"rehearsal|{script.seed}".encode()).hexdigest()[:32],
        now=EPOCH,
    )
    for user, partner in zip(users[::2], users[1::2], strict=True):
        made = entry.enter(tournament_id=tournament.pk, user=user, partner=partner, now=EPOCH)
        entry.accept(tournament_id=tournament.pk, entry_number=made.number, user=partner, now=EPOCH)
    return rounds.start(tournament_id=tournament.pk, actor=tournament.organiser, now=EPOCH)


def play(tournament: Tournament, script: Script) -> Iterator[Plan]:
    """Plays the started tournament to its end; a plan after every turn of tables that were played at once."""
    while tournament.state == State.RUNNING:
        rows = list(tournament.tables.filter(state=TableState.OPEN).exclude(table__phase=Phase.OVER))
        for row in rows:
            _play_table(row, script)
        for row in rows:
            tasks.adjudicate(row.table_id)
        tournament.refresh_from_db()
        yield plan_of(tournament)


def _account(name: str) -> User:
    user = User(username=name, email="")
    user.set_unusable_password()
    user.save()
    return user


def _play_table(row: PairingTable, script: Script) -> None:
    name = f"{script.seed}|{row.pairing}|{row.attempt}"
    _fix_cards(row.table_id, name)
    # Play must be the same for the same seed on every machine; nothing here is a secret.
    chance = Random(name)
    play_out(table_id=row.table_id, players=script.players, chance=chance.randrange, now=EPOCH)


def _fix_cards(table_id: int, name: str) -> None:
    """Puts a secret and a salt that follow from the seed in the place of those that chance drew."""
    secret = sha256(f"cards|{name}".encode()).digest()
    Table.objects.filter(pk=table_id).update(
        secret=secret, salt=name, commitment=commitment(secret), first_dealer=first_dealer(secret, name)
    )
