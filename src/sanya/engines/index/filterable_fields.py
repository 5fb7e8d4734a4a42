"""The fields of a namespace that filters may name. Most fields are only shown; an index that holds all of them for
filters takes twice the time to build."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from sanya.kernel.faults import InvalidArgument
from sanya.kernel.storage.database import Database, Transaction
from sanya.retrieval.documents import Filter, check_field

FieldNames = frozenset[str] | None
"""Names of fields; None stands for every field."""

_READ = "SELECT fields FROM retrieval_filtered WHERE namespace = ?"
_WRITE = (
    "INSERT INTO retrieval_filtered (namespace, fields) VALUES (?, ?) "
    "ON CONFLICT (namespace) DO UPDATE SET fields = excluded.fields"
)


class FilterableFields:
    """The declared fields of each namespace, whichever process declared them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, FieldNames] = {}

    async def declare(self, transaction: Transaction, namespace: str, fields: Collection[str] | None) -> FieldNames:
        """Declare fields, or leave them as they are for None. Pass the result to `remember` once the transaction
        commits."""
        if fields is not None:
            for name in fields:
                check_field(name)
            await transaction.execute(_WRITE, (namespace, _join_names(fields)))
        return _parse_names(await transaction.fetch(_READ, (namespace,)))

    def remember(self, namespace: str, fields: FieldNames) -> None:
        self._known[namespace] = fields

    async def read(self, namespace: str) -> FieldNames:
        if namespace not in self._known:
            self._known[namespace] = _parse_names(await self._database.fetch(_READ, (namespace,), touches=1))
        return self._known[namespace]

    async def check(self, namespace: str, filters: Sequence[Filter]) -> None:
        """Raise InvalidArgument if a filter names an undeclared field."""
        if not filters:
            return
        fields = await self.read(namespace)
        for filter in filters:
            if fields is not None and filter.field not in fields:
                known = ", ".join(sorted(fields)) or "nothing"
                raise InvalidArgument(
                    f"{namespace} cannot be filtered by {filter.field}; use {known}", field=filter.field
                )


class FieldsFile:
    """A file beside an index that lists the fields in each of its rows. An index without the file has all fields."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> FieldNames:
        try:
            return frozenset(self._file.read_text(encoding="ascii").split())
        except FileNotFoundError:
            return None

    def write(self, fields: FieldNames) -> None:
        """Write durably before any row: rows that lack a field must not be taken for rows that have it."""
        if fields is None:
            self._file.unlink(missing_ok=True)
            return
        unfinished = self._file.with_suffix(".unfinished")
        with unfinished.open("w", encoding="ascii") as file:
            file.write(_join_names(fields))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._file)
        _sync_folder(self._file.parent)


def can_filter_by(stored: FieldNames, wanted: FieldNames) -> bool:
    """Return whether rows that have the fields `stored` can be filtered by those `wanted`."""
    return stored is None or (wanted is not None and wanted <= stored)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _join_names(fields: Collection[str]) -> str:
    return " ".join(sorted(set(fields)))


def _parse_names(rows: Sequence[Sequence[object]]) -> FieldNames:
    return frozenset(str(rows[0][0]).split()) if rows else None
