"""What the site's reviewers do to a tournament's match: declare it void, restore it, answer an objection to it."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.text import isolate
from tournaments.course import course_of
from tournaments.live import ring_after_commit
from tournaments.models import Objection, ObjectionState, PairingTable, TableState
from tournaments.services.advancing import PLAYED, advance_tournament
from tournaments.services.book import Book
from tournaments.services.log import locked, record_act
from tournaments.services.objecting import note_answer
from tournaments.services.refusals import Refused
from tournaments.services.results import record_finished
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


def answer_objection(*, number: int, actor: User, upheld: bool, words: str, now: datetime) -> Objection:
    """Inside an open transaction: an open objection, answered by a reviewer in the place of the officials.

    It changes no result: that is a decision of its own. What it held back goes on.
    Raises: Objection.DoesNotExist; Refused `not-running`, `already-ruled`, `own-match`.
    """
    tournament = locked(Objection.objects.values_list("tournament", flat=True).get(pk=number))
    if tournament.state not in PLAYED:
        raise Refused("not-running")
    if tournament.members.filter(user=actor).exists():
        raise Refused("own-match")
    found = tournament.objections.select_related("entry", "table").get(pk=number)
    if found.state != ObjectionState.OPEN:
        raise Refused("already-ruled")
    found.state = ObjectionState.UPHELD if upheld else ObjectionState.DISMISSED
    found.ruled_by, found.ruled_at, found.ruling = actor, now, words
    found.save(update_fields=["state", "ruled_by", "ruled_at", "ruling"])
    note_answer(tournament, found, now, is_own=False)
    book = Book(tournament)
    record_finished(tournament, now, book=book)
    advance_tournament(tournament, now, book=book)
    return found
