from pathlib import Path

import pytest
from django.template.loader import get_template

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


@pytest.mark.parametrize(
    "name", sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.*") if path.is_file())
)
def test_template_compiles(name):
    assert get_template(name).origin.name == str(TEMPLATES / name)
