"""Whom a decision concerns, and what they are told."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.models import LogItem, Tournament
from tournaments.queries import playing
from tournaments.services.consequences import Preview

# More are told on the tournament's page alone.
MOST_TOLD = 200


def tell_decided(tournament: Tournament, rows: Sequence[LogItem], shown: Preview, now: datetime) -> None:
    """Inside an open transaction: those whose result, opponent or points a decision changed hear of it.

    `rows`: its items of the log, the decision itself first.
    """
    row = rows[0]
    for given in rows[1:]:
        if given.item["type"] == "adjust":
            _tell(tournament, given, "adjust", {given.item["entrant"]}, now)
    kind = row.item["type"]
    if kind in ("correct", "undo", "round"):
        subject = row.item.get("pairing", "")
        own = {s for c in shown.changes if c.pairing == subject and c.before for s in c.before.sides if s}
        others = {
            side
            for change in shown.changes
            if change.pairing != subject and change.before and change.after
            for side in {*change.before.sides, *change.after.sides}
            if side and change.before.sides != change.after.sides
        }
        _tell(tournament, row, "own", own, now)
        _tell(tournament, row, "others", others - own, now)
    elif kind in ("adjust", "disqualify", "reenter"):
        _tell(tournament, row, kind, {row.item["entrant"]}, now)


def _tell(tournament: Tournament, row: LogItem, what: str, idents: Iterable[str], now: datetime) -> None:
    some = sorted(idents)[:MOST_TOLD]
    if not some:
        return
    users: list[User] = [user for pair in playing(tournament, some).values() for user in pair]
    key = f"tournament-{tournament.pk}-item-{row.number}-{what}"
    reason = row.item.get("reason", "")

    def say() -> str:
        told = _sentence(what) % {"tournament": isolate(tournament.name)}
        return f"{told} {isolate(reason)}" if reason else told

    notify(users, key, say, url=tournament.get_absolute_url(), now=now)


def _sentence(what: str) -> str:
    return {
        "own": _("%(tournament)s: an official has corrected the result of your match."),
        "others": _("%(tournament)s: a correction has changed whom you meet. Look at the bracket."),
        "adjust": _("%(tournament)s: an official has changed the points of your pair."),
        "disqualify": _("%(tournament)s: your pair is disqualified."),
        "reenter": _("%(tournament)s: your pair takes part again."),
    }[what]
