"""The site's reviewers declared a tournament's match void, or restored it: its officials decide what counts instead."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.text import isolate
from tournaments.course import course_of
from tournaments.live import ring_after_commit
from tournaments.models import PairingTable, TableState
from tournaments.services.log import locked, record_act
from tournaments.services.telling import tell_officials


def flag_void(
    *, table_id: int, actor: User, reason: str, restored: bool, now: datetime
) -> PairingTable | None:
    """Inside an open transaction: the pairing's table, flagged in the log of acts; None where there is no such.

    A result that was still held waits for the officials, whatever both sides had confirmed. One that counts already
    stands until they correct it.
    """
    row = PairingTable.objects.filter(table=table_id).first()
    if row is None:
        return None
    tournament = locked(row.tournament_id)
    held = PairingTable.objects.filter(pk=row.pk, state=TableState.HELD)
    if not restored:
        held.update(final_at=None, confirmed=[False, False])
    act = record_act(
        tournament,
        "match-restored" if restored else "match-void",
        actor=actor,
        now=now,
        subject=row.pairing,
        reason=reason,
        is_public=True,
    )
    names = course_of(tournament).names
    said = {"tournament": isolate(tournament.name), "pairing": names.pairing(row.pairing)}

    def say() -> str:
        if restored:
            return _("%(tournament)s: the site's reviewers let the match %(pairing)s count again.") % said
        return (
            _(
                "%(tournament)s: the site's reviewers declared the match %(pairing)s void. "
                "Decide what counts instead."
            )
            % said
        )

    tell_officials(tournament, "decide", f"act-{act.pk}", say, now, by_mail=True)
    ring_after_commit(tournament)
    return row
