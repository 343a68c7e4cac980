"""Names: what is refused, and the folded form under which two names are the same."""

import unicodedata


def name_key(name: str) -> str:
    """The form under which lookalike names collide."""
    return unicodedata.normalize("NFKC", name).casefold().strip()
