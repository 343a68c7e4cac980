"""What the page of a tournament says to a reader about entering it: before the start, and about the reader's pair."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from accounts.countries import country_name
from accounts.models import User
from tournaments import deadlines, queries
from tournaments.field import candidates, place_in_line
from tournaments.models import Access, Entry, Member, State, Tournament
from tournaments.services.permissions import role_of

# States in which the reader's own next step is to enter, to check in or to wait.
KINDS = {State.DRAFT: "draft", State.PUBLISHED: "published"}


@dataclass
class Joining:
    """Entering one tournament, for one reader; each part is read once, when it is first asked for."""

    tournament: Tournament
    reader: User | None
    now: datetime
    # The reader's entry, where it was read already.
    own: Entry | None = None

    @cached_property
    def kind(self) -> str:
        """What is next for the reader; chooses the words."""
        if self.tournament.state in KINDS and self.mine is None:
            return KINDS[State(self.tournament.state)]
        if self.mine is not None:
            return self._kind_of(self.mine)
        if not self.is_open:
            return "closed"
        if self.reader is None:
            return "stranger"
        return "guest" if self.reader.is_guest else "enter"

    def _kind_of(self, entry: Entry) -> str:
        if not entry.accepted_at:
            return "pending"
        if self.tournament.state == State.READY and entry.checked_in_at is None:
            return "absent"
        return "waiting" if self.line_place else "entered"

    @cached_property
    def mine(self) -> Entry | None:
        """The entry the reader belongs to, its members at hand; also one whose partner has not answered yet."""
        if self.reader is None or self.own is not None:
            return self.own
        living = Member.objects.filter(user=self.reader, active=True).values("entry")
        entries = self.tournament.entries.filter(pk__in=living, withdrawn_at=None)
        return queries.with_members(entries).first()

    @cached_property
    def invitations(self) -> list[Entry]:
        """Where the reader's word is awaited."""
        if self.reader is None or self.tournament.started_at is not None:
            return []
        return list(queries.invitations(self.reader).filter(tournament=self.tournament))

    @cached_property
    def is_open(self) -> bool:
        """Whether entries are taken now."""
        return deadlines.is_entering(self.tournament, self.now)

    @cached_property
    def line_place(self) -> int:
        """Where the reader's pair stands on the waiting list, from 1; 0 where it does not wait."""
        return place_in_line(self.tournament, self.mine) if self.mine and self.mine.accepted_at else 0

    @cached_property
    def is_full(self) -> bool:
        """Whether who enters now has to wait."""
        return candidates(self.tournament).count() >= self.tournament.capacity

    @cached_property
    def declined_by(self) -> User | None:
        """Who did not accept the reader's newest invitation."""
        asked = self.tournament.entries.filter(members__user=self.reader, members__place=0)
        newest = queries.with_members(asked).order_by("-number").first()
        if newest is None or not newest.declined_at:
            return None
        return next((member.user for member in newest.members.all() if member.place == 1), None)

    @property
    def may_enter(self) -> bool:
        """Whether a list of those invited does not stand in the reader's way; a partner on it is enough."""
        if self.tournament.access != Access.INVITATION or self.reader is None:
            return True
        return self.tournament.invited.filter(user=self.reader).exists()

    @property
    def region_names(self) -> str:
        """The countries whose players may enter."""
        return " · ".join(country_name(code) for code in self.tournament.regions)

    # Deadlines

    @cached_property
    def checks_in(self) -> bool:
        """Whether pairs have to say that they are there."""
        return deadlines.has_check_in(self.tournament)

    @cached_property
    def is_checking_in(self) -> bool:
        """Whether they can say so now."""
        return deadlines.is_checking_in(self.tournament, self.now)

    @property
    def opens_at(self) -> datetime | None:
        return deadlines.opens_at(self.tournament)

    @property
    def closes_at(self) -> datetime:
        return deadlines.closes_at(self.tournament)

    @property
    def check_in_opens_at(self) -> datetime:
        return deadlines.check_in_opens_at(self.tournament)

    @property
    def check_in_ends_at(self) -> datetime:
        return deadlines.check_in_ends_at(self.tournament)

    # The reader's pair

    @cached_property
    def third(self) -> Member | None:
        """The third player of the reader's pair, who may not have answered yet."""
        members = self.mine.members.all() if self.mine else ()
        return next((member for member in members if member.place == 2), None)

    @property
    def is_third(self) -> bool:
        """Whether the reader is the third player."""
        return self.third is not None and self.third.user == self.reader

    @property
    def may_ask_third(self) -> bool:
        """Whether the pair may still name a third player."""
        return (
            self.tournament.substitutes
            and self.tournament.state in (State.OPEN, State.READY)
            and self.third is None
        )

    @property
    def may_change_who_plays(self) -> bool:
        """Whether there are three to choose from."""
        return self.third is not None and self.third.active

    @cached_property
    def is_official(self) -> bool:
        """Whether the reader has a role in this tournament."""
        return self.reader is not None and role_of(self.tournament, self.reader) is not None
