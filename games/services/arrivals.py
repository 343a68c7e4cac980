"""Who was called to a table comes to it: the first deal waits for all four, and is soon due once they are there."""

from datetime import datetime

from games.live.announce import table_item
from games.live.hub import Hub

# Two who come at one instant, over two processes, come one after the other: the second sees the first.
HOLD_SQL = "select id from games_table where id = %s and phase <> 'over' for update"
ARRIVE_SQL = """
with arrived as (
    update games_seat set arrived_at = %(now)s
     where table_id = %(table)s and user_id = %(user)s and arrived_at is null returning id
), hastened as (
    update games_table t
       set due_at = case when t.paused_at is null
                         then least(t.due_at, %(now)s + t.first_deal_seconds * interval '1 s') end,
           paused_ms = case when t.paused_at is not null
                            then least(t.paused_ms, ceil(t.first_deal_seconds * 1000)::int) end
     where t.id = %(table)s and t.phase = 'deal' and exists (select from arrived)
       and not exists (select from games_deal d where d.table_id = t.id)
       and not exists (select from games_seat s where s.table_id = t.id and s.kind = 'player'
                          and s.user_id <> %(user)s and s.arrived_at is null)
)
select id from arrived
"""


async def arrive(hub: Hub, *, table_id: int, user_id: int | None, now: datetime) -> None:
    """A user's socket is at a table; noted once, where its first deal waits for its players, and told to all."""
    state = hub.memo.known(table_id)
    seat = None if state is None else state.seat_of(user_id)
    if state is None or seat is None or not state.is_called or state.seats[seat].arrived:
        return
    asked = {"now": now, "table": table_id, "user": user_id}
    if state.phase != "over" and await hub.store.run((HOLD_SQL, [table_id]), (ARRIVE_SQL, asked)):
        after = await hub.memo.reload(table_id)
        hub.announcer.say(table_item(table_id, state.version if after is None else after.version))
