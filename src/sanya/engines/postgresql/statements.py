"""Our SQL and our values as PostgreSQL takes them, so that both engines answer alike."""

from __future__ import annotations

import re
from functools import lru_cache

from psycopg.adapt import AdaptersMap, Buffer, Dumper, Loader
from psycopg.postgres import types
from psycopg.types.numeric import Int8Dumper

# What may hold a question mark that is no placeholder: text, names, comments and $$ bodies.
_QUOTED_OR_MARK = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|\$(\w*)\$.*?\$\1\$|\?""", re.DOTALL)


@lru_cache(maxsize=2048)
def numbered(sql: str) -> str:
    """`?` placeholders as `$1`, `$2` and so on."""
    count = 0

    def number(found: re.Match[str]) -> str:
        nonlocal count
        if found[0] != "?":
            return found[0]
        count += 1
        return f"${count}"

    return _QUOTED_OR_MARK.sub(number, sql)


class _BoolDumper(Dumper):
    """A truth value is 1 or 0, as SQLite has it."""

    oid = types["int8"].oid

    def dump(self, obj: bool) -> Buffer:
        return b"1" if obj else b"0"


class _BoolLoader(Loader):
    def load(self, data: Buffer) -> int:
        return int(bytes(data) == b"t")


class _NumericLoader(Loader):
    """Sums and averages come as numbers of the two kinds that SQLite has."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data).decode("ascii")
        return int(text) if text.lstrip("-").isdigit() else float(text)


def adapt_values(adapters: AdaptersMap) -> None:
    # One width for all integers: otherwise each size of number would be a statement of its own to the server.
    adapters.register_dumper(int, Int8Dumper)
    adapters.register_dumper(bool, _BoolDumper)
    adapters.register_loader("bool", _BoolLoader)
    adapters.register_loader("numeric", _NumericLoader)
