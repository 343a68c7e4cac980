"""Cases, the log of reviewers, and what they look into, in the administration: to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import Sanction
from games.models import Connection, Invitation, Seek, Void
from games.read_only import ReadOnlyAdmin
from review.models import Case, ReviewAct


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin):
    list_display = ("kind", "about", "table", "opened_at", "claimed_by", "closed_at", "outcome")
    list_filter = ("kind", "outcome", "opened_at")
    list_select_related = ("about", "table", "claimed_by")
    search_fields = ("=table__code", "about__username", "about__search_key")
    date_hierarchy = "opened_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Case]:
        return super().get_queryset(request).defer("table__secret", "table__salt")


@admin.register(ReviewAct)
class ReviewActAdmin(ReadOnlyAdmin):
    list_display = ("at", "kind", "actor", "about", "table", "case", "reason")
    list_filter = ("kind", "at")
    list_select_related = ("actor", "about", "table", "case")
    search_fields = ("=table__code", "about__username", "about__search_key", "actor__username", "reason")
    date_hierarchy = "at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReviewAct]:
        return super().get_queryset(request).defer("table__secret", "table__salt")


class AtATableAdmin(ReadOnlyAdmin):
    """Rows that belong to a table, whose secrets stay where they are."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("table__secret", "table__salt")


@admin.register(Void)
class VoidAdmin(AtATableAdmin):
    list_display = ("table", "at", "by", "lifted_at", "lifted_by")
    list_select_related = ("table", "by", "lifted_by")
    search_fields = ("=table__code",)
    date_hierarchy = "at"


@admin.register(Connection)
class ConnectionAdmin(AtATableAdmin):
    list_display = ("at", "table", "user", "kind", "address", "device")
    list_filter = ("kind", "at")
    list_select_related = ("table", "user")
    search_fields = ("=table__code", "user__username", "user__search_key", "=address", "=device")
    ordering = ("-at", "-pk")


@admin.register(Seek)
class SeekAdmin(AtATableAdmin):
    list_display = ("user", "partner", "accepted", "ruleset", "speed", "rated", "created_at", "table")
    list_filter = ("ruleset", "speed", "rated")
    list_select_related = ("user", "partner", "table")
    search_fields = ("user__username", "user__search_key", "partner__username")


@admin.register(Invitation)
class InvitationAdmin(AtATableAdmin):
    list_display = ("table", "by", "to", "created_at", "accepted")
    list_filter = ("accepted", "created_at")
    list_select_related = ("table", "by", "to")
    search_fields = ("=table__code", "by__username", "to__username", "to__search_key")


if not admin.site.is_registered(Sanction):

    @admin.register(Sanction)
    class SanctionAdmin(ReadOnlyAdmin):
        list_display = ("user", "scope", "at", "until", "by", "lifted_at", "appealed_at", "answered_at")
        list_filter = ("scope", "at")
        list_select_related = ("user", "by")
        search_fields = ("user__username", "user__search_key")
