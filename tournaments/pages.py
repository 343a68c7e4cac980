"""What the page of a tournament shows, and to whom: the parts of a tab, the reader's next step."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from accounts.text import isolate
from tournaments import queries
from tournaments.cards import Cards
from tournaments.course import Course
from tournaments.feed import Feed, News, act_news, act_of, feed, named_in
from tournaments.field import placed_by
from tournaments.joining import Joining
from tournaments.look import Look
from tournaments.models import Announcement, Entry, State
from tournaments.next_step import Step, step_of
from tournaments.ranking import Place, Ranking, default_stage, ranking
from tournaments.regulations import Chapter, chapters
from tournaments.roll import Roll, Wanted
from tournaments.sentences import item_sentence, versus, with_own_note
from tournaments.services.actions import Desk
from tournaments.timetable import Date, RoundLine, dates, round_lines
from tournaments.zone_names import zone_name

__all__ = ["Page", "Step", "versus"]

NEWS = 8
FIRST_PAIRS = 20
ANNOUNCEMENTS = 5


@dataclass
class Page(Look):
    """One tournament for one reader; each part is read once, when it is first asked for."""

    # Standings, news, dates, rules

    @cached_property
    def ranking(self) -> Ranking | None:
        if self.course is None:
            return None
        begun = self.course.stages
        asked = self.asked.stage if self.asked.stage in (0, *begun) else None
        return ranking(
            self.tournament,
            self.course,
            stage=asked,
            mine=self.mine_ident,
            of=self.asked.of,
            page=self.asked.page if self.asked.has_page else None,
        )

    @property
    def standings(self) -> list[Place]:
        """The lines of the standings that are shown."""
        return self.ranking.places if self.ranking else []

    @cached_property
    def play_offs(self) -> list[tuple[Entry, Entry]]:
        """Those who are level and whom this reader, an official, may let play off."""
        if self.reader is None or self.course is None:
            return []
        desk = Desk(self.reader, self.tournament, self.course.plan, now=self.now)
        pairs = [act.item["entrants"] for act in desk.play_offs() if act.item]
        return [(self.by_ident[first], self.by_ident[second]) for first, second in pairs]

    @cached_property
    def seeds_placed_by(self) -> str:
        """How seeds came elsewhere than the way of seeding says; "" where none did."""
        return placed_by(self.tournament)

    @property
    def default_stage(self) -> int:
        return default_stage(self.course) if self.course else 0

    @cached_property
    def feed(self) -> Feed | None:
        return feed(self.tournament, self.course, self.asked.before) if self.course else None

    @cached_property
    def public_acts(self) -> list[News]:
        """What officials did that everybody may know, the newest first; before the start too."""
        acts = self.tournament.acts.filter(is_public=True).exclude(kind="announce").select_related("actor")
        listed = (act_news(act, self.course) for act in acts.order_by("-number")[: 2 * NEWS])
        return [news for news in listed if news is not None][:NEWS]

    @cached_property
    def decisions(self) -> list[News]:
        """What people decided, the newest first: rulings, corrections, who left."""
        log = self.tournament.log.exclude(actor=None).select_related("actor", "act__actor")
        log = log.order_by("-number")[:NEWS]
        named = {ident for item in log for ident in named_in(item.item)}
        cards = Cards(self.tournament, self._course(), entries={})
        cards.read([], named)
        return [
            News(
                "decision",
                item.at,
                with_own_note(item_sentence(item.item, self.names, cards.name), act_of(item)),
                reason=item.item.get("reason", ""),
                by=item.actor,
            )
            for item in log
        ]

    def _course(self) -> Course:
        assert self.course is not None
        return self.course

    @cached_property
    def announcements(self) -> list[Announcement]:
        """What officials told everybody, the newest first."""
        return list(self.tournament.announcements.select_related("by").order_by("-pk")[:ANNOUNCEMENTS])

    @cached_property
    def dates(self) -> list[Date]:
        return dates(self.tournament, self.now)

    @cached_property
    def timetable(self) -> list[RoundLine]:
        return round_lines(self.tournament, self.course)

    @property
    def zone(self) -> str:
        """The city by whose clocks the organiser sets hours."""
        return zone_name(self.tournament.time_zone)

    @cached_property
    def chapters(self) -> list[Chapter]:
        return chapters(self.tournament)

    # Who takes part, as a list

    @cached_property
    def roll(self) -> Roll:
        """The pairs that are in, on the waiting list, asked: found by name, a page at a time."""
        wanted = Wanted(words=self.asked.search, page=str(self.asked.page))
        asked = ("pending",) if self.tournament.state == State.OPEN else ()
        return Roll(self.tournament, wanted, ("placed", "line", "absent", *asked))

    @property
    def roll_query(self) -> str:
        """What its pages have in common in their addresses."""
        return urlencode({"tab": "entrants"} | ({"q": self.asked.search} if self.asked.search else {}))

    @cached_property
    def first_pairs(self) -> Roll:
        """The beginning of that list, for the overview."""
        return Roll(self.tournament, Wanted(), ("placed",), FIRST_PAIRS)

    # The next step

    @cached_property
    def joining(self) -> Joining:
        """Entering it, and what belongs to the reader's own pair."""
        own = self.mine if self.started else None
        return Joining(self.tournament, self.reader, self.now, own)

    @cached_property
    def step(self) -> Step:
        if self.tournament.state == State.CANCELLED:
            return Step("watch")
        if not self.started:
            return Step("before")
        return step_of(self.mine, self.cards()) if self.mine else Step("watch")

    def sentence(self, item: Mapping[str, Any]) -> str:
        """A log item in words."""
        return item_sentence(item, self.names, self._isolated)

    def _isolated(self, ident: str | None) -> str:
        entry = self.by_ident.get(ident or "")
        return isolate(queries.pair_name(entry)) if entry else ""
