"""Lists and pages of the administration that are read and never written, however many rows there are."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from accounts.names import search_key

if TYPE_CHECKING:
    RowAdmin = admin.ModelAdmin[Any]
    RowInline = admin.TabularInline[Any, Any]
    RowPages = Paginator[Any]
else:
    RowAdmin, RowInline, RowPages = admin.ModelAdmin, admin.TabularInline, Paginator

HIDDEN_FIELDS = frozenset({"secret", "deck", "salt"})
MOST_COUNTED = 10_000


class FewAtATime(RowPages):
    """Pages of a list that may have millions of rows: it is not counted beyond `MOST_COUNTED`."""

    @cached_property
    def count(self) -> int:
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]
        return rows.order_by()[:MOST_COUNTED].count()


class ReadOnlyAdmin(RowAdmin):
    """Shows rows; adds, changes and deletes none, whoever asks."""

    show_full_result_count = False
    list_per_page = 50
    paginator = FewAtATime

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return HIDDEN_FIELDS.isdisjoint(lookup.split("__")) and super().lookup_allowed(lookup, value, request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """By code as by name; names in any spelling that counts as the same."""
        found, doubles = super().get_search_results(request, queryset, search_term)
        folded = search_key(search_term)
        if not search_term or folded == search_term:
            return found, doubles
        others, more = super().get_search_results(request, queryset, folded)
        return found | others, doubles or more


class ReadOnlyInline(RowInline):
    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
