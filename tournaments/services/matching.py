"""A list of entrants beside those that are there: which rows are new, which change a pair, which make no sense."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from allauth.account.models import EmailAddress

from accounts.models import User
from accounts.names import name_key, search_key
from tournaments.models import Entry, Member, Tournament
from tournaments.queries import with_members
from tournaments.rosters import Fault, Line, Person, Roster

Key = tuple[str, str]
PLAYERS = ("player_1", "player_2")


@dataclass(frozen=True, slots=True)
class Change:
    """What a row would change of a pair; `column` as in a list, values as people read them."""

    column: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a row would do. Without `entry` it is a new pair; without `changes` nothing. Players may lack an account."""

    line: Line
    entry: Entry | None
    changes: tuple[Change, ...]
    people: tuple[tuple[Person, User | None], ...]

    @property
    def waits_for(self) -> list[str]:
        """The players who have no account here under that name: their places wait to be claimed."""
        return [person.shown for person, user in self.people[:2] if user is None]


class Comparison:
    """A list beside the living entries of a tournament, as they are at this moment."""

    def __init__(self, tournament: Tournament, roster: Roster) -> None:
        self.tournament = tournament
        self.roster = roster
        living = tournament.entries.filter(withdrawn_at=None, declined_at=None)
        self.living = list(with_members(living).order_by("number"))
        self._users = _accounts(roster)
        self._holders = _holders(self.living)
        self._teams = {search_key(entry.name): entry for entry in self.living if entry.name}
        self._seeds = {entry.seed: entry for entry in self.living if entry.seed}
        self._meant = {line.number: self._entry_of(line) for line in roster.lines}
        self._lines = {entry.pk: line for line in roster.lines if (entry := self._meant[line.number])}
        self.faults = list(roster.faults)
        self.proposals = list(self._compared())
        self.faults.sort(key=lambda fault: fault.number)

    @property
    def new(self) -> list[Proposal]:
        return [proposal for proposal in self.proposals if proposal.entry is None]

    @property
    def changed(self) -> list[Proposal]:
        return [proposal for proposal in self.proposals if proposal.entry and proposal.changes]

    @property
    def same(self) -> list[Proposal]:
        return [proposal for proposal in self.proposals if proposal.entry and not proposal.changes]

    @cached_property
    def absent(self) -> list[Entry]:
        """Pairs that the list does not name: they stay as they are."""
        named = {proposal.entry.pk for proposal in self.proposals if proposal.entry}
        return [entry for entry in self.living if entry.pk not in named]

    @property
    def digest(self) -> str:
        """The same as long as the list would do the same."""
        does = [(p.entry.ident if p.entry else "", p.line.number, p.changes) for p in self.new + self.changed]
        people = [[user.pk if user else 0 for _, user in proposal.people] for proposal in self.proposals]
        return sha256(repr((does, people)).encode()).hexdigest()[:16]

    def _compared(self) -> Iterator[Proposal]:
        seen: dict[tuple[str, object], int] = {}
        taken: dict[int, int] = {}
        for line in self.roster.lines:
            fault = self._fault_within(line, seen) or self._fault_of_people(line)
            entry = self._meant[line.number]
            fault = fault or self._fault_beside(line, entry, taken)
            if fault is not None:
                self.faults.append(fault)
                continue
            if entry is not None:
                taken[entry.pk] = line.number
            people = self._people(line)
            yield Proposal(line, entry, tuple(self._changes(line, entry)) if entry else (), people)

    def _people(self, line: Line) -> tuple[tuple[Person, User | None], ...]:
        named = [*line.players, *([line.substitute] if line.substitute else [])]
        return tuple((person, self.account(person)) for person in named)

    def account(self, person: Person) -> User | None:
        """The account that is meant: of the confirmed address, or else of the name."""
        return self._users.get(("email", person.email)) or self._users.get(("name", name_key(person.name)))

    def _keys(self, person: Person) -> set[Key]:
        user = self.account(person)
        keys = {("user", str(user.pk))} if user else set()
        return keys | ({("name", name_key(person.name))} if person.name else set())

    def _fault_within(self, line: Line, seen: dict[tuple[str, object], int]) -> Fault | None:
        """Whether the file itself says something twice. Of two such rows the first counts."""
        people = self._people(line)
        keys = [self._keys(person) for person, _ in people]
        if any(first & second for place, first in enumerate(keys) for second in keys[place + 1 :]):
            return Fault(line.number, "same-player", people[0][0].shown)
        said: list[tuple[str, object, str]] = [
            *(
                ("twice", key, person.shown)
                for (person, _), own in zip(people, keys, strict=True)
                for key in own
            ),
            *([("team-twice", search_key(line.team), line.team)] if line.team else []),
            *([("seed-twice", line.seed, str(line.seed))] if line.seed else []),
        ]
        for code, what, cell in said:
            if row := seen.get((code, what)):
                return Fault(line.number, code, cell, row)
        seen.update({(code, what): line.number for code, what, _ in said})
        return None

    def _fault_of_people(self, line: Line) -> Fault | None:
        if line.substitute and not self.tournament.substitutes:
            return Fault(line.number, "no-substitutes")
        for person, user in self._people(line):
            if user is None and not person.name:
                return Fault(line.number, "no-account", person.email)
            if user is not None and user.is_guest:
                return Fault(line.number, "guest", person.shown)
            if user is not None and not user.is_active:
                return Fault(line.number, "inactive", person.shown)
        return None

    def _entry_of(self, line: Line) -> Entry | None:
        """The pair a row is about: that of its players; or of its id, or its team, where no player is elsewhere.

        An id alone says nothing: the list may come from another tournament.
        """
        holders = list(self._held(line.players).values())
        if holders:
            return holders[0] if len(holders) == 1 or self._has_all(holders[0], line) else None
        named = self._teams.get(search_key(line.team)) if line.team else None
        asked = (entry for entry in self.living if entry.accepted_at is None and self._has_all(entry, line))
        return named or next(asked, None)

    def _has_all(self, entry: Entry, line: Line) -> bool:
        return not self.replaced([member for member in entry.members.all() if member.place < 2], line)

    def _held(self, people: Iterable[Person]) -> dict[int, Entry]:
        found = [
            self._holders[key] for person in people for key in self._keys(person) if key in self._holders
        ]
        return {entry.pk: entry for entry in found}

    def is_same(self, member: Member, person: Person) -> bool:
        """Whether a place is this person's: by the account, or by the name it was written under."""
        user = self.account(person)
        if user is not None and member.user_id == user.pk:
            return True
        return bool(person.name and member.name) and name_key(person.name) == name_key(member.name)

    def replaced(self, playing: Iterable[Member], line: Line) -> list[tuple[Member, Person]]:
        """Who of the two who play would give the place to whom."""
        gone, came = list(playing), []
        for who in line.players:
            stays = next((member for member in gone if self.is_same(member, who)), None)
            if stays is None:
                came.append(who)
            else:
                gone.remove(stays)
        return list(zip(gone, came, strict=True))

    def _fault_beside(self, line: Line, entry: Entry | None, taken: dict[int, int]) -> Fault | None:
        if entry is not None and entry.pk in taken:
            return Fault(line.number, "pair-twice", entry.ident, taken[entry.pk])
        own = entry.pk if entry else None
        for person, _ in self._people(line):
            if self._held([person]).keys() - {own}:
                return Fault(line.number, "busy", person.shown)
        namesake = self._teams.get(search_key(line.team)) if line.team else None
        if namesake is not None and namesake.pk != own and not self._is_renamed(namesake):
            return Fault(line.number, "team-taken", line.team)
        if line.seed and self._seed_is_kept(line.seed, own):
            return Fault(line.number, "seed-taken", str(line.seed))
        return None

    def _is_renamed(self, entry: Entry) -> bool:
        """Whether the list gives the pair another name."""
        line = self._lines.get(entry.pk)
        return line is not None and search_key(line.team) != search_key(entry.name)

    def _seed_is_kept(self, seed: int, own: int | None) -> bool:
        """Whether a pair that the list leaves where it is has this seed."""
        holder = self._seeds.get(seed)
        if holder is None or holder.pk == own:
            return False
        line = self._lines.get(holder.pk)
        return line is None or line.seed == seed

    def _changes(self, line: Line, entry: Entry) -> Iterator[Change]:
        plain: dict[str, tuple[object, object]] = {
            "team": (entry.name, line.team),
            "club": (entry.club, line.club),
            "rating": (entry.rating, line.rating),
            "seed": (entry.seed, line.seed),
        }
        for column, (before, after) in plain.items():
            if column in self.roster.columns and before != after:
                yield Change(column, _said(before), _said(after))
        yield from self._changed_people(line, entry)

    def _changed_people(self, line: Line, entry: Entry) -> Iterator[Change]:
        members = {member.place: member for member in entry.members.all()}
        playing = [member for place, member in members.items() if place < 2]
        for member, who in self.replaced(playing, line):
            yield Change(PLAYERS[member.place], member.shown, who.shown)
        third = members.get(2)
        if "substitute" not in self.roster.columns or (third is None and line.substitute is None):
            return
        if third is None or line.substitute is None or not self.is_same(third, line.substitute):
            yield Change(
                "substitute", third.shown if third else "", line.substitute.shown if line.substitute else ""
            )


def _said(value: object) -> str:
    return "" if value is None else str(value)


def _holders(living: Iterable[Entry]) -> dict[Key, Entry]:
    """Who is in which pair: those who are in for good, and places kept for names."""
    found: dict[Key, Entry] = {}
    for entry in living:
        for member in entry.members.all():
            if member.active and member.user_id:
                found[("user", str(member.user_id))] = entry
            if member.name and (member.active or member.user_id is None):
                found[("name", name_key(member.name))] = entry
    return found


def _accounts(roster: Roster) -> dict[Key, User]:
    """The accounts of all that a list names, by name and by confirmed address."""
    people = [person for line in roster.lines for person in (*line.players, line.substitute) if person]
    names = {name_key(person.name) for person in people if person.name}
    emails = {person.email for person in people if person.email}
    found: dict[Key, User] = {
        ("name", user.name_key): user for user in User.objects.filter(name_key__in=names)
    }
    confirmed = EmailAddress.objects.filter(verified=True, email__in=emails).select_related("user")
    return found | {
        ("email", address.email): address.user
        for address in confirmed
        if address.user.email.lower() == address.email
    }
