"""Migrations of what is to come may run while the release before goes on: they only add, and add what it can write."""

from typing import Any

import pytest
from django.contrib.postgres.operations import AddConstraintNotValid, AddIndexConcurrently, ValidateConstraint
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# What makes the first release. A site that runs starts there.
FIRST = {"accounts": 8, "games": 9, "review": 3, "tournaments": 8}
HARMLESS = (
    migrations.CreateModel,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
    AddIndexConcurrently,
    AddConstraintNotValid,
    ValidateConstraint,
)


def objection(operation: Operation, app: str, before: ProjectState) -> str:
    """Why the release before could not go on after this; "" where it can."""
    if isinstance(operation, migrations.AddField):
        field = operation.field
        if field.null or field.many_to_many or field.has_db_default():
            return ""
        return "old code does not name the column, which has neither null nor db_default"
    if isinstance(operation, migrations.AlterField):
        was = before.models[app, operation.model_name_lower].fields[operation.name]
        return (
            "" if is_wider(was, operation.field) else "old code writes what the column does not take any more"
        )
    if isinstance(operation, HARMLESS):
        return ""
    return f"{type(operation).__name__} is none that only adds"


def is_wider(was: "models.Field[Any, Any]", now: "models.Field[Any, Any]") -> bool:
    """Whether a column takes all that it took."""
    lengths = [getattr(field, "max_length", None) or 10**9 for field in (was, now)]
    may_be_null = now.null or not was.null
    return type(was) is type(now) and lengths[0] <= lengths[1] and may_be_null and was.unique >= now.unique


def test_migrations_after_the_first_release_only_add() -> None:
    loader = MigrationLoader(None)
    found = {}
    for app, name in sorted(loader.disk_migrations):
        if app not in FIRST or int(name[:4]) <= FIRST[app]:
            continue
        state = loader.project_state((app, name), at_end=False)
        for operation in loader.disk_migrations[app, name].operations:
            if said := objection(operation, app, state):
                found[f"{app}.{name}: {operation.describe()}"] = said
            operation.state_forwards(app, state)
    assert found == {}


def test_first_release_is_on_disk() -> None:
    numbers = {
        app: {int(name[:4]) for a, name in MigrationLoader(None).disk_migrations if a == app} for app in FIRST
    }
    assert {app: FIRST[app] in numbers[app] for app in FIRST} == dict.fromkeys(FIRST, True)


@pytest.mark.parametrize(
    ("operation", "is_fine"),
    [
        (migrations.AddField("table", "new", models.IntegerField(null=True)), True),
        (migrations.AddField("table", "new", models.IntegerField(db_default=0, default=0)), True),
        (migrations.AddField("table", "new", models.IntegerField(default=0)), False),
        (migrations.AlterField("table", "title", models.CharField(max_length=5000)), True),
        (migrations.AlterField("table", "title", models.CharField(max_length=5)), False),
        (migrations.AlterField("table", "title", models.TextField(unique=True)), False),
        (migrations.RemoveField("table", "title"), False),
        (migrations.RenameField("table", "title", "heading"), False),
        (migrations.DeleteModel("Table"), False),
        (migrations.RunPython(migrations.RunPython.noop), False),
        (migrations.AddIndex("table", models.Index(fields=["title"], name="x")), False),
        (AddIndexConcurrently("table", models.Index(fields=["title"], name="x")), True),
    ],
    ids=lambda given: given.describe() if isinstance(given, Operation) else str(given),
)
def test_what_only_adds_is_told_from_what_does_not(operation: Operation, is_fine: bool) -> None:
    state = MigrationLoader(None).project_state()
    assert (objection(operation, "games", state) == "") is is_fine
