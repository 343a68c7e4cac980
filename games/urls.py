from django.urls import path, register_converter

from games import company, conduct, gathering, guests, rated, recalling, recording, seeking, views, watching


class TableCode:
    """Letters and digits: what else an address holds is no table."""

    regex = "[0-9A-Za-z]{1,12}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TableCode, "table")

urlpatterns = [
    path("play/", seeking.quick_match, name="quick"),
    path("play/seen/", seeking.seen, name="quick_seen"),
    path("play/answer/", seeking.answer, name="quick_answer"),
    path("play/stop/", seeking.stop, name="quick_stop"),
    path("play/bots/", guests.bots, name="play_bots"),
    path("accounts/keep/", guests.keep, name="account_keep"),
    path("invitations/", gathering.news, name="news"),
    path("invitations/names/", gathering.names, name="names"),
    path("invitations/<int:number>/accept/", gathering.accept, name="invitation_accept"),
    path("invitations/<int:number>/decline/", gathering.decline, name="invitation_decline"),
    path("people/", company.people, name="people"),
    path("tables/", views.lobby, name="lobby"),
    path("tables/new/", views.new, name="table_new"),
    path("tables/<table:code>/", views.table, name="table"),
    path("tables/<table:code>/sit/", views.sit, name="table_sit"),
    path("tables/<table:code>/leave/", views.leave, name="table_leave"),
    path("tables/<table:code>/fill/", views.fill, name="table_fill"),
    path("tables/<table:code>/remove/", views.remove, name="table_remove"),
    path("tables/<table:code>/invite/", gathering.invite, name="table_invite"),
    path("tables/<table:code>/invitation/", gathering.card, name="table_card"),
    path("tables/<table:code>/qr.svg", gathering.qr, name="table_qr"),
    path("tables/<table:code>/mute/", conduct.mute, name="table_mute"),
    path("tables/<table:code>/report/", conduct.report, name="table_report"),
    path("tables/<table:code>/record/", recording.record, name="table_record"),
    path("matches/", recalling.mine, name="my_matches"),
    path("matches/<table:code>/", recording.match, name="match"),
    path("matches/<table:code>/pbn/", recording.pbn, name="match_pbn"),
    path("matches/<table:code>/print/", recording.printed, name="match_printed"),
    path("records/", recording.records, name="records"),
    path("watch/", watching.live, name="watch"),
    path("players/<str:name>/", views.player, name="player"),
    path("players/<str:name>/watch/", watching.follow, name="follow"),
    path("players/<str:name>/matches/", recalling.matches, name="player_matches"),
    path("players/<str:name>/statistics/", recalling.statistics, name="player_statistics"),
    path("players/<str:name>/records/", recalling.records, name="player_records"),
    path("ratings/", rated.board, name="ratings"),
    path("pairs/<int:number>/", rated.pair, name="pair"),
    path("standing/", rated.standing, name="standing"),
    path("standing/<int:number>/appeal/", rated.appeal, name="standing_appeal"),
    path("pairs/<int:number>/statistics/", recalling.pair_statistics, name="pair_statistics"),
    path("rules/", views.rules, name="rules"),
    path("rules/<slug:ruleset>/", views.rules_of, name="rules_of"),
]
