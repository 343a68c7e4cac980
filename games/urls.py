from django.urls import path, register_converter

from games import conduct, guests, views, watching


class TableCode:
    """Letters and digits: what else an address holds is no table."""

    regex = "[0-9A-Za-z]{1,12}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TableCode, "table")

urlpatterns = [
    path("play/bots/", guests.bots, name="play_bots"),
    path("accounts/keep/", guests.keep, name="account_keep"),
    path("tables/", views.lobby, name="lobby"),
    path("tables/new/", views.new, name="table_new"),
    path("tables/<table:code>/", views.table, name="table"),
    path("tables/<table:code>/sit/", views.sit, name="table_sit"),
    path("tables/<table:code>/leave/", views.leave, name="table_leave"),
    path("tables/<table:code>/fill/", views.fill, name="table_fill"),
    path("tables/<table:code>/mute/", conduct.mute, name="table_mute"),
    path("tables/<table:code>/report/", conduct.report, name="table_report"),
    path("tables/<table:code>/record/", views.record, name="table_record"),
    path("matches/<table:code>/", views.match, name="match"),
    path("watch/", watching.live, name="watch"),
    path("players/<str:name>/", views.player, name="player"),
    path("players/<str:name>/watch/", watching.follow, name="follow"),
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:ruleset>/", views.rules_of, name="rules_of"),
]
