"""Names: which are accepted, and when two of them are the same.

A name is kept as it was written (NFC). Beside it stand two folds: the narrow one, `name_key`, under which two names
are one identity (they look alike, or differ by keyboard only), and the wide one, `search_key`, for finding people by
everyday spellings; and `sort_key`, their order. docs/players.md states both in words.
"""

import unicodedata
from itertools import pairwise
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MIN_LENGTH: Final = 2
MAX_LENGTH: Final = 20
MAX_SEPARATORS: Final = 3

SEPARATORS: Final = " -_."
TATWEEL: Final = "\u0640"
# Fatha to sukun with their tanween and shadda, and the small alef.
VOWEL_MARKS: Final = frozenset(map(chr, [*range(0x064B, 0x0653), 0x0670]))
ARABIC_LETTERS: Final = frozenset(map(chr, [*range(0x0621, 0x063B), *range(0x0641, 0x064B)])) | frozenset(
    "پچژگکیڤڨڭھہۃەۆۇێڵڕٹڈڑ"
)
LATIN_LETTERS: Final = frozenset(
    letter
    for letter in map(chr, [*range(0x41, 0x5B), *range(0x61, 0x7B), *range(0xC0, 0x180)])
    if letter.isalpha() and letter not in "ĸŉſ"
)
DIGITS: Final = "0123456789"
# What players without an account are called, before a number, by language.
GUEST_WORDS: Final = {"ar": "ضيف", "en": "Guest"}
# What is left of a closed account, before a number, by language.
FORMER_WORDS: Final = {"ar": "لاعب سابق", "en": "Former player"}
EASTERN_DIGITS: Final = frozenset("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹")

# One letter on different keyboards, or one shape under different code points.
_SAME_ARABIC: Final = str.maketrans(
    {
        **dict.fromkeys("ىیې", "ي"),
        **dict.fromkeys("کڪ", "ك"),
        **dict.fromkeys("ہھەۀۂ", "ه"),
        "ۃ": "ة",
        "ٱ": "ا",
        "ٲ": "أ",
        "ٳ": "إ",
    }
)
_SAME_LATIN: Final = str.maketrans(
    {**dict.fromkeys("i1ı|", "l"), "0": "o", "ø": "o", "đ": "d", "ħ": "h", "ł": "l"}
)
_WIDE_ARABIC: Final = str.maketrans({"ة": "ه", "ء": ""})


def clean_name(name: str) -> str:
    """The name as it will be kept: NFC, without spaces around it.

    Raises: ValidationError with code `length`, `direction`, `invisible`, `tatweel`, `letters`, `marks`, `mixed`,
    `digits`, `separators` or `no_letter`.
    """
    name = unicodedata.normalize("NFC", name.strip(" "))
    _check_characters(name)
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise ValidationError(
            _("A name has %(least)d to %(most)d characters."),
            code="length",
            params={"least": MIN_LENGTH, "most": MAX_LENGTH},
        )
    _check_marks(name)
    _check_scripts(name)
    _check_separators(name)
    return name


def validate_name(name: str) -> None:
    """Raises: ValidationError where `clean_name` does."""
    clean_name(name)


def refuse_reserved(name: str) -> None:
    """A name must not pass for the site, its staff, a bot, a guest or a former player.

    Raises: ValidationError with code `reserved`.
    """
    letters = "".join(c for c in name if not c.isdecimal())
    if not {_bare(name), _bare(letters)}.isdisjoint(_RESERVED) or _is_numbered(name):
        raise ValidationError(_("This name is kept for the site itself."), code="reserved")


def name_key(name: str) -> str:
    """The narrow fold: equal for names that are one identity. Defined for any text; never shown."""
    text = unicodedata.normalize("NFKC", name)
    text = "".join(_narrowed(c) for c in text).casefold().translate(_SAME_ARABIC)
    text = _western_digits(text).translate(_SAME_LATIN)
    return _spaced(text.replace("rn", "m").replace("vv", "w"))


def search_key(text: str) -> str:
    """The wide fold: alef forms, hamza seats, final ya, ta marbuta, vowel marks, accents and case do not matter."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_SAME_ARABIC)
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not _is_ignored(c))
    return _spaced(_western_digits(text).translate(_SAME_ARABIC).translate(_WIDE_ARABIC))


def sort_key(name: str) -> str:
    """What names are ordered by, code point by code point: digits, Arabic letters, Latin ones; alef forms together.

    A key of our own, because a database may be built without the rules of any language.
    """
    return "".join(_PLACES.get(c, c) for c in search_key(name)) + "\x01" + name


def _check_characters(name: str) -> None:
    for character in name:
        if unicodedata.bidirectional(character) in _DIRECTION_CONTROLS or character in "\u200e\u200f\u061c":
            raise ValidationError(
                _("A name cannot hold characters that turn the writing direction."), code="direction"
            )
        if unicodedata.category(character) in _UNSEEN or character in _BLANKS:
            raise ValidationError(_("A name cannot hold invisible characters."), code="invisible")
        if character == TATWEEL:
            raise ValidationError(_("A name cannot hold the stretching stroke (ـ)."), code="tatweel")
        if character not in _ACCEPTED:
            raise ValidationError(
                _("A name is written with Arabic or Latin letters, digits, spaces and - _ . only."),
                code="letters",
            )


def _check_marks(name: str) -> None:
    """A letter carries a vowel mark and a shadda at most, each once."""
    run: list[str] = []
    for before, character in zip(["", *name], name, strict=False):
        if character not in VOWEL_MARKS:
            run = []
            continue
        if not run and before not in ARABIC_LETTERS:
            raise ValidationError(_("A vowel mark stands on an Arabic letter."), code="marks")
        run.append(character)
        if len(run) > 2 or len(set(run)) < len(run):
            raise ValidationError(_("Too many marks on one letter."), code="marks")


def _check_scripts(name: str) -> None:
    characters = set(name)
    arabic, latin = characters & (ARABIC_LETTERS | EASTERN_DIGITS), characters & LATIN_LETTERS
    if arabic and latin:
        raise ValidationError(_("A name is either in Arabic or in Latin letters, not in both."), code="mixed")
    if not characters & (ARABIC_LETTERS | LATIN_LETTERS):
        raise ValidationError(_("A name has at least one letter."), code="no_letter")
    if len({ord(c) - unicodedata.decimal(c) for c in characters if c.isdecimal()}) > 1:
        raise ValidationError(_("A name has digits of one kind only."), code="digits")


def _check_separators(name: str) -> None:
    places = [i for i, character in enumerate(name) if character in SEPARATORS]
    at_an_end = bool(places) and (places[0] == 0 or places[-1] == len(name) - 1)
    in_a_row = any(after - before == 1 for before, after in pairwise(places))
    if at_an_end or in_a_row or len(places) > MAX_SEPARATORS:
        raise ValidationError(
            _("Spaces and - _ . stand between letters or digits, one at a time, three at most."),
            code="separators",
        )


def _narrowed(character: str) -> str:
    if _is_ignored(character):
        return ""
    decomposed = unicodedata.normalize("NFD", character)
    return decomposed[0] if decomposed[0] in LATIN_LETTERS else character


def _is_ignored(character: str) -> bool:
    return character == TATWEEL or unicodedata.category(character) in {"Mn", "Me", "Cf", "Cc"}


def _western_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _spaced(text: str) -> str:
    return " ".join("".join(" " if c in SEPARATORS else c for c in text).split())


def _bare(name: str) -> str:
    key = name_key(name).replace(" ", "")
    return key.removeprefix("ال")


def _is_numbered(name: str) -> bool:
    """Whether a name is one that the site gives: its word, and behind it a number or what looks like one.

    «ضيف الله» is none.
    """
    key = _bare(name)
    words = map(_bare, [*GUEST_WORDS.values(), *FORMER_WORDS.values()])
    rest = next((key.removeprefix(word) for word in words if key.startswith(word)), "")
    return bool(rest) and (set(rest) <= _SEEN_AS_DIGITS or any(c.isdecimal() for c in name))


_DIRECTION_CONTROLS: Final = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_UNSEEN: Final = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
# Letters by category, blank by look: Hangul fillers, Khmer inherent vowels, the Braille blank, and wide spaces.
_BLANKS: Final = frozenset("\u00a0\u034f\u115f\u1160\u17b4\u17b5\u2800\u3000\u3164\uffa0") | frozenset(
    map(chr, [*range(0x2000, 0x200B), *range(0xFE00, 0xFE10), 0x1680, 0x202F, 0x205F, 0x180E])
)
_ACCEPTED: Final = (
    ARABIC_LETTERS | LATIN_LETTERS | VOWEL_MARKS | EASTERN_DIGITS | frozenset(DIGITS) | frozenset(SEPARATORS)
)
# In the narrow fold, where 0 and 1 are letters already.
_SEEN_AS_DIGITS: Final = frozenset("23456789lo")
_ALPHABET: Final = "ابپتٹثجچحخدڈذرڑڕزژسشصضطظعغفڤڨقكگڭلڵمنهوۆۇيێ"
_PLACES: Final = {letter: chr(0x100 + place) for place, letter in enumerate(_ALPHABET)} | {
    letter: chr(0x400 + place) for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")
}
_RESERVED_WORDS: Final = """
    admin administrator root system staff support help moderator mod owner official webmaster postmaster
    security organiser organizer organisers organizers referee arbiter director tarneeb trneeb tarnib
    team-tarneeb bot bots robot computer substitute clock host dealer guest anonymous nobody everyone null
    undefined none deleted me new مدير إدارة ادارة أدمن ادمن مشرف مشرفون إشراف منظم منظّم منظمون حكم حَكَم
    طرنيب ترنيب فريق-طرنيب بوت روبوت آلي حاسوب كمبيوتر بديل الساعة ضيف مجهول دعم مساعدة نظام رسمي موزع
    الموزع محذوف
"""
_RESERVED: Final = frozenset(map(_bare, _RESERVED_WORDS.split()))
