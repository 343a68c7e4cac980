"""Free words at a table: who may say them, where they are heard, and what is kept of them.

The four players have one room, spectators with an account another. Words of players are never seen by
spectators, nor theirs by players: nobody is told at the table what another one sees. In rated and tournament
play partners do not talk while they hold cards.
"""

import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from accounts.models import Sanction
from games.live.hub import Hub
from games.live.store import Store
from games.live.talk import TABLE, WATCHERS, Ears, chat, spoken
from games.models import Phase
from games.services.allowed import Banned
from games.services.refusals import Refused

LONGEST = 200
AT_ONCE, WITHIN = 5, timedelta(seconds=10)
KEPT_IN_SIGHT = 50
DEAL_IN_PLAY = frozenset({Phase.AUCTION, Phase.TRUMP, Phase.PLAY})
JOINERS = "\u200c\u200d"  # join and part letters, in Persian and in pictures
MOST_MARKS = 3  # on one letter: as many as a vocalised text has

# Whom one has muted or blocked is not heard.
LISTENER_SQL = """
with unheard as (
    select w.id, w.username as name
      from (select muted_id as id from accounts_mute where user_id = %s
             union select blocked_id from accounts_block where user_id = %s) others
      join accounts_user w on w.id = others.id
)
select u.username, u.is_guest, u.is_active, s.number as seat,
       t.free_chat, t.rated, t.title, t.phase, t.version,
       (select b.id from accounts_sanction b
         where b.user_id = u.id and b.lifted_at is null and b.scope in ('chat', 'all')
           and (b.until is null or b.until > now())
         order by b.until desc nulls first limit 1) as banned,
       array(select id from unheard order by name) as muted,
       array(select name from unheard order by name) as muted_names
  from games_table t
  join accounts_user u on u.id = %s
  left join games_seat s on s.table_id = t.id and s.user_id = u.id
 where t.id = %s
"""
BAN_SQL = "select id, scope, reason_ar, reason_en, until from accounts_sanction where id = %s"
LINES_SQL = """
select c.id as line, c.seat, u.username as name, c.room, c.text
  from games_chatline c join accounts_user u on u.id = c.user_id
 where c.table_id = %s and c.room = %s and c.user_id <> all(%s)
 order by c.id desc limit %s
"""
KEEP_SQL = """
insert into games_chatline (table_id, user_id, room, seat, text, version, at)
select c.* from (select %s::bigint as t, %s::bigint as u, %s, %s::smallint, %s, %s::integer, %s::timestamptz) c
 where (select count(*) from games_chatline l where l.table_id = c.t and l.user_id = c.u and l.at > %s) < %s
returning id
"""


async def speak(live: Hub, *, table_id: int, user_id: int | None, text: str, now: datetime) -> None:
    """Say one line to one's own room; who hears it is told once it is stored.

    Raises: Refused `malformed`, `chat-needs-account`, `banned`, `chat-off`, `chat-between-deals`, `too-fast`.
    """
    line = clean_line(text)
    speaker = await _listener(live.store, table_id, user_id)
    if speaker is None or user_id is None:
        raise Refused("chat-needs-account")
    if speaker["banned"] is not None:
        raise await _ban(live.store, speaker["banned"], now)
    room = room_to_speak(speaker)
    seat, version = speaker["seat"], speaker["version"]
    row = [table_id, user_id, room, seat, line, version, now]
    rows = await live.store.fetch(KEEP_SQL, [*row, now - WITHIN, AT_ONCE])
    if not rows:
        raise Refused("too-fast")
    said = {"line": rows[0]["id"], "seat": seat, "name": speaker["username"], "room": room, "text": line}
    live.speak(spoken(table_id, user_id, said))


async def listen(live: Hub, *, table_id: int, user_id: int) -> tuple[Ears, str | None]:
    """What a socket of that user hears, and the `chat` frame of what was said before (None: nothing to tell)."""
    listener = await _listener(live.store, table_id, user_id)
    if listener is None:
        return Ears(), None
    ears = Ears(has_account=not listener["is_guest"], muted=set(listener["muted"]))
    room = room_to_read(listener)
    lines: list[dict[str, Any]] = []
    if room is not None:
        arguments = [table_id, room, listener["muted"], KEPT_IN_SIGHT]
        lines = (await live.store.fetch(LINES_SQL, arguments))[::-1]
    if not lines and not ears.muted:
        return ears, None
    return ears, chat(room, lines, listener["muted_names"])


async def _ban(store: Store, sanction_id: int, now: datetime) -> Banned:
    [row] = await store.fetch(BAN_SQL, [sanction_id])
    return Banned(Sanction(**row), now)


def clean_line(text: str) -> str:
    """One line of visible text, at most LONGEST characters: no controls, nothing that turns its direction.

    Raises: Refused `malformed` where nothing is left, or too much.
    """
    line = _without_towers(" ".join("".join(map(_visible, unicodedata.normalize("NFC", text))).split()))
    if not line.strip(JOINERS + " ") or len(line) > LONGEST:
        raise Refused("malformed")
    return line


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if character in JOINERS:
        return character
    if category in {"Cc", "Zl", "Zp"}:
        return " "
    return "" if category in {"Cf", "Cs", "Co", "Cn"} else character


def _without_towers(line: str) -> str:
    """No letter with more than a few marks on it: they would reach over the lines around."""
    kept: list[str] = []
    marks = 0
    for character in line:
        marks = marks + 1 if unicodedata.category(character) in {"Mn", "Me"} else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def room_to_speak(who: Mapping[str, Any]) -> str:
    """The room in which somebody may talk now. `who` has the columns of the account, the seat and the table.

    Raises: Refused `chat-needs-account`, `chat-off`, `chat-between-deals`.
    """
    if who["is_guest"] or not who["is_active"]:
        raise Refused("chat-needs-account")
    if who["seat"] is None:
        return WATCHERS
    if not who["free_chat"]:
        raise Refused("chat-off")
    if (who["rated"] or who["title"]) and who["phase"] in DEAL_IN_PLAY:
        raise Refused("chat-between-deals")
    return TABLE


def room_to_read(who: Mapping[str, Any]) -> str | None:
    """The room that somebody hears; None for a guest who does not sit."""
    if who["seat"] is not None:
        return TABLE
    return None if who["is_guest"] else WATCHERS


async def _listener(store: Store, table_id: int, user_id: int | None) -> dict[str, Any] | None:
    rows = (
        await store.fetch(LISTENER_SQL, [user_id, user_id, user_id, table_id]) if user_id is not None else []
    )
    return rows[0] if rows else None
