"""Small pieces of SQL that every store needs. Table and column names come from our own code, never from a caller."""

from __future__ import annotations

from collections.abc import Collection, Sized


def format_placeholders(values: Sized) -> str:
    """Return a placeholder for each value, to stand between the parentheses of `IN (…)` or `VALUES (…)`."""
    return ", ".join("?" * len(values))


def expand_in_list(sql: str, values: Sized) -> str:
    """Replace `:values` in the SQL by a placeholder for each value."""
    return sql.replace(":values", format_placeholders(values))


def build_insert(table: str, columns: Collection[str]) -> str:
    """Return `INSERT INTO table (columns) VALUES (placeholders)`."""
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({format_placeholders(columns)})"  # noqa: S608
