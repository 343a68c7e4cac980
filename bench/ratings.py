"""How long ratings take: many matches taken in, all of them computed anew, one that is found late.

    python -m bench.ratings [--matches 100000] [--players 4000]

Starts a database server of its own. The matches have a table, four seats and a few acts each; no cards are played.
"""

import random
from argparse import ArgumentParser
from time import perf_counter, process_time


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=4_000)
    given = parser.parse_args()

    from tests.servers import prepare

    prepare()
    import django

    django.setup()
    from django.test.utils import setup_databases, teardown_databases

    before = setup_databases(verbosity=0, interactive=False)
    try:
        measure(given.matches, given.players)
    finally:
        teardown_databases(before, verbosity=0)


def measure(matches: int, players: int) -> None:
    """Print how long each step takes."""
    from django.utils import timezone

    from games.models import Table
    from games.services import ratings

    fill(matches, players)
    say("taken in", matches, lambda: take_all(ratings.rate_finished, timezone.now()))
    say("computed anew", matches, ratings.recompute_all)
    say("compared with a computation anew", matches, ratings.differences)
    numbers = list(Table.objects.order_by("-ended_at").values_list("pk", flat=True)[:1001])
    for behind in (1, 1000):
        again(ratings, numbers[behind], behind)


def take_all(take, now) -> None:
    while take(now=now):
        pass


def again(ratings, table_id: int, behind: int) -> None:
    from django.db import transaction
    from django.utils import timezone

    with transaction.atomic():
        ratings.recompute([table_id])
    say(f"one match declared void, {behind} after it", 1, lambda: ratings.rate_finished(now=timezone.now()))


def say(what: str, count: int, work) -> None:
    started, used = perf_counter(), process_time()
    work()
    seconds, used = perf_counter() - started, process_time() - used
    each = 1000 * seconds / count
    print(f"{what}: {seconds:.1f} s, {each:.2f} ms a match; {used:.1f} s of them in Python", flush=True)


def fill(matches: int, players: int) -> None:
    """Rated matches of four players each, half an hour apart by turns, in three speeds and four rulesets."""
    from django.db import connection

    from accounts.models import User
    from games.models import Ruleset
    from games.speeds import SPEEDS

    User.objects.bulk_create(
        User(username=f"p{n}", name_key=f"p{n}", search_key=f"p{n}", sort_key=f"p{n:06}")
        for n in range(players)
    )
    ids = list(User.objects.order_by("pk").values_list("pk", flat=True))
    chance = random.Random(1)
    paces = list(SPEEDS.values())
    with connection.cursor() as cursor:
        with cursor.copy(f"copy games_table ({TABLE}) from stdin") as copy:
            for n in range(1, matches + 1):
                pace, ruleset = paces[n % 3], Ruleset.values[n % 4]
                winner = chance.randrange(2)
                copy.write_row(table_row(n, ruleset, pace, winner))
        with cursor.copy(
            "copy games_seat (table_id, number, kind, user_id, bot, salt, engaged) from stdin"
        ) as copy:
            for n in range(1, matches + 1):
                # Most play with the few they know.
                circle = chance.randrange(players // 20) * 20
                for seat, user in enumerate(chance.sample(range(circle, circle + 20), 4)):
                    copy.write_row((n, seat, "player", ids[user], "", "", False))
        cursor.execute(EVENTS_SQL)
        cursor.execute(DEALS_SQL)
        cursor.execute("analyze")


TABLE = (
    "id, code, ruleset, target, options, turn_seconds, call_seconds, bank_seconds, rated, absence, watch_delay,"
    " free_chat, visibility, title, back_url, call_url, version, phase, stops_after_deal, idle, sitting_in, bank_ms,"
    " lag_ms, votes, removed, secret, commitment, salt, score, counted, result_kind, winner, advances, created_at,"
    " started_at, ended_at"
)
EVENTS_SQL = """
insert into games_event (table_id, version, kind, seat, code, by, at)
select t.id, n + 2, 'act', n % 4, 'p', 'm', t.ended_at from games_table t cross join generate_series(0, 7) n
"""
DEALS_SQL = """
insert into games_deal (table_id, index, version, dealer, deck, finished)
select id, 0, 1, 0, '', true from games_table
"""


def table_row(n, ruleset, pace, winner):
    from datetime import UTC, datetime, timedelta

    ended = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=10 * n)
    started = ended - timedelta(minutes=20)
    return (
        *(n, f"B{n}", ruleset, 31, "{}", pace.card, pace.call, pace.bank, True, "vote", 0),
        *(False, "public", "", "", "", 10, "over", False, "{0,0,0,0}", "{f,f,f,f}", "{0,0,0,0}"),
        *(
            "{0,0,0,0}",
            "{}",
            "{}",
            b"\0" * 32,
            f"{n:064x}",
            "",
            "{31,12}",
            9,
            "target",
            winner,
            winner,
            started,
        ),
        *(started, ended),
    )


if __name__ == "__main__":
    main()
