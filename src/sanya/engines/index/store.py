"""The truth that every index is derived from: versions of documents, changes by number, vectors by content."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import numpy as np

from sanya.engines.index.bulk_insert import Stored, add_documents, add_vectors
from sanya.engines.index.filterable_fields import FilteredFields
from sanya.engines.index.pending_vectors import LateVectors, arrive, await_vectors, still_awaiting
from sanya.engines.index.rows import (
    FOREVER,
    VERSION_COLUMNS,
    Shelf,
    Version,
    content_hash,
    raw,
    read_texts,
    version_of,
    whole,
    written,
)
from sanya.engines.index.write_buffer import Change, FreshRows
from sanya.kernel.database import Database, Transaction, Value
from sanya.kernel.faults import InvalidArgument, InvariantBroken
from sanya.kernel.sql import expand_in_list
from sanya.retrieval.documents import Document, Text, check_namespace
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Embedded, Entry

__all__ = ["IndexStore", "Shelf", "Version", "check_vectors", "content_hash", "version_of"]

_STORED = np.float16
_IDS_AT_ONCE = 400

_COUNT_UP = """
INSERT INTO retrieval_counters (name, value) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET value = retrieval_counters.value + excluded.value
RETURNING value"""
_CLOSE = "UPDATE retrieval_documents SET to_seq = ? WHERE namespace = ? AND id = ? AND to_seq IS NULL"
_CURRENT = "SELECT id FROM retrieval_documents WHERE namespace = ? AND id IN (:values) AND to_seq IS NULL"
_ADD_COMMIT = "INSERT INTO retrieval_commits (namespace, partition_name, seq, last_position) VALUES (?, ?, ?, ?)"
_REACHED = """
SELECT seq, last_position FROM retrieval_commits
WHERE namespace = ? AND partition_name = ? AND last_position <= ? AND seq <= ? ORDER BY seq DESC LIMIT 1"""
_CHANGES = """
SELECT seq FROM retrieval_commits
WHERE namespace = ? AND partition_name = ? AND seq > ? AND seq <= ? ORDER BY seq"""
_VECTORS = "SELECT content_hash, vector FROM retrieval_vectors WHERE model_digest = ? AND content_hash IN (:values)"
_IDS = """
SELECT position, id FROM retrieval_documents
WHERE namespace = ? AND partition_name = ? AND position IN (:values)"""
_TEXTS = """
SELECT position, texts FROM retrieval_documents
WHERE namespace = ? AND partition_name = ? AND position IN (:values)"""
_HASHES = """
SELECT position, content_hash FROM retrieval_documents
WHERE namespace = ? AND partition_name = ? AND position IN (:values)"""
_VERSIONS = f"""
SELECT {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.partition_name = ? AND d.position > ? ORDER BY d.position LIMIT ?"""
_DOCUMENTS = f"""
SELECT {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.id IN (:values) AND d.from_seq <= ? AND (d.to_seq IS NULL OR d.to_seq > ?)"""
_DECLARE = (
    "INSERT INTO retrieval_spaces (namespace, space, model, dim, digest) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (namespace, space) DO NOTHING"
)


class IndexStore:
    """What it writes, it hands to `fresh` once that is committed."""

    def __init__(self, database: Database, fresh: FreshRows | None = None) -> None:
        self.database = database
        self._fresh = fresh
        self.late = LateVectors(database)
        self.filtered = FilteredFields(database)

    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        check_namespace(namespace)
        async with self.database.transaction() as transaction:
            # Written first and read then: others may declare the same at this moment.
            for space, model in sorted(spaces.items()):
                await transaction.execute(_DECLARE, (namespace, space, model.name, model.dim, model.digest))
            known = await self._spaces(transaction, namespace)
            for space, model in spaces.items():
                if known[space].digest != model.digest:
                    raise InvalidArgument(
                        f"{namespace} holds vectors of {known[space].name}; those of {model.name} cannot be mixed in. "
                        f"Name the first model again, or stop the server and run: sanya search embed {namespace}"
                    )
            fields = await self.filtered.declare(transaction, namespace, filtered)
        self.filtered.know(namespace, fields)

    async def spaces(self, namespace: str) -> dict[str, Model]:
        return await self._spaces(self.database, namespace)

    async def _spaces(self, reading: Database | Transaction, namespace: str) -> dict[str, Model]:
        rows = await reading.fetch(
            "SELECT space, model, dim, digest FROM retrieval_spaces WHERE namespace = ? ORDER BY space", (namespace,)
        )
        return {str(space): Model(str(name), int(dim or 0), str(digest)) for space, name, dim, digest in rows}

    async def write(
        self, transaction: Transaction, namespace: str, entries: Sequence[Entry], removed: Sequence[str]
    ) -> int:
        """Records one change and returns its number; without anything to change, the number of the last one."""
        spaces = await self._spaces(transaction, namespace)
        rows = list({entry.document.id: entry for entry in entries}.values())
        check_vectors(rows, spaces)
        if not rows and not await self._current(transaction, namespace, removed):
            return await self._count_up(transaction, "seq", 0)
        seq = await self._count_up(transaction, "seq", 1)
        ended = await self._current(transaction, namespace, [*removed, *(entry.document.id for entry in rows)])
        await transaction.execute_many(_CLOSE, [(seq, namespace, one) for one in ended])
        change = Change({}, 0)
        for partition in sorted({entry.partition for entry in rows}):
            own = [row for row in rows if row.partition == partition]
            change = change.plus(partition, *await self._add(transaction, (namespace, partition), own, seq))
        await add_vectors(self.database, transaction, _vector_rows(rows, spaces))
        await self._commit(transaction, namespace, seq)
        if self._fresh is not None:
            transaction.after_commit(partial(self._fresh.put, namespace, seq, change))
        return seq

    async def give_vectors(self, transaction: Transaction, namespace: str, rows: Sequence[Embedded]) -> list[Embedded]:
        """Records the vectors of those rows that still await them as one change, and returns these rows."""
        spaces = await self._spaces(transaction, namespace)
        check_vectors([_entry(one) for one in rows], spaces)
        # Counting by nothing makes others who give vectors wait until this is committed.
        await self._count_up(transaction, "seq", 0)
        given = await still_awaiting(transaction, namespace, rows)
        if given:
            seq = await self._count_up(transaction, "seq", 1)
            await arrive(transaction, namespace, given, seq)
            await add_vectors(self.database, transaction, _vector_rows([_entry(one) for one in given], spaces))
            await self._commit(transaction, namespace, seq)
        return given

    async def _add(
        self, transaction: Transaction, shelf: Shelf, rows: Sequence[Entry], seq: int
    ) -> tuple[list[Version], int]:
        """The rows as they would be read, and how many characters they hold."""
        last = await self._count_up(transaction, f"position {shelf[0]} {shelf[1]}", len(rows))
        stored: list[Stored] = []
        added: list[Version] = []
        characters = 0
        for position, (document, _, _, awaits_vectors) in enumerate(rows, last - len(rows) + 1):
            texts, fields, digest = written(document)
            stored.append((*shelf, position, document.id, seq, texts, fields, digest))
            since = FOREVER if awaits_vectors else seq
            added.append(Version(position, document.id, document.texts, fields, digest, since))
            characters += len(texts) + len(fields)
        await add_documents(self.database, transaction, stored)
        await await_vectors(transaction, shelf, [row.position for row in added if row.vectors_since == FOREVER])
        return added, characters

    async def _commit(self, transaction: Transaction, namespace: str, seq: int) -> None:
        prefix = f"position {namespace} "
        rows = await transaction.fetch(
            "SELECT name, value FROM retrieval_counters WHERE name >= ? AND name < ?", (prefix, prefix + "\x7f")
        )
        reached = [(namespace, str(name).removeprefix(prefix), seq, last) for name, last in rows]
        await transaction.execute_many(_ADD_COMMIT, reached)

    async def _count_up(self, transaction: Transaction, name: str, by: int) -> int:
        rows = await transaction.fetch(_COUNT_UP, (name, by))
        return whole(rows[0][0])

    async def _current(self, transaction: Transaction, namespace: str, ids: Sequence[str]) -> list[str]:
        """Those of the documents that are valid now: in a large batch of new ones none, which is asked in few steps."""
        found: list[str] = []
        for start in range(0, len(ids), _IDS_AT_ONCE):
            some = list(ids[start : start + _IDS_AT_ONCE])
            found += [
                str(row[0]) for row in await transaction.fetch(expand_in_list(_CURRENT, some), (namespace, *some))
            ]
        return found

    async def shelves(self) -> dict[Shelf, int]:
        """Every partition of every namespace, with the number of its last row."""
        rows = await self.database.fetch(
            "SELECT name, value FROM retrieval_counters WHERE name >= 'position ' AND name < 'position!'", touches=1
        )
        named = [(str(name).split(" "), whole(last)) for name, last in rows]
        return {(words[1], words[2]): last for words, last in named}

    async def versions(self, shelf: Shelf, after: int, limit: int) -> list[Version]:
        rows = await self.database.fetch(
            _VERSIONS,
            (*shelf, after, limit),
        )
        return [version_of(row) for row in rows]

    async def changes(self, shelf: Shelf, after: int, until: int) -> list[int]:
        """The numbers of the changes that concern the shelf's namespace, beyond `after`."""
        rows = await self.database.fetch(_CHANGES, (*shelf, after, until))
        return [whole(row[0]) for row in rows]

    async def vectors(
        self, model: Model, hashes: Sequence[bytes], within: Transaction | None = None
    ) -> dict[bytes, Matrix]:
        """What is known of the hashes; `within` a transaction, also what that has written."""
        reading = within or self.database
        found: dict[bytes, Matrix] = {}
        for start in range(0, len(hashes), _IDS_AT_ONCE):
            some = list(hashes[start : start + _IDS_AT_ONCE])
            rows = await reading.fetch(
                expand_in_list(_VECTORS, some),
                (model.digest, *some),
            )
            for key, vector in rows:
                found[raw(key)] = np.frombuffer(raw(vector), dtype=_STORED).astype(np.float32)
        return found

    async def reached(self, shelf: Shelf, *, position: int | None = None, seq: int | None = None) -> tuple[int, int]:
        """The last change that is whole within `position` rows, or that is not after `seq`: its number and its rows."""
        bounds = (FOREVER if position is None else position, FOREVER if seq is None else seq)
        rows = await self.database.fetch(_REACHED, (*shelf, *bounds), touches=1)
        return (whole(rows[0][0]), whole(rows[0][1])) if rows else (0, 0)

    async def ends(self, shelf: Shelf, after_seq: int) -> list[tuple[int, int]]:
        """Positions that ended after a change, with the change that ended each."""
        rows = await self.database.fetch(
            "SELECT position, to_seq FROM retrieval_documents "
            "WHERE namespace = ? AND partition_name = ? AND to_seq > ?",
            (*shelf, after_seq),
        )
        return [(whole(position), whole(seq)) for position, seq in rows]

    async def ids(self, shelf: Shelf, positions: Sequence[int]) -> list[str]:
        """The id at each position, in the order given."""
        found: dict[int, str] = {}
        for start in range(0, len(positions), _IDS_AT_ONCE):
            some = list(positions[start : start + _IDS_AT_ONCE])
            rows = await self.database.fetch(
                expand_in_list(_IDS, some),
                (*shelf, *some),
                touches=1,
            )
            found |= {whole(position): str(one) for position, one in rows}
        return [found[position] for position in positions]

    async def texts(self, shelf: Shelf, positions: Sequence[int]) -> list[tuple[Text, ...]]:
        """The texts at each position, in the order given."""
        found: dict[int, tuple[Text, ...]] = {}
        for start in range(0, len(positions), _IDS_AT_ONCE):
            some = list(positions[start : start + _IDS_AT_ONCE])
            rows = await self.database.fetch(expand_in_list(_TEXTS, some), (*shelf, *some))
            found |= {whole(position): read_texts(texts) for position, texts in rows}
        return [found[position] for position in positions]

    async def hashes(self, shelf: Shelf, positions: Sequence[int]) -> list[bytes]:
        """What was embedded for each position, in the order given."""
        rows = await self.database.fetch(expand_in_list(_HASHES, positions), (*shelf, *positions)) if positions else []
        found = {whole(position): raw(digest) for position, digest in rows}
        return [found[position] for position in positions]

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int) -> dict[str, Document]:
        found: dict[str, Document] = {}
        for start in range(0, len(ids), _IDS_AT_ONCE):
            some = list(ids[start : start + _IDS_AT_ONCE])
            rows = await self.database.fetch(
                expand_in_list(_DOCUMENTS, some),
                (namespace, *some, as_of, as_of),
            )
            for version in map(version_of, rows):
                found[version.id] = version.document
        return found

    async def last_seq(self, within: Transaction | None = None) -> int:
        sql = "SELECT value FROM retrieval_counters WHERE name = 'seq'"
        rows = await (within.fetch(sql) if within is not None else self.database.fetch(sql, touches=1))
        return whole(rows[0][0]) if rows else 0

    async def check_moment(self, as_of: int | None) -> None:
        """A state that is still to come would not stay what it is now."""
        if as_of is not None:
            check_reached(as_of, await self.last_seq())


def check_reached(as_of: int | None, last: int) -> None:
    if as_of is not None and as_of > last:
        raise InvalidArgument(f"there is no change {as_of} yet; the last one is {last}", field="as_of")


def check_vectors(entries: Sequence[Entry], spaces: Mapping[str, Model]) -> None:
    for entry in entries:
        for space, vector in entry.vectors.items():
            model = spaces.get(space)
            if model is None:
                raise InvariantBroken(f"the vector space {space} was not declared")
            if vector.shape != (model.dim,) or abs(float(np.linalg.norm(vector)) - 1) > 1e-2:
                raise InvariantBroken(f"a vector of {space} has {model.dim} numbers and the length 1")


def _entry(one: Embedded) -> Entry:
    return Entry(one.row.document, one.row.partition, one.vectors)


def _vector_rows(entries: Sequence[Entry], spaces: Mapping[str, Model]) -> list[tuple[Value, ...]]:
    return [
        (spaces[space].digest, content_hash(entry.document.text), vector.astype(_STORED).tobytes())
        for entry in entries
        for space, vector in entry.vectors.items()
    ]
