"""The moments of a match that one may speak of: a deal, and a call or card in it."""

from games.models import Deal, Event, EventKind, Table
from tournaments.services.refusals import Refused


def check_moment(table: Table, deal: int | None, act: int | None) -> None:
    """Raises: Refused `no-such-moment`. `deal` counts from 1, `act` in it from 0; None: not told."""
    if deal is None:
        if act is not None:
            raise Refused("no-such-moment")
        return
    dealt = Deal.objects.filter(table=table, index=deal - 1).first()
    if dealt is None:
        raise Refused("no-such-moment")
    if act is None:
        return
    later = Deal.objects.filter(table=table, index=deal).values_list("version", flat=True).first()
    acts = Event.objects.filter(table=table, kind=EventKind.ACT, version__gt=dealt.version)
    if later is not None:
        acts = acts.filter(version__lt=later)
    if not 0 <= act < max(1, acts.count()):
        raise Refused("no-such-moment")
