"""Reads of tournaments: lists, the file of one, its plan, who is asked for what."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Least

from accounts.models import User
from games.models import Phase
from tournaments.field import candidates, seeded
from tournaments.formats.entrants import Entrant
from tournaments.formats.event import FORMAT
from tournaments.formats.names import read_name
from tournaments.formats.notation import read_item, read_settings
from tournaments.formats.plan import Plan
from tournaments.formats.plan import Tournament as Fold
from tournaments.models import Entry, Member, PairingTable, State, TableState, Tournament

WAITING = Q(accepted_at__isnull=True, declined_at__isnull=True, withdrawn_at__isnull=True)


def with_members(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    """The entries, each with its two members and their users at hand."""
    return entries.prefetch_related(Prefetch("members", Member.objects.select_related("user")))


def pair_name(entry: Entry) -> str:
    """The team's name, or those of the two who play, who entered first; plain text, for files and titles."""
    if entry.name:
        return entry.name
    return " / ".join(member.shown for member in entry.members.all() if member.plays)


def players(entry: Entry) -> list[User]:
    """The two who play, in the order of their places; fewer while a place is not claimed."""
    return [member.user for member in entry.members.all() if member.plays and member.user]


def playing(tournament: Tournament, idents: Collection[str]) -> dict[str, list[User]]:
    """The two who play for each of these entrants, by its id."""
    numbers = [int(ident.removeprefix("e")) for ident in idents]
    entries = with_members(tournament.entries.filter(number__in=numbers))
    return {entry.ident: players(entry) for entry in entries}


def entrants(tournament: Tournament) -> list[Entry]:
    """The entries that play, best seed first; while entries are taken those with a place, the earliest first."""
    if tournament.state == State.READY:
        return seeded(tournament)
    if tournament.started_at is None:
        return list(with_members(candidates(tournament))[: tournament.capacity])
    return list(with_members(tournament.entries.filter(seed__isnull=False)).order_by("seed"))


def settings_of(tournament: Tournament) -> dict[str, Any]:
    """The settings as a tournament file has them."""
    return {"format": tournament.format, **tournament.settings}


def stage_settings(tournament: Tournament, pairing: str) -> dict[str, Any]:
    """The settings of the stage a pairing belongs to; the tournament's own where it has no stages."""
    stage = read_name(pairing).stage
    own = settings_of(tournament)
    return dict(own["stages"][stage - 1]) if stage else own


# With more pairings than this the whole log is read instead of looking each up.
FEW = 200


def said_of(tournament: Tournament, pairings: Collection[str]) -> list[Mapping[str, Any]]:
    """What the log has of these pairings, in order; corrections that were taken back are left out."""
    log = tournament.log.order_by("number")
    if len(pairings) <= FEW:
        log = log.filter(Q(item__pairing__in=list(pairings)) | Q(item__type__in=["correct", "undo"]))
    found: dict[int, Mapping[str, Any]] = {}
    corrections: list[int] = []
    for number, item in log.values_list("number", "item"):
        if item["type"] == "undo" and corrections:
            found.pop(corrections.pop(), None)
        elif item["type"] == "correct":
            corrections.append(number)
        if item.get("pairing") in pairings:
            found[number] = item
    return list(found.values())


def log_items(tournament: Tournament) -> list[dict[str, Any]]:
    """The items of the log, in order."""
    return list(tournament.log.order_by("number").values_list("item", flat=True))


def event(tournament: Tournament, taking_part: Iterable[Entry] | None = None) -> dict[str, Any]:
    """The tournament as a file (`tarneeb-event/1`). Before the start seeds are the order of acceptance.

    Those who came late are not among the entrants: they stand in the log.
    """
    entries = list(entrants(tournament) if taking_part is None else taking_part)
    items = log_items(tournament)
    late = _late(items)
    started = tournament.started_at is not None
    return {
        "format": FORMAT,
        "name": tournament.name,
        "settings": (settings_of(tournament) if started else _settings_for(tournament, entries))
        | ({"rated": True} if tournament.rated else {}),
        "entrants": [
            {"id": entry.ident, "name": pair_name(entry), "seed": entry.seed if started else place}
            for place, entry in enumerate(entries, 1)
            if entry.ident not in late
        ],
        "log": items,
    }


def _settings_for(tournament: Tournament, entries: Iterable[Entry]) -> dict[str, Any]:
    """The settings before the start, when pairs that should not meet may have left, or still wait."""
    settings = settings_of(tournament)
    there = {entry.ident for entry in entries}
    pairs = [pair for pair in settings.pop("forbidden", ()) if there.issuperset(pair)]
    return settings | ({"forbidden": pairs} if pairs else {})


def _late(items: Iterable[dict[str, Any]]) -> set[str]:
    return {item["entrant"]["id"] for item in items if item["type"] == "enter"}


def folded(tournament: Tournament, items: Sequence[dict[str, Any]] | None = None) -> Fold:
    """The log of a started tournament, folded from what is stored: further items may be tried on it.

    `items`: its log, where it is at hand.
    Raises: PlanError, where the log does not fit the settings (any more).
    """
    items = log_items(tournament) if items is None else items
    late = _late(items)
    seeded = tournament.entries.filter(seed__isnull=False).order_by("seed").values_list("number", "seed")
    # Names play no part in a plan.
    entrants_ = [Entrant(f"e{number}", "", seed) for number, seed in seeded if f"e{number}" not in late]
    fold = Fold(read_settings(settings_of(tournament)), entrants_)
    fold.add_all(map(read_item, items))
    return fold


def plan_of(tournament: Tournament) -> Plan:
    """Pairings, standings and champion of a started tournament."""
    return folded(tournament).plan()


def listed(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The tournaments with what a list shows of each: `pairs` that take part, organiser, champion."""
    entered = Q(entries__accepted_at__isnull=False, entries__withdrawn_at__isnull=True)
    there = ~Q(state=State.READY) | Q(entries__checked_in_at__isnull=False)
    before = Q(started_at=None) & entered & there
    took_part = Q(started_at__isnull=False, entries__seed__isnull=False)
    counted = tournaments.annotate(
        pairs=Least(Count("entries", filter=before), "capacity", output_field=IntegerField())
        + Count("entries", filter=took_part)
    )
    members = Prefetch("champion__members", Member.objects.select_related("user"))
    return counted.select_related("organiser", "champion").prefetch_related(members)


def upcoming() -> QuerySet[Tournament]:
    """Tournaments to come: announced, open for registration or about to start, the next first."""
    to_come = Tournament.objects.filter(
        state__in=(State.PUBLISHED, State.OPEN, State.READY), is_private=False
    )
    return listed(to_come).order_by("starts_at", "pk")


def out_of_sight(user: User) -> QuerySet[Tournament]:
    """Drafts and private tournaments that this user knows of: runs them, is in them or is invited; the next first."""
    runs = Q(organiser=user) | Q(officials__user=user)
    knows = runs | Q(members__user=user) | Q(invited__user=user)
    hidden = runs & Q(state=State.DRAFT) | knows & Q(is_private=True) & ~Q(state=State.DRAFT)
    found = Tournament.objects.filter(hidden).exclude(state__in=(State.ARCHIVED, State.CANCELLED))
    return listed(Tournament.objects.filter(pk__in=found.values("pk"))).order_by("starts_at", "pk")


def running() -> QuerySet[Tournament]:
    """Tournaments in play, the newest first."""
    return listed(Tournament.objects.filter(state=State.RUNNING, is_private=False)).order_by(
        "-started_at", "pk"
    )


def finished() -> QuerySet[Tournament]:
    """Tournaments played to their end and not in the archive, the newest first."""
    over = Tournament.objects.filter(state__in=(State.FINISHED, State.CERTIFIED), is_private=False)
    return listed(over).order_by("-finished_at", "pk")


def invitations(user: User) -> QuerySet[Entry]:
    """Entries that wait for this user's word, in tournaments still open, oldest first.

    As a partner or, where `third` is said of it, as the third player of a pair.
    """
    asked = Member.objects.filter(user=user, place=1).values("entry")
    as_partner = WAITING & Q(pk__in=asked, tournament__state=State.OPEN)
    third = Member.objects.filter(user=user, place=2, active=False)
    as_third = Q(
        pk__in=third.values("entry"),
        declined_at=None,
        withdrawn_at=None,
        tournament__state__in=(State.OPEN, State.READY),
    )
    waiting = Entry.objects.filter(as_partner | as_third).annotate(
        third=Exists(third.filter(entry=OuterRef("pk")))
    )
    return with_members(waiting).select_related("tournament").order_by("created_at", "pk")


def awaited_tables(user: User) -> QuerySet[PairingTable]:
    """Tables of running tournaments where this user is to play now, oldest first."""
    tables = PairingTable.objects.filter(
        ~Q(table__phase=Phase.OVER), state=TableState.OPEN, table__seats__user=user
    )
    return tables.select_related("table", "tournament").order_by("table__created_at", "pk")


def tables_by_pairing(tournament: Tournament) -> dict[str, list[PairingTable]]:
    """The tables of each pairing that has some, in the order they were opened."""
    tables: dict[str, list[PairingTable]] = {}
    for row in tournament.tables.select_related("table").order_by("pairing", "attempt"):
        tables.setdefault(row.pairing, []).append(row)
    return tables


def due(now: datetime) -> QuerySet[Tournament]:
    """Tournaments whose hour has come and that start by themselves, earliest first."""
    waiting = Tournament.objects.filter(
        state__in=(State.OPEN, State.READY), starts_itself=True, starts_at__lte=now
    )
    return waiting.order_by("starts_at", "pk")


def with_ended_tables() -> QuerySet[Tournament]:
    """Tournaments that have a finished table whose result is not in the log yet."""
    ended = PairingTable.objects.filter(state=TableState.OPEN, table__phase=Phase.OVER)
    return Tournament.objects.filter(pk__in=ended.values("tournament"))


def final_round(result: Plan) -> int:
    """The number of the last round of an elimination; 0 without pairings."""
    return max((pairing.round for pairing in result.pairings), default=0)
