from django.http import HttpRequest, HttpResponse
from django.urls import path


def settings(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path("accounts/settings/", settings, name="account_settings")]
