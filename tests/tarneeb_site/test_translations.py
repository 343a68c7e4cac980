"""The catalogues hold what the source says."""

from pathlib import Path

import pytest

from tarneeb_site import translations


@pytest.mark.parametrize(
    "source",
    [
        'gettext("Your turn")',
        "`● ${gettext('Your turn')} · ${title}`",
        '`${name}, ${mine ? gettext("Your turn") : ""}`',
    ],
)
def test_strings_of_scripts_are_found_wherever_they_stand(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "static" / "js" / "page.js"
    script.parent.mkdir(parents=True)
    script.write_text(f"export const said = () => {source};\n")
    monkeypatch.setattr(translations, "ROOT", tmp_path)

    assert [message.id for message in translations.extracted("djangojs") if message.id] == ["Your turn"]
