from django.urls import path

from games import views

urlpatterns = [
    path("tables/", views.lobby, name="lobby"),
    path("tables/new/", views.new, name="table_new"),
    path("tables/<str:code>/", views.table, name="table"),
    path("tables/<str:code>/sit/", views.sit, name="table_sit"),
    path("tables/<str:code>/leave/", views.leave, name="table_leave"),
    path("tables/<str:code>/fill/", views.fill, name="table_fill"),
    path("tables/<str:code>/record/", views.record, name="table_record"),
    path("matches/<str:code>/", views.match, name="match"),
    path("players/<str:name>/", views.player, name="player"),
]
