"""Tournaments as calendars (iCalendar), in the time zone that each is announced in."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import icalendar
from django.conf import settings
from django.db.models import Max, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Phase
from tournaments import deadlines
from tournaments.formats.names import read_name
from tournaments.models import Member, PairingTable, State, TableState, Tournament

# How long a tournament, a round or a match is shown, where its end is not known.
LASTS, MATCH_LASTS = timedelta(hours=2), timedelta(minutes=45)
ASKED_AGAIN = timedelta(hours=1)
RECALLS = timedelta(minutes=15)
# A tournament that ended long ago need not be in a player's calendar any more.
KEPT = timedelta(days=400)


def of_tournament(tournament: Tournament) -> bytes:
    """The calendar of one tournament: check-in, start, the rounds that have an hour."""
    return _written(_events(_known(Tournament.objects.filter(pk=tournament.pk)).get()), name=tournament.name)


def of_player(user: User, now: datetime) -> bytes:
    """The calendar of a player: all tournaments that they are in, and the tables that wait for them."""
    entered = Member.objects.filter(user=user, active=True, entry__withdrawn_at=None).values("tournament")
    theirs = Tournament.objects.filter(pk__in=entered, starts_at__gte=now - KEPT).exclude(state=State.DRAFT)
    ordered = _known(theirs).order_by("starts_at", "pk")
    events = [event for one in ordered for event in _events(one, recalls=True)]
    return _written([*events, *_tables(user)], name=_("My tournaments"))


def key_of(user: User) -> str:
    """What stands in the address of a player's calendar: nobody can guess it; a new password makes a new one."""
    return f"{user.pk}-{_proof(user)}"


def user_of(key: str) -> User | None:
    """The player of a calendar's address, if it is still good."""
    number, _dash, proof = key.partition("-")
    if not number.isdecimal() or len(number) > 12:
        return None
    user = User.objects.filter(pk=int(number), is_active=True, is_guest=False).first()
    return user if user is not None and constant_time_compare(proof, _proof(user)) else None


def _proof(user: User) -> str:
    return salted_hmac("tournaments.calendars", f"{user.pk}|{user.password}", algorithm="sha256").hexdigest()[
        :32
    ]


def _events(tournament: Tournament, *, recalls: bool = False) -> Iterator[icalendar.Event]:
    made = _Maker(tournament)
    if deadlines.has_check_in(tournament) and tournament.state in deadlines.NOT_STARTED:
        begins, ends = deadlines.check_in_opens_at(tournament), deadlines.check_in_ends_at(tournament)
        said = _("Check-in: %(name)s") % {"name": tournament.name}
        yield made.event("check-in", said, begins, ends, recalls=recalls)
    begins = tournament.started_at or tournament.starts_at
    ended = tournament.finished_at if tournament.state != State.CANCELLED else None
    ends = max(ended or begins + LASTS, begins + timedelta(minutes=1))
    yield made.event("start", tournament.name, begins, ends, recalls=recalls)
    for row in tournament.rounds.all():
        if row.starts_at is None:
            continue
        said = f"{tournament.name}: {_round_words(row.key)}"
        yield made.event(
            f"round-{row.key}", said, row.starts_at, row.starts_at + MATCH_LASTS, recalls=recalls
        )


def _known(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """The tournaments with their rounds, and with how often and when they were last changed at hand."""
    counted = tournaments.annotate(changes=Max("acts__number"), changed_at=Max("acts__at"))
    return counted.prefetch_related("rounds")


def _tables(user: User) -> Iterator[icalendar.Event]:
    rows = PairingTable.objects.filter(state=TableState.OPEN, table__seats__user=user).exclude(
        table__phase=Phase.OVER
    )
    known = _known(Tournament.objects.filter(pk__in=rows.values("tournament"))).in_bulk()
    for row in rows.select_related("table"):
        tournament = known[row.tournament_id]
        begins = row.opened_at or row.table.created_at
        said = _("Your table is ready: %(name)s") % {"name": tournament.name}
        made = _Maker(tournament)
        yield made.event(
            f"table-{row.table.code}", said, begins, begins + MATCH_LASTS, url=row.table.get_absolute_url()
        )


def _round_words(key: str) -> str:
    """What a round is called by its key: "R2", "2:W1", "GF1"."""
    name = read_name(key)
    plain = {"P": _("Third place"), "GF": _("Grand final"), "PO": _("Play-off")}
    words = plain.get(name.part) or _("Round %(number)s") % {"number": name.round}
    if name.part == "L":
        words = _("Losers' round %(number)s") % {"number": name.round}
    return _("Stage %(place)s: %(what)s") % {"place": name.stage, "what": words} if name.stage else words


class _Maker:
    """Makes the events of one tournament: their ids stay, their stamps follow what its officials change."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.zone = ZoneInfo(tournament.time_zone)
        self.stamp: datetime = getattr(tournament, "changed_at", None) or tournament.created_at
        self.changes: int = getattr(tournament, "changes", None) or 0

    def event(
        self,
        what: str,
        summary: str,
        begins: datetime,
        ends: datetime,
        *,
        url: str = "",
        recalls: bool = False,
    ) -> icalendar.Event:
        link = f"{settings.SITE_URL}{url or self.tournament.get_absolute_url()}"
        is_off = self.tournament.state == State.CANCELLED
        event = icalendar.Event()
        fields: dict[str, Any] = {
            "uid": f"{self.tournament.pk}-{what}@{urlsplit(settings.SITE_URL).hostname or 'tarneeb'}",
            "summary": summary,
            "dtstart": begins.astimezone(self.zone).replace(microsecond=0),
            "dtend": ends.astimezone(self.zone).replace(microsecond=0),
            "dtstamp": self.stamp,
            "last-modified": self.stamp,
            "sequence": self.changes,
            "status": "CANCELLED" if is_off else "CONFIRMED",
            "url": link,
            "description": "\n\n".join(part for part in (self.tournament.description, link) if part),
        }
        for name, value in fields.items():
            event.add(name, value)
        if recalls and not is_off:
            event.add_component(_alarm(summary))
        return event


def _alarm(summary: str) -> icalendar.Alarm:
    alarm = icalendar.Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", summary)
    alarm.add("trigger", -RECALLS)
    return alarm


def _written(events: Iterable[icalendar.Event], *, name: str) -> bytes:
    language = (get_language() or "ar")[:2]
    calendar = icalendar.Calendar()
    fields: dict[str, Any] = {
        "prodid": f"-//Tarneeb//{language.upper()}",
        "version": "2.0",
        "calscale": "GREGORIAN",
        "method": "PUBLISH",
        "name": name,
        "x-wr-calname": name,
        "refresh-interval": ASKED_AGAIN,
    }
    for key, value in fields.items():
        calendar.add(key, value)
    for event in events:
        calendar.add_component(event)
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())
