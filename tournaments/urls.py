from django.urls import path

from tournaments import organise, views

urlpatterns = [
    path("", views.listing, name="tournaments"),
    path("new/", views.new, name="tournament_new"),
    path("<str:slug>/", views.page, name="tournament"),
    path("<str:slug>/event/", views.event, name="tournament_event"),
    path("<str:slug>/enter/", views.enter, name="tournament_enter"),
    path("<str:slug>/accept/", views.accept, name="tournament_accept"),
    path("<str:slug>/decline/", views.decline, name="tournament_decline"),
    path("<str:slug>/check-in/", views.check_in, name="tournament_check_in"),
    path("<str:slug>/withdraw/", views.withdraw, name="tournament_withdraw"),
    path("<str:slug>/start/", organise.start, name="tournament_start"),
    path("<str:slug>/cancel/", organise.cancel, name="tournament_cancel"),
    path("<str:slug>/remove/", organise.remove, name="tournament_remove"),
    path("<str:slug>/organise/", organise.console, name="tournament_organise"),
    path("<str:slug>/decide/", organise.decide, name="tournament_decide"),
]
