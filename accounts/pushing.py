"""Telling browsers that are closed (web push): whose, and sending. Off, and nowhere to be seen, without a key."""

import base64
import json
import logging
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import requests
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _
from py_vapid import Vapid02, VapidException
from pywebpush import WebPushException, webpush

from accounts.models import Notice, PushAddress, User

log = logging.getLogger(__name__)

MOST_BROWSERS = 10
FIRST_PAUSE = timedelta(seconds=30)
MOST_TRIES = 4
# What nobody could be told within the hour is of no use any more.
LIVES_SECONDS = 3600
TIMEOUT_SECONDS = 10
# What a service answers for a browser that is gone for good.
GONE = {404, 410}


def is_offered() -> bool:
    """Whether the site has a key to push with."""
    return bool(settings.VAPID_PRIVATE_KEY)


def public_key() -> str:
    """What a browser needs to know of the site's key."""
    return _public(settings.VAPID_PRIVATE_KEY)


@lru_cache(maxsize=2)
def _public(private: str) -> str:
    raw = Vapid02.from_string(private).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@transaction.atomic(durable=True)
def add_browser(*, user: User, endpoint: str, p256dh: str, auth: str, now: datetime) -> None:
    """This browser is told what the user is told, and nobody else any more who used it before.

    Raises: ValidationError with code `not_offered`, `unknown_service` or `malformed`.
    """
    if not is_offered():
        raise ValidationError(_("This site does not push."), code="not_offered")
    _require_known(endpoint)
    if not (_is_key(p256dh, 65) and _is_key(auth, 16)):
        raise ValidationError(_("Your browser sent something that we do not understand."), code="malformed")
    PushAddress.objects.update_or_create(
        endpoint=endpoint, defaults={"user": user, "p256dh": p256dh, "auth": auth, "at": now}
    )
    kept = PushAddress.objects.filter(user=user).order_by("-at", "-pk").values_list("pk", flat=True)
    PushAddress.objects.filter(pk__in=list(kept[MOST_BROWSERS:])).delete()


@transaction.atomic(durable=True)
def forget_browser(*, user: User, endpoint: str) -> None:
    """That browser is told nothing any more."""
    PushAddress.objects.filter(user=user, endpoint=endpoint).delete()


def _require_known(endpoint: str) -> None:
    """A browser names the address that we write to: only services that are known, never a machine of our own."""
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    known = any(
        host == name or (name.startswith(".") and host.endswith(name)) for name in settings.PUSH_HOSTS
    )
    if not known or parts.scheme != "https" or port not in {None, 443} or len(endpoint) > 700:
        raise ValidationError(_("Your browser's push service is not known here."), code="unknown_service")


def _is_key(text: str, size: int) -> bool:
    try:
        return len(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))) == size
    except ValueError:
        return False


def send_pushes(*, now: datetime, most: int = 100) -> int:
    """Notices that are due for browsers, sent; how many browsers were told.

    Each notice is taken before it is sent, and tried again later where no service answered.
    """
    if not is_offered():
        return 0
    told = 0
    for notice in _taken(now, most):
        outcomes = [_push(notice, address) for address in PushAddress.objects.filter(user=notice.user)]
        told += outcomes.count(True)
        if None not in outcomes:
            Notice.objects.filter(pk=notice.pk).update(push_at=None)
    return told


@transaction.atomic(durable=True)
def _taken(now: datetime, most: int) -> list[Notice]:
    due = Notice.objects.select_for_update(skip_locked=True, of=("self",)).filter(push_at__lte=now)
    notices = list(due.select_related("user").order_by("push_at", "pk")[:most])
    for notice in notices:
        notice.push_tries += 1
        again = now + FIRST_PAUSE * 2 ** (notice.push_tries - 1)
        notice.push_at = again if notice.push_tries < MOST_TRIES else None
    Notice.objects.bulk_update(notices, ["push_tries", "push_at"])
    return [notice for notice in notices if notice.user.is_active]


def _push(notice: Notice, address: PushAddress) -> bool | None:
    """Whether the browser was told; False where it is gone, None where it is worth another try."""
    try:
        webpush(
            {"endpoint": address.endpoint, "keys": {"p256dh": address.p256dh, "auth": address.auth}},
            json.dumps(message_of(notice), ensure_ascii=False),
            vapid_private_key=settings.VAPID_PRIVATE_KEY,
            vapid_claims=_claims(),
            ttl=LIVES_SECONDS,
            timeout=TIMEOUT_SECONDS,
        )
    except WebPushException as error:
        status = getattr(error.response, "status_code", 0)
        if status in GONE:
            address.delete()
            return False
        log.warning("a browser was not told: %s", status or "no answer")
        return False if 400 <= status < 500 and status != 429 else None
    except (requests.RequestException, VapidException, ValueError) as error:
        log.warning("a browser was not told; it is tried again: %s", type(error).__name__)
        return None
    return True


def message_of(notice: Notice) -> dict[str, Any]:
    """What the page's worker in the browser shows, in the language of its reader."""
    with override(notice.user.language or settings.LANGUAGE_CODE):
        language = notice.user.language or settings.LANGUAGE_CODE
        return {
            "title": gettext("Tarneeb"),
            "body": notice.text,
            "tag": notice.key,
            "lang": language,
            "dir": "rtl" if language.startswith("ar") else "ltr",
            "url": f"/accounts/notices/{notice.pk}/",
        }


def _claims() -> dict[str, str | int]:
    """Whom the services may write to if we make trouble."""
    contact = settings.VAPID_CONTACT or parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return {"sub": contact if contact.startswith("https://") else f"mailto:{contact.removeprefix('mailto:')}"}
