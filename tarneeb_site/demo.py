"""What a first start of the site shows: some accounts, open tables, a tournament to come and one that was.

It is made through the services that serve everybody, and may be made again after a start that was killed
half-way: what is there already stays as it is.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from django.contrib.auth.hashers import make_password

from accounts.models import User
from games.models import Phase, Table, Visibility
from games.services import tables
from games.services.playout import play_out
from tarneeb_site.environment import kept_secret
from tournaments.models import State, TableState, Tournament
from tournaments.services import entry, results, rounds

PASSWORD_BYTES = 9
ADMIN, ORGANISER = "admin", "organiser"
PLAYERS = (
    *("layla", "omar", "salma", "yousef", "nadia", "karim", "rana", "tarek"),
    *("هدى", "سامي", "نور", "زياد", "ريم", "فارس", "لينا", "جمال"),
)
# Who waits where, for how many seconds a turn: ruleset, target, players in the order of seats.
OPEN_TABLES = (
    ("kotchina", 31, 20, ("layla", "omar", "هدى")),
    ("classic", 31, 30, ("salma",)),
    ("kings", 41, 20, ("سامي", "karim")),
)
SEASON_CUP, EVENING_CUP = "كأس الموسم", "كأس المساء"
PAIRS_OF_EVENING = 5
EVENING_IN = timedelta(minutes=15)
SEASON_WAS = timedelta(days=2)
ROUND_TAKES = timedelta(minutes=50)


def show(directory: Path, *, now: datetime) -> str:
    """Makes the demo on a first start, opens its tables anew on later ones; returns whom to log in as.

    Nothing happens, and nothing is returned, at a site whose people came without a demo.
    """
    password_file, made = directory / "secret" / "demo", directory / "demo-made"
    if not made.exists():
        if User.objects.exists() and not password_file.exists():
            return ""
        make(kept_secret(password_file, length=PASSWORD_BYTES), now=now)
        made.touch()
    if not Table.objects.filter(phase=Phase.WAITING).exists():
        open_tables(now=now)
    return description(kept_secret(password_file, length=PASSWORD_BYTES))


def make(password: str, *, now: datetime) -> None:
    """The accounts and the two tournaments."""
    users = make_accounts(password)
    organiser, players = users[1], users[2:]
    season = tournament(SEASON_CUP, organiser, players, starts_at=now - SEASON_WAS, now=now - 2 * SEASON_WAS)
    play(season, now=now - SEASON_WAS)
    evening = players[: 2 * PAIRS_OF_EVENING]
    tournament(EVENING_CUP, organiser, evening, starts_at=now + EVENING_IN, now=now)


def make_accounts(password: str) -> list[User]:
    """The administrator, the organiser and the players, in that order."""
    names = (ADMIN, ORGANISER, *PLAYERS)
    known = {user.username: user for user in User.objects.filter(username__in=names)}
    # Hashing takes its time on purpose; the password is the same for all.
    hashed = make_password(password)
    for name in names:
        if name not in known:
            known[name] = User(username=name, password=hashed)
            known[name].is_staff = known[name].is_superuser = name == ADMIN
            known[name].save()
    return [known[name] for name in names]


def tournament(
    name: str, organiser: User, players: Sequence[User], *, starts_at: datetime, now: datetime
) -> Tournament:
    """The tournament of that name, open, with the players entered as pairs."""
    made = Tournament.objects.filter(name=name, organiser=organiser).first()
    if made is None:
        made = entry.create(
            organiser=organiser,
            name=name,
            format="single_elimination",
            ruleset="kotchina",
            target=31,
            turn_seconds=20,
            round_cap=50,
            capacity=8,
            starts_at=starts_at,
            now=now,
        )
    for user, partner in zip(players[::2], players[1::2], strict=True):
        if made.state == State.OPEN and entry.living_entry(made, user) is None:
            asked = entry.enter(tournament_id=made.pk, user=user, partner=partner, now=now)
            entry.accept(tournament_id=made.pk, entry_number=asked.number, user=partner, now=now)
    return made


def play(season: Tournament, *, now: datetime) -> None:
    """Plays a tournament from its start to its champion, a round in ROUND_TAKES."""
    rounds.start(tournament_id=season.pk, actor=season.organiser, now=now)
    season.refresh_from_db()
    while season.state == State.RUNNING:
        now += ROUND_TAKES
        rows = list(season.tables.filter(state=TableState.OPEN).order_by("pk"))
        for row in rows:
            if row.table.phase != Phase.OVER:
                # Which cards were played is nobody's secret, and good play needs no luck.
                chance = Random(row.table_id).randrange
                play_out(table_id=row.table_id, players=["cautious"], chance=chance, by="m", now=now)
        results.adjudicate_tables(table_ids=[row.table_id for row in rows], now=now)
        season.refresh_from_db()


def open_tables(*, now: datetime) -> None:
    """Tables at which the demo's players wait for others."""
    users = {user.username: user for user in User.objects.filter(username__in=PLAYERS)}
    for ruleset, target, turn_seconds, waiting in OPEN_TABLES:
        if not all(name in users for name in waiting):
            continue
        table = tables.open_table(
            host=users[waiting[0]],
            ruleset=ruleset,
            target=target,
            turn_seconds=turn_seconds,
            visibility=Visibility.PUBLIC,
            now=now,
        )
        for seat, name in enumerate(waiting):
            tables.sit(table_code=table.code, user=users[name], seat=seat, now=now)


def description(password: str) -> str:
    """Whom to log in as, for the person at the terminal."""
    return (
        f"\n  Demo accounts, all with the password {password}\n"
        f"    {ADMIN}  administers the site at /admin/\n"
        f"    {ORGANISER}  runs the tournaments\n"
        f"    {', '.join(PLAYERS)}  play\n"
    )
