"""The documents say what is so."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
READERS = ("tarneeb_site/settings.py", "tarneeb_site/up.py", "tarneeb_site/environment.py")


def test_operating_lists_every_variable_that_is_read():
    calls = r'(?:environ\.get|flag|listed|number|service_url|port_number\(os\.environ\.get)\(\s*"([A-Z_]+)"'
    read = {name for path in READERS for name in re.findall(calls, (ROOT / path).read_text())}
    assert {"DEBUG", "PORT", "DATABASE_URL", "EMAIL_HOST", "TABLE_BOT_SECONDS", "ALLOWED_HOSTS"} <= read
    listed = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "operating.md").read_text()))
    assert read - listed == set()


def test_dependencies_has_a_line_for_every_package_that_was_chosen():
    chosen = (ROOT / "requirements.txt").read_text().split("# What those need")[0]
    packages = set(re.findall(r"^([A-Za-z0-9_-]+)(?:\[\w+\])?==", chosen, re.MULTILINE))
    text = (ROOT / "docs" / "dependencies.md").read_text()
    described = set(
        re.findall(r"[A-Za-z0-9_-]+", " ".join(re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)))
    )
    assert packages - described == set()


@pytest.mark.parametrize(
    "path", sorted(path.relative_to(ROOT) for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
)
def test_links_between_documents_lead_somewhere(path):
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / path).read_text())
    assert [link for link in links if not (ROOT / path.parent / link).exists()] == []


@pytest.mark.parametrize(
    "unit", ["tarneeb.service", "tarneeb.env", "nginx.conf", "compose.yaml", "Dockerfile"]
)
def test_deployment_files_that_operating_names_are_there(unit):
    assert (ROOT / "deploy" / unit).is_file()


def words_of_pages(language: str) -> set[str]:
    """All that pages say in a language, with every form for a number."""
    with (ROOT / "locale/ar/LC_MESSAGES/django.po").open("rb") as file:
        messages = list(read_po(file))
    said = [(message.string if language == "ar" else message.id) or () for message in messages]
    return {form for forms in said for form in ([forms] if isinstance(forms, str) else forms)}


@pytest.mark.parametrize("level", ["## ", "### "])
def test_organising_says_as_much_in_both_languages(level: str):
    halves = (ROOT / "docs" / "organising.md").read_text().split("\n---\n")
    counted = [sum(line.startswith(level) for line in half.splitlines()) for half in halves]
    assert counted[0] == counted[1] > 1


@pytest.mark.parametrize(("half", "language"), [(0, "ar"), (1, "en")])
def test_organising_names_buttons_and_fields_as_the_pages_do(half: int, language: str):
    text = (ROOT / "docs" / "organising.md").read_text().split("\n---\n")[half]
    named = {" ".join(words.split()) for words in re.findall(r"\*\*(.+?)\*\*", text, re.DOTALL)}
    assert len(named) > 90
    assert named - words_of_pages(language) == set()
