"""A migration: a numbered step of a schema, written once for SQLite and PostgreSQL.

Statements are separated by an empty line; one that begins with `-- sqlite only` or `-- postgresql only` is for that
engine alone. The rest is SQLite's dialect, with the words of `_POSTGRESQL_WORDS` replaced for PostgreSQL.

The first line says whether the version before can run on a database with this step: `-- additive`, or `-- breaking:`
and why not. An additive step is undone by running the version before again; a breaking one by restoring a backup alone.
The line is no part of the digest.
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
_MARK = re.compile(r"\A-- (additive|breaking)(?:: (.+))?\n")
_ADDED = re.compile(r"CREATE TABLE |CREATE INDEX |DROP INDEX |CREATE FUNCTION |ALTER TABLE \w+ ADD COLUMN ")
# These add nothing that the version before must know, if they concern a table of the same step.
_OWN = re.compile(r"INSERT INTO (\w+)|CREATE (?:UNIQUE INDEX|TRIGGER)\b[\s\S]*? ON (\w+)")
_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    text: str

    @property
    def digest(self) -> str:
        return sha256(_MARK.sub("", self.text, count=1).encode("utf-8")).hexdigest()

    @property
    def is_additive(self) -> bool:
        """Return whether the version before can run on it: as its first line says, or else as its statements show."""
        mark = self.mark
        return not self.list_risky_statements() if mark is None else mark[1] == "additive"

    @property
    def reason(self) -> str:
        """Return why the step is additive or breaking, where its first line says so."""
        mark = self.mark
        return "" if mark is None else mark[2] or ""

    @property
    def mark(self) -> re.Match[str] | None:
        return _MARK.match(self.text)

    def list_risky_statements(self) -> list[str]:
        """Return the statements that do more than add a table, an index, or a column that may be left out."""
        created = set(self.list_tables())
        statements = {
            statement: None for dialect in ("sqlite", "postgresql") for statement in self.build_statements(dialect)
        }
        return [statement for statement in statements if not _is_additive_statement(statement, created)]

    def build_statements(self, dialect: str) -> list[str]:
        return [
            statement for part in re.split(r"\n\s*\n", self.text) if (statement := translate_statement(part, dialect))
        ]

    def list_tables(self) -> list[str]:
        """Return the names of the tables that this migration creates."""
        return _CREATED_TABLE.findall(self.text)


def _is_additive_statement(statement: str, created: set[str]) -> bool:
    if own := _OWN.match(statement):
        return (own[1] or own[2]) in created
    if not _ADDED.match(statement):
        return False
    return " ADD COLUMN " not in statement or "NOT NULL" not in statement or " DEFAULT " in statement


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
