"""Who takes part: entries in the order of their acceptance, as many as there are places. The rest wait."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.models import Entry, Format, Member, Seeding, State, Tournament
from tournaments.ratings import pair_ratings

FEWEST = 2
COUNTING = Q(accepted_at__isnull=False, withdrawn_at__isnull=True)
# Two who play, both known.
_SEATED = Count("members", filter=Q(members__plays=True, members__user__isnull=False))


def counting(tournament: Tournament) -> QuerySet[Entry]:
    """Entries that were accepted and have not left, the earliest first."""
    return tournament.entries.filter(COUNTING).order_by("accepted_at", "number")


def complete(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """Those whose two places are claimed: the others could not sit down."""
    return entries.alias(seated=_SEATED).filter(seated=2)


def candidates(tournament: Tournament) -> QuerySet[Entry]:
    """The entries that places are given to: once registration is over, those that were there when it ended."""
    entries = counting(tournament)
    return entries.filter(checked_in_at__isnull=False) if tournament.state == State.READY else entries


def placed(tournament: Tournament) -> list[Entry]:
    """The entries that have a place, before the start, the earliest first."""
    return list(candidates(tournament)[: tournament.capacity])


def waiting_list(tournament: Tournament) -> list[Entry]:
    """The entries that wait for a place, whose turn is next first."""
    return list(candidates(tournament)[tournament.capacity :])


def absent(tournament: Tournament) -> list[Entry]:
    """Once registration is over: the entries that lost their place, because they were not there."""
    if tournament.state != State.READY:
        return []
    return list(counting(tournament).filter(checked_in_at__isnull=True))


def groups_of(tournament: Tournament) -> int:
    """How many groups the entrants are drawn into at the start; 1 where there are none."""
    first = {"format": tournament.format, **tournament.settings}
    if tournament.format == Format.STAGES:
        first = next(iter(tournament.settings.get("stages", ())), {})
    return int(first.get("groups", 1)) if first.get("format") == Format.ROUND_ROBIN else 1


def fewest(tournament: Tournament) -> int:
    """With how many pairs it can start: in each group there must be somebody to play."""
    return FEWEST * groups_of(tournament)


def place_in_line(tournament: Tournament, entry: Entry) -> int:
    """Where an entry stands on the waiting list, from 1; 0 where it does not wait."""
    numbers = list(candidates(tournament).values_list("pk", flat=True))
    if entry.pk not in numbers:
        return 0
    return max(0, numbers.index(entry.pk) + 1 - tournament.capacity)


def idents(entries: Iterable[Entry]) -> set[str]:
    """The ids of entries."""
    return {entry.ident for entry in entries}


def lot_order(lot: str, numbers: Iterable[int]) -> list[int]:
    """Entry numbers, best seed first, in the order of SHA-256(lot|0|entry): anyone can check the draw."""
    return sorted(numbers, key=lambda number: sha256(f"{lot}|0|e{number}".encode()).digest())


def with_people(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """The entries, each with its members and their users at hand."""
    return entries.prefetch_related(Prefetch("members", Member.objects.select_related("user")))


def in_seed_order(tournament: Tournament, entries: Sequence[Entry]) -> list[Entry]:
    """The entries, best seed first, before the start: as an organiser has put them, the rest as the settings say.

    By rating those who are equal stand in the order of the lot, and who has none behind those who have; by hand
    who was not placed stands in the order of acceptance.
    """
    drawn = _drawn(tournament, entries)
    return sorted(drawn, key=lambda entry: (entry.seed is None, entry.seed or 0))


def placed_by(tournament: Tournament) -> str:
    """How seeds came elsewhere than the way of seeding says: "hand", "file", or "" where all are where it puts them."""
    acts = tournament.acts.filter(kind__in=("seeds", "import")).order_by("-number")
    for kind, after in acts.values_list("kind", "after"):
        # A way that was chosen anew forgets what was before.
        if kind == "seeds":
            return "hand" if isinstance(after, dict) else ""
        if not isinstance(after, dict):
            continue
        if after.get("seeded") or any("seed" in change for change in after.get("changed", {}).values()):
            return "file"
    return ""


def _drawn(tournament: Tournament, entries: Sequence[Entry]) -> list[Entry]:
    if tournament.seeding == Seeding.HAND:
        return list(entries)
    by_number = {entry.number: entry for entry in entries}
    drawn = [by_number[number] for number in lot_order(tournament.lot, by_number)]
    if tournament.seeding == Seeding.LOT:
        return drawn
    ratings = pair_ratings(drawn, tournament)
    return sorted(drawn, key=lambda entry: -(ratings[entry.number] or 0))


def seeded(tournament: Tournament) -> list[Entry]:
    """The entries that have a place, best seed first, before the start."""
    entries = with_people(candidates(tournament))[: tournament.capacity]
    return in_seed_order(tournament, list(entries))
