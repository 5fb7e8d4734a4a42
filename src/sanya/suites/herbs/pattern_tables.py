r"""Tables of regular expressions in TOML files, so that vocabulary is data and the code holds only the rules.

A table maps a name to its alternatives, and code joins them with `|`. Entries of the table `fragments` are inserted
where an alternative has their name in angle brackets: with `taken = '(?:used|taken)'`, the alternative
`should not <taken>` becomes `should not (?:used|taken)`.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any

_FRAGMENT = re.compile("<([a-z_]+)>")


def read_pattern_table(package: str, file_name: str) -> dict[str, Any]:
    """Read a TOML file of the package and return its tables, each list of alternatives joined into one pattern."""
    tables = tomllib.loads((files(package) / file_name).read_text(encoding="utf-8"))
    fragments: dict[str, str] = tables.pop("fragments", {})
    return {name: _join_alternatives(table, fragments) for name, table in tables.items()}


def _join_alternatives(table: Any, fragments: dict[str, str]) -> Any:
    if isinstance(table, dict):
        return {name: _join_alternatives(value, fragments) for name, value in table.items()}
    return "|".join(_FRAGMENT.sub(lambda match: fragments[match[1]], alternative) for alternative in table)
