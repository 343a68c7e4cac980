"""What officials read: the log of acts, the queue of objections."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from accounts.models import User
from accounts.text import isolate
from games.models import Phase
from tournaments.act_changes import is_ident, moment_words, told
from tournaments.course import Course, course_of
from tournaments.models import Act, Entry, Objection, ObjectionState, PairingTable, Role, Tournament
from tournaments.queries import pair_name, with_members
from tournaments.sentences import act_sentence, item_sentence, points_words, with_own_note
from tournaments.series import match_words
from tournaments.services.objections import may_object, objecting_ends_at

# What an act was, where the public has no sentence of its own for it.
KINDS: dict[str, Promise] = {
    "add": gettext_lazy("A pair was entered by an official."),
    "check-in": gettext_lazy("A pair was checked in by an official."),
    "check-in-ends": gettext_lazy("Pairs that were not checked in were reminded."),
    "check-in-opens": gettext_lazy("Check-in opened; everybody was told."),
    "check-out": gettext_lazy("A pair was marked as not there."),
    "adjust": gettext_lazy("Points were given or taken."),
    "correct": gettext_lazy("A result was corrected."),
    "disqualify": gettext_lazy("A pair was disqualified."),
    "forfeit": gettext_lazy("A match was forfeited."),
    "import": gettext_lazy("A list of entrants was read in."),
    "late": gettext_lazy("Players had not come in time; the referees were told."),
    "open-round": gettext_lazy("A round was opened."),
    "outage": gettext_lazy("The site was away: all deadlines were moved by that time."),
    "round": gettext_lazy("A round was paired by hand."),
    "play_off": gettext_lazy("Two pairs play off."),
    "reenter": gettext_lazy("A pair was taken back in."),
    "renew": gettext_lazy("A place got a new link."),
    "round-time": gettext_lazy("The hour of a round was changed."),
    "rule": gettext_lazy("A match was decided by a ruling."),
    "seeds": gettext_lazy("The order of the seeds was changed."),
    "short-handed": gettext_lazy("A match could not open: a pair lacked a player; the officials were told."),
    "state": gettext_lazy("The tournament went on to another state."),
    "time-limit": gettext_lazy("The time of a match was up."),
    "undo": gettext_lazy("The newest correction was taken back."),
    "withdraw": gettext_lazy("A pair was withdrawn."),
    "invite": gettext_lazy("Players were invited."),
    "rating": gettext_lazy("The rating of a pair was entered."),
    "remove": gettext_lazy("A pair was taken out."),
    "start-due": gettext_lazy("The owner was told that the start is due."),
    "uninvite": gettext_lazy("An invitation was taken back."),
    "accept-plan": gettext_lazy("The plan was taken over as its log says."),
    "announce": gettext_lazy("Something was announced."),
    "confirm": gettext_lazy("A result was confirmed."),
    "enter": gettext_lazy("A pair was entered."),
    "forbidden": gettext_lazy("Forbidden meetings were changed."),
    "hand-over": gettext_lazy("The tournament was handed over."),
    "invite-official": gettext_lazy("A link for an official was made."),
    "leave": gettext_lazy("A pair withdrew."),
    "match-restored": gettext_lazy("The site's reviewers let a match count again."),
    "match-void": gettext_lazy("The site's reviewers declared a match void."),
    "object": gettext_lazy("A pair objected."),
    "late-forfeit": gettext_lazy("A pair forfeited because it did not come in time."),
    "objection-dismissed": gettext_lazy("An objection was dismissed."),
    "objection-upheld": gettext_lazy("An objection was upheld."),
    "official": gettext_lazy("The role of an official was changed."),
    "plan-differs": gettext_lazy(
        "The pairings were not as the log says; nothing is opened until somebody decides."
    ),
    "revoke-invite": gettext_lazy("A link for an official was taken back."),
    "score": gettext_lazy("A result was entered by hand."),
    "substitute": gettext_lazy("A pair changed who plays."),
    "substitution": gettext_lazy("A pair changed who plays."),
    "take-objection": gettext_lazy("An objection was taken, or left, by a referee."),
    "withdraw-objection": gettext_lazy("An objection was taken back by the pair that made it."),
}


@dataclass(frozen=True, slots=True)
class Entered:
    """An act as a line of the register. `changes`: pairings before and after, in words."""

    act: Act
    sentence: str
    subject: str
    changes: tuple[tuple[str, str, str], ...]


class Acts:
    """The acts of a tournament in words; names are read for those that are shown."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self._course: Course | None = course_of(tournament) if tournament.started_at else None
        self._names: dict[str, str] = {}

    def found(self, *, who: str = "", kind: str = "", subject: str = "") -> QuerySet[Act]:
        """The acts that fit, newest first: by an official's name, by kind, about a pairing or a pair."""
        acts = self.tournament.acts.select_related("actor", "item").order_by("-number")
        if who:
            acts = acts.filter(actor__username=who)
        if kind:
            acts = acts.filter(kind=kind)
        return acts.filter(subject=subject) if subject else acts

    def kinds(self) -> list[str]:
        """Every kind of act that there is."""
        return sorted(set(self.tournament.acts.values_list("kind", flat=True)))

    def kind(self, kind: str) -> str:
        """A kind of act in words."""
        return str(KINDS.get(kind, "")) or act_sentence(Act(kind=kind), None) or kind

    def actors(self) -> list[str]:
        """The names of all who did something, in the order of the alphabet."""
        people = User.objects.filter(pk__in=self.tournament.acts.values("actor"))
        return list(people.order_by("sort_key").values_list("username", flat=True))

    def lines(self, acts: Iterable[Act]) -> list[Entered]:
        """The acts as lines."""
        listed = list(acts)
        self._read({ident for act in listed for ident in _idents(act)})
        return [self._line(act) for act in listed]

    def _read(self, idents: set[str]) -> None:
        numbers = [int(ident[1:]) for ident in idents if ident[1:].isdecimal()]
        for entry in with_members(self.tournament.entries.filter(number__in=numbers)):
            self._names[entry.ident] = isolate(pair_name(entry))

    def _line(self, act: Act) -> Entered:
        return Entered(act, self._sentence(act), self._subject(act), tuple(self._changes(act)))

    def _sentence(self, act: Act) -> str:
        return with_own_note(self._plain_sentence(act), act)

    def _plain_sentence(self, act: Act) -> str:
        names = self._course.names if self._course else None
        if act.item is not None and names is not None and act.kind != "late-forfeit":
            return item_sentence(act.item.item, names, self._name)
        return act_sentence(act, names) or str(KINDS.get(act.kind, act.kind))

    def _subject(self, act: Act) -> str:
        if self._course is not None and act.subject in self._course.by_id:
            return self._course.names.pairing(act.subject)
        if act.subject in Role.values:
            return str(Role(act.subject).label)
        if act.kind == "settings":
            # Its lines name them.
            return ""
        if act.kind in ("open-round", "round-time", "round") and self._course is not None:
            return self._course.names.round(act.subject)
        if act.kind in ("check-in-opens", "check-in-ends", "start-due"):
            return moment_words(act.subject)
        return self._names.get(act.subject, act.subject)

    def _name(self, ident: str | None) -> str:
        return self._names.get(ident or "", _("nobody"))

    def _changes(self, act: Act) -> Iterable[tuple[str, str, str]]:
        before, after = _by_pairing(act.before), _by_pairing(act.after)
        if not before and not after and not given_points(act.after):
            yield from told(act, self._name)
            return
        for pairing in {**before, **after}:
            name = pairing
            if self._course is not None and pairing in self._course.by_id:
                name = self._course.names.pairing(pairing)
            yield name, self._printed(before.get(pairing)), self._printed(after.get(pairing))
        for one in given_points(act.after):
            yield self._name(one["entrant"]), "", points_words(one["points"])

    def _printed(self, line: dict[str, Any] | None) -> str:
        if line is None:
            return ""
        sides = " – ".join(self._name(side) if side else "…" for side in line.get("sides", ()))
        score = line.get("score")
        said = f"{sides} {score[0]}:{score[1]}" if score else sides
        winner = line.get("winner")
        return f"{said} {pgettext('becomes', '→')} {self._name(winner)}" if winner else said


def given_points(value: Any) -> list[dict[str, Any]]:
    """The points that a decision gave or took beside what it was about, as its act notes them."""
    lines = value if isinstance(value, list) else []
    return [line for line in lines if isinstance(line, dict) and line.get("type") == "adjust"]


def _by_pairing(value: Any) -> dict[str, dict[str, Any]]:
    """Printed pairings by their names; nothing where it is something else."""
    lines = value if isinstance(value, list) else []
    return {line["id"]: line for line in lines if isinstance(line, dict) and "id" in line}


def _idents(act: Act) -> Iterable[str]:
    yield from (act.subject, *act.subject.split())
    for value in (act.before, act.after):
        yield from _named_in(value)
    if act.item is not None:
        item = act.item.item
        entrant = item.get("entrant")
        yield from item.get("sides") or ()
        yield from item.get("entrants") or ()
        if entrant:
            yield entrant["id"] if isinstance(entrant, dict) else entrant


def _named_in(value: Any) -> Iterable[str]:
    """Every entrant's id that stands in what an act noted."""
    if is_ident(value):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _named_in(key)
            yield from _named_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from _named_in(one)


@dataclass(frozen=True, slots=True)
class Asked:
    """An objection as a card of the queue. `moment`: the replay at the deal and card it is about, once it is over."""

    objection: Objection
    pairing: str
    sides: str
    moment: str
    is_over: bool
    until: datetime | None


class Objections:
    """The objections of a tournament: open ones first, the oldest first; then those that are answered."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.course = course_of(tournament) if tournament.started_at else None

    def cards(self, found: QuerySet[Objection]) -> list[Asked]:
        """The cards of some of them."""
        rows = list(found.select_related("table__table", "entry", "made_by", "taken_by", "ruled_by"))
        idents = {side for row in rows if row.table for side in row.table.sides}
        numbers = [int(ident[1:]) for ident in idents]
        names = {
            entry.ident: isolate(pair_name(entry))
            for entry in with_members(self.tournament.entries.filter(number__in=numbers))
        }
        return [self._card(row, names) for row in rows]

    def name(self, pairing: str) -> str:
        """A pairing in words."""
        return self.course.names.pairing(pairing) if self.course else pairing

    def match(self, row: PairingTable) -> str:
        """A table's pairing in words; of several matches also which, and how it ended."""
        return match_words(self.tournament, row, self.name(row.pairing))

    def open(self) -> list[Asked]:
        """Those that wait for an answer."""
        return self.cards(
            self.tournament.objections.filter(state=ObjectionState.OPEN).order_by("made_at", "pk")
        )

    def answered(self) -> list[Asked]:
        """Those that were answered or taken back, the newest first."""
        rest = self.tournament.objections.exclude(state=ObjectionState.OPEN)
        return self.cards(rest.order_by("-ruled_at", "-pk")[:100])

    def of(self, entry: Entry) -> list[Asked]:
        """Those of a pair, the newest first."""
        return self.cards(self.tournament.objections.filter(entry=entry).order_by("-pk"))

    def _card(self, row: Objection, names: dict[str, str]) -> Asked:
        table = row.table
        sides = " – ".join(names.get(side, "") for side in table.sides) if table else ""
        over = table is not None and table.table.phase == Phase.OVER
        name = self.name(row.pairing) if table is None else self.match(table)
        until = None
        if table is not None and may_object(self.tournament, table, timezone.now()):
            until = objecting_ends_at(self.tournament, table)
        return Asked(row, name, sides, _moment(row) if over else "", over, until)


def _moment(row: Objection) -> str:
    assert row.table is not None
    address = reverse("match", args=[row.table.table.code])
    if row.deal is None:
        return address
    place = {"deal": row.deal} | ({} if row.act is None else {"act": row.act})
    return f"{address}?{urlencode(place)}"
