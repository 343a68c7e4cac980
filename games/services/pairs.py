"""Pairs: made when two first finish a match as partners."""

from collections.abc import Collection

from django.db import connection

from accounts.models import Pair

# What was forgotten a while is found all the same: a pair was made with the first of its matches.
MEET_SQL = """
insert into accounts_pair (first_id, second_id, made_at)
select least(one.user_id, other.user_id), greatest(one.user_id, other.user_id), min(t.ended_at)
  from games_table t
  join games_seat one on one.table_id = t.id and one.number in (0, 1)
  join games_seat other on other.table_id = t.id and other.number = one.number + 2
  join accounts_user u on u.id = one.user_id and not u.is_guest
  join accounts_user v on v.id = other.user_id and not v.is_guest
 where t.id = any(%s) and t.phase = 'over' and t.result_kind <> ''
 group by 1, 2
 order by 1, 2
on conflict (first_id, second_id) do update set made_at = excluded.made_at
 where excluded.made_at < accounts_pair.made_at
"""


def meet(table_ids: Collection[int]) -> None:
    """Inside an open transaction: whoever finished one of these matches as partners with an account is a pair."""
    with connection.cursor() as cursor:
        cursor.execute(MEET_SQL, [list(table_ids)])


def pair_of(one: int, other: int) -> Pair | None:
    """The pair of two users; None where they have not finished a match together."""
    return Pair.objects.filter(first=min(one, other), second=max(one, other)).first()
