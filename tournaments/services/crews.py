"""Who plays for a pair. One that lost a player to a closed account plays with its substitute, or is short-handed."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max, Prefetch
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.formats.results import Pairing
from tournaments.models import Entry, LatePolicy, Member, Tournament
from tournaments.queries import pair_name
from tournaments.services.log import record_act
from tournaments.services.telling import tell_officials

CREW = 2
SHORT = "short-handed"
# Who plays is looked up for hundreds of tables at once: of an account little more is asked for than its name.
ASKED = frozenset({"id", "username", "is_active", "is_guest", "language"})
UNASKED = [f"user__{field.name}" for field in User._meta.concrete_fields if field.name not in ASKED]


@dataclass(frozen=True, slots=True)
class Crew:
    """A pair and those of it who can play: two, or fewer where it is short-handed."""

    entry: Entry
    users: list[User]

    @property
    def name(self) -> str:
        return pair_name(self.entry)

    @property
    def is_short(self) -> bool:
        return len(self.users) < CREW


def crews(tournament: Tournament, idents: Collection[str], now: datetime) -> dict[str, Crew]:
    """Who plays for each of these entrants; substitutes have taken the places of players who are gone."""
    numbers = [int(ident.removeprefix("e")) for ident in idents]
    members = Member.objects.select_related("user").defer(*UNASKED)
    entries = tournament.entries.filter(number__in=numbers).prefetch_related(Prefetch("members", members))
    return {entry.ident: _crew(tournament, entry, now) for entry in entries}


def _crew(tournament: Tournament, entry: Entry, now: datetime) -> Crew:
    members = list(entry.members.all())
    if gone := [member for member in members if member.plays and not _is_there(member)]:
        bench = [member for member in members if not member.plays and _is_there(member)]
        if len(gone) == 1 and bench:
            _substitute(tournament, entry, gone[0], bench[0], now)
    return Crew(
        entry, [member.user for member in members if member.plays and member.user and _is_there(member)]
    )


def _is_there(member: Member) -> bool:
    return member.user is not None and member.user.is_active


def _substitute(tournament: Tournament, entry: Entry, gone: Member, bench: Member, now: datetime) -> None:
    gone.plays, bench.plays = False, True
    Member.objects.bulk_update([gone, bench], ["plays"])
    record_act(
        tournament,
        "substitute",
        actor=None,
        now=now,
        subject=entry.ident,
        before=gone.shown,
        after=bench.shown,
        is_public=True,
    )
    said = {
        "tournament": isolate(tournament.name),
        "player": isolate(bench.shown),
        "gone": isolate(gone.shown),
        "pair": isolate(pair_name(entry)),
    }

    def say() -> str:
        return _("%(tournament)s: %(player)s plays for %(pair)s in the place of %(gone)s.") % said

    key = f"entry-{entry.pk}-plays-{bench.pk}-for-{gone.pk}"
    playing = [member.user for member in entry.members.all() if member.plays and member.user]
    notify(playing, key, say, url=tournament.get_absolute_url(), now=now)
    tell_officials(tournament, "decide", key, say, now)


def report_short(
    tournament: Tournament, pairings: Iterable[Pairing], found: Mapping[str, Crew], now: datetime
) -> None:
    """Pairings that cannot be played because a pair is short-handed: noted once, its officials told."""
    pairings = list(pairings)
    known = short_since(tournament, [pairing.id for pairing in pairings])
    for pairing in pairings:
        if pairing.id in known:
            continue
        short = [found[side] for side in pairing.sides if side and found[side].is_short]
        after = [crew.entry.ident for crew in short]
        record_act(tournament, SHORT, actor=None, now=now, subject=pairing.id, after=after)
        for crew in short:
            _tell_short(tournament, crew, pairing.id, now)


def _tell_short(tournament: Tournament, crew: Crew, pairing: str, now: datetime) -> None:
    said = {"tournament": isolate(tournament.name), "pair": isolate(crew.name)}

    def say() -> str:
        return (
            _("%(tournament)s: %(pair)s cannot play, the account of a player is closed or not claimed.")
            % said
        )

    key = f"entry-{crew.entry.pk}-short-{pairing}"
    notify(crew.users, key, say, url=tournament.get_absolute_url(), now=now)
    tell_officials(tournament, "decide", key, say, now, by_mail=True)


def short_since(tournament: Tournament, pairings: Collection[str]) -> dict[str, datetime]:
    """Of these pairings those that a short-handed pair has kept from being played, since when that is known."""
    if not pairings:
        return {}
    acts = tournament.acts.filter(kind=SHORT, subject__in=pairings)
    since = dict(acts.values_list("subject").annotate(Max("at")).order_by())
    opened = tournament.tables.filter(pairing__in=since).values_list("pairing").annotate(Max("opened_at"))
    played = dict(opened.order_by())
    return {key: at for key, at in since.items() if played.get(key) is None or played[key] < at}


def gives_up_at(tournament: Tournament, since: datetime) -> datetime | None:
    """When a pair that has been short-handed so long loses its match; None: a referee decides."""
    if tournament.late_minutes is None or tournament.late_policy != LatePolicy.FORFEIT:
        return None
    resumed = tournament.acts.filter(kind="resume", at__gt=since).aggregate(at=Max("at"))["at"]
    return (resumed or since) + timedelta(minutes=tournament.late_minutes)
