"""The tables of the schema, read from its migrations, with their columns and primary keys. Tables that a search index
derives are not among them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from sanya.engines.schema import list_migrations

_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*?)\n\) STRICT", re.DOTALL)
_ADDED_COLUMN = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (\w+) ")
_KEY = re.compile(r"^\s*PRIMARY KEY \(([^)]*)\)")
_COLUMN = re.compile(r"^\s*(\w+) (?:TEXT|INTEGER|REAL|BLOB)\b(.*)")
# The secrets identify the home. They are copied first, so that an interrupted copy is recognised by them.
_FIRST = "secrets"


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


@cache
def list_tables() -> tuple[Table, ...]:
    return parse_tables("\n".join(migration.text for migration in list_migrations()))


def parse_tables(text: str) -> tuple[Table, ...]:
    """Return the tables that the text of migrations creates. One that is made again has its last form."""
    added: dict[str, list[str]] = {}
    for name, column in _ADDED_COLUMN.findall(text):
        added.setdefault(name, []).append(column)
    tables = {name: _parse_table(name, body, added.get(name, [])) for name, body in _TABLE.findall(text)}
    return tuple(sorted(tables.values(), key=lambda table: table.name != _FIRST))


def _parse_table(name: str, body: str, added: list[str]) -> Table:
    columns = [match for line in body.splitlines() if (match := _COLUMN.match(line))]
    keys = [match[1] for line in body.splitlines() if (match := _KEY.match(line))]
    key = keys[0].split(", ") if keys else [column[1] for column in columns if "PRIMARY KEY" in column[2]]
    if not key:
        raise ValueError(f"table {name} has no primary key, which copying needs; add one in its migration")
    return Table(name, (*(column[1] for column in columns), *added), tuple(key))
