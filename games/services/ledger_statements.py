"""The SQL of the ledger of ratings."""

from typing import Final

CHANGES: Final = "rating_id, table_number, table_code, at, mu, sigma, points, change"
UPDATE_SQL = """
update accounts_rating r
   set mu = v.mu, sigma = v.sigma, points = v.points, least = v.least, matches = v.matches, last_at = v.last_at,
       known_until = v.known_until
  from unnest(%s::bigint[], %s::float8[], %s::float8[], %s::int[], %s::int[], %s::int[], %s::timestamptz[],
              %s::timestamptz[])
       as v(id, mu, sigma, points, least, matches, last_at, known_until)
 where r.id = v.id
"""
RATINGS_SQL = """
select id, user_id, pair_id, ruleset, speed, mu, sigma, points, matches, last_at
  from accounts_rating where {}_id = any(%s)
"""
PAIRS_SQL = """
select p.id, p.first_id, p.second_id from accounts_pair p
  join unnest(%s::bigint[], %s::bigint[]) as v(first, second) on p.first_id = v.first and p.second_id = v.second
"""
SEASONS_SQL = (
    "select rating_id, matches, gained from accounts_seasonrating where rating_id = any(%s) and season = %s"
)
KEEP_SEASONS_SQL = """
insert into accounts_seasonrating (rating_id, season, ruleset, speed, is_pair, mu, sigma, points, least, gained,
                                   matches, last_at, listed)
select * from unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::bool[], %s::float8[], %s::float8[],
                     %s::int[], %s::int[], %s::int[], %s::int[], %s::timestamptz[], %s::bool[])
on conflict (rating_id, season) do update
   set mu = excluded.mu, sigma = excluded.sigma, points = excluded.points, least = excluded.least,
       gained = excluded.gained, matches = excluded.matches, last_at = excluded.last_at, listed = excluded.listed
"""
UNDO_SQL = """
with gone as (
    delete from accounts_ratingchange c using accounts_reckoned k
     where k.table_number = c.table_number and (k.at, k.table_number) >= (%s, %s) returning c.rating_id
)
select distinct rating_id from gone
"""
LEFT_SQL = """
select r.id, r.user_id, r.pair_id, r.ruleset, r.speed, r.last_at, n.matches, l.mu, l.sigma, l.points, l.at
  from accounts_rating r
 cross join lateral (select count(*) as matches from accounts_ratingchange c where c.rating_id = r.id) n
  left join lateral (select c.mu, c.sigma, c.points, c.at from accounts_ratingchange c where c.rating_id = r.id
                      order by c.at desc, c.table_number desc limit 1) l on true
 where r.id = any(%s)
"""
SEASON_SQL = """
select rating_id, count(*), sum(change) from accounts_ratingchange
 where rating_id = any(%s) and at >= %s group by rating_id
"""
