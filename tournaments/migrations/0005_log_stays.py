"""The log of a tournament, and what its officials did, are only ever added to."""

from django.db import migrations

DONE = """
create function tournaments_refuse() returns trigger language plpgsql as $$
begin
    raise exception using errcode = 'restrict_violation',
        message = format('%s of %s: the log is only added to', lower(tg_op), tg_table_name);
end $$;
create trigger stays before update or delete on tournaments_logitem
    for each row execute function tournaments_refuse();
create trigger stays before update or delete on tournaments_act
    for each row execute function tournaments_refuse();
"""
UNDONE = """
drop trigger stays on tournaments_logitem;
drop trigger stays on tournaments_act;
drop function tournaments_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0004_acts_in_own_matches")]
    operations = [migrations.RunSQL(DONE, UNDONE)]
