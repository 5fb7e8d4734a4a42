"""The tables that every index is derived from: versions of documents, changes by number, vectors by content.

Every change has a sequence number. A row of `retrieval_documents` is one version of a document, valid from the change
`from_seq` up to, not including, `to_seq`. Positions number the rows of a partition without gaps, and
`retrieval_commits` records the last position of each change. So a state of the past is all rows up to that position
which had not ended by then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from functools import partial

import numpy as np

from sanya.engines.index.bulk_insert import StoredRow, add_documents, add_vectors
from sanya.engines.index.embedding_work import EmbeddingWork
from sanya.engines.index.filterable_fields import FilterableFields
from sanya.engines.index.pending_vectors import PendingVectors, await_vectors, mark_arrived, select_pending
from sanya.engines.index.rows import (
    FOREVER,
    VERSION_COLUMNS,
    PartitionKey,
    Version,
    as_bytes,
    as_int,
    encode_document,
    hash_content,
    read_texts,
    read_version,
)
from sanya.engines.index.write_buffer import BufferedChange, WriteBuffer
from sanya.kernel.faults import InvalidArgument, InvariantBroken
from sanya.kernel.storage.database import Database, Transaction, Value
from sanya.kernel.storage.sql import expand_in_list
from sanya.retrieval.documents import Document, DocumentText, check_namespace
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import EmbeddedRow, IndexEntry

__all__ = ["IndexStore", "PartitionKey", "Version", "check_vectors", "hash_content", "read_version"]

_STORED = np.float16
_BATCH_IDS = 400

_INCREMENT = """
INSERT INTO retrieval_counters (name, value) VALUES (?, ?)
ON CONFLICT (name) DO UPDATE SET value = retrieval_counters.value + excluded.value
RETURNING value"""
_END_VERSION = "UPDATE retrieval_documents SET to_seq = ? WHERE namespace = ? AND id = ? AND to_seq IS NULL"
_CURRENT = "SELECT id FROM retrieval_documents WHERE namespace = ? AND id IN (:values) AND to_seq IS NULL"
_ADD_COMMIT = "INSERT INTO retrieval_commits (namespace, partition_name, seq, last_position) VALUES (?, ?, ?, ?)"
_FIND_COMMIT = """
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
    """Reads and writes the tables. Rows it writes go to the write buffer, if there is one, once they are committed."""

    def __init__(self, database: Database, buffer: WriteBuffer | None = None) -> None:
        self.database = database
        self._buffer = buffer
        self.pending = PendingVectors(database)
        self.work = EmbeddingWork(database)
        self.filterable = FilterableFields(database)

    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        check_namespace(namespace)
        async with self.database.transaction() as transaction:
            # Write first, then read: another process may declare the same at the same time.
            for space, model in sorted(spaces.items()):
                await transaction.execute(_DECLARE, (namespace, space, model.name, model.dim, model.digest))
            known = await self._read_spaces(transaction, namespace)
            for space, model in spaces.items():
                if known[space].digest != model.digest:
                    raise InvalidArgument(
                        f"{namespace} holds vectors of {known[space].name}, which {model.name} cannot be mixed with. "
                        f"Configure the first model again, or stop the server and run: sanya search embed {namespace}"
                    )
            fields = await self.filterable.declare(transaction, namespace, filtered)
        self.filterable.remember(namespace, fields)

    async def read_spaces(self, namespace: str) -> dict[str, Model]:
        return await self._read_spaces(self.database, namespace)

    async def _read_spaces(self, reader: Database | Transaction, namespace: str) -> dict[str, Model]:
        rows = await reader.fetch(
            "SELECT space, model, dim, digest FROM retrieval_spaces WHERE namespace = ? ORDER BY space", (namespace,)
        )
        return {str(space): Model(str(name), int(dim or 0), str(digest)) for space, name, dim, digest in rows}

    async def write(
        self, transaction: Transaction, namespace: str, entries: Sequence[IndexEntry], removed: Sequence[str]
    ) -> int:
        """Record one change and return its number; if there is nothing to change, the number of the last one."""
        spaces = await self._read_spaces(transaction, namespace)
        rows = list({entry.document.id: entry for entry in entries}.values())
        check_vectors(rows, spaces)
        if not rows and not await self._select_current(transaction, namespace, removed):
            return await self._increment_counter(transaction, "seq", 0)
        seq = await self._increment_counter(transaction, "seq", 1)
        ended = await self._select_current(transaction, namespace, [*removed, *(entry.document.id for entry in rows)])
        await transaction.execute_many(_END_VERSION, [(seq, namespace, document_id) for document_id in ended])
        change = BufferedChange({}, 0)
        for partition in sorted({entry.partition for entry in rows}):
            partition_rows = [row for row in rows if row.partition == partition]
            change = change.extend(
                partition, *await self._add_rows(transaction, (namespace, partition), partition_rows, seq)
            )
        await add_vectors(self.database, transaction, _build_vector_rows(rows, spaces))
        await self._record_commit(transaction, namespace, seq)
        if self._buffer is not None:
            transaction.on_commit(partial(self._buffer.put, namespace, seq, change))
        return seq

    async def give_vectors(
        self, transaction: Transaction, namespace: str, rows: Sequence[EmbeddedRow]
    ) -> list[EmbeddedRow]:
        """Record the vectors of the rows that still wait for them as one change, and return these rows."""
        spaces = await self._read_spaces(transaction, namespace)
        check_vectors([_to_entry(row) for row in rows], spaces)
        # Incrementing by 0 locks the counter: others that write vectors wait until this commits.
        await self._increment_counter(transaction, "seq", 0)
        await self.work.finish(transaction, namespace, [row.row for row in rows])
        pending = await select_pending(transaction, namespace, rows)
        if pending:
            seq = await self._increment_counter(transaction, "seq", 1)
            await mark_arrived(transaction, namespace, pending, seq)
            await add_vectors(
                self.database, transaction, _build_vector_rows([_to_entry(row) for row in pending], spaces)
            )
            await self._record_commit(transaction, namespace, seq)
        return pending

    async def _add_rows(
        self, transaction: Transaction, key: PartitionKey, rows: Sequence[IndexEntry], seq: int
    ) -> tuple[list[Version], int]:
        """Add rows to a partition. Return them as they would be read, and how many characters they hold."""
        last = await self._increment_counter(transaction, f"position {key[0]} {key[1]}", len(rows))
        stored: list[StoredRow] = []
        added: list[Version] = []
        characters = 0
        for position, (document, _, _, awaits_vectors) in enumerate(rows, last - len(rows) + 1):
            texts, fields, digest = encode_document(document)
            stored.append((*key, position, document.id, seq, texts, fields, digest))
            since = FOREVER if awaits_vectors else seq
            added.append(Version(position, document.id, document.texts, fields, digest, since))
            characters += len(texts) + len(fields)
        await add_documents(self.database, transaction, stored)
        await await_vectors(transaction, key, [row.position for row in added if row.vectors_since == FOREVER])
        return added, characters

    async def _record_commit(self, transaction: Transaction, namespace: str, seq: int) -> None:
        prefix = f"position {namespace} "
        rows = await transaction.fetch(
            "SELECT name, value FROM retrieval_counters WHERE name >= ? AND name < ?", (prefix, prefix + "\x7f")
        )
        reached = [(namespace, str(name).removeprefix(prefix), seq, last) for name, last in rows]
        await transaction.execute_many(_ADD_COMMIT, reached)

    async def _increment_counter(self, transaction: Transaction, name: str, by: int) -> int:
        rows = await transaction.fetch(_INCREMENT, (name, by))
        return as_int(rows[0][0])

    async def _select_current(self, transaction: Transaction, namespace: str, ids: Sequence[str]) -> list[str]:
        """Return the ids that have a current version. Read in batches: most of a large import are new."""
        current: list[str] = []
        for start in range(0, len(ids), _BATCH_IDS):
            batch = list(ids[start : start + _BATCH_IDS])
            current += [
                str(row[0]) for row in await transaction.fetch(expand_in_list(_CURRENT, batch), (namespace, *batch))
            ]
        return current

    async def read_partitions(self) -> dict[PartitionKey, int]:
        """Return every partition of every namespace, with the number of its last row."""
        rows = await self.database.fetch(
            "SELECT name, value FROM retrieval_counters WHERE name >= 'position ' AND name < 'position!'", touches=1
        )
        counters = [(str(name).split(" "), as_int(last)) for name, last in rows]
        return {(parts[1], parts[2]): last for parts, last in counters}

    async def read_versions(self, key: PartitionKey, after: int, limit: int) -> list[Version]:
        rows = await self.database.fetch(
            _VERSIONS,
            (*key, after, limit),
        )
        # Thousands of rows: parsed on the event loop they would stop every other call for a second.
        return await asyncio.to_thread(lambda: [read_version(row) for row in rows])

    async def read_changes(self, key: PartitionKey, after: int, until: int) -> list[int]:
        """Return the numbers of the changes to the partition's namespace after `after`, up to `until`."""
        rows = await self.database.fetch(_CHANGES, (*key, after, until))
        return [as_int(row[0]) for row in rows]

    async def read_vectors(
        self, model: Model, hashes: Sequence[bytes], within: Transaction | None = None
    ) -> dict[bytes, Matrix]:
        """Return the stored vectors of content hashes; `within` a transaction, also those it has written."""
        reader = within or self.database
        found: dict[bytes, Matrix] = {}
        for start in range(0, len(hashes), _BATCH_IDS):
            batch = list(hashes[start : start + _BATCH_IDS])
            rows = await reader.fetch(
                expand_in_list(_VECTORS, batch),
                (model.digest, *batch),
            )
            for key, vector in rows:
                found[as_bytes(key)] = np.frombuffer(as_bytes(vector), dtype=_STORED).astype(np.float32)
        return found

    async def find_commit(
        self, key: PartitionKey, *, position: int | None = None, seq: int | None = None
    ) -> tuple[int, int]:
        """Return the last change up to `seq` whose rows lie within `position`: its number and its last position."""
        bounds = (FOREVER if position is None else position, FOREVER if seq is None else seq)
        rows = await self.database.fetch(_FIND_COMMIT, (*key, *bounds), touches=1)
        return (as_int(rows[0][0]), as_int(rows[0][1])) if rows else (0, 0)

    async def read_ends(self, key: PartitionKey, after_seq: int) -> list[tuple[int, int]]:
        """Return the positions that ended after a change, with the change that ended each."""
        rows = await self.database.fetch(
            "SELECT position, to_seq FROM retrieval_documents "
            "WHERE namespace = ? AND partition_name = ? AND to_seq > ?",
            (*key, after_seq),
        )
        return [(as_int(position), as_int(seq)) for position, seq in rows]

    async def read_ids(self, key: PartitionKey, positions: Sequence[int]) -> list[str]:
        """Return the id at each position, in the order given."""
        found: dict[int, str] = {}
        for start in range(0, len(positions), _BATCH_IDS):
            batch = list(positions[start : start + _BATCH_IDS])
            rows = await self.database.fetch(
                expand_in_list(_IDS, batch),
                (*key, *batch),
                touches=1,
            )
            found |= {as_int(position): str(document_id) for position, document_id in rows}
        return [found[position] for position in positions]

    async def read_texts(self, key: PartitionKey, positions: Sequence[int]) -> list[tuple[DocumentText, ...]]:
        """Return the texts at each position, in the order given."""
        found: dict[int, tuple[DocumentText, ...]] = {}
        for start in range(0, len(positions), _BATCH_IDS):
            batch = list(positions[start : start + _BATCH_IDS])
            rows = await self.database.fetch(expand_in_list(_TEXTS, batch), (*key, *batch))
            found |= {as_int(position): read_texts(texts) for position, texts in rows}
        return [found[position] for position in positions]

    async def read_hashes(self, key: PartitionKey, positions: Sequence[int]) -> list[bytes]:
        """Return the content hash at each position, in the order given."""
        rows = await self.database.fetch(expand_in_list(_HASHES, positions), (*key, *positions)) if positions else []
        by_position = {as_int(position): as_bytes(digest) for position, digest in rows}
        return [by_position[position] for position in positions]

    async def read_documents(self, namespace: str, ids: Sequence[str], as_of: int) -> dict[str, Document]:
        found: dict[str, Document] = {}
        for start in range(0, len(ids), _BATCH_IDS):
            batch = list(ids[start : start + _BATCH_IDS])
            rows = await self.database.fetch(
                expand_in_list(_DOCUMENTS, batch),
                (namespace, *batch, as_of, as_of),
            )
            for version in map(read_version, rows):
                found[version.id] = version.document
        return found

    async def read_last_seq(self, within: Transaction | None = None) -> int:
        sql = "SELECT value FROM retrieval_counters WHERE name = 'seq'"
        rows = await (within.fetch(sql) if within is not None else self.database.fetch(sql, touches=1))
        return as_int(rows[0][0]) if rows else 0

    async def check_seq(self, as_of: int | None) -> None:
        """Raise InvalidArgument for a future change: its state could still become another."""
        if as_of is not None:
            check_not_future(as_of, await self.read_last_seq())


def check_not_future(as_of: int | None, last: int) -> None:
    if as_of is not None and as_of > last:
        raise InvalidArgument(
            f"there is no change {as_of} yet; the last one is {last}, use that or an earlier one", field="as_of"
        )


def check_vectors(entries: Sequence[IndexEntry], spaces: Mapping[str, Model]) -> None:
    for entry in entries:
        for space, vector in entry.vectors.items():
            model = spaces.get(space)
            if model is None:
                raise InvariantBroken(f"the vector space {space} was not declared")
            if vector.shape != (model.dim,) or abs(float(np.linalg.norm(vector)) - 1) > 1e-2:
                raise InvariantBroken(f"a vector of {space} must have {model.dim} numbers and length 1")


def _to_entry(row: EmbeddedRow) -> IndexEntry:
    return IndexEntry(row.row.document, row.row.partition, row.vectors)


def _build_vector_rows(entries: Sequence[IndexEntry], spaces: Mapping[str, Model]) -> list[tuple[Value, ...]]:
    return [
        (spaces[space].digest, hash_content(entry.document.text), vector.astype(_STORED).tobytes())
        for entry in entries
        for space, vector in entry.vectors.items()
    ]
