"""Accounts in the administration."""

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.db.models import Q, QuerySet
from django.forms import BaseForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import search_key
from accounts.queries import by_name
from accounts.renaming import note_change

# Secrets, and what belongs to nobody but its owner: not for the administration.
for model in (Authenticator, UserSession, SocialApp, SocialToken):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


class NewUserForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("username", "email")

    def clean_username(self) -> str:
        """Lookalikes are found by the model."""
        name: str = self.cleaned_data["username"]
        return name


@admin.register(User)
class PlayerAdmin(UserAdmin):
    add_form = NewUserForm
    list_display = (
        "username",
        "email",
        "language",
        "is_guest",
        "is_active",
        "is_staff",
        "date_joined",
        "last_login",
    )
    list_filter = ("is_guest", "is_active", "is_staff", "language", "date_joined")
    search_fields = ("username", "email")
    ordering = ()
    readonly_fields = ("name_key", "search_key", "is_guest", "date_joined", "last_login")
    fieldsets = (
        (None, {"fields": ("username", "name_key", "search_key", "password")}),
        (_("Contact"), {"fields": ("email", "language")}),
        (
            _("Rights"),
            {"fields": ("is_guest", "is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (_("Dates"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = (
        (
            None,
            {
                "classes": ("wide",),
                "fields": ("username", "email", "usable_password", "password1", "password2"),
            },
        ),
    )

    def save_model(self, request: HttpRequest, user: User, form: BaseForm, change: bool) -> None:
        """A name that is given by others is a change of name too; it is free of the wait."""
        if change and "username" in form.changed_data:
            note_change(user, before=form.initial["username"], now=timezone.now())
        super().save_model(request, user, form, change)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return by_name(super().get_queryset(request))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[User], search_term: str
    ) -> tuple[QuerySet[User], bool]:
        """By name under the wide fold, or by a part of the e-mail address."""
        if not (key := search_key(search_term)):
            return queryset, False
        return queryset.filter(Q(search_key__contains=key) | Q(email__icontains=search_term.strip())), False
