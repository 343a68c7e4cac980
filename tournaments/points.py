"""Points inside a sentence."""

from accounts.text import isolate


def points_pair(first: int, second: int) -> str:
    """Two numbers of points, always read from left to right."""
    text = f"\N{LEFT-TO-RIGHT MARK}{first}:{second}".replace("-", "\N{MINUS SIGN}")
    return isolate(text)
