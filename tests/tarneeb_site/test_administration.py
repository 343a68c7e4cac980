"""The administration speaks the language of who reads it."""

import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.options import ModelAdmin
from django.contrib.admin.utils import label_for_field
from django.db.models import Model
from django.utils.translation import override

OURS = ("accounts", "games", "review", "tournaments")
REGISTERED = [
    (model, shown) for model, shown in admin.site._registry.items() if model._meta.app_label in OURS
]


@pytest.mark.parametrize(("model", "shown"), REGISTERED, ids=lambda one: getattr(one, "__name__", ""))
def test_columns_and_names_of_a_list_are_arabic_in_arabic(model: type[Model], shown: ModelAdmin) -> None:
    with override("ar"):
        words = [
            str(apps.get_app_config(model._meta.app_label).verbose_name),
            str(model._meta.verbose_name),
            str(model._meta.verbose_name_plural),
            *(str(label_for_field(column, model, shown)) for column in shown.list_display),
        ]
    assert [word for word in words if not re.search("[\u0621-\u064a]", word)] == []
