"""A migration: a numbered step of a schema, written once for SQLite and PostgreSQL.

Statements are separated by an empty line; one that begins with `-- sqlite only` or `-- postgresql only` is for that
engine alone. The rest is SQLite's dialect, with the words of `_POSTGRESQL_WORDS` replaced for PostgreSQL.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources.abc import Traversable

# TEXT sorts by code point, as SQLite does, so that a page has the same order on both engines.
_POSTGRESQL_WORDS = {
    "INTEGER": "BIGINT",
    "REAL": "DOUBLE PRECISION",
    "BLOB": "BYTEA",
    "TEXT": 'TEXT COLLATE "C"',
    "STRICT": "",
}
_WORD = re.compile(r"\b(" + "|".join(_POSTGRESQL_WORDS) + r")\b")
_ONLY = re.compile(r"-- (sqlite|postgresql) only")
_CREATED_TABLE = re.compile(r"CREATE TABLE (\w+) \(")
_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    text: str

    @property
    def digest(self) -> str:
        return sha256(self.text.encode("utf-8")).hexdigest()

    def build_statements(self, dialect: str) -> list[str]:
        return [
            statement for part in re.split(r"\n\s*\n", self.text) if (statement := translate_statement(part, dialect))
        ]

    def list_tables(self) -> list[str]:
        """Return the names of the tables that this migration creates."""
        return _CREATED_TABLE.findall(self.text)


def translate_statement(part: str, dialect: str) -> str:
    """Return the statement for `dialect`; an empty string if it is for the other engine."""
    only = _ONLY.match(part.strip())
    if only is not None and only[1] != dialect:
        return ""
    lines = [line for line in part.splitlines() if not line.lstrip().startswith("--")]
    sql = "\n".join(lines).strip()
    if only is None and dialect == "postgresql":
        return _WORD.sub(lambda word: _POSTGRESQL_WORDS[word[1]], sql)
    return sql


def read_migrations(folder: Traversable) -> tuple[Migration, ...]:
    """Read the files `NNNN_name.sql` of a folder, in the order of their numbers."""
    migrations = []
    for file in folder.iterdir():
        match = _FILE_NAME.fullmatch(file.name)
        if match is not None:
            text = file.read_text(encoding="utf-8").replace("\r\n", "\n")
            migrations.append(Migration(int(match[1]), match[2], text))
    return tuple(sorted(migrations, key=lambda migration: migration.number))
