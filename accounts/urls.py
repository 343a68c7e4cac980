"""The doors of accounts: allauth's own, those that are offered, and the settings."""

from allauth.account import views as allauth_views
from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts import views

urlpatterns = [
    path("login/", views.LoginView.as_view(), name="account_login"),
    path("logout/", allauth_views.logout, name="account_logout"),
    path("signup/", views.SignupView.as_view(), name="account_signup"),
    path("guest/", views.guest, name="account_guest"),
    path("inactive/", allauth_views.account_inactive, name="account_inactive"),
    path("password/change/", views.PasswordChangeView.as_view(), name="account_change_password"),
    # An account made without a password gets its first one by e-mail.
    path(
        "password/set/",
        RedirectView.as_view(pattern_name="account_reset_password"),
        name="account_set_password",
    ),
    path("password/reset/", views.PasswordResetView.as_view(), name="account_reset_password"),
    path("password/reset/done/", allauth_views.password_reset_done, name="account_reset_password_done"),
    path(
        "password/reset/key/done/",
        allauth_views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.PasswordResetFromKeyView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("settings/", views.settings, name="account_settings"),
    path("settings/name/", views.rename, name="account_rename"),
    path("settings/email/", views.change_email, name="account_change_email"),
    path("settings/email/confirm/", views.confirm_address, name="account_confirm_address"),
    path("settings/country/", views.change_country, name="account_change_country"),
    path("settings/letters/", views.change_letters, name="account_change_letters"),
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", allauth_views.confirm_email, name="account_confirm_email"),
    path("notices/read/", views.read_notices, name="notices_read"),
    path("notices/<int:number>/", views.open_notice, name="notice"),
]
