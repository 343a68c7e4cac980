"""Digits as people type them."""

import unicodedata

_SIGNS = str.maketrans({"\N{MINUS SIGN}": "-", "٫": ".", "٬": ""})


def fold_digits(text: str) -> str:
    """The text with Arabic-Indic, Persian and full-width digits as 0-9, a true minus as "-" and ٫ as ".".

    Mixed digits ("٤1") are folded one by one, everywhere alike.
    """
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text).translate(_SIGNS)
