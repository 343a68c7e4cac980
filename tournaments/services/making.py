"""Making a tournament, and changing its settings while that is fair: a declared table says which, until when."""

from collections.abc import Collection, Mapping
from datetime import datetime
from hashlib import sha256
from json import dumps
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notices import notify
from accounts.text import isolate
from tournaments.field import counting
from tournaments.formats.notation import read_settings
from tournaments.formats.plan import Plan
from tournaments.formats.results import PlanError
from tournaments.live import ring_after_commit
from tournaments.models import Official, State, Tournament
from tournaments.queries import folded
from tournaments.services.actions import check
from tournaments.services.log import locked, record_act
from tournaments.services.permissions import require
from tournaments.services.places import moving_up
from tournaments.services.refusals import Refused
from tournaments.slugs import candidates

_ANNOUNCED = (State.DRAFT, State.PUBLISHED)
_ENTERED = (*_ANNOUNCED, State.OPEN)
_SEEDED = (*_ENTERED, State.READY)
_PLAYED = (*_SEEDED, State.RUNNING)
_OVER = (*_PLAYED, State.FINISHED, State.CERTIFIED)

# Every setting, and the states in which it may be changed. After the start: only what touches no published pairing.
CHANGEABLE: dict[str, tuple[State, ...]] = {
    **dict.fromkeys(("registration_opens_at",), _ANNOUNCED),
    **dict.fromkeys(("access", "entry_code", "registration_closes_at", "check_in_minutes"), _ENTERED),
    **dict.fromkeys(("verified_only", "min_rating", "max_rating", "min_reliability"), _ENTERED),
    **dict.fromkeys(("regions", "substitutes"), _ENTERED),
    **dict.fromkeys(("format", "ruleset", "target", "turn_seconds", "call_seconds", "bank_seconds"), _SEEDED),
    **dict.fromkeys(("absence", "round_cap", "capacity", "starts_at", "seeding_minutes"), _SEEDED),
    **dict.fromkeys(("seeding", "starts_itself", "rated"), _SEEDED),
    **dict.fromkeys(("settings", "pace", "break_minutes", "call_minutes", "late_minutes"), _PLAYED),
    **dict.fromkeys(("late_policy", "limit_minutes", "limit_policy", "holds_results"), _PLAYED),
    **dict.fromkeys(("objection_minutes", "watch_delay"), _PLAYED),
    **dict.fromkeys(("name", "description", "time_zone", "is_private", "embeddable"), _OVER),
}
# Of the format's own settings, those that may still be changed once it is played.
IN_PLAY = frozenset({"rounds", "tiebreaks"})
# What belongs to one tournament's entrants and draw, not to the next one's.
_OF_ITS_OWN = ("seed", "forbidden")


@transaction.atomic(durable=True)
def create(
    *,
    organiser: User,
    now: datetime,
    draft: bool = False,
    lot: str = "",
    **fields: Any,
) -> Tournament:
    """A new tournament of these settings (the names of `CHANGEABLE`): a draft, or published.

    Published, it is open for registration unless that opens later. `lot` fixes the order of the seeds
    beforehand, for rehearsals; otherwise chance draws it.
    Raises: Refused `guests-cannot-organise`, `bad-settings`.
    """
    return draw_up(organiser=organiser, draft=draft, lot=lot, now=now, **fields)


@transaction.atomic(durable=True)
def clone(
    *,
    tournament_id: int,
    actor: User,
    officials: Collection[int] = (),
    draft: bool = False,
    now: datetime,
    **fields: Any,
) -> Tournament:
    """A new tournament of the actor's, with the settings of an earlier one where `fields` say nothing else.

    `officials`: ids of users who were its officials and are to be so again, in the same roles.
    Raises: Tournament.DoesNotExist; Refused `not-organiser`, `not-your-role`, `guests-cannot-organise`,
    `bad-settings`.
    """
    origin = Tournament.objects.get(pk=tournament_id)
    require(origin, actor, "settings")
    kept = {name: getattr(origin, name) for name in CHANGEABLE}
    kept["settings"] = without_its_own(origin.settings)
    made = draw_up(organiser=actor, draft=draft, now=now, cloned_from=origin, **(kept | fields))
    _take_on(made, origin, officials, now)
    return made


@transaction.atomic(durable=True)
def edit(
    *,
    tournament_id: int,
    actor: User,
    changes: Mapping[str, Any],
    seen: str = "",
    reason: str = "",
    now: datetime,
) -> list[str]:
    """The names of the settings that were changed, which may be none.

    `seen`: the `fingerprint` of the settings that the official looked at, so that nobody overwrites another.
    Raises: Tournament.DoesNotExist; Refused `not-organiser`, `not-your-role`, `settings-moved`, `settled`,
    `capacity-below-entries`, `bad-settings`, `pairings-would-change`.
    """
    tournament = locked(tournament_id)
    require(tournament, actor, "settings")
    if seen and seen != fingerprint(tournament):
        raise Refused("settings-moved")
    changed = {name: value for name, value in changes.items() if getattr(tournament, name) != value}
    if not changed:
        return []
    if not changed.keys() <= changeable(tournament):
        raise Refused("settled")
    check(actor, tournament, "settings", now=now)
    before = {name: getattr(tournament, name) for name in changed}
    with moving_up(tournament, now):
        _set(tournament, changed)
    _record(tournament, before, changed, actor=actor, reason=reason, now=now)
    ring_after_commit(tournament)
    return sorted(changed)


def draw_up(
    *,
    organiser: User,
    now: datetime,
    draft: bool = False,
    lot: str = "",
    cloned_from: Tournament | None = None,
    **fields: Any,
) -> Tournament:
    """What `create` does, inside an open transaction."""
    if organiser.is_guest:
        raise Refused("guests-cannot-organise")
    if unknown := fields.keys() - CHANGEABLE.keys():
        raise TypeError(f"a tournament has no {', '.join(sorted(unknown))}")
    tournament = Tournament(organiser=organiser, cloned_from=cloned_from, created_at=now, **fields)
    tournament.lot = lot or tournament.lot
    tournament.state = State.DRAFT if draft else state_once_published(tournament, now)
    check_settings(tournament.format, tournament.settings)
    return _saved_under_a_free_slug(tournament)


def state_once_published(tournament: Tournament, now: datetime) -> State:
    """Open for registration, or announced where that opens later."""
    opens = tournament.registration_opens_at
    return State.PUBLISHED if opens is not None and opens > now else State.OPEN


def check_settings(format_: str, settings: Mapping[str, Any]) -> None:
    """Raises: Refused `bad-settings` where a tournament file could not hold them."""
    try:
        read_settings({"format": format_, **settings})
    except PlanError as error:
        raise Refused("bad-settings") from error


def changeable(tournament: Tournament) -> set[str]:
    """The settings that may be changed in the state the tournament is in."""
    return {name for name, states in CHANGEABLE.items() if tournament.state in states}


def fingerprint(tournament: Tournament) -> str:
    """The same for the same settings, another one as soon as one of them has changed."""
    values = {name: getattr(tournament, name) for name in CHANGEABLE} | {"state": tournament.state}
    return sha256(dumps(values, sort_keys=True, default=str).encode()).hexdigest()[:16]


def without_its_own(settings: Mapping[str, Any]) -> dict[str, Any]:
    """A format's settings as another tournament may take them over: without what was drawn, or names entrants."""
    kept = {key: value for key, value in settings.items() if key not in _OF_ITS_OWN}
    if "stages" in kept:
        kept["stages"] = [without_its_own(stage) for stage in kept["stages"]]
    return kept


def _take_on(made: Tournament, origin: Tournament, chosen: Collection[int], now: datetime) -> None:
    roles = origin.officials.filter(user__in=chosen).exclude(user=made.organiser).select_related("user")
    officials = [Official(tournament=made, user=old.user, role=old.role, since=now) for old in roles]
    Official.objects.bulk_create(officials)
    for official in officials:
        _tell(official, made, now)


def _tell(official: Official, made: Tournament, now: datetime) -> None:
    def say() -> str:
        return _("%(organiser)s made you an official (%(role)s) of %(tournament)s.") % {
            "organiser": isolate(made.organiser.username),
            "role": official.get_role_display(),
            "tournament": isolate(made.name),
        }

    notify([official.user], f"official-{made.pk}", say, url=made.get_absolute_url(), now=now)


def _set(tournament: Tournament, changed: Mapping[str, Any]) -> None:
    old = {"format": tournament.format, "settings": tournament.settings}
    for name, value in changed.items():
        setattr(tournament, name, value)
    check_settings(tournament.format, tournament.settings)
    if "capacity" in changed and tournament.capacity < counting(tournament).count():
        raise Refused("capacity-below-entries")
    if "settings" in changed and tournament.started_at is not None:
        _check_in_play(tournament, old["settings"])
    tournament.save(update_fields=list(changed))


def _check_in_play(tournament: Tournament, old: Mapping[str, Any]) -> None:
    new = tournament.settings
    touched = {key for key in {*old, *new} if old.get(key) != new.get(key)}
    if not touched <= IN_PLAY:
        raise Refused("settled")
    after = _plan_under(tournament, new)
    if after is None:
        # What is in the log could not have happened under these settings.
        raise Refused("pairings-would-change")
    before = _plan_under(tournament, old)
    if before is None:
        # Nothing could be read until now: these settings mend it.
        return
    now_listed = {pairing.id: pairing for pairing in after.pairings}
    if any(now_listed.get(pairing.id) != pairing for pairing in before.pairings if any(pairing.sides)):
        raise Refused("pairings-would-change")


def _plan_under(tournament: Tournament, settings: Mapping[str, Any]) -> Plan | None:
    """The plan that entrants and log give under these settings; None where they cannot be read so."""
    kept, tournament.settings = tournament.settings, dict(settings)
    try:
        return folded(tournament).plan()
    except PlanError:
        return None
    finally:
        tournament.settings = kept


def _record(
    tournament: Tournament,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    actor: User,
    reason: str,
    now: datetime,
) -> None:
    record_act(
        tournament,
        "settings",
        actor=actor,
        now=now,
        subject=", ".join(sorted(after))[:80],
        before=_plain(before),
        after=_plain(after),
        reason=reason,
        is_public=tournament.state != State.DRAFT,
    )


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as JSON holds them. The code to enter is nobody's who reads the log."""
    shown = {name: "" if name == "entry_code" else value for name, value in values.items()}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value for name, value in shown.items()
    }


def _saved_under_a_free_slug(tournament: Tournament) -> Tournament:
    slugs = candidates(tournament.name)
    while True:
        tournament.slug = next(slug for slug in slugs if not Tournament.objects.filter(slug=slug).exists())
        try:
            with transaction.atomic():
                tournament.save()
        except IntegrityError:
            if not Tournament.objects.filter(slug=tournament.slug).exists():
                raise
        else:
            return tournament
