"""Which fields of a namespace filters may name. Most fields are there to be shown, and an index that holds them all for
filters takes twice the time to make."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from sanya.kernel.database import Database, Transaction
from sanya.kernel.faults import InvalidArgument
from sanya.retrieval.documents import Filter, check_field

Fields = frozenset[str] | None
"""None stands for every field."""

_READ = "SELECT fields FROM retrieval_filtered WHERE namespace = ?"
_WRITE = (
    "INSERT INTO retrieval_filtered (namespace, fields) VALUES (?, ?) "
    "ON CONFLICT (namespace) DO UPDATE SET fields = excluded.fields"
)


class FilteredFields:
    """As they were declared; by whom is no matter."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, Fields] = {}

    async def declare(self, transaction: Transaction, namespace: str, fields: Collection[str] | None) -> Fields:
        """None leaves what was declared before. What is returned is to be `known` once the transaction is through."""
        if fields is not None:
            for name in fields:
                check_field(name)
            await transaction.execute(_WRITE, (namespace, _written(fields)))
        return _read(await transaction.fetch(_READ, (namespace,)))

    def know(self, namespace: str, fields: Fields) -> None:
        self._known[namespace] = fields

    async def of(self, namespace: str) -> Fields:
        if namespace not in self._known:
            self._known[namespace] = _read(await self._database.fetch(_READ, (namespace,), touches=1))
        return self._known[namespace]

    async def check(self, namespace: str, filters: Sequence[Filter]) -> None:
        """Raises InvalidArgument where a filter names another field."""
        if not filters:
            return
        fields = await self.of(namespace)
        for one in filters:
            if fields is not None and one.field not in fields:
                known = ", ".join(sorted(fields)) or "nothing"
                raise InvalidArgument(f"{namespace} is filtered by {known}, not by {one.field}", field=one.field)


class FieldsMark:
    """A file beside an index that says which fields every row of it has. An index without one has them all."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> Fields:
        try:
            return frozenset(self._file.read_text(encoding="ascii").split())
        except FileNotFoundError:
            return None

    def write(self, fields: Fields) -> None:
        """Kept for good before it returns: rows that lack a field must not be taken for ones that have it."""
        if fields is None:
            self._file.unlink(missing_ok=True)
            return
        unfinished = self._file.with_suffix(".unfinished")
        with unfinished.open("w", encoding="ascii") as file:
            file.write(_written(fields))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._file)
        _keep(self._file.parent)


def holds(held: Fields, wanted: Fields) -> bool:
    """Whether rows that have the fields `held` can be filtered by those `wanted`."""
    return held is None or (wanted is not None and wanted <= held)


def _keep(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _written(fields: Collection[str]) -> str:
    return " ".join(sorted(set(fields)))


def _read(rows: Sequence[Sequence[object]]) -> Fields:
    return frozenset(str(rows[0][0]).split()) if rows else None
