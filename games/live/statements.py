"""The SQL of the live tables: what a fold reads, and the one statement that appends."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.live.state import AWAY_AFTER

NEWEST = 2**31 - 1  # above every version

TABLE_SQL = """
select id, code, version, phase, ruleset, target, options, turn_seconds, call_seconds, bank_seconds, rated, absence,
       watch_delay, free_chat, visibility, host_id, title, secret, commitment, salt, idle, sitting_in, bank_ms,
       lag_ms, votes, due_at, paused_ms, first_deal_seconds, first_dealer, result_kind, winner,
       exists (select from games_table o
                where o.commitment = t.commitment and o.id <> t.id and o.phase <> 'over') as is_shared,
       (select n.code from games_table n where n.rematch_of_id = t.id) as next_code
  from games_table t where id = %s
"""
SEATS_SQL = """
select s.kind, s.user_id, s.bot, s.arrived_at is not null as arrived, u.username as name, u.is_guest
  from games_seat s left join accounts_user u on u.id = s.user_id where s.table_id = %s order by s.number
"""
DEALS_SQL = """
select index, version, dealer, contract, tricks, change,
       case when index = max(index) over () then deck end as deck
  from games_deal where table_id = %s and version <= %s order by index
"""
EVENTS_SQL = """
select version, kind, seat, code, by, at from games_event
 where table_id = %s and kind in ('deal', 'act', 'pause', 'resume', 'last')
   and version >= coalesce((select max(version) from games_deal where table_id = %s and version <= %s), 0)
   and version <= %s
 order by version
"""
DONE_SQL = "select user_id, request_id, code from games_event where table_id = %s and request_id is not null"

# What last changed who plays each seat, from the start up to a version.
PLAYS_SQL = """
select distinct on (seat) seat, kind from games_event
 where table_id = %s and version <= %s
   and version > (select min(version) from games_event where table_id = %s and kind = 'start')
   and (kind in ('sub', 'rest', 'back', 'leave') or kind = 'act' and by = 'm')
 order by seat, version desc
"""

# `locked` takes the rows in order, so that batches of several processes cannot deadlock, and skips those that
# somebody holds: they are told apart from outrun ones by the version that the statement saw.
# Whoever was away and acts is back: what was wished about the absence is over, as with `come_back`.
APPEND_SQL = f"""
with waiting as materialized (
    select * from jsonb_to_recordset(%s::jsonb) as w(
        table_id bigint, version int, kind text, seat smallint, user_id bigint, code text, by text, ms int,
        request_id text, at timestamptz, phase text, due_at timestamptz, idle smallint[], sitting_in boolean[],
        bank_ms int[], lag_ms int[], score int[],
        counted smallint, result_kind text, winner smallint, advances smallint, ended_at timestamptz,
        dealt_index smallint, dealer smallint, deck text, finished_index smallint,
        contract jsonb, tricks smallint[], change int[])
), locked as materialized (
    select t.id from games_table t join waiting w on w.table_id = t.id and w.version = t.version
     order by t.id for update of t skip locked
), moved as (
    update games_table t
       set version = t.version + 1, phase = w.phase, due_at = w.due_at, idle = w.idle, sitting_in = w.sitting_in,
           bank_ms = w.bank_ms, lag_ms = w.lag_ms, score = w.score, counted = w.counted,
           result_kind = w.result_kind, winner = w.winner, advances = w.advances,
           ended_at = w.ended_at,
           votes = case when w.by = 'm' and t.idle[w.seat + 1] >= {AWAY_AFTER}
                        then t.votes - 'absence' else t.votes end
      from waiting w, locked l where w.table_id = t.id and l.id = t.id returning t.id
), happened as (
    insert into games_event (table_id, version, kind, seat, user_id, code, by, ms, request_id, at)
    select w.table_id, w.version + 1, w.kind, w.seat, w.user_id, w.code, w.by, w.ms, w.request_id, w.at
      from waiting w join moved m on m.id = w.table_id
), dealt as (
    insert into games_deal (table_id, index, version, dealer, deck, finished, change)
    select w.table_id, w.dealt_index, w.version + 1, w.dealer, w.deck, false, null
      from waiting w join moved m on m.id = w.table_id where w.deck is not null
), scored as (
    update games_deal d set finished = true, contract = w.contract, tricks = w.tricks, change = w.change
      from waiting w join moved m on m.id = w.table_id
     where d.table_id = w.table_id and d.index = w.finished_index
), released as (
    update games_seat s set engaged = false from waiting w join moved m on m.id = w.table_id
     where s.table_id = w.table_id and w.phase = 'over' and s.engaged
)
select w.table_id, m.id is not null as moved, t.version = w.version as held
  from waiting w left join moved m on m.id = w.table_id left join games_table t on t.id = w.table_id
"""


def reads(table_id: int, until: int) -> list[tuple[str, list[int]]]:
    """The statements, with their arguments, that `cold` needs besides the table's row, in its order."""
    return [
        (SEATS_SQL, [table_id]),
        (DEALS_SQL, [table_id, until]),
        (EVENTS_SQL, [table_id, table_id, until, until]),
        (DONE_SQL, [table_id]),
    ]


def as_it_stood(
    table: Mapping[str, Any], version: int, changes: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The row of a table in play for a fold that ends at `version`; `changes`: the rows of `PLAYS_SQL`."""
    earlier = version < table["version"]
    last = {row["seat"]: row["kind"] for row in changes}
    return {
        **table,
        "version": min(version, table["version"]),
        "due_at": None,
        "bank_ms": [0] * 4,
        "votes": {},
        "sitting_in": [last.get(seat) == "sub" for seat in range(4)],
        "idle": [AWAY_AFTER if last.get(seat) in {"sub", "rest", "leave"} else 0 for seat in range(4)],
        **({"phase": "play", "result_kind": "", "winner": None, "next_code": None} if earlier else {}),
    }
