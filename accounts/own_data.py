"""All that is stored of a player, as one file: made by the worker, and kept for a few days.

What others wrote about the player in confidence is not in it, nor anything that opens an account, nor the cards of
a match that is not over.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.module_loading import import_string
from django.utils.translation import gettext, override

from accounts.models import (
    Attendance,
    Block,
    DataFile,
    Follow,
    Mute,
    NameChange,
    Notice,
    NoticeChoice,
    Pair,
    PushAddress,
    Rating,
    RatingChange,
    Sanction,
    User,
)

KEPT_FOR = timedelta(days=7)
# Not the row's number, not the password, not the folds of names.
OF_ACCOUNT = (
    *("username", "email", "language", "country", "city", "club", "digits", "card_style", "picture"),
    *("asked_by", "shows_play", "wants_mail", "is_staff", "date_joined", "last_login"),
)


class Part(NamedTuple):
    """One list of the file: its name, its rows, and the columns that name the player in it ("app.Model.column")."""

    name: str
    rows: Iterable[Mapping[str, Any]]
    covers: tuple[str, ...]


def parts_of(user: User) -> list[Part]:
    """What the accounts themselves hold of a user."""
    own = Q(user=user)
    pairs = Q(pair__first=user) | Q(pair__second=user)
    return [
        Part("account", User.objects.filter(pk=user.pk).values(*OF_ACCOUNT), ()),
        part("email_addresses", EmailAddress.objects.filter(own), "email", "verified", "primary"),
        part("second_factors", Authenticator.objects.filter(own), "type", "created_at", "last_used_at"),
        part("sessions", UserSession.objects.filter(own), "created_at", "last_seen_at", "ip", "user_agent"),
        part(
            "accounts_elsewhere",
            SocialAccount.objects.filter(own),
            *("provider", "uid", "date_joined", "last_login", "extra_data"),
        ),
        part("names", NameChange.objects.filter(own), "before", "after", "at"),
        part("follows", Follow.objects.filter(own), "at", name=F("followed__username")),
        part("blocks", Block.objects.filter(own), "at", name=F("blocked__username")),
        part("mutes", Mute.objects.filter(own), name=F("muted__username")),
        part("notices", Notice.objects.filter(own), "kind", "text_ar", "text_en", "url", "at", "read_at"),
        part("choices_of_notices", NoticeChoice.objects.filter(own), "kind", "here", "mail", "push"),
        part("browsers", PushAddress.objects.filter(own), "endpoint", "at"),
        part("files_asked_for", DataFile.objects.filter(own), "asked_at", "made_at"),
        part(
            "pairs",
            Pair.objects.filter(Q(first=user) | Q(second=user)),
            *("made_at",),
            covered=("first", "second"),
            names=F("first__username"),
            with_name=F("second__username"),
        ),
        part(
            "ratings",
            Rating.objects.filter(own),
            "ruleset",
            "speed",
            "mu",
            "sigma",
            "points",
            "matches",
            "last_at",
        ),
        Part(
            "changes_of_ratings",
            RatingChange.objects.filter(Q(rating__user=user) | Q(rating__in=Rating.objects.filter(pairs)))
            .values("table_code", "at", "mu", "sigma", "points", "change", "rating__ruleset", "rating__speed")
            .order_by("at", "pk"),
            (),
        ),
        part("attendances", Attendance.objects.filter(own), "table_code", "conduct", "at"),
        part(
            "sanctions",
            Sanction.objects.filter(own),
            *("scope", "reason_ar", "reason_en", "at", "until", "lifted_at"),
            *("appeal", "appealed_at", "answer", "answered_at"),
        ),
    ]


def part(
    name: str, rows: QuerySet[Any], /, *fields: str, covered: tuple[str, ...] = ("user",), **named: F
) -> Part:
    """A list of these columns of these rows; `covered`: the columns in which the player is named."""
    label = rows.model._meta.label
    # A new name for a column may be that of another one.
    shown = rows.order_by("pk").values(*fields, **{f"_{key}": value for key, value in named.items()})
    return Part(name, _bare(shown), tuple(f"{label}.{column}" for column in covered))


class _bare:  # noqa: N801 - a view of rows, read once
    def __init__(self, rows: QuerySet[Any, dict[str, Any]]) -> None:
        self.rows = rows

    def __iter__(self) -> Any:
        for row in self.rows.iterator(chunk_size=500):
            yield {key.removeprefix("_"): value for key, value in row.items()}


def all_parts(user: User) -> list[Part]:
    """What the whole site holds of a user."""
    others: list[Callable[[User], list[Part]]] = [import_string(name) for name in settings.ACCOUNT_DATA]
    return [*parts_of(user), *(found for of in others for found in of(user))]


def zipped(user: User, now: datetime) -> bytes:
    """A ZIP with a JSON list of each part, the picture, and a word on what it is."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", _readme(user, now))
        for found in all_parts(user):
            with archive.open(f"{found.name}.json", "w") as file:
                for piece in _json(found.rows):
                    file.write(piece.encode())
        if user.picture.name and user.picture.storage.exists(user.picture.name):
            with user.picture.open("rb") as picture:
                archive.writestr("picture.webp", picture.read())
    return written.getvalue()


def _json(rows: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    before = "[\n"
    for row in rows:
        yield before + json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _readme(user: User, now: datetime) -> str:
    with override(user.language or settings.LANGUAGE_CODE):
        said = gettext(
            "All that Tarneeb keeps of %(name)s, on %(day)s (UTC). Each file is a list in JSON. "
            "What it means stands in docs/privacy.md."
        )
        return said % {"name": user.username, "day": f"{now:%Y-%m-%d %H:%M}"} + "\n"


@transaction.atomic(durable=True)
def ask_for_file(*, user: User, now: datetime) -> None:
    """The worker makes a file of all the user's data, in place of an earlier one."""
    DataFile.objects.update_or_create(user=user, defaults={"asked_at": now, "made_at": None, "content": b""})


def make_files(*, now: datetime) -> int:
    """The files that were asked for and are not made; how many."""
    made = 0
    while _make_one(now):
        made += 1
    return made


@transaction.atomic(durable=True)
def _make_one(now: datetime) -> bool:
    waiting = DataFile.objects.select_for_update(skip_locked=True, of=("self",)).filter(made_at=None)
    found = waiting.defer("content").select_related("user").order_by("asked_at").first()
    if found is None:
        return False
    found.content, found.made_at = zipped(found.user, now), now
    found.save(update_fields=["content", "made_at"])
    return True


def forget_files(*, now: datetime) -> int:
    """Once a day: files that were there for long enough are gone; how many."""
    return DataFile.objects.filter(asked_at__lt=now - KEPT_FOR).delete()[0]
