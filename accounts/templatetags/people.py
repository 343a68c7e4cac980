"""How people, numbers and moments are shown on every page."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

from allauth.socialaccount.adapter import get_adapter
from django import template
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.text import isolate, moment_text

if TYPE_CHECKING:
    from accounts.models import User

register = template.Library()
register.filter("isolate", isolate)

# The first that fits: others also call themselves Safari and Chrome.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
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
        '<a class="name" href="{}" title="{}"><bdi>{}</bdi></a>', address, user.shown_name, user.shown_name
    )


@register.filter
def player_name(user: "User | None") -> SafeString | str:
    """A player's name, isolated, without a link; nothing for nobody."""
    if user is None:
        return ""
    return format_html('<bdi class="name" title="{}">{}</bdi>', user.shown_name, user.shown_name)


@register.filter
def initial(user: "User") -> str:
    """The first letter of a player's name, for the mark that stands for him."""
    return user.shown_name[:1].upper()


@register.filter
def avatar(user: "User", size: str = "") -> SafeString:
    """The picture of a player, else a mark drawn from the account's number; `size`: "big", "small" or nothing.

    A mark of nothing but classes: it never changes with the name, and asks for no file.
    """
    if user.picture:
        return format_html(
            '<img class="avatar {}" src="{}" alt="" width="40" height="40" loading="lazy">',
            size,
            user.picture.url,
        )
    # Neighbours in number look unlike each other.
    mark = (user.pk or 0) * 2654435761 % 2**32
    return format_html(
        '<span class="avatar {} tone-{} figure-{}" aria-hidden="true">{}</span>',
        size,
        mark % 12,
        mark // 12 % 6,
        initial(user),
    )


@register.filter
def browser(agent: str) -> str:
    """A browser and its system, of what it says of itself; the beginning of that where neither is known."""
    name = next((name for sign, name in _BROWSERS if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return " · ".join(filter(None, [name, system])) or agent[:40] or "?"


@register.simple_tag(takes_context=True)
def social_providers(context: dict[str, Any]) -> list[Any]:
    """The accounts elsewhere by which one may log in here."""
    request = context.get("request")
    return list(get_adapter(request).list_providers(request)) if request else []


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
    return format_html('<time datetime="{}" data-ago>{}</time>', moment.isoformat(), moment_text(moment))
