"""Who plays: one account, one name."""

import unicodedata
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH, clean_name, name_key, search_key, sort_key, validate_name
from accounts.passwords import normalised

TAKEN = _("This name is taken, or looks like one that is.")
EMAIL_TAKEN = _("Another account has this e-mail address.")


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        """The account of a name however it was typed. Raises: User.DoesNotExist."""
        return self.get(name_key=name_key(username or ""))

    def create_user(
        self, username: str, email: str = "", password: str | None = None, **more: object
    ) -> "User":
        """A new account, saved. Raises: ValidationError for a name that is not accepted."""
        user = self.model(username=clean_name(username), email=email.strip().lower(), **more)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, username: str, email: str = "", password: str | None = None, **more: object
    ) -> "User":
        """A new administrator, saved."""
        return self.create_user(username, email, password, is_staff=True, is_superuser=True, **more)


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account. `username` is the name everybody sees, never altered; the keys are its folds."""

    username = models.CharField(_("name"), max_length=MAX_LENGTH, unique=True, validators=[validate_name])
    name_key = models.CharField(_("name as one signs in"), max_length=64, unique=True, editable=False)
    search_key = models.CharField(_("name as it is searched"), max_length=64, db_index=True, editable=False)
    sort_key = models.CharField(max_length=96, db_index=True, db_collation="C", editable=False)
    email = models.EmailField(_("e-mail"), blank=True)
    language = models.CharField(_("language"), max_length=2, blank=True, default="")
    # ISO 3166-1, as the player says.
    country = models.CharField(_("country"), max_length=2, blank=True, default="")
    # Notices also come by e-mail, once an address is confirmed.
    wants_mail = models.BooleanField(_("notices by e-mail"), default=True)
    # Plays without an account of their own; keeps the seat on making one.
    is_guest = models.BooleanField(_("guest"), default=False)
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(_("joined"), auto_now_add=True)

    objects = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints: ClassVar = [
            models.UniqueConstraint(
                Lower("email"),
                name="one_account_an_email",
                condition=~models.Q(email=""),
                violation_error_message=EMAIL_TAKEN,
            )
        ]

    def __str__(self) -> str:
        return self.username

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.username])

    @classmethod
    def normalize_username(cls, username: str) -> str:
        return unicodedata.normalize("NFC", username.strip(" "))

    def clean(self) -> None:
        super().clean()
        same = User.objects.filter(name_key=name_key(self.username)).exclude(pk=self.pk)
        if same.exists():
            raise ValidationError({"username": ValidationError(TAKEN, code="taken")})

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_key, self.search_key, self.sort_key = (
            key(self.username) for key in (name_key, search_key, sort_key)
        )
        if "username" in (fields := kwargs.get("update_fields") or ()):
            kwargs["update_fields"] = {*fields, "name_key", "search_key", "sort_key"}
        super().save(*args, **kwargs)

    def set_password(self, raw_password: str | None) -> None:
        super().set_password(normalised(raw_password))

    def check_password(self, raw_password: str | None) -> bool:
        return super().check_password(normalised(raw_password))

    async def acheck_password(self, raw_password: str | None) -> bool:
        return await super().acheck_password(normalised(raw_password))


class Mute(models.Model):
    """A player whose words another one does not want to see."""

    user = models.ForeignKey(User, models.CASCADE, related_name="mutes", verbose_name=_("player"))
    muted = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("muted"))

    class Meta:
        verbose_name = _("muted player")
        verbose_name_plural = _("muted players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "muted"], name="muted_once"),
            models.CheckConstraint(condition=~models.Q(user=models.F("muted")), name="nobody_mutes_himself"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.muted}"


class Notice(models.Model):
    """A sentence for one player, in both languages; the same `key` is told once, however often a job runs."""

    user = models.ForeignKey(User, models.CASCADE, related_name="notices", verbose_name=_("player"))
    key = models.CharField(max_length=120)
    text_ar = models.CharField(max_length=1100)
    text_en = models.CharField(max_length=1100)
    url = models.CharField(max_length=300, blank=True, default="")
    at = models.DateTimeField(_("at"))
    read_at = models.DateTimeField(_("read"), null=True, blank=True)
    # Whether it also goes out by e-mail; `mail_at`: when that is tried next, empty once it is done or given up.
    by_mail = models.BooleanField(_("by e-mail"), default=False)
    mail_at = models.DateTimeField(_("to be mailed"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "key"], name="one_notice_a_key")]
        indexes: ClassVar = [
            models.Index(fields=["user"], name="notice_unread", condition=models.Q(read_at__isnull=True)),
            models.Index(
                fields=["mail_at"], name="notice_to_mail", condition=models.Q(mail_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def text(self) -> str:
        """The sentence in the language of the page."""
        return self.text_ar if (get_language() or "ar").startswith("ar") else self.text_en
