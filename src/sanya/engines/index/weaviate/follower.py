"""Brings Weaviate up to the store: puts current documents, deletes those that ended without a successor.

One process at a time does it, so that an older state never overwrites a newer one. Every step is idempotent: after a
crash between a step and its mark, the step runs again and changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sanya.engines.index.folder_lock import FolderLock
from sanya.engines.index.rows import FOREVER, VERSION_COLUMNS, PartitionKey, Version, as_int, read_version
from sanya.engines.index.store import IndexStore
from sanya.engines.index.weaviate.classes import FollowMark, WeaviateClasses
from sanya.engines.index.weaviate.connection import WeaviateFailed
from sanya.engines.index.weaviate.filters import build_numbers
from sanya.engines.index.weaviate.schema import build_object
from sanya.kernel.storage.database import Database
from sanya.kernel.storage.sql import expand_in_list
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import TermAnalyzer

_BATCH_ROWS = 200
_LOCK_POLL_S = 0.05
_LOCK_NUMBER = 7306082

_ROWS = f"""
SELECT d.to_seq, {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.partition_name = ? AND d.position > ? ORDER BY d.position LIMIT ?"""
_CURRENT = f"""
SELECT {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.partition_name = ? AND d.to_seq IS NULL AND d.position IN (:values)"""
_ENDED = """
SELECT DISTINCT d.id FROM retrieval_documents d
WHERE d.namespace = ? AND d.partition_name = ? AND d.to_seq > ? AND NOT EXISTS (
    SELECT 1 FROM retrieval_documents c WHERE c.namespace = d.namespace AND c.id = d.id AND c.to_seq IS NULL)
ORDER BY d.id"""


class FollowerLock:
    """The lock of the process that updates Weaviate: a file in the home, or PostgreSQL where machines share it."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        if self._database.dialect == "postgresql":
            async with self._database.transaction() as transaction:
                await transaction.execute("SELECT pg_advisory_xact_lock(?)", (_LOCK_NUMBER,))
                yield
            return
        lock = FolderLock(self._folder)
        # Polled rather than waited for in a thread, which a cancelled caller would leave behind.
        while not lock.try_acquire():  # noqa: ASYNC110 - another process releases it, so there is no event
            await asyncio.sleep(_LOCK_POLL_S)
        try:
            yield
        finally:
            lock.release()


class WeaviateFollower:
    def __init__(self, store: IndexStore, classes: WeaviateClasses, lock: FollowerLock, read: TermAnalyzer) -> None:
        self._store = store
        self._classes = classes
        self._lock = lock
        self._read = read

    async def catch_up(self) -> int:
        """Bring Weaviate up to date. Return the last change that it holds."""
        async with self._lock.held():
            return await self._catch_up()

    async def rebuild(self, namespace: str) -> int:
        async with self._lock.held():
            await self._classes.drop(namespace)
            return await self._catch_up()

    async def _catch_up(self) -> int:
        seq = await self._store.read_last_seq()
        partitions = await self._store.read_partitions()
        for namespace in sorted({namespace for namespace, _ in partitions}):
            await self._ensure_class(namespace)
        marks = await self._drop_ahead(partitions, seq) if partitions else {}
        for key, last in partitions.items():
            mark = marks.get(key, FollowMark())
            if mark.position < last:
                await self._put_missing(key, mark)
            if mark.seq < seq:
                await self._put_arrivals(key, mark, seq)
                await self._delete_ended(key, mark.seq)
            if mark != (reached := FollowMark(max(mark.position, last), max(mark.seq, seq))):
                await self._classes.set_mark(key, reached)
        return seq

    async def _ensure_class(self, namespace: str) -> None:
        await self._classes.ensure(namespace, await self._store.read_spaces(namespace))

    async def _drop_ahead(self, partitions: Mapping[PartitionKey, int], seq: int) -> dict[PartitionKey, FollowMark]:
        """Empty the classes that hold more than the store, and return the marks that are left. A store restored from an
        older state gives the numbers of its lost rows again, to other documents."""
        marks = await self._classes.read_marks()
        ahead = {key[0] for key, mark in marks.items() if mark.position > partitions.get(key, 0) or mark.seq > seq} & {
            namespace for namespace, _ in partitions
        }
        for namespace in sorted(ahead):
            await self._classes.drop(namespace)
            await self._ensure_class(namespace)
        return {key: mark for key, mark in marks.items() if key[0] not in ahead}

    async def _put_missing(self, key: PartitionKey, mark: FollowMark) -> None:
        position = mark.position
        while rows := await self._store.database.fetch(_ROWS, (*key, position, _BATCH_ROWS)):
            await self._put(key, [read_version(row[1:]) for row in rows if row[0] is None])
            position = as_int(rows[-1][1])
            await self._classes.set_mark(key, FollowMark(position, mark.seq))

    async def _put_arrivals(self, key: PartitionKey, mark: FollowMark, seq: int) -> None:
        """Put documents again whose vectors arrived since."""
        offset = 0
        while arrivals := await self._store.pending.read_arrivals(
            key, mark.seq, seq, mark.position, (_BATCH_ROWS, offset)
        ):
            positions = [position for position, _, _ in arrivals]
            rows = await self._store.database.fetch(expand_in_list(_CURRENT, positions), (*key, *positions))
            await self._put(key, [read_version(row) for row in rows])
            offset += len(arrivals)

    async def _put(self, key: PartitionKey, versions: Sequence[Version]) -> None:
        if not versions:
            return
        numbers = {name for version in versions for name in build_numbers(version.fields)}
        await self._classes.add_number_properties(key[0], numbers)
        vectors = await self._read_vectors(key[0], versions)
        objects = await asyncio.to_thread(self._build_objects, key[1], versions, vectors)
        async with self._classes.connection.request("storing documents"):
            result = await self._classes.get_collection(key[0]).data.insert_many(objects)
        if result.has_errors:
            raise WeaviateFailed(
                f"Weaviate refused {len(result.errors)} of {len(objects)} documents; the next refresh tries them again"
            )

    async def _read_vectors(self, namespace: str, versions: Sequence[Version]) -> dict[str, dict[bytes, Matrix]]:
        hashes = sorted({version.content_hash for version in versions if version.vectors_since < FOREVER})
        spaces = await self._store.read_spaces(namespace)
        return {space: await self._store.read_vectors(model, hashes) for space, model in spaces.items()}

    async def _delete_ended(self, key: PartitionKey, after_seq: int) -> None:
        from weaviate.classes.query import Filter as By

        rows = await self._store.database.fetch(_ENDED, (*key, after_seq))
        ids = [self._classes.layout.derive_uuid(str(row[0])) for row in rows]
        for start in range(0, len(ids), _BATCH_ROWS):
            batch = By.by_id().contains_any(ids[start : start + _BATCH_ROWS])
            async with self._classes.connection.request("deleting documents"):
                result = await self._classes.get_collection(key[0]).data.delete_many(where=batch)
            if result.failed:
                raise WeaviateFailed(
                    f"Weaviate failed to delete {result.failed} documents; the next refresh tries again"
                )

    def _build_objects(
        self, partition: str, versions: Sequence[Version], vectors: Mapping[str, Mapping[bytes, Matrix]]
    ) -> list[Any]:
        return [
            build_object(
                self._classes.layout,
                version,
                partition,
                self._read(version.texts, partition),
                _select_vectors(version, vectors),
            )
            for version in versions
        ]


def _select_vectors(version: Version, known: Mapping[str, Mapping[bytes, Matrix]]) -> dict[str, Matrix]:
    """Return the vectors of a version; none while they are pending, even if another document has the same text."""
    if version.vectors_since >= FOREVER:
        return {}
    return {space: rows[version.content_hash] for space, rows in known.items() if version.content_hash in rows}
