"""Passwords are the same text however a keyboard composes it."""

import unicodedata


def normalised(password: str | None) -> str | None:
    """The password in NFKC: what is hashed and compared. None stays None (no usable password)."""
    return None if password is None else unicodedata.normalize("NFKC", password)
