"""The doors of accounts: allauth's own, those that are offered, and the settings."""

from allauth.account import views as allauth_views
from allauth.mfa.base import views as factors
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from allauth.socialaccount import views as elsewhere
from allauth.urls import build_provider_urlpatterns
from allauth.usersessions import views as sessions
from django.urls import path, re_path
from django.views.generic import RedirectView

from accounts import pictures_page, privacy_pages, push_pages, settings_pages, views
from accounts.views import account_required as own

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
    # Showing once more that one is oneself.
    path("reauthenticate/", own(allauth_views.reauthenticate), name="account_reauthenticate"),
    path(
        "reauthenticate/code/",
        own(allauth_views.request_reauthentication_code),
        name="account_request_reauthentication_code",
    ),
    path(
        "reauthenticate/code/confirm/",
        own(allauth_views.confirm_reauthentication_code),
        name="account_confirm_reauthentication_code",
    ),
    # Security: second factors, passkeys, sessions, accounts elsewhere. The names are allauth's.
    path("security/", own(factors.index), name="mfa_index"),
    path("security/ask/", factors.authenticate, name="mfa_authenticate"),
    path("security/again/", own(factors.reauthenticate), name="mfa_reauthenticate"),
    path("security/app/", own(totp.activate_totp), name="mfa_activate_totp"),
    path("security/app/off/", own(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("security/codes/", own(recovery.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("security/codes/new/", own(recovery.generate_recovery_codes), name="mfa_generate_recovery_codes"),
    path("security/codes/file/", own(recovery.download_recovery_codes), name="mfa_download_recovery_codes"),
    path("security/passkeys/", own(passkeys.list_webauthn), name="mfa_list_webauthn"),
    path("security/passkeys/new/", own(passkeys.add_webauthn), name="mfa_add_webauthn"),
    path(
        "security/passkeys/again/", own(passkeys.reauthenticate_webauthn), name="mfa_reauthenticate_webauthn"
    ),
    path("security/passkeys/<int:pk>/name/", own(passkeys.edit_webauthn), name="mfa_edit_webauthn"),
    path("security/passkeys/<int:pk>/remove/", own(passkeys.remove_webauthn), name="mfa_remove_webauthn"),
    path("login/passkey/", passkeys.login_webauthn, name="mfa_login_webauthn"),
    path("security/sessions/", own(sessions.list_usersessions), name="usersessions_list"),
    path("security/elsewhere/", own(elsewhere.connections), name="socialaccount_connections"),
    path("elsewhere/signup/", elsewhere.signup, name="socialaccount_signup"),
    path("elsewhere/cancelled/", elsewhere.login_cancelled, name="socialaccount_login_cancelled"),
    path("elsewhere/error/", elsewhere.login_error, name="socialaccount_login_error"),
    *build_provider_urlpatterns(),
    path("security/sessions/<int:number>/end/", settings_pages.end_session, name="account_end_session"),
    path("settings/", settings_pages.settings, name="account_settings"),
    path("settings/name/", settings_pages.rename, name="account_rename"),
    path("settings/picture/", settings_pages.change_picture, name="account_picture"),
    path("settings/picture/remove/", settings_pages.remove_picture, name="account_picture_remove"),
    path("settings/email/", settings_pages.change_email, name="account_change_email"),
    path("settings/email/keep/", settings_pages.keep_email, name="account_keep_email"),
    path("settings/email/confirm/", settings_pages.confirm_address, name="account_confirm_address"),
    path("settings/country/", settings_pages.change_country, name="account_change_country"),
    path("settings/looks/", settings_pages.change_looks, name="account_change_looks"),
    path("settings/letters/", settings_pages.change_letters, name="account_change_letters"),
    path("settings/notices/", settings_pages.notice_ways, name="account_notices"),
    path("push/", push_pages.subscribe, name="push_subscribe"),
    path("push/end/", push_pages.unsubscribe, name="push_unsubscribe"),
    path("push/worker.js", push_pages.worker, name="push_worker"),
    path("privacy/", privacy_pages.privacy, name="account_privacy"),
    path("privacy/data/ask/", privacy_pages.ask_for_data, name="account_data"),
    path("privacy/data/", privacy_pages.data, name="account_data_file"),
    path("privacy/close/", privacy_pages.close, name="account_close"),
    re_path(r"^pictures/(?P<name>[0-9a-f]{32})\.webp$", pictures_page.picture, name="picture"),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$", views.ConfirmEmailView.as_view(), name="account_confirm_email"
    ),
    path("notices/read/", views.read_notices, name="notices_read"),
    path("notices/<int:number>/", views.open_notice, name="notice"),
]
