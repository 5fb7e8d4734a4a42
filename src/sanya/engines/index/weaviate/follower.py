"""Brings Weaviate up to the store: what is current is put, what ended without a successor is deleted.

One process at a time does it, so that an older state never overwrites a newer one. A step that is done twice, after a
crash between it and its mark, changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sanya.engines.index.folder_lock import FolderLock
from sanya.engines.index.rows import FOREVER, VERSION_COLUMNS, Shelf, Version, version_of, whole
from sanya.engines.index.store import IndexStore
from sanya.engines.index.weaviate.classes import Mark, WeaviateClasses
from sanya.engines.index.weaviate.connection import WeaviateFailed
from sanya.engines.index.weaviate.filters import numbers_of
from sanya.engines.index.weaviate.schema import chunk_object
from sanya.kernel.database import Database
from sanya.kernel.sql import expand_in_list
from sanya.retrieval.embedding import Matrix
from sanya.retrieval.index import ReadTexts

_ROWS_AT_ONCE = 200
_LOCK_POLL_S = 0.05
_TURN = 7306082

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


class FollowingTurn:
    """Whose turn it is to follow: by a lock in the home, or in the database that several machines share."""

    def __init__(self, database: Database, folder: Path) -> None:
        self._database = database
        self._folder = folder

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        if self._database.dialect == "postgresql":
            async with self._database.transaction() as transaction:
                await transaction.execute("SELECT pg_advisory_xact_lock(?)", (_TURN,))
                yield
            return
        lock = FolderLock(self._folder)
        # Asked again and again rather than waited for in a thread, which a cancelled caller would leave behind.
        while not lock.take():  # noqa: ASYNC110 - another process lets it go, no event of ours
            await asyncio.sleep(_LOCK_POLL_S)
        try:
            yield
        finally:
            lock.release()


class WeaviateFollower:
    def __init__(self, store: IndexStore, classes: WeaviateClasses, turn: FollowingTurn, read: ReadTexts) -> None:
        self._store = store
        self._classes = classes
        self._turn = turn
        self._read = read

    async def catch_up(self) -> int:
        """Returns the last change that Weaviate is known to hold."""
        async with self._turn.taken():
            return await self._catch_up()

    async def rebuild(self, namespace: str) -> int:
        async with self._turn.taken():
            await self._classes.drop(namespace)
            return await self._catch_up()

    async def _catch_up(self) -> int:
        seq = await self._store.last_seq()
        shelves = await self._store.shelves()
        for namespace in sorted({namespace for namespace, _ in shelves}):
            await self._classes.ensure(namespace, await self._store.spaces(namespace))
        marks = await self._classes.marks() if shelves else {}
        for shelf, last in shelves.items():
            mark = marks.get(shelf, Mark())
            if mark.position < last:
                await self._put_missing(shelf, mark)
            if mark.seq < seq:
                await self._put_arrived(shelf, mark, seq)
                await self._delete_ended(shelf, mark.seq)
            if mark != (reached := Mark(max(mark.position, last), max(mark.seq, seq))):
                await self._classes.set_mark(shelf, reached)
        return seq

    async def _put_missing(self, shelf: Shelf, mark: Mark) -> None:
        position = mark.position
        while rows := await self._store.database.fetch(_ROWS, (*shelf, position, _ROWS_AT_ONCE)):
            await self._put(shelf, [version_of(row[1:]) for row in rows if row[0] is None])
            position = whole(rows[-1][1])
            await self._classes.set_mark(shelf, Mark(position, mark.seq))

    async def _put_arrived(self, shelf: Shelf, mark: Mark, seq: int) -> None:
        """Documents that were put without vectors, which have come since."""
        begin = 0
        while found := await self._store.late.arrived(shelf, mark.seq, seq, mark.position, (_ROWS_AT_ONCE, begin)):
            positions = [position for position, _, _ in found]
            rows = await self._store.database.fetch(expand_in_list(_CURRENT, positions), (*shelf, *positions))
            await self._put(shelf, [version_of(row) for row in rows])
            begin += len(found)

    async def _put(self, shelf: Shelf, versions: Sequence[Version]) -> None:
        if not versions:
            return
        numbers = {name for version in versions for name in numbers_of(version.fields)}
        await self._classes.add_numbers(shelf[0], numbers)
        vectors = await self._vectors(shelf[0], versions)
        objects = await asyncio.to_thread(self._objects, shelf[1], versions, vectors)
        async with self._classes.connection.answering("storing documents"):
            result = await self._classes.collection(shelf[0]).data.insert_many(objects)
        if result.has_errors:
            raise WeaviateFailed(
                f"Weaviate refused {len(result.errors)} of {len(objects)} documents; the next refresh tries them again"
            )

    async def _vectors(self, namespace: str, versions: Sequence[Version]) -> dict[str, dict[bytes, Matrix]]:
        hashes = sorted({version.content_hash for version in versions if version.vectors_since < FOREVER})
        spaces = await self._store.spaces(namespace)
        return {space: await self._store.vectors(model, hashes) for space, model in spaces.items()}

    async def _delete_ended(self, shelf: Shelf, after_seq: int) -> None:
        from weaviate.classes.query import Filter as By

        rows = await self._store.database.fetch(_ENDED, (*shelf, after_seq))
        ids = [self._classes.layout.uuid_of(str(row[0])) for row in rows]
        for start in range(0, len(ids), _ROWS_AT_ONCE):
            some = By.by_id().contains_any(ids[start : start + _ROWS_AT_ONCE])
            async with self._classes.connection.answering("deleting documents"):
                result = await self._classes.collection(shelf[0]).data.delete_many(where=some)
            if result.failed:
                raise WeaviateFailed(f"Weaviate failed to delete {result.failed} documents")

    def _objects(
        self, partition: str, versions: Sequence[Version], vectors: Mapping[str, Mapping[bytes, Matrix]]
    ) -> list[Any]:
        return [
            chunk_object(
                self._classes.layout,
                version,
                partition,
                self._read(version.texts, partition),
                _vectors_of(version, vectors),
            )
            for version in versions
        ]


def _vectors_of(version: Version, known: Mapping[str, Mapping[bytes, Matrix]]) -> dict[str, Matrix]:
    """None while they are awaited, even where another document has the same text."""
    if version.vectors_since >= FOREVER:
        return {}
    return {space: rows[version.content_hash] for space, rows in known.items() if version.content_hash in rows}
