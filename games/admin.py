"""The tables for administrators: everything to read, nothing to change, and no card before its time.

The list of events is the truth of a table, so nobody edits it. A secret, a deck and a hand stay out of every
page and every filter (a filter on a hidden field answers questions about it) until the match is over.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.templatetags.people import signed
from games.models import ChatLine, Deal, Event, Heartbeat, Phase, Report, Seat, Table
from games.pages import cards_are_out
from games.queries import bearers, tables_of
from games.read_only import ReadOnlyAdmin, ReadOnlyInline, RowAdmin
from games.rules.actions import ACTORS

HEARTBEAT_SECONDS = 30
MOST_FOUND = 1_000


class SeatInline(ReadOnlyInline):
    model = Seat
    fields = ("number", "kind", "user", "bot")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user", "table")


class DealInline(ReadOnlyInline):
    model = Deal
    fields = ("index", "dealer", "finished", "points")
    readonly_fields = ("points",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deal]:
        return super().get_queryset(request).defer("deck").select_related("table")

    @admin.display(description=_("points"))
    def points(self, deal: Deal) -> SafeString | str:
        return _pair(deal.change)


def _pair(points: list[int] | None) -> SafeString | str:
    if points is None:
        return "–"
    return format_html_join(" : ", "{}", ((signed(number),) for number in points))


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    list_per_page = 30
    list_display = (
        "code",
        "ruleset",
        "target",
        "phase",
        "points",
        "result_kind",
        "host",
        "title",
        "created_at",
        "ended_at",
    )
    list_filter = ("phase", "ruleset", "result_kind", "visibility", "target", "created_at")
    list_select_related = ("host",)
    search_fields = ("code", "title", "seats__user__username", "seats__user__search_key")
    search_help_text = _("Code, title or a player's name")
    date_hierarchy = "created_at"
    ordering = ("-created_at",)
    inlines = (SeatInline, DealInline)
    facts: ClassVar = (
        *("code", "title", "host", "visibility", "ruleset", "target", "options", "turn_seconds"),
        *(
            "phase",
            "version",
            "due_at",
            "paused_at",
            "stops_after_deal",
            "idle",
            "first_dealer",
            "points",
            "counted",
            "result_kind",
            "winner",
            "advances",
        ),
        *("created_at", "started_at", "ended_at", "pages"),
    )
    proof: ClassVar = ("commitment", "shown_salt", "shown_secret")
    fieldsets = ((None, {"fields": facts}), (_("Dealing that anyone can check"), {"fields": proof}))
    readonly_fields = ("points", "pages", "shown_salt", "shown_secret")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        return super().get_queryset(request).defer("secret", "salt")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if not search_term:
            return queryset, False
        if tables := tables_of(search_term):
            return queryset.filter(pk__in=tables), False
        played = Seat.objects.filter(user__in=bearers(search_term)).values("table")
        said = Q(code__icontains=search_term) | Q(title__icontains=search_term)
        # Once, not for each of the list's questions: the rows of all tables are compared with the words.
        newest = Table.objects.filter(said | Q(pk__in=played)).order_by("-created_at", "-pk")
        return queryset.filter(pk__in=list(newest.values_list("pk", flat=True)[:MOST_FOUND])), False

    @admin.display(description=_("score"))
    def points(self, table: Table) -> SafeString | str:
        return _pair(table.score)

    @admin.display(description=_("pages"))
    def pages(self, table: Table) -> SafeString:
        events = f"{reverse('admin:games_event_changelist')}?table__id__exact={table.pk}"
        links = [(table.get_absolute_url(), gettext("Table")), (events, gettext("Events"))]
        if table.phase == Phase.OVER and table.result_kind:
            links.append((reverse("match", args=[table.code]), gettext("Replay")))
            links.append((reverse("table_record", args=[table.code]), gettext("Record")))
        return format_html_join(" · ", '<a href="{}">{}</a>', links)

    @admin.display(description=_("salt"))
    def shown_salt(self, table: Table) -> str:
        return table.salt if cards_are_out(table) else _hidden()

    @admin.display(description=_("secret"))
    def shown_secret(self, table: Table) -> str:
        return bytes(table.secret).hex() if cards_are_out(table) else _hidden()


def _hidden() -> str:
    return gettext("Hidden until the match is over")


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ("table", "number", "kind", "user", "bot")
    list_filter = ("kind", "table__phase", "table__ruleset")
    list_select_related = ("table", "user")
    search_fields = ("table__code", "user__username", "user__search_key")
    search_help_text = _("Code or a player's name")
    ordering = ("-pk",)
    fields = ("table", "number", "kind", "user", "bot")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).defer("salt", "table__secret", "table__salt")


@admin.register(Deal)
class DealAdmin(ReadOnlyAdmin):
    list_display = ("table", "index", "dealer", "finished", "points")
    list_filter = ("finished", "table__phase", "table__ruleset")
    list_select_related = ("table",)
    search_fields = ("table__code",)
    search_help_text = _("Code of the table")
    ordering = ("-pk",)
    fields = ("table", "index", "version", "dealer", "finished", "points", "shown_deck")
    readonly_fields = ("points", "shown_deck")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deal]:
        return super().get_queryset(request).defer("deck", "table__secret", "table__salt")

    @admin.display(description=_("points"))
    def points(self, deal: Deal) -> SafeString | str:
        return _pair(deal.change)

    @admin.display(description=_("cards in the order dealt"))
    def shown_deck(self, deal: Deal) -> SafeString | str:
        return format_html('<bdi dir="ltr">{}</bdi>', deal.deck) if cards_are_out(deal.table) else _hidden()


class ActorFilter(admin.SimpleListFilter):
    """By who acted. Django's own would read all events to find the four letters."""

    title = _("by")
    parameter_name = "by"

    def lookups(self, request: HttpRequest, model_admin: RowAdmin) -> list[tuple[str, str]]:
        return [(letter, letter) for letter in sorted(ACTORS)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        return queryset.filter(by=self.value()) if self.value() in ACTORS else queryset


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("table", "version", "kind", "seat", "shown_code", "by", "ms", "user", "at")
    list_filter = ("kind", ActorFilter, "at")
    list_select_related = ("table", "user")
    search_fields = ("=table__code", "user__username", "user__search_key")
    search_help_text = _("Code of the table or a player's name")
    ordering = ("-pk",)
    fields = ("table", "version", "kind", "seat", "user", "shown_code", "by", "ms", "request_id", "at")
    readonly_fields = ("shown_code",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if not search_term:
            return queryset, False
        tables = tables_of(search_term)
        return queryset.filter(Q(table__in=tables) if tables else Q(user__in=bearers(search_term))), False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return not lookup.startswith("code") and super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        same = Table.objects.filter(commitment=OuterRef("table__commitment")).exclude(phase=Phase.OVER)
        events: QuerySet[Event] = super().get_queryset(request)
        return events.defer("table__secret", "table__salt").annotate(is_in_play=Exists(same))

    @admin.display(description=_("action"))
    def shown_code(self, event: Event) -> str:
        return "…" if event.code and event.is_in_play else event.code  # type: ignore[attr-defined]


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    list_display = ("at", "about", "reason", "text", "by", "table")
    list_filter = ("reason", "at")
    list_select_related = ("table", "by", "about")
    search_fields = ("=table__code", "about__username", "about__search_key", "by__username")
    search_help_text = _("Code of the table or a player's name")
    date_hierarchy = "at"
    fields = ("at", "about", "reason", "text", "by", "table", "version", "where")
    readonly_fields = ("where",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        return super().get_queryset(request).defer("table__secret", "table__salt")

    @admin.display(description=_("pages"))
    def where(self, report: Report) -> SafeString:
        lists = (("games_chatline", gettext("Chat")), ("games_event", gettext("Events")))
        links = [
            (f"{reverse(f'admin:{name}_changelist')}?table__id__exact={report.table_id}", words)
            for name, words in lists
        ]
        same = f"{reverse('admin:games_report_changelist')}?about__id__exact={report.about_id}"
        links.append((same, gettext("All reports about this player")))
        links.append((report.table.get_absolute_url(), gettext("Table")))
        if report.table.result_kind:
            links.append((reverse("match", args=[report.table.code]), gettext("Replay")))
        return format_html_join(" · ", '<a href="{}">{}</a>', links)


@admin.register(ChatLine)
class ChatLineAdmin(ReadOnlyAdmin):
    list_display = ("at", "table", "room", "user", "text", "version")
    list_filter = ("room", "at")
    list_select_related = ("table", "user")
    search_fields = ("=table__code", "user__username", "user__search_key", "text")
    search_help_text = _("Code of the table, a player's name or words")
    ordering = ("-pk",)
    fields = ("at", "table", "room", "user", "seat", "text", "version")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatLine]:
        return super().get_queryset(request).defer("table__secret", "table__salt")


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ("name", "at", "is_alive")
    fields = ("name", "at", "is_alive")
    readonly_fields = ("is_alive",)

    @admin.display(description=_("alive"), boolean=True)
    def is_alive(self, heartbeat: Heartbeat) -> bool:
        return (timezone.now() - heartbeat.at).total_seconds() < HEARTBEAT_SECONDS
