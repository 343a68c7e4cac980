"""Tournaments in the administration: to look at. What changes them goes through the organiser's console."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.read_only import ReadOnlyAdmin
from tournaments.models import Entry, LogItem, PairingTable, Tournament
from tournaments.queries import listed, pair_name, with_members


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ("name", "state", "ruleset", "pairs", "capacity", "starts_at", "organiser")
    list_filter = ("state", "ruleset", "format", "starts_at")
    search_fields = ("name", "slug", "organiser__username")
    date_hierarchy = "starts_at"
    # The lot draws the seeds: who could read it before the start could choose them.
    exclude = ("lot",)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return not lookup.startswith("lot") and super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        return listed(super().get_queryset(request))

    @admin.display(description=_("pairs"))
    def pairs(self, tournament: Tournament) -> int:
        return int(tournament.pairs)  # type: ignore[attr-defined]


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ("pair", "tournament", "seed", "created_at", "accepted_at", "declined_at", "withdrawn_at")
    list_select_related = ("tournament",)
    search_fields = ("members__user__username", "tournament__name")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        return with_members(super().get_queryset(request))

    @admin.display(description=_("pair"))
    def pair(self, entry: Entry) -> str:
        return pair_name(entry)


@admin.register(LogItem)
class LogItemAdmin(ReadOnlyAdmin):
    list_display = ("tournament", "number", "item", "actor", "table", "at")
    list_select_related = ("tournament", "actor", "table")
    list_filter = ("at",)
    search_fields = ("tournament__name", "actor__username", "table__code")


@admin.register(PairingTable)
class PairingTableAdmin(ReadOnlyAdmin):
    list_display = ("pairing", "attempt", "tournament", "table", "state")
    list_select_related = ("tournament", "table")
    list_filter = ("state",)
    search_fields = ("tournament__name", "table__code", "pairing")
