"""What pages say of the site's own state."""

from typing import Any

from django import template

from games.services import drain

register = template.Library()


@register.inclusion_tag("drain_notice.html")
def drain_notice() -> dict[str, Any]:
    """That no new match starts for now; nothing where it does."""
    return {"drains": drain.since() is not None}
