"""Time zones by the names of their cities."""

from zoneinfo import ZoneInfo, available_timezones

import pytest
from django.utils import translation

from tournaments.zone_names import ZoneField, canonical, zone_choices, zone_name


@pytest.mark.parametrize(
    ("language", "zone", "name"),
    [
        ("ar", "Asia/Damascus", "دمشق · سوريا"),
        ("en", "Asia/Damascus", "Damascus · Syria"),
        ("en", "America/Argentina/Buenos_Aires", "Buenos Aires · Argentina"),
        ("en", "Asia/Singapore", "Singapore"),
        ("ar", "UTC", "UTC"),
        ("ar", "Nowhere/At_All", "Nowhere/At All"),
    ],
)
def test_zone_is_named_in_the_language_of_the_page(language: str, zone: str, name: str):
    with translation.override(language):
        assert zone_name(zone) == name


@pytest.mark.parametrize("language", ["ar", "en"])
def test_every_zone_is_offered_once_under_a_name_of_its_own(language: str):
    with translation.override(language):
        offered = zone_choices()

    zones, names = zip(*offered, strict=True)
    assert offered[0] == ("UTC", "UTC")
    assert len(set(zones)) == len(zones) == len(set(names))
    assert {ZoneInfo(zone).key for zone in zones} <= available_timezones()


def test_old_name_of_a_zone_is_taken_for_the_new_one():
    field = ZoneField()

    assert (field.clean("Asia/Calcutta"), field.prepare_value("Europe/Kiev")) == (
        "Asia/Kolkata",
        canonical("Europe/Kiev"),
    )
