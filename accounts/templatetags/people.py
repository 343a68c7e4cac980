"""How people, numbers and moments are shown on every page."""

from datetime import datetime
from typing import TYPE_CHECKING

from django import template
from django.urls import NoReverseMatch, reverse
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.text import isolate

if TYPE_CHECKING:
    from accounts.models import User

register = template.Library()
register.filter("isolate", isolate)

MINUS = "\N{MINUS SIGN}"


@register.filter
def profile_url(user: "User") -> str:
    """The address of a player's page; "" for a stored name that no address can hold."""
    try:
        return reverse("player", args=[user.username])
    except NoReverseMatch:
        return ""


@register.filter
def player_link(user: "User | None") -> SafeString | str:
    """A player's name, isolated and linked to the profile; nothing for nobody."""
    if user is None:
        return ""
    address = profile_url(user)
    if not address:
        return player_name(user)
    return format_html(
        '<a class="name" href="{}" title="{}"><bdi>{}</bdi></a>', address, user.username, user.username
    )


@register.filter
def player_name(user: "User | None") -> SafeString | str:
    """A player's name, isolated, without a link; nothing for nobody."""
    if user is None:
        return ""
    return format_html('<bdi class="name" title="{}">{}</bdi>', user.username, user.username)


@register.filter
def initial(user: "User") -> str:
    """The first letter of a player's name, for the mark that stands for him."""
    return user.username[:1].upper()


@register.filter
def signed(number: int | None) -> SafeString | str:
    """A number of points: a true minus sign, read from left to right in either language."""
    if number is None:
        return ""
    text = f"{MINUS}{-number}" if number < 0 else str(number)
    return format_html('<span class="score" dir="ltr">{}</span>', text)


@register.filter
def ago(moment: datetime | None) -> SafeString | str:
    """A moment; the browser adds how long ago or how soon, in the reader's zone."""
    if moment is None:
        return ""
    text = formats.date_format(timezone.localtime(moment), "DATETIME_FORMAT")
    return format_html('<time datetime="{}" data-ago>{}</time>', moment.isoformat(), text)
