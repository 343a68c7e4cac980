"""The catalogues of the two languages, without system packages.

    python -m tarneeb_site.translations update    the strings of the source into locale/*/LC_MESSAGES/*.po
    python -m tarneeb_site.translations compile   .po to .mo, which Django reads
    python -m tarneeb_site.translations check     status 1, and which, when a string is not translated

The source is English. The Arabic catalogue is written by people; the English one follows the source by itself.
"""

import argparse
import io
import sys
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from babel.messages.catalog import PYTHON_FORMAT, Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_file, extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
LANGUAGES = ("ar", "en")
PLURALS = {
    "ar": (
        6,
        "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;",
    ),
    "en": (2, "nplurals=2; plural=(n != 1);"),
}
# Where each domain's strings are: folder, file pattern, how they are read.
SOURCES = {
    "django": (
        ("accounts", "*.py", "python"),
        ("games", "*.py", "python"),
        ("review", "*.py", "python"),
        ("tournaments", "*.py", "python"),
        ("tarneeb_site", "*.py", "python"),
        ("templates", "*.html", "template"),
        ("templates", "*.txt", "template"),
    ),
    "djangojs": (("static/js", "*.js", "javascript"),),
}
KEYWORDS: dict[str, Any] = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
STEADY = datetime(2026, 1, 1, tzinfo=UTC)
COMMENT_TAGS = ("Translators:",)


def extract_template(
    fileobj: IO[bytes], keywords: Any, comment_tags: Any, options: Any
) -> Generator[Any, None, None]:
    """Babel's extractor for Django templates, over Django's own reading of them as Python."""
    # What is not a string is blanked to words; the bracket keeps their indentation from mattering.
    python = f"({templatize(fileobj.read().decode())}\n)"
    yield from extract_python(io.BytesIO(python.encode()), keywords, comment_tags, options)


METHODS: dict[str, Any] = {"template": extract_template}
# Words are called for inside template literals, too.
OPTIONS: dict[str, dict[str, Any]] = {"javascript": {"parse_template_string": True}}


def extracted(domain: str) -> Catalog:
    """The template catalogue of a domain: every string of the source, in the order of files and lines."""
    catalog = Catalog()
    for folder, pattern, method in SOURCES[domain]:
        for path in _files(ROOT / folder, pattern):
            for line, message, comments, context in extract_from_file(
                METHODS.get(method, method),
                path,
                keywords=KEYWORDS,
                comment_tags=COMMENT_TAGS,
                options=OPTIONS.get(method),
            ):
                place = (path.relative_to(ROOT).as_posix(), line)
                catalog.add(message, None, [place], auto_comments=comments, context=context)
    return catalog


def update() -> None:
    """Brings both catalogues of both domains to the source; translations that still fit are kept."""
    for domain in SOURCES:
        source = extracted(domain)
        for language in LANGUAGES:
            catalog = stored(language, domain)
            catalog.update(source, no_fuzzy_matching=True)
            catalog.obsolete.clear()
            if language == "en":
                _follow_source(catalog)
            # The catalogue changes when its strings do, not with the day.
            catalog.creation_date = catalog.revision_date = STEADY
            path = po_path(language, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                write_po(
                    file, catalog, width=110, include_lineno=False, omit_header=False, ignore_obsolete=True
                )


def compile_all() -> None:
    """Writes the .mo beside every .po."""
    for language in LANGUAGES:
        for domain in SOURCES:
            path = po_path(language, domain)
            if path.exists():
                with path.with_suffix(".mo").open("wb") as file:
                    write_mo(file, stored(language, domain))


def problems() -> Iterator[str]:
    """What is wrong with the catalogues: strings missing, left over, fuzzy, untranslated or with a broken format."""
    for domain in SOURCES:
        source = extracted(domain)
        for language in LANGUAGES:
            yield from _problems(source, stored(language, domain), f"{language} {domain}")


def stored(language: str, domain: str) -> Catalog:
    """The catalogue as it stands in locale/, empty where there is none."""
    path = po_path(language, domain)
    if not path.exists():
        catalog = Catalog(locale=language, domain=domain)
    else:
        with path.open("rb") as file:
            catalog = read_po(file, locale=language, domain=domain)
    # Babel's own rule for Arabic is another than Django's; the header says which one holds.
    vars(catalog).update(_num_plurals=PLURALS[language][0], _plural_expr=_expression(language))
    catalog.project, catalog.version, catalog.charset = "Tarneeb", "1", "utf-8"
    catalog.msgid_bugs_address = catalog.last_translator = ""
    catalog.language_team = "Tarneeb"
    catalog.header_comment = f"# {'Arabic' if language == 'ar' else 'English'} words of Tarneeb."
    catalog.fuzzy = False
    return catalog


def po_path(language: str, domain: str) -> Path:
    """Where a catalogue is kept."""
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def forms(message: Any) -> list[str]:
    """The translations of a message: one, or one a plural form."""
    return list(message.string) if isinstance(message.string, list | tuple) else [message.string]


def _problems(source: Catalog, catalog: Catalog, where: str) -> Iterator[str]:
    for message in source:
        if not message.id:
            continue
        found = catalog.get(message.id, message.context)
        if found is None:
            yield f"{where}: missing: {message.id!r}"
        elif found.fuzzy:
            yield f"{where}: fuzzy: {message.id!r}"
        elif not all(forms(found)) or (message.pluralizable and len(forms(found)) != catalog.num_plurals):
            yield f"{where}: not translated: {message.id!r}"
    for message in catalog:
        if message.id and source.get(message.id, message.context) is None:
            yield f"{where}: no longer in the source: {message.id!r}"
        yield from (f"{where}: {error}: {message.id!r}" for error in _format_errors(message))


def _format_errors(message: Any) -> Iterator[str]:
    """A form may leave a number out ("one deal"), but names only what the source names."""
    if not message.id or "python-format" not in message.flags:
        return
    sources = message.id if message.pluralizable else (message.id,)
    known = {name for text in sources for name in _placeholders(text)}
    for text in forms(message):
        if unknown := _placeholders(text) - known:
            yield f"unknown placeholder {sorted(unknown)}"
        if not message.pluralizable and text and (lost := known - _placeholders(text)):
            yield f"lost placeholder {sorted(lost)}"


def _placeholders(text: str) -> set[str]:
    return {match.group(0) for match in PYTHON_FORMAT.finditer(text.replace("%%", ""))}


def _follow_source(catalog: Catalog) -> None:
    for message in catalog:
        if message.id:
            message.string = message.id


def _expression(language: str) -> str:
    return PLURALS[language][1].split("plural=", 1)[1].rstrip(";")


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted(path for path in folder.rglob(pattern) if "migrations" not in path.parts)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tarneeb_site.translations", description="The two languages."
    )
    parser.add_argument("command", choices=("update", "compile", "check"))
    command = parser.parse_args(arguments).command
    if command == "update":
        update()
    elif command == "compile":
        compile_all()
    else:
        found = list(problems())
        print(*found, sep="\n", file=sys.stderr, end="\n" if found else "")
        return 1 if found else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
