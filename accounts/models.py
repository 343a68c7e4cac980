"""Who plays: one account, one name."""

from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.utils.translation import gettext_lazy as _


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        """The account of a name however it was typed (composed or not, any case)."""
        from accounts.names import name_key

        return self.get(name_key=name_key(username or ""))

    def create_user(self, username: str, email: str = "", password: str | None = None, **more: object) -> "User":
        """A new account, saved."""
        user = self.model(username=username, email=self.normalize_email(email), **more)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, username: str, email: str = "", password: str | None = None, **more: object) -> "User":
        """A new administrator, saved."""
        return self.create_user(username, email, password, is_staff=True, is_superuser=True, **more)


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account. `username` is the name everybody sees; `name_key` its folded form."""

    username = models.CharField(_("name"), max_length=24, unique=True)
    name_key = models.CharField(max_length=96, unique=True, editable=False)
    email = models.EmailField(_("e-mail"), blank=True)
    language = models.CharField(_("language"), max_length=2, blank=True, default="")
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
                models.functions.Lower("email"), name="one_account_an_email", condition=~models.Q(email="")
            )
        ]

    def __str__(self) -> str:
        return self.username

    def save(self, *args: object, **kwargs: object) -> None:
        from accounts.names import name_key

        self.name_key = name_key(self.username)
        super().save(*args, **kwargs)  # type: ignore[arg-type]
