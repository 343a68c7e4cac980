"""The pages of reviewers, and what they do there."""

from django.urls import path

from review import acting, views

urlpatterns = [
    path("", views.desk, name="review_desk"),
    path("cases/<int:number>/", views.case, name="review_case"),
    path("cases/<int:number>/claim/", acting.claim, name="review_claim"),
    path("cases/<int:number>/note/", acting.note, name="review_note"),
    path("cases/<int:number>/close/", acting.close, name="review_close"),
    path("tables/<table:code>/", views.table, name="review_table"),
    path("tables/<table:code>/void/", acting.void, name="review_void"),
    path("tables/<table:code>/restore/", acting.restore, name="review_restore"),
    path("tables/<table:code>/annul/", acting.annul, name="review_annul"),
    path("players/<str:name>/", views.person, name="review_person"),
    path("players/<str:name>/sanction/", acting.sanction, name="review_sanction"),
    path("sanctions/<int:number>/lift/", acting.lift, name="review_lift"),
    path("hints/", views.hint_list, name="review_hints"),
    path("hints/open/", acting.open_hint, name="review_open_hint"),
    path("log/", views.log, name="review_log"),
]
