"""Numbers typed with the digits of any keyboard."""

import pytest
from django.core.exceptions import ValidationError

from accounts.digits import fold_digits
from accounts.fields import DigitsField


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        ("٤١", "41"),
        ("۴۱", "41"),
        ("41", "41"),
        ("٤1", "41"),
        ("４１", "41"),
        ("-١٦", "-16"),
        ("−١٦", "-16"),
        ("٤١٫٥", "41.5"),
    ],
)
def test_digits_of_any_keyboard_are_folded(typed: str, folded: str) -> None:
    assert fold_digits(typed) == folded


@pytest.mark.parametrize(
    ("typed", "number"), [("٤١", 41), ("۴۱", 41), (" 41 ", 41), ("٤1", 41), ("-١٦", -16)]
)
def test_field_reads_digits_of_any_keyboard(typed: str, number: int) -> None:
    assert DigitsField().clean(typed) == number


@pytest.mark.parametrize("typed", ["٤١٫٥", "4.5", "four", "²", "٤ ١"])
def test_field_refuses_what_is_no_whole_number(typed: str) -> None:
    with pytest.raises(ValidationError):
        DigitsField().clean(typed)


def test_field_keeps_its_limits() -> None:
    with pytest.raises(ValidationError) as refusal:
        DigitsField(max_value=100).clean("١٠١")
    assert refusal.value.error_list[0].code == "max_value"
