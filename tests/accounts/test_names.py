"""Which names are accepted, and which are the same."""

import pytest
from django.core.exceptions import ValidationError

from accounts.names import clean_name, name_key, refuse_reserved, search_key

ACCEPTED = [
    "ali", "Ali", "علي", "أحمد", "نسر12", "7up", "٧ نجوم", "۷ نجوم", "أبو علي", "Abu Ali", "abu_ali", "abu-ali", "a.b",
    "پويا", "کریم", "چاڵاک", "Zoë", "Łukasz", "مُحمَّد", "آدم", "ؤي", "e1-2-3-4", "ab", "x" * 20,
]  # fmt: skip

REFUSED = [
    ("علي\u202eabc", "direction"),
    ("\u202dAli", "direction"),
    ("Ali\u2066", "direction"),
    ("Ali\u2067x\u2069", "direction"),
    ("Ali\u2068", "direction"),
    ("Ali\u200f", "direction"),
    ("Ali\u200e", "direction"),
    ("علي\u061c", "direction"),
    ("Ali\u200b", "invisible"),
    ("\u200b\u200b", "invisible"),
    ("ک\u200cریم", "invisible"),
    ("Ali\u200dBaba", "invisible"),
    ("Ali\u0000", "invisible"),
    ("Ali\nBaba", "invisible"),
    ("Ali\u2028Baba", "invisible"),
    ("Ali\u00adBaba", "invisible"),
    ("\u3164\u3164", "invisible"),
    ("Ali\u00a0Baba", "invisible"),
    ("Ali\u2800", "invisible"),
    ("Ali\ufeff", "invisible"),
    ("Ali\ufe0f", "invisible"),
    ("Ali\U000e0041", "invisible"),
    ("ع\u0640ل\u0640ي", "tatweel"),
    ("a" + "\u0301" * 50, "letters"),
    ("Ali\u0335", "letters"),
    ("ع" + "\u064e" * 2 + "لي", "marks"),
    ("ع\u064e\u0651\u0650لي", "marks"),
    ("\u064eعلي", "marks"),
    ("\u0430li", "letters"),
    ("Алі", "letters"),
    ("Αλι", "letters"),
    ("אבג", "letters"),
    ("\uff41\uff4c\uff49", "letters"),
    ("阿里", "letters"),
    ("Ali😀", "letters"),
    ("Ali<b>", "letters"),
    ("Ali@home", "letters"),
    ("Ali/x", "letters"),
    ("a\u0131\u01c0b", "letters"),
    ("Ali علي", "mixed"),
    ("aعli", "mixed"),
    ("Ali٣", "mixed"),
    ("٤1 نسر", "digits"),
    ("٤۴ نسر", "digits"),
    ("12345", "no_letter"),
    ("١٢٣", "no_letter"),
    ("a", "length"),
    ("", "length"),
    ("x" * 21, "length"),
    ("Ali  Baba", "separators"),
    ("Ali_-Baba", "separators"),
    ("-Ali", "separators"),
    ("Ali.", "separators"),
    ("a.b.c.d.e", "separators"),
]  # fmt: skip

SAME = [
    ("ali", "aIi"), ("ali", "ALI"), ("ali", "a1i"), ("ali", "al1"), ("ali", "ａｌｉ"), ("ali", "Álì"), ("ali", "alı"),
    ("bob", "b0b"), ("corner", "comer"), ("vvolf", "wolf"), ("Abu Ali", "abu_ali"), ("Abu Ali", "abu-ali"),
    ("علي", "علی"), ("علي", "على"), ("علي", "ع\u0640ل\u0640ي"), ("علي", "عَلِيّ"), ("علي", "\ufecb\ufee0\ufef2"),
    ("كريم", "ک\u200cریم"), ("كريم علي", "کریم علی"), ("هبة", "ھبۃ"), ("أحمد", "ا\u0654حمد"),
    ("نسر12", "نسر١٢"), ("نسر12", "نسر۱۲"),
]  # fmt: skip

DIFFERENT = [
    ("هدى", "هدا"), ("على", "علا"), ("سلمى", "سلما"), ("أحمد", "احمد"), ("فاطمة", "فاطمه"), ("مؤمن", "مومن"),
    ("ali", "aly"), ("e1-11", "e11-1"), ("Ali Baba", "AliBaba"), ("player1", "player2"),
]  # fmt: skip

FOUND = [
    ("آسفي", "اسفي"), ("أحمد", "احمد"), ("إبراهيم", "ابراهيم"), ("مراكش", "مَرَّاكُش"), ("فاطمة", "فاطمه"),
    ("مصطفى", "مصطفي"),
    ("مؤمن", "مومن"), ("هدى", "هدي"), ("الهيئة", "الهييه"), ("كريم علي", "کریم علی"), ("Zoë", "zoe"),
    ("٧ نجوم", "7 نجوم"),
]  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_name_is_kept_as_written(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(("name", "code"), REFUSED)
def test_name_is_refused_with_its_reason(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        clean_name(name)
    assert refusal.value.code == code


def test_name_is_composed_and_spaces_around_it_go() -> None:
    assert clean_name("  ا\u0654حمد ") == "أحمد"


@pytest.mark.parametrize(("one", "other"), SAME)
def test_lookalikes_and_keyboard_variants_are_one_identity(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_names_stay_different(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(("name", "typed"), FOUND)
def test_search_finds_everyday_spellings(name: str, typed: str) -> None:
    assert search_key(typed) == search_key(name)


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "Admin",
        "ADM1N",
        "admin2",
        "0rganiser",
        "tarneeb",
        "Tarneeb 1",
        "bot",
        "B0T",
        "المدير",
        "مدير",
        "طرنيب",
        "بوت",
        "منظم",
    ],
)
def test_names_of_the_site_are_reserved(name: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        refuse_reserved(name)
    assert refusal.value.code == "reserved"


@pytest.mark.parametrize("name", ["Adam", "Botan", "مدير علي", "Rooty"])
def test_names_that_only_hold_a_reserved_word_are_free(name: str) -> None:
    refuse_reserved(name)


@pytest.mark.parametrize("text", ["", " ", "\u202e", "\u200b", "😀", "\u0640", "a" * 10_000])
def test_keys_are_defined_for_any_text(text: str) -> None:
    assert (type(name_key(text)), type(search_key(text))) == (str, str)
