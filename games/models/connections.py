"""When the browsers of those who sit at a table came and went, for who reviews a match."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.tables import Table


class Move(models.TextChoices):
    CAME = "came", _("came")
    WENT = "went", _("went")


class Connection(models.Model):
    """A player's first browser at a table came, or the last one went, as one process of the site saw it.

    Neither the address nor the browser is stored, only what a keyed digest makes of each, which says whether two
    are the same (`games/marks.py`). Rows are deleted after `KEPT_FOR` of `games/services/connections.py`.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="connections", verbose_name=_("table"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("player")
    )
    kind = models.CharField(_("what"), max_length=4, choices=Move.choices)
    at = models.DateTimeField(_("at"))
    address = models.CharField(_("address, hashed"), max_length=16, blank=True, default="")
    device = models.CharField(_("browser, hashed"), max_length=16, blank=True, default="")
    # Under the key of the month before. `db_default`: processes of the version before write rows without them.
    address_before = models.CharField(max_length=16, blank=True, default="", db_default="", editable=False)
    device_before = models.CharField(max_length=16, blank=True, default="", db_default="", editable=False)

    class Meta:
        verbose_name = _("connection")
        verbose_name_plural = _("connections")
        ordering: ClassVar = ["at", "pk"]
        indexes: ClassVar = [
            models.Index(fields=["table", "at"], name="connection_table"),
            models.Index(fields=["at"], name="connection_age"),
            models.Index(fields=["user", "at"], name="connection_user"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.user_id} {self.kind}"
