"""What was played stays: no statement of the site's changes or deletes rows of a match that was played.

Triggers, so that it holds for whoever writes, in whatever words; `docs/reviewing.md` says what is still allowed.
Their conditions are false for rows of a match in play: the hot path calls none of them but once a deal.
"""

from django.db import migrations

FUNCTIONS = """
create function games_refuse() returns trigger language plpgsql as $$
begin
    raise exception using errcode = 'restrict_violation',
        message = format('%s of %s: what was played stays as it is', lower(tg_op), tg_table_name);
end $$;

-- A table that was started is kept, but for one where nobody but its one player lost anything: no match was
-- finished there. Those go with guests who are forgotten.
create function games_is_kept(asked bigint) returns boolean language sql volatile as $$
    select coalesce((
        select t.started_at is not null and not (
                   t.phase = 'over' and t.result_kind in ('', 'no-result')
                   and (select count(*) from games_seat s where s.table_id = t.id and s.kind = 'player') <= 1)
          from games_table t where t.id = asked), false)
$$;

create function games_keep() returns trigger language plpgsql as $$
begin
    if games_is_kept(old.table_id) then
        raise exception using errcode = 'restrict_violation',
            message = format('delete of %s: what was played stays as it is', tg_table_name);
    end if;
    return old;
end $$;

create function games_keep_table() returns trigger language plpgsql as $$
begin
    if games_is_kept(old.id) then
        raise exception using errcode = 'restrict_violation',
            message = 'delete of games_table: what was played stays as it is';
    end if;
    return old;
end $$;

-- Of a table that is over: what its players wish afterwards, and references to rows that are gone.
create function games_table_over() returns trigger language plpgsql as $$
declare
    free constant text[] := array['votes', 'host_id', 'rematch_of_id'];
begin
    if (to_jsonb(old) - free) is distinct from (to_jsonb(new) - free)
       or (new.host_id is distinct from old.host_id and new.host_id is not null)
       or (new.rematch_of_id is distinct from old.rematch_of_id and new.rematch_of_id is not null) then
        raise exception using errcode = 'restrict_violation',
            message = 'update of games_table: what was played stays as it is';
    end if;
    return new;
end $$;

create function games_seat_over() returns trigger language plpgsql as $$
begin
    if exists (select from games_table t
                where t.id = old.table_id and t.phase = 'over' and t.started_at is not null) then
        raise exception using errcode = 'restrict_violation',
            message = 'update of games_seat: what was played stays as it is';
    end if;
    return new;
end $$;

-- A deal that a match left unfinished stays so. One that the last action finishes is written with it.
create function games_deal_left() returns trigger language plpgsql as $$
begin
    if exists (select from games_table t join games_event e on e.table_id = t.id and e.version = t.version
                where t.id = old.table_id and t.phase = 'over' and e.kind <> 'act') then
        raise exception using errcode = 'restrict_violation',
            message = 'update of games_deal: what was played stays as it is';
    end if;
    return new;
end $$;

-- A guest who sat down and left again before the start may be forgotten: the coming and going stay, unnamed.
create function games_event_stays() returns trigger language plpgsql as $$
begin
    if new.user_id is null and old.kind in ('sit', 'leave')
       and (to_jsonb(old) - 'user_id') = (to_jsonb(new) - 'user_id')
       and exists (select from accounts_user u where u.id = old.user_id and u.is_guest) then
        return new;
    end if;
    raise exception using errcode = 'restrict_violation',
        message = 'update of games_event: what was played stays as it is';
end $$;
"""

TRIGGERS = """
create trigger stays before update on games_event for each row execute function games_event_stays();
create trigger kept before delete on games_event for each row execute function games_keep();

create trigger stays before update on games_deal for each row
    when (old.finished or (old.table_id, old.index, old.version, old.dealer, old.deck)
          is distinct from (new.table_id, new.index, new.version, new.dealer, new.deck))
    execute function games_refuse();
create trigger stays_left before update on games_deal for each row
    when (not old.finished) execute function games_deal_left();
create trigger kept before delete on games_deal for each row execute function games_keep();

create trigger stays before update on games_table for each row
    when (old.phase = 'over' and old.started_at is not null) execute function games_table_over();
create trigger kept before delete on games_table for each row execute function games_keep_table();

create trigger stays before update on games_seat for each row
    when ((old.table_id, old.number, old.kind, old.user_id, old.bot, old.salt)
          is distinct from (new.table_id, new.number, new.kind, new.user_id, new.bot, new.salt))
    execute function games_seat_over();
create trigger kept before delete on games_seat for each row execute function games_keep();

create trigger stays before update on games_chatline for each row execute function games_refuse();
create trigger kept before delete on games_chatline for each row execute function games_keep();
"""

UNDONE = """
drop trigger stays on games_event; drop trigger kept on games_event;
drop trigger stays on games_deal; drop trigger stays_left on games_deal; drop trigger kept on games_deal;
drop trigger stays on games_table; drop trigger kept on games_table;
drop trigger stays on games_seat; drop trigger kept on games_seat;
drop trigger stays on games_chatline; drop trigger kept on games_chatline;
drop function games_event_stays(); drop function games_deal_left(); drop function games_seat_over();
drop function games_table_over(); drop function games_keep_table(); drop function games_keep();
drop function games_is_kept(bigint); drop function games_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0005_appearances"), ("accounts", "0004_people")]
    operations = [migrations.RunSQL(FUNCTIONS + TRIGGERS, UNDONE)]
