"""Names inside sentences of plain text."""

FIRST_STRONG_ISOLATE = "\N{FIRST STRONG ISOLATE}"
POP_ISOLATE = "\N{POP DIRECTIONAL ISOLATE}"


def isolate(text: object) -> str:
    """The text between isolates, so that its direction does not reach the sentence around it."""
    return f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"
