"""The tables of the schema, as its migrations make them: which columns each has, and which of them tell its rows apart.
What a search engine derives for itself is not among them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from sanya.engines.schema import known_migrations

_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*?)\n\) STRICT", re.DOTALL)
_KEY = re.compile(r"^\s*PRIMARY KEY \(([^)]*)\)")
_COLUMN = re.compile(r"^\s*(\w+) (?:TEXT|INTEGER|REAL|BLOB)\b(.*)")
# The secrets say whose home it is, so they go first: a copy that broke off is known again by them.
_FIRST = "secrets"


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


@cache
def known_tables() -> tuple[Table, ...]:
    text = "\n".join(one.text for one in known_migrations())
    tables = [_table(name, body) for name, body in _TABLE.findall(text)]
    return tuple(sorted(tables, key=lambda table: table.name != _FIRST))


def _table(name: str, body: str) -> Table:
    columns = [found for line in body.splitlines() if (found := _COLUMN.match(line))]
    keys = [found[1] for line in body.splitlines() if (found := _KEY.match(line))]
    key = keys[0].split(", ") if keys else [one[1] for one in columns if "PRIMARY KEY" in one[2]]
    if not key:
        raise ValueError(f"table {name} has no primary key, so its rows cannot be told apart")
    return Table(name, tuple(one[1] for one in columns), tuple(key))
