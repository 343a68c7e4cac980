"""Many rows in one statement: what all of them share is said once, what differs goes as one array a column.

Django's own way prepares every value of every row; of a round of a tournament these are tens of thousands.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import BinaryField, Field, JSONField, Model

_AS_STORED = (BinaryField, JSONField)
Column = tuple["Field[Any, Any]", Any]


def insert(
    model: type[Model],
    *,
    each: Mapping[str, Sequence[Any]],
    shared: Mapping[str, Any],
    ignore_conflicts: bool = False,
) -> list[int]:
    """The keys of new rows, in their order. Columns are named by attribute; those not named have their defaults.

    `each`: as many values as there are rows, of columns that are no arrays themselves. `ignore_conflicts`: rows that
    are there already stay as they are, and have no key in the answer.
    """
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    if unknown := {*each, *shared} - {field.attname for field in fields}:
        raise TypeError(f"{model.__name__} has no {', '.join(sorted(unknown))}")
    apart: list[Column] = [(field, each[field.attname]) for field in fields if field.attname in each]
    common: list[Column] = []
    for field in fields:
        if field.attname not in each:
            value = shared[field.attname] if field.attname in shared else field.get_default()
            # What has an expression for its default is left to the database.
            if not hasattr(value, "resolve_expression"):
                common.append((field, value))
    values = [field.get_db_prep_save(value, connection) for field, value in common]
    values += [_prepared(field, column) for field, column in apart]
    with connection.cursor() as cursor:
        cursor.execute(_statement(model, common, apart, ignore_conflicts), values)
        return [key for (key,) in cursor.fetchall()]


def insert_all(rows: Sequence[Model]) -> None:
    """New rows of one model, all of their fields set; each has its key afterwards."""
    if not rows:
        return
    model = type(rows[0])
    columns: dict[str, list[Any]] = {}
    shared: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.primary_key:
            continue
        column = [getattr(row, field.attname) for row in rows]
        if all(value == column[0] for value in column):
            shared[field.attname] = column[0]
        elif isinstance(field, ArrayField):
            # Arrays of several lengths make no column.
            model._default_manager.bulk_create(rows)
            return
        else:
            columns[field.attname] = column
    if not columns:
        # Rows that are all alike: nothing says how many.
        model._default_manager.bulk_create(rows)
        return
    for row, key in zip(rows, insert(model, each=columns, shared=shared), strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, connection.alias


def _prepared(field: "Field[Any, Any]", column: Sequence[Any]) -> list[Any]:
    if isinstance(field, _AS_STORED):
        return [field.get_db_prep_save(value, connection) for value in column]
    return list(column)


def _statement(
    model: type[Model], common: Sequence[Column], apart: Sequence[Column], ignore_conflicts: bool
) -> str:
    quote = connection.ops.quote_name
    names = [quote(str(field.column)) for field, _ in (*common, *apart)]
    chosen = [f"%s::{_type(field)}" for field, _ in common] + [f"c{n}" for n in range(len(apart))]
    arrays = ", ".join(f"%s::{_type(field)}[]" for field, _ in apart)
    key = quote(str(model._meta.pk.column))
    return (
        f"insert into {quote(model._meta.db_table)} ({', '.join(names)}) select {', '.join(chosen)}"
        f" from unnest({arrays}) as v({', '.join(f'c{n}' for n in range(len(apart)))})"
        f"{' on conflict do nothing' if ignore_conflicts else ''} returning {key}"
    )


def _type(field: "Field[Any, Any]") -> str:
    found = field.db_type(connection) or ""
    # A cast to a length would cut off silently what the column refuses.
    return "text" if found.startswith("varchar") else found
