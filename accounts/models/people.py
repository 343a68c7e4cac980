"""Who plays: one account, one name."""

import unicodedata
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import MAX_LENGTH, clean_name, name_key, search_key, sort_key, validate_name
from accounts.passwords import normalised

TAKEN = _("This name is taken, or looks like one that is.")
EMAIL_TAKEN = _("Another account has this e-mail address.")


class Digits(models.TextChoices):
    """The digits that a player reads."""

    WESTERN = "latn", _("Western (0 1 2 3)")
    ARABIC = "arab", _("Arabic (٠ ١ ٢ ٣)")


class CardStyle(models.TextChoices):
    """How the cards of a player look."""

    LATIN = "latin", _("Latin letters")
    ARABIC = "arabic", _("Arabic letters")


class AskedBy(models.TextChoices):
    """Who may invite a player by name."""

    ALL = "all", _("Everybody with an account")
    FOLLOWED = "followed", _("Players whom I follow")
    NOBODY = "nobody", _("Nobody")


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
    """A person with an account. `username` is the name everybody sees, as it was written; the keys are its folds."""

    username = models.CharField(_("name"), max_length=MAX_LENGTH, unique=True, validators=[validate_name])
    name_key = models.CharField(_("name as one signs in"), max_length=64, unique=True, editable=False)
    search_key = models.CharField(_("name as it is searched"), max_length=64, db_index=True, editable=False)
    sort_key = models.CharField(max_length=96, db_index=True, db_collation="C", editable=False)
    email = models.EmailField(_("e-mail"), blank=True)
    language = models.CharField(_("language"), max_length=2, blank=True, default="")
    # ISO 3166-1, as the player says.
    country = models.CharField(_("country"), max_length=2, blank=True, default="")
    city = models.CharField(_("city"), max_length=60, blank=True, default="")
    club = models.CharField(_("club"), max_length=60, blank=True, default="")
    # The club's name as it is searched: one club, however it is spelled.
    club_key = models.CharField(max_length=80, blank=True, default="", db_index=True, editable=False)
    # A square, as we re-encoded it: nothing of the file that came is kept.
    picture = models.FileField(_("picture"), upload_to="pictures/", blank=True, default="")
    digits = models.CharField(_("digits"), max_length=4, choices=Digits.choices, blank=True, default="")
    card_style = models.CharField(
        _("cards"), max_length=10, choices=CardStyle.choices, blank=True, default=""
    )
    # Who may ask the player to a table or to be a partner.
    asked_by = models.CharField(
        _("invited by"),
        max_length=8,
        choices=AskedBy.choices,
        default=AskedBy.ALL,
        db_default=AskedBy.ALL,
    )
    # Whether others are led to where the player plays, and followers told of it.
    shows_play = models.BooleanField(_("shows where one plays"), default=True, db_default=True)
    # Notices also come by e-mail, once an address is confirmed.
    wants_mail = models.BooleanField(_("notices by e-mail"), default=True)
    # Plays without an account of their own; keeps the seat on making one.
    is_guest = models.BooleanField(_("guest"), default=False)
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    # Closed by its owner: nobody signs in, and the matches stand under a neutral name.
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
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

    @property
    def shown_name(self) -> str:
        """The name for pages: what is left of a closed account is named in the reader's language."""
        if self.closed_at is None:
            return self.username
        return gettext("Former player %(number)s") % {"number": self.username.rpartition(" ")[2]}

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


class DataFile(models.Model):
    """All data of a player as a file, asked for by them: made by the worker, kept for a few days."""

    user = models.OneToOneField(User, models.CASCADE, related_name="data_file", verbose_name=_("player"))
    asked_at = models.DateTimeField(_("asked for"))
    made_at = models.DateTimeField(_("made"), null=True, blank=True)
    content = models.BinaryField(default=b"")

    class Meta:
        verbose_name = _("file of a player's data")
        verbose_name_plural = _("files of players' data")

    def __str__(self) -> str:
        return f"{self.user} {self.asked_at:%Y-%m-%d}"
