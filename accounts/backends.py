"""Signing in: by the name in any spelling of it, or by e-mail address."""

from allauth.account.auth_backends import AuthenticationBackend

from accounts import queries
from accounts.models import User


class NameOrEmail(AuthenticationBackend):
    """allauth's own, but for how a name is looked up."""

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        user: User | None = self._check_password(queries.find_player(username), password)
        return user
