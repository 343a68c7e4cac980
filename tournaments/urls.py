from django.urls import path, register_converter

from tournaments import (
    announcing,
    certificates,
    desk,
    entering,
    exports,
    lists,
    offering,
    officiating,
    organise,
    public,
    setting_up,
    steering,
    views,
)


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
    path("<tournament:slug>/embed/", public.embed, name="tournament_embed"),
    path("<tournament:slug>/sharing/", public.sharing, name="tournament_sharing"),
    path("<tournament:slug>/screen/", public.screen, name="tournament_screen"),
    path("<tournament:slug>/calls/", public.call_list, name="tournament_calls"),
    path("<tournament:slug>/enter/", views.enter, name="tournament_enter"),
    path("<tournament:slug>/accept/", views.accept, name="tournament_accept"),
    path("<tournament:slug>/decline/", views.decline, name="tournament_decline"),
    path("<tournament:slug>/check-in/", views.check_in, name="tournament_check_in"),
    path("<tournament:slug>/withdraw/", views.withdraw, name="tournament_withdraw"),
    path("<tournament:slug>/team/", entering.describe, name="tournament_team"),
    path("<tournament:slug>/third/ask/", entering.ask_third, name="tournament_ask_third"),
    path("<tournament:slug>/third/drop/", entering.drop_third, name="tournament_drop_third"),
    path("<tournament:slug>/substitute/", entering.substitute, name="tournament_substitute"),
    path("<tournament:slug>/desk/", desk.desk, name="tournament_desk"),
    path("<tournament:slug>/seeding/", desk.seeds, name="tournament_seeding"),
    path("<tournament:slug>/certify/", certificates.certify, name="tournament_certify"),
    path("<tournament:slug>/uncertify/", certificates.uncertify, name="tournament_uncertify"),
    path("<tournament:slug>/archive/", certificates.archive, name="tournament_archive"),
    path("<tournament:slug>/unarchive/", certificates.unarchive, name="tournament_unarchive"),
    path("<tournament:slug>/certificate/", certificates.certificate, name="tournament_certificate"),
    path("calendar/<str:key>.ics", exports.my_calendar, name="my_calendar"),
    path("<tournament:slug>/calendar.ics", exports.calendar, name="tournament_calendar"),
    path("<tournament:slug>/files/", exports.files, name="tournament_files"),
    path("<tournament:slug>/files/records.jsonl", exports.records, name="tournament_records"),
    path("<tournament:slug>/files/<slug:what>.<slug:kind>", exports.table, name="tournament_table"),
    path("<tournament:slug>/import/", lists.import_list, name="tournament_import"),
    path("<tournament:slug>/claims/", lists.places, name="tournament_claims"),
    path("<tournament:slug>/claims/renew/", lists.renew, name="tournament_claim_renew"),
    path("<tournament:slug>/claim/<str:token>/", lists.claim, name="tournament_claim"),
    path("<tournament:slug>/settings/", setting_up.edit, name="tournament_settings"),
    path("<tournament:slug>/start/", organise.start, name="tournament_start"),
    path("<tournament:slug>/cancel/", organise.cancel, name="tournament_cancel"),
    path("<tournament:slug>/remove/", organise.remove, name="tournament_remove"),
    path("<tournament:slug>/organise/", organise.console, name="tournament_organise"),
    path("office/<str:token>/", officiating.office, name="tournament_office"),
    path("<tournament:slug>/officials/", officiating.officials_page, name="tournament_officials"),
    path("<tournament:slug>/object/", officiating.object_page, name="tournament_object"),
    path("<tournament:slug>/objections/", officiating.queue, name="tournament_objections"),
    path("<tournament:slug>/log/", officiating.acts_page, name="tournament_acts"),
    path("<tournament:slug>/announce/", announcing.announcing, name="tournament_announce"),
    path("<tournament:slug>/decide/", organise.decide, name="tournament_decide"),
    path("<tournament:slug>/actions/", offering.whole, name="tournament_whole_actions"),
    path("<tournament:slug>/actions/entrants/<str:ident>/", offering.entrant, name="tournament_pair_actions"),
    path("<tournament:slug>/actions/<str:pairing>/", offering.pairing, name="tournament_actions"),
    path("<tournament:slug>/confirm/", steering.confirm, name="tournament_confirm"),
    path("<tournament:slug>/pause/", steering.pause, name="tournament_pause"),
    path("<tournament:slug>/resume/", steering.resume, name="tournament_resume"),
    path("<tournament:slug>/accept-plan/", steering.accept_plan, name="tournament_accept_plan"),
    path("<tournament:slug>/round/open/", steering.open_round, name="tournament_round_open"),
    path("<tournament:slug>/round/time/", steering.round_time, name="tournament_round_time"),
    path("<tournament:slug>/score/", steering.score, name="tournament_score"),
]
