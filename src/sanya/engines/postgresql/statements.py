"""Adapts our SQL and values to PostgreSQL, so that both engines give the same results."""

from __future__ import annotations

import re
from functools import lru_cache

from psycopg.adapt import AdaptersMap, Buffer, Dumper, Loader
from psycopg.postgres import types
from psycopg.types.numeric import Int8Dumper

# Strings, names, comments and $$ bodies may contain question marks that are not placeholders.
_QUOTED_OR_MARK = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|\$(\w*)\$.*?\$\1\$|\?""", re.DOTALL)


@lru_cache(maxsize=2048)
def number_placeholders(sql: str) -> str:
    """Turn `?` placeholders into `$1`, `$2` and so on."""
    count = 0

    def number(match: re.Match[str]) -> str:
        nonlocal count
        if match[0] != "?":
            return match[0]
        count += 1
        return f"${count}"

    return _QUOTED_OR_MARK.sub(number, sql)


class _BoolDumper(Dumper):
    """Sends a bool as 1 or 0, like SQLite."""

    oid = types["int8"].oid

    def dump(self, obj: bool) -> Buffer:
        return b"1" if obj else b"0"


class _BoolLoader(Loader):
    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class _NumericLoader(Loader):
    """Reads sums and averages as int or float, the number types of SQLite."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data).decode("ascii")
        return int(text) if text.lstrip("-").isdigit() else float(text)


def adapt_values(adapters: AdaptersMap) -> None:
    # One width for all integers: otherwise each would need a prepared statement of its own.
    adapters.register_dumper(int, Int8Dumper)
    adapters.register_dumper(bool, _BoolDumper)
    adapters.register_loader("bool", _BoolLoader)
    adapters.register_loader("numeric", _NumericLoader)
