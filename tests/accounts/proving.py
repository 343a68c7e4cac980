"""Sessions whose owners have shown once more that they are themselves."""

import time

from django.test import Client

from accounts.models import User


def prove(client: Client, user: User) -> None:
    """As if the password had been asked for again a moment ago."""
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
