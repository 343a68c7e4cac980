"""The two catalogues: complete, and made from all that is said."""

import io

import pytest
from babel.messages.catalog import Catalog
from django.utils import translation
from django.utils.translation import ngettext

from tarneeb_site import translations


def test_every_string_is_translated_into_both_languages() -> None:
    assert list(translations.problems()) == []


@pytest.mark.parametrize(
    ("template", "messages"),
    [
        ('{% translate "Play" %}', ["Play"]),
        ("{% translate 'Play' context 'button' %}", [("button", "Play")]),
        ("    <p>it's {% blocktranslate %}Hello {{ name }}{% endblocktranslate %}", ["Hello %(name)s"]),
        (
            "{% blocktranslate count n=n %}One{% plural %}{{ n }} of them{% endblocktranslate %}",
            [("One", "%(n)s of them", None)],
        ),
        ('{% include "x.html" with word=_("Word") %}', ["Word"]),
        ("  ( { [ {% if a %}\n{% translate 'Deep' %}{% endif %}", ["Deep"]),
    ],
)
def test_template_strings_are_extracted(template: str, messages: list[object]) -> None:
    found = translations.extract_template(io.BytesIO(template.encode()), translations.KEYWORDS, (), {})
    assert [message for _line, _function, message, _comments in found] == messages


@pytest.mark.parametrize(
    ("message", "string", "problem"),
    [
        ("Play", "العب", []),
        ("Play", "", ["not translated: 'Play'"]),
        ("Hello %(name)s", "مرحبا", ["lost placeholder"]),
        ("Hello %(name)s", "مرحبا %(nam)s", ["unknown placeholder", "lost placeholder"]),
    ],
)
def test_what_is_wrong_with_a_translation_is_told(message: str, string: str, problem: list[str]) -> None:
    source, catalog = Catalog(), Catalog(locale="ar")
    source.add(message)
    catalog.add(message, string)
    told = list(translations._problems(source, catalog, "ar"))
    assert len(told) == len(problem)
    assert all(part in line for part, line in zip(problem, told, strict=True))


def test_string_that_nobody_says_any_more_is_told() -> None:
    catalog = Catalog(locale="ar")
    catalog.add("Gone", "ذهب")
    assert list(translations._problems(Catalog(), catalog, "ar")) == ["ar: no longer in the source: 'Gone'"]


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_arabic_has_six_plural_forms(domain: str) -> None:
    assert translations.stored("ar", domain).num_plurals == 6


@pytest.mark.parametrize(
    ("count", "form"),
    [(0, 0), (1, 1), (2, 2), (3, 3), (10, 3), (11, 4), (99, 4), (100, 5), (103, 3), (111, 4)],
)
def test_arabic_plural_rule(count: int, form: int) -> None:
    expression = translations.PLURALS["ar"][1].split("plural=")[1].rstrip(";")
    from gettext import c2py

    assert c2py(expression)(count) == form


def test_counted_nouns_agree_in_arabic() -> None:
    with translation.override("ar"):
        said = [ngettext("%(pairs)s pair", "%(pairs)s pairs", n) % {"pairs": n} for n in (1, 2, 3, 11, 100)]
    assert said == ["زوج واحد", "زوجان", "3 أزواج", "11 زوجًا", "100 زوج"]
