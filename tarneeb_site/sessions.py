"""Where sessions are kept: Django's table of them, but no key is looked up there that it never made."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: str | None) -> bool:
        # A cookie may hold any character in disguise, the null that PostgreSQL chokes on too.
        return bool(super()._validate_session_key(key)) and str(key).isalnum()  # type: ignore[misc]
