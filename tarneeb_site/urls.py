from django.contrib import admin
from django.urls import include, path
from django.utils.translation import gettext_lazy as _
from django.views.i18n import JavaScriptCatalog

from tarneeb_site import views
from tarneeb_site.manifest import manifest

admin.site.site_header = admin.site.site_title = _("Administration of Tarneeb")
urlpatterns = [
    path("", views.home, name="home"),
    path("language/", views.set_language, name="set_language"),
    path("words.js", JavaScriptCatalog.as_view(packages=["tarneeb_site"]), name="words"),
    path("<str:language>.webmanifest", manifest, name="manifest"),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("", include("games.urls")),
    path("tournaments/", include("tournaments.urls")),
    path("review/", include("review.urls")),
]

handler400 = "tarneeb_site.views.bad_request"
handler403 = "tarneeb_site.views.forbidden"
handler404 = "tarneeb_site.views.not_found"
handler429 = "tarneeb_site.views.too_many_requests"
handler500 = "tarneeb_site.views.server_error"
