"""How people, numbers and moments are shown."""

from datetime import UTC, datetime

import pytest
from django.utils import translation

from accounts.models import User
from accounts.templatetags import people
from accounts.text import isolate


def test_player_is_isolated_escaped_and_linked() -> None:
    user = User(username="<b>'نسر'")
    assert people.player_link(user) == (
        '<a class="name" href="/players/%3Cb%3E&#x27;%D9%86%D8%B3%D8%B1&#x27;/" '
        'title="&lt;b&gt;&#x27;نسر&#x27;"><bdi>&lt;b&gt;&#x27;نسر&#x27;</bdi></a>'
    )


def test_stored_name_that_no_address_can_hold_is_shown_without_a_link() -> None:
    assert people.player_link(User(username="a/b")) == '<bdi class="name" title="a/b">a/b</bdi>'


def test_nobody_is_shown_as_nothing() -> None:
    assert (people.player_link(None), people.signed(None), people.ago(None)) == ("", "", "")


@pytest.mark.parametrize(("number", "text"), [(-12, "−12"), (0, "0"), (31, "31"), (-1, "−1")])
def test_points_have_a_true_minus_and_their_own_direction(number: int, text: str) -> None:
    assert people.signed(number) == f'<span class="score" dir="ltr">{text}</span>'


@pytest.mark.parametrize("language", ["ar", "en"])
def test_moment_is_gregorian_with_western_digits(language: str) -> None:
    with translation.override(language):
        shown = people.ago(datetime(2026, 3, 1, 18, 30, tzinfo=UTC))
    assert shown.startswith('<time datetime="2026-03-01T18:30:00+00:00" data-ago>')
    assert "2026" in shown
    assert not set(shown) & set("٠١٢٣٤٥٦٧٨٩")


def test_name_in_a_sentence_stands_between_isolates() -> None:
    assert isolate("نسر") == "\u2068نسر\u2069"
