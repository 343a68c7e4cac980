"""Telling players something: a sentence each, in both languages, once a key."""

from collections.abc import Callable, Iterable
from datetime import datetime

from django.utils.translation import override

from accounts.models import Notice, User

LANGUAGES = ("ar", "en")


def notify(
    users: Iterable[User],
    key: str,
    say: Callable[[], str],
    *,
    url: str = "",
    by_mail: bool = False,
    now: datetime,
) -> None:
    """Inside an open transaction: the sentence that `say` gives in each language, for each of the users.

    Who was told the same `key` already is not told again: jobs may run twice. `by_mail` also sends it to
    those who have confirmed an address.
    """
    texts = {}
    for language in LANGUAGES:
        with override(language):
            texts[f"text_{language}"] = str(say())
    Notice.objects.bulk_create(
        [
            Notice(user=user, key=key, url=url, by_mail=by_mail, at=now, **texts)
            for user in users
            if not user.is_guest
        ],
        ignore_conflicts=True,
    )
