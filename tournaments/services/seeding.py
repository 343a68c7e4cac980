"""The seeds before the start: by lot, by rating or by hand; and pairs that should not meet in the first round."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import combinations
from typing import Any

from django.db import connection, transaction

from accounts.models import User
from accounts.names import search_key
from tournaments.field import seeded
from tournaments.formats.entrants import Entrant
from tournaments.formats.names import read_name
from tournaments.formats.notation import read_settings
from tournaments.formats.plan import plan
from tournaments.formats.results import Pairing, PlanError
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Seeding, State, Tournament
from tournaments.queries import settings_of
from tournaments.services.actions import check
from tournaments.services.entry import check_not_started
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.refusals import Refused

Pair = frozenset[str]

# The place of an entry in the order is its seed.
SEEDS_SQL = """
update tournaments_entry set seed = fresh.seed
  from unnest(%(entries)s::bigint[]) with ordinality as fresh(id, seed)
 where tournaments_entry.id = fresh.id
"""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a start now would come to. `order`: best seed first; `clashes`: forbidden pairs that meet all the same.

    `same_club`: pairs of one club that nobody has forbidden yet.
    """

    order: tuple[Entry, ...]
    pairings: tuple[Pairing, ...]
    forbidden: tuple[Pair, ...]
    clashes: tuple[Pair, ...]
    same_club: tuple[Pair, ...]


def preview(tournament: Tournament) -> Preview:
    """The seeds and the first round as they would be; nothing is stored."""
    order = seeded(tournament)
    forbidden = forbidden_pairs(tournament, order)
    pairings = _first_round(tournament, order)
    met = [frozenset(side for side in pairing.sides if side) for pairing in pairings]
    clashes = tuple(pair for pair in met if pair in set(forbidden))
    clubs = tuple(pair for pair in same_club(order) if pair not in set(forbidden))
    return Preview(tuple(order), pairings, forbidden, clashes, clubs)


@transaction.atomic(durable=True)
def choose(*, tournament_id: int, actor: User, method: str, now: datetime) -> Tournament:
    """The tournament, its seeds made another way; what was moved by hand is forgotten.

    Raises: Refused `not-organiser`, `not-your-role`, `already-started`, `malformed`.
    """
    tournament = _for_organiser(tournament_id, actor)
    if method not in Seeding.values:
        raise Refused("malformed")
    before, tournament.seeding = tournament.seeding, method
    tournament.save(update_fields=["seeding"])
    tournament.entries.update(seed=None)
    _log(tournament, actor, now, before=before, after=method)
    return tournament


@transaction.atomic(durable=True)
def place(*, tournament_id: int, actor: User, seeds: Mapping[int, int], now: datetime) -> Tournament:
    """The tournament, with entries (by number) put at these seeds, from 1; all others keep their order around them.

    Raises: Refused `not-organiser`, `not-your-role`, `already-started`, `seeds-later`, `unknown-entrant`.
    """
    tournament = _for_organiser(tournament_id, actor)
    if tournament.state != State.READY:
        raise Refused("seeds-later")
    check(actor, tournament, "seeds", now=now)
    order = seeded(tournament)
    if not set(seeds) <= {entry.number for entry in order}:
        raise Refused("unknown-entrant")
    before = {entry.ident: seed for seed, entry in enumerate(order, 1)}
    order = placed_at(order, {number: seed for number, seed in seeds.items() if before[f"e{number}"] != seed})
    after = {entry.ident: seed for seed, entry in enumerate(order, 1)}
    moved = sorted((ident for ident in after if after[ident] != before[ident]), key=after.__getitem__)
    if moved:
        number(tournament, order)
        _log(
            tournament,
            actor,
            now,
            before={ident: before[ident] for ident in moved},
            after={ident: after[ident] for ident in moved},
        )
    return tournament


def placed_at(order: Sequence[Entry], seeds: Mapping[int, int]) -> list[Entry]:
    """The entries, those named moved to their seeds, from 1; too low a seed is the first, too high the last."""
    rest = [entry for entry in order if entry.number not in seeds]
    named = [entry for entry in order if entry.number in seeds]
    for entry in sorted(named, key=lambda entry: seeds[entry.number]):
        rest.insert(max(0, seeds[entry.number] - 1), entry)
    return rest


@transaction.atomic(durable=True)
def forbid(*, tournament_id: int, actor: User, pairs: Iterable[Pair], now: datetime) -> Tournament:
    """The tournament, in which these entrants should not be paired where it can be avoided.

    Raises: Refused `not-organiser`, `not-your-role`, `already-started`, `unknown-entrant`, `two-pairs`.
    """
    return _change_forbidden(tournament_id, actor, add=set(pairs), now=now)


@transaction.atomic(durable=True)
def allow(*, tournament_id: int, actor: User, pairs: Iterable[Pair], now: datetime) -> Tournament:
    """The tournament, in which these entrants may be paired again.

    Raises: Refused as `forbid`.
    """
    return _change_forbidden(tournament_id, actor, drop=set(pairs), now=now)


def same_club(entries: Iterable[Entry]) -> list[Pair]:
    """Every two entries that name the same club."""
    clubs: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if key := search_key(entry.club):
            clubs[key].append(entry.ident)
    return [frozenset(two) for members in clubs.values() for two in combinations(members, 2)]


def forbidden_pairs(tournament: Tournament, entries: Iterable[Entry]) -> tuple[Pair, ...]:
    """The pairs that should not meet, of those that take part."""
    there = {entry.ident for entry in entries}
    pairs = [frozenset(pair) for pair in tournament.settings.get("forbidden", ())]
    return tuple(pair for pair in pairs if pair <= there)


def number(tournament: Tournament, order: Sequence[Entry]) -> None:
    """Inside the transaction that locked it: the seeds, from 1, as the order says; nobody else has one."""
    tournament.entries.exclude(seed=None).update(seed=None)
    for seed, entry in enumerate(order, 1):
        entry.seed = seed
    with connection.cursor() as cursor:
        cursor.execute(SEEDS_SQL, {"entries": [entry.pk for entry in order]})


def fixed_settings(tournament: Tournament, order: Iterable[Entry]) -> dict[str, Any]:
    """The settings a start fixes: the number all further lots follow from, and forbidden pairs of those who play.

    Nobody could choose the number and anyone can check it: it is the beginning of SHA-256 of the lot.
    """
    seed = int(sha256(tournament.lot.encode()).hexdigest()[:8], 16)
    fixed = {key: value for key, value in tournament.settings.items() if key != "forbidden"}
    if pairs := [sorted(pair, key=_number) for pair in forbidden_pairs(tournament, order)]:
        fixed["forbidden"] = pairs
    stages = [{"seed": seed + place, **stage} for place, stage in enumerate(fixed.get("stages", ()), 1)]
    if stages and pairs:
        stages[0] = {"forbidden": pairs, **stages[0]}
    return {"seed": seed, **fixed} | ({"stages": stages} if stages else {})


def _first_round(tournament: Tournament, order: Sequence[Entry]) -> tuple[Pairing, ...]:
    settings = settings_of(tournament) | fixed_settings(tournament, order)
    entrants = [Entrant(entry.ident, "", seed) for seed, entry in enumerate(order, 1)]
    try:
        pairings = plan(read_settings(settings), entrants, ()).pairings
    except PlanError:
        return ()
    return tuple(pairing for pairing in pairings if _is_first(pairing))


def _is_first(pairing: Pairing) -> bool:
    name = read_name(pairing.id)
    return name.part in ("R", "W") and name.round == 1 and name.stage < 2


def _change_forbidden(
    tournament_id: int,
    actor: User,
    *,
    add: Iterable[Pair] = (),
    drop: Iterable[Pair] = (),
    now: datetime,
) -> Tournament:
    tournament = _for_organiser(tournament_id, actor)
    living = tournament.entries.filter(withdrawn_at=None, declined_at=None).values_list("number", flat=True)
    known = {f"e{number}" for number in living}
    if any(len(pair) != 2 for pair in add):
        raise Refused("two-pairs")
    if not set().union(*add) <= known:
        raise Refused("unknown-entrant")
    before = {frozenset(pair) for pair in tournament.settings.get("forbidden", ())}
    after = (before | set(add)) - set(drop)
    if after == before:
        return tournament
    kept = [sorted(pair, key=_number) for pair in after]
    rest = {key: value for key, value in tournament.settings.items() if key != "forbidden"}
    tournament.settings = rest | ({"forbidden": sorted(kept)} if kept else {})
    tournament.save(update_fields=["settings"])
    record_act(
        tournament,
        "forbidden",
        actor=actor,
        now=now,
        before=sorted(sorted(pair, key=_number) for pair in before - after),
        after=sorted(sorted(pair, key=_number) for pair in after - before),
    )
    ring_after_commit(tournament)
    return tournament


def _for_organiser(tournament_id: int, actor: User) -> Tournament:
    tournament = locked(tournament_id)
    require(tournament, actor, "seeds")
    check_not_started(tournament)
    return tournament


def _log(tournament: Tournament, actor: User, now: datetime, *, before: Any, after: Any) -> None:
    record_act(tournament, "seeds", actor=actor, now=now, before=before, after=after, is_public=True)
    ring_after_commit(tournament)


def _number(ident: str) -> int:
    return int(ident.removeprefix("e"))
