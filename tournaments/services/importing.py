"""Entrants from a list: all that it would do is shown first, then done at once. The same list twice changes nothing."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.deadlines import is_checking_in
from tournaments.live import ring_after_commit
from tournaments.models import Entry, Member, State, Tournament
from tournaments.models.tournaments import secret_word
from tournaments.rosters import Person, Roster
from tournaments.services.actions import check
from tournaments.services.entry import check_not_started, new_entry
from tournaments.services.log import locked, record_act
from tournaments.services.matching import Comparison, Proposal
from tournaments.services.permissions import require
from tournaments.services.places import moving_up
from tournaments.services.refusals import Refused

Named = tuple[Person, User | None]
THIRD = 2


@transaction.atomic(durable=True)
def import_entrants(
    *, tournament_id: int, actor: User, roster: Roster, seen: str, now: datetime
) -> Comparison:
    """What the list did. Rows that make no sense are left out; pairs that it does not name stay as they are.

    Players with an account are in at once; for the others their places wait to be claimed (`claims.claim`), and
    their pair with them. `seen`: the digest of the comparison that the official looked at.
    Raises: Tournament.DoesNotExist; Refused `not-organiser`, `not-your-role`, `already-started`, `list-moved`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "entries")
    check_not_started(tournament)
    found = Comparison(tournament, roster)
    if not found.new and not found.changed:
        return found
    if seen != found.digest:
        raise Refused("list-moved")
    check(actor, tournament, "import", now=now)
    with moving_up(tournament, now):
        _free_seeds(found)
        for proposal in found.changed:
            _change(tournament, proposal, found, now)
        made = [_make(tournament, proposal, now) for proposal in found.new]
    record_act(tournament, "import", actor=actor, now=now, after=_summary(found, made))
    ring_after_commit(tournament)
    return found


def _summary(found: Comparison, made: Iterable[Entry]) -> dict[str, Any]:
    changed = {
        proposal.entry.ident: {change.column: [change.before, change.after] for change in proposal.changes}
        for proposal in found.changed
        if proposal.entry
    }
    made = list(made)
    seeded = [entry.ident for entry in made if entry.seed is not None]
    told = {"new": [entry.ident for entry in made], "changed": changed}
    return told | ({"seeded": seeded} if seeded else {})


def _free_seeds(found: Comparison) -> None:
    """Seeds may go round in a circle: those that change are nobody's before they are somebody's again."""
    changing = [
        proposal.entry.pk
        for proposal in found.changed
        if proposal.entry and any(change.column == "seed" for change in proposal.changes)
    ]
    Entry.objects.filter(pk__in=changing).update(seed=None)


def _make(tournament: Tournament, proposal: Proposal, now: datetime) -> Entry:
    line = proposal.line
    complete = all(user for _person, user in proposal.people[:2])
    entry = new_entry(tournament, now, name=line.team, club=line.club, accepted_at=now if complete else None)
    entry.rating, entry.seed = line.rating, line.seed
    entry.save(update_fields=["rating", "seed"])
    # Who is there first stands first: whoever is missing is asked for in second place.
    playing = sorted(proposal.people[:2], key=lambda named: named[1] is None)
    for place, named in enumerate([*playing, *proposal.people[2:]]):
        _seat(Member(tournament=tournament, entry=entry, place=place, plays=place < THIRD), named)
    _tell(tournament, entry, [user for _person, user in proposal.people if user], now)
    return entry


def _seat(member: Member, named: Named) -> None:
    """The place, given to a player, or kept for a name under a link of its own."""
    person, user = named
    member.name, member.user, member.active = person.name, user, user is not None
    member.claim = "" if user else secret_word()
    member.save()


def _change(tournament: Tournament, proposal: Proposal, found: Comparison, now: datetime) -> None:
    entry, line = proposal.entry, proposal.line
    assert entry is not None
    for change in proposal.changes:
        if change.column in ("team", "club", "rating", "seed"):
            field = "name" if change.column == "team" else change.column
            setattr(entry, field, getattr(line, change.column))
    entry.save(update_fields=["name", "club", "rating", "seed"])
    columns = {change.column for change in proposal.changes}
    if columns & {"player_1", "player_2"}:
        _change_players(tournament, entry, proposal, found, now)
    if "substitute" in columns:
        entry.members.filter(place=THIRD).delete()
        for named in proposal.people[2:]:
            _seat(Member(tournament=tournament, entry=entry, place=THIRD, plays=False), named)


def _change_players(
    tournament: Tournament, entry: Entry, proposal: Proposal, found: Comparison, now: datetime
) -> None:
    members = list(entry.members.filter(place__lt=THIRD).select_related("user"))
    came = [(member, (who, found.account(who))) for member, who in found.replaced(members, proposal.line)]
    for member, named in came:
        left = member.user
        _seat(member, named)
        if left is not None:
            _tell_left(tournament, entry, left, now)
    settle(tournament, entry, now)
    _tell(tournament, entry, [user for _member, (_person, user) in came if user], now)


def settle(tournament: Tournament, entry: Entry, now: datetime) -> None:
    """The entry in while both its places are somebody's, waiting while one is not; who is there stands first."""
    first, second = entry.members.filter(place__lt=THIRD).order_by("place")
    if first.user_id is None and second.user_id is not None:
        _exchange(first, second)
    complete = first.user_id is not None and second.user_id is not None
    if complete and entry.accepted_at is None:
        entry.accepted_at = now
        checks = is_checking_in(tournament, now) or tournament.state == State.READY
        entry.checked_in_at = now if checks else None
    elif not complete:
        entry.accepted_at = entry.checked_in_at = None
    entry.save(update_fields=["accepted_at", "checked_in_at"])


def _exchange(free: Member, taken: Member) -> None:
    """Two places of a pair, their people exchanged; a link goes along with its name."""
    moved = (free.name, free.claim)
    free.claim = ""
    free.save(update_fields=["claim"])
    kept = (taken.name, taken.user, taken.claim, taken.active)
    taken.name, taken.user, taken.claim, taken.active = moved[0], None, moved[1], False
    taken.save()
    free.name, free.user, free.claim, free.active = kept
    free.save()


def tell_entered(tournament: Tournament, now: datetime) -> None:
    """Once a draft is published: all who were entered in it hear of it."""
    living = tournament.entries.filter(withdrawn_at=None, declined_at=None)
    for entry in living.prefetch_related("members__user"):
        _tell(tournament, entry, [member.user for member in entry.members.all() if member.user], now)


def _tell(tournament: Tournament, entry: Entry, users: Sequence[User], now: datetime) -> None:
    if tournament.state == State.DRAFT:
        return

    def say() -> str:
        said = _("The organiser has entered you in %(name)s.")
        return said % {"name": isolate(tournament.name)}

    key = f"added-{tournament.pk}-{entry.ident}"
    notify(users, key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)


def _tell_left(tournament: Tournament, entry: Entry, user: User, now: datetime) -> None:
    if tournament.state == State.DRAFT:
        return

    def say() -> str:
        said = _("The organiser has put somebody else in your place in %(name)s.")
        return said % {"name": isolate(tournament.name)}

    key = f"replaced-{tournament.pk}-{entry.ident}-{now.timestamp():.0f}"
    notify([user], key, say, url=tournament.get_absolute_url(), by_mail=True, now=now)
