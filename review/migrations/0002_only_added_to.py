"""The acts of reviewers are only ever added to."""

from django.db import migrations

DONE = """
create function review_refuse() returns trigger language plpgsql as $$
begin
    raise exception using errcode = 'restrict_violation',
        message = format('%s of %s: the log is only added to', lower(tg_op), tg_table_name);
end $$;
create trigger stays before update or delete on review_reviewact
    for each row execute function review_refuse();
"""
UNDONE = """
drop trigger stays on review_reviewact;
drop function review_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("review", "0001_cases_and_acts")]
    operations = [migrations.RunSQL(DONE, UNDONE)]
