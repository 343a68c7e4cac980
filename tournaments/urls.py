from django.urls import path, register_converter

from tournaments import announcing, organise, setting_up, views


class Slug:
    """The letters and digits of any script, and hyphens: what else an address holds is no tournament."""

    regex = r"[-\w]{1,80}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Slug, "tournament")

urlpatterns = [
    path("", views.listing, name="tournaments"),
    path("new/", setting_up.new, name="tournament_new"),
    path("new/preview/", setting_up.preview, name="tournament_preview"),
    path("<tournament:slug>/", views.page, name="tournament"),
    path("<tournament:slug>/event/", views.event, name="tournament_event"),
    path("<tournament:slug>/enter/", views.enter, name="tournament_enter"),
    path("<tournament:slug>/accept/", views.accept, name="tournament_accept"),
    path("<tournament:slug>/decline/", views.decline, name="tournament_decline"),
    path("<tournament:slug>/check-in/", views.check_in, name="tournament_check_in"),
    path("<tournament:slug>/withdraw/", views.withdraw, name="tournament_withdraw"),
    path("<tournament:slug>/settings/", setting_up.edit, name="tournament_settings"),
    path("<tournament:slug>/start/", organise.start, name="tournament_start"),
    path("<tournament:slug>/cancel/", organise.cancel, name="tournament_cancel"),
    path("<tournament:slug>/remove/", organise.remove, name="tournament_remove"),
    path("<tournament:slug>/organise/", organise.console, name="tournament_organise"),
    path("<tournament:slug>/announce/", announcing.announcing, name="tournament_announce"),
    path("<tournament:slug>/decide/", organise.decide, name="tournament_decide"),
]
