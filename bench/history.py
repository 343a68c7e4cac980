"""How fast a long history is read: the fold of a table, a player's matches and the administration's search.

python bench/history.py [--actions N] [--quick] [--json]: loads N actions (10 million unless told otherwise) of matches
that were played by the rules into a database of its own, and measures whole answers beside each other.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

ACTIONS, QUICK_ACTIONS = 10_000_000, 200_000
GOAL_MS = 50.0
TEMPLATES, PEOPLE, PORTION, RUNS = 12, 4000, 500, 40
# Seat 0 of every fourth match is the same player: somebody who has played all their life.
WHO = "case when s.number = 0 and n.n %% 4 = 0 then {first} else {first} + 1 + (n.n * 4 + s.number) %% {others} end"


def main() -> None:
    """Loads, measures and prints."""
    asked = arguments()
    with tempfile.TemporaryDirectory(prefix="tarneeb-history-") as directory, ExitStack() as stack:
        site(Path(directory), stack)
        began = perf_counter()
        loaded = load(QUICK_ACTIONS if asked.quick else asked.actions)
        found = {**loaded, "load_seconds": round(perf_counter() - began, 1), "ms": measure(loaded)}
        found["goal_ms"], found["met"] = GOAL_MS, all(one["p95"] < GOAL_MS for one in found["ms"].values())
    print(json.dumps(found) if asked.json else sentences(found))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=ACTIONS, metavar="N")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ACTIONS} actions")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    return parser.parse_args()


def site(directory: Path, stack: ExitStack) -> None:
    """Servers of its own on an empty database, whatever the environment names."""
    for name in ("DATABASE_URL", "REDIS_URL", "HTTPS"):
        os.environ.pop(name, None)
    os.environ |= {"TARNEEB_VAR": str(directory), "SECRET_KEY": "only-for-a-bench-" + "x" * 50}
    os.environ |= {"DEMO": "0", "DEBUG": "0", "ALLOWED_HOSTS": "testserver", "LIMITS_ON_LOOPBACK": "0"}
    directory.chmod(0o755)
    from tarneeb_site.up import prepare, servers

    stack.enter_context(servers(directory))
    prepare(debug=False)


def load(actions: int) -> dict[str, Any]:
    """Matches with so many actions in all: some played by the rules, the others copies with other players."""
    from accounts.models import User
    from accounts.names import name_key, search_key, sort_key
    from games.models import Event
    from tests.games.matches import make_match, make_match_in_play

    names = [f"لاعب {number}" for number in range(PEOPLE)]
    folded = [
        {"name_key": name_key(name), "search_key": search_key(name), "sort_key": sort_key(name)}
        for name in names
    ]
    people = [User(username=name, password="!", **keys) for name, keys in zip(names, folded, strict=True)]
    made = User.objects.bulk_create(people, batch_size=1000)
    templates = [make_match(made[1:5], seed=str(number)) for number in range(TEMPLATES)]
    in_play = make_match_in_play(made[1:5])
    mean = Event.objects.count() / (TEMPLATES + 1)
    matches = max(TEMPLATES, round(actions / mean))
    copies = copied([one.pk for one in templates], made[0].pk, matches)
    return {"matches": matches, "actions": Event.objects.count(), "in_play": in_play.pk, **copies}


def copied(templates: list[int], first: int, matches: int) -> dict[str, Any]:
    """So many copies of these tables, with all their rows, in portions; the code of the last one."""
    from django.db import connection

    from games.models import Table

    base = Table.objects.order_by("-pk").values_list("pk", flat=True)[0] + 1
    values = {"templates": templates, "base": base, "count": len(templates)}
    with connection.cursor() as cursor:
        # As a restore does it: what guards rows against the site's statements is not asked.
        cursor.execute("set session_replication_role = replica")
        for start in range(0, matches, PORTION):
            portion = values | {"from": start, "until": min(start + PORTION, matches) - 1}
            for statement in statements(first):
                cursor.execute(statement, portion)
        cursor.execute("set session_replication_role = origin")
        for name in ("games_table", "games_event", "games_seat", "games_deal", "games_appearance"):
            cursor.execute(f"select setval('{name}_id_seq', (select max(id) from {name}))")
        cursor.execute("vacuum analyze")
    return {"last_code": f"B{matches - 1}", "player": first}


def statements(first: int) -> Iterator[str]:
    """The statements that copy a portion, table by table."""
    who = WHO.format(first=first, others=PEOPLE - 1)
    numbers = "generate_series(%(from)s, %(until)s) as n(n)"
    source = "(%(templates)s::bigint[])[1 + n.n %% %(count)s]"
    yield copy(
        "games_table",
        {
            "id": "%(base)s + n.n",
            "code": "'B' || n.n",
            "commitment": "md5(n.n::text) || md5('x' || n.n)",
            "ended_at": "t.ended_at - n.n * interval '1 minute'",
        },
        f"games_table t, {numbers} where t.id = {source}",
    )
    theirs = {"id": "default", "table_id": "%(base)s + n.n"}
    yield copy("games_deal", theirs, f"games_deal t, {numbers} where t.table_id = {source}")
    seats = f"games_seat t join games_seat s using (id), {numbers} where t.table_id = {source}"
    yield copy("games_seat", theirs | {"user_id": who}, seats)
    events = (
        f"{numbers} join games_event t on t.table_id = {source}"
        " left join lateral (select t.seat as number) s on true"
    )
    yield copy(
        "games_event", theirs | {"user_id": f"case when t.user_id is null then null else {who} end"}, events
    )
    people = {
        name: who.replace("s.number", f"((t.seat + {away}) %% 4)")
        for name, away in (("user_id", 0), ("right_id", 1), ("partner_id", 2), ("left_id", 3))
    }
    yield copy(
        "games_appearance",
        theirs | people | {"ended_at": "t.ended_at - n.n * interval '1 minute'"},
        f"games_appearance t, {numbers} where t.table_id = {source}",
    )


def copy(table: str, changed: dict[str, str], source: str) -> str:
    """An insert of rows that are like others but for some columns."""
    from django.apps import apps

    model = next(one for one in apps.get_models() if one._meta.db_table == table)
    columns = [field.column for field in model._meta.concrete_fields]
    kept = [column for column in columns if changed.get(column) != "default"]
    values = ", ".join(changed.get(column, f't."{column}"') for column in kept)
    named = ", ".join(f'"{column}"' for column in kept)
    return f"insert into {table} ({named}) select {values} from {source}"


def measure(loaded: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Milliseconds of each answer: the median, and what 95 of 100 stay under."""
    from django.test import Client

    from accounts.models import User
    from games.live.store import load_sync
    from games.models import Table

    reader, staff = Client(), Client()
    root = User.objects.create_superuser("root", email="root@example.org", password="!")
    staff.force_login(root)
    reader.force_login(User.objects.get(pk=loaded["player"]))
    name, code = User.objects.get(pk=loaded["player"]).username, loaded["last_code"]
    other = User.objects.get(pk=loaded["player"] + 7).username
    mixed = Table.objects.filter(code__startswith="B").order_by("commitment", "pk")
    some = list(mixed.values_list("pk", flat=True)[:200])
    fold = iter(some * RUNS)
    page = f"/players/{name}/matches/"
    asked: dict[str, Callable[[], Any]] = {
        "fold of a table in play": lambda: load_sync(loaded["in_play"]),
        "fold of a finished table": lambda: load_sync(next(fold)),
        "a player's page": lambda: shown(reader, f"/players/{name}/"),
        "a player's matches": lambda: shown(reader, page),
        "a player's matches with an opponent": lambda: shown(reader, page, opponent=other),
        "a player's matches by contract": lambda: shown(reader, page, level="9", trump="H"),
        "a finished match": lambda: shown(reader, f"/matches/{code}/"),
        "administration: a table by its code": lambda: shown(staff, "/admin/games/table/", q=code),
        "administration: tables of a player": lambda: shown(staff, "/admin/games/table/", q=other),
        "administration: actions of a table": lambda: shown(staff, "/admin/games/event/", q=code),
    }
    return {what: timed(ask) for what, ask in asked.items()}


def shown(client: Any, place: str, **query: str) -> None:
    """A whole page, which has to be there."""
    answer = client.get(place, query)
    assert answer.status_code == 200, (place, answer.status_code)


def timed(ask: Callable[[], Any]) -> dict[str, float]:
    for _ in range(3):
        ask()
    taken = []
    for _ in range(RUNS):
        began = perf_counter()
        ask()
        taken.append(1000 * (perf_counter() - began))
    return {"median": round(median(taken), 1), "p95": round(sorted(taken)[int(0.95 * RUNS)], 1)}


def sentences(found: dict[str, Any]) -> str:
    """For people."""
    head = (
        f"{found['actions']:,} actions in {found['matches']:,} matches, loaded in {found['load_seconds']} s"
    )
    lines = [
        f"{what:<42}{one['median']:>8} ms, 95 of 100 under {one['p95']} ms"
        for what, one in found["ms"].items()
    ]
    verdict = f"all under {GOAL_MS:.0f} ms" if found["met"] else f"not all under {GOAL_MS:.0f} ms"
    return "\n".join([head, *lines, verdict])


if __name__ == "__main__":
    main()
