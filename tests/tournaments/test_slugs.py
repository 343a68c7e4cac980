from itertools import islice

import pytest

from tournaments.slugs import candidates, slug


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Thursday Night", "thursday-night"),
        ("كأس الشام", "كأس-الشام"),
        ("بطولةُ رَمضان ٢٠٢٧", "بطولة-رمضان-٢٠٢٧"),
        ("الطـــرنيب", "الطرنيب"),
        ("Café  &  طرنيب!", "café-طرنيب"),
        ("★★★", "tournament"),
        ("  ", "tournament"),
        ("a/b?c#d", "abcd"),
        ("x" * 200, "x" * 60),
    ],
)
def test_slug_keeps_the_names_own_letters_and_is_never_empty(name: str, expected: str):
    assert slug(name) == expected


def test_candidates_go_on_with_numbers():
    assert list(islice(candidates("Cup"), 3)) == ["cup", "cup-2", "cup-3"]


def test_word_that_stands_for_the_form_is_no_slug():
    assert list(islice(candidates("New"), 2)) == ["new-2", "new-3"]
