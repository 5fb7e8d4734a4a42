"""The index on Weaviate: for a home whose documents outgrow one machine, or that shares a server with others.

The tables in the database stay the truth. A change is true once its transaction commits. Weaviate follows, records how
far it got, and catches up at the next `refresh`. It holds the current documents only; a search as of an earlier change
is answered from the tables (`snapshots.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from secrets import randbits
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sanya.engines.index.derived_index import DerivedIndex
from sanya.engines.index.rows import VERSION_COLUMNS, PartitionKey, Version, as_bytes, as_int, read_version
from sanya.engines.index.store import IndexStore
from sanya.engines.index.weaviate.classes import WeaviateClasses
from sanya.engines.index.weaviate.connection import WeaviateAddress, WeaviateFailed, WeaviateSilent, open_connection
from sanya.engines.index.weaviate.filters import build_conditions, combine_all, name_number_property
from sanya.engines.index.weaviate.follower import FollowerLock, WeaviateFollower
from sanya.engines.index.weaviate.schema import (
    PARTITION,
    POSITION,
    REPEATS_PER_WEIGHT,
    TERMS,
    Layout,
    format_query_terms,
)
from sanya.engines.index.weaviate.snapshots import PastSnapshot
from sanya.kernel.breaker import Breakers
from sanya.kernel.lru import LruCache
from sanya.kernel.storage.database import Database
from sanya.kernel.storage.sql import expand_in_list
from sanya.retrieval.documents import Between, Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, Probe, TermAnalyzer

if TYPE_CHECKING:
    from weaviate.collections.classes.filters import _Filters

AnswerT = TypeVar("AnswerT")
ScoredPosition = tuple[float, int]

# The default limit of a Weaviate server.
_MAX_REQUESTED = 10_000
# The server adds the parts of a score in any order, so equal rows differ in the last bits of 32.
_DIGITS = 5
_CACHED_SNAPSHOTS = 4
_BATCH_ROWS = 2000

_VISIBLE_ROWS = """
SELECT position, id, content_hash FROM retrieval_documents
WHERE namespace = ? AND partition_name = ? AND (to_seq IS NULL OR to_seq > ?) AND position IN (:values)
ORDER BY position"""
_VALID_VERSIONS = f"""
SELECT {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.partition_name = ? AND d.from_seq <= ? AND (d.to_seq IS NULL OR d.to_seq > ?)
AND d.position > ? ORDER BY d.position LIMIT ?"""
_CREATE_STORE_NAME = """
INSERT INTO retrieval_counters (name, value) VALUES ('weaviate store', ?) ON CONFLICT (name) DO NOTHING"""


@dataclass(frozen=True, slots=True)
class WeaviateOptions:
    address: WeaviateAddress
    layout: Layout = field(default_factory=Layout)
    breakers: Breakers | None = None


@asynccontextmanager
async def open_weaviate(
    database: Database, folder: Path, read: TermAnalyzer, options: WeaviateOptions
) -> AsyncIterator[WeaviateIndex]:
    """Open the index. `folder` holds the lock that processes of one machine share."""
    async with open_connection(options.address, options.breakers) as connection:
        store = IndexStore(database)
        classes = WeaviateClasses(connection, options.layout, await _read_store_name(database))
        index = WeaviateIndex(
            store, classes, WeaviateFollower(store, classes, FollowerLock(database, folder), read), read
        )
        try:
            await index.refresh()
            yield index
        finally:
            await index.close()


async def _read_store_name(database: Database) -> str:
    """Return the random name that marks this store's documents in a shared server. It is created once."""
    async with database.transaction() as transaction:
        await transaction.execute(_CREATE_STORE_NAME, (randbits(52),))
        rows = await transaction.fetch("SELECT value FROM retrieval_counters WHERE name = 'weaviate store'")
    return str(rows[0][0])


class WeaviateIndex(DerivedIndex):
    def __init__(
        self, store: IndexStore, classes: WeaviateClasses, follower: WeaviateFollower, read: TermAnalyzer
    ) -> None:
        super().__init__(store)
        self.classes = classes
        self._follower = follower
        self._read = read
        self._snapshots: LruCache[tuple[PartitionKey, int], PastSnapshot] = LruCache(_CACHED_SNAPSHOTS)

    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        await self._store.declare(namespace, spaces, filtered)

    async def _catch_up(self) -> int:
        return await self._follower.catch_up()

    async def _rebuild(self, namespace: str) -> int:
        # After an erasure nothing erased may stay in memory.
        self._snapshots.clear()
        return await self._follower.rebuild(namespace)

    async def close(self) -> None:
        await self._refresher.cancel()

    async def list_partitions(self, namespace: str) -> tuple[str, ...]:
        return tuple(partition for name, partition in sorted(await self._store.read_partitions()) if name == namespace)

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        await self._store.filterable.check(namespace, filters)
        partitions = await self.list_partitions(namespace)
        if as_of is not None:
            snapshots = [await self._read_snapshot((namespace, partition), as_of) for partition in partitions]
            return sum(len(snapshot.find_passing(filters)) for snapshot in snapshots)
        return await self._retry_after_repair(lambda: self._count(namespace, filters)) if partitions else 0

    async def search(self, probe: Probe) -> Candidates:
        await self._store.filterable.check(probe.namespace, (*probe.filters, *probe.statistics_filters))
        key = probe.namespace, probe.partition
        if key not in await self._store.read_partitions():
            return Candidates(np.empty(0, np.float32), {}, _read_no_ids)
        if probe.as_of is not None:
            return await self._search_snapshot(probe, probe.as_of)
        proposed = await self._retry_after_repair(lambda: self._propose(probe))
        return await self._build_candidates(probe, proposed)

    async def _retry_after_repair(self, ask: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
        """Run a request. If the server lost its classes, fill them again and run it once more."""
        try:
            return await ask()
        except WeaviateSilent:
            raise
        except WeaviateFailed:
            self.classes.invalidate()
            self._refresher.invalidate()
            await self.refresh()
            return await ask()

    async def _count(self, namespace: str, filters: Sequence[Filter]) -> int:
        parts = await self._build_conditions(namespace, filters)
        if parts is None:
            return 0
        async with self.classes.connection.request("counting documents"):
            counted = await self.classes.get_collection(namespace).aggregate.over_all(
                total_count=True, filters=combine_all(parts) if parts else None
            )
        return counted.total_count or 0

    async def _build_conditions(self, namespace: str, filters: Sequence[Filter]) -> list[_Filters] | None:
        ranges = [name_number_property(filter.field) for filter in filters if isinstance(filter, Between)]
        return build_conditions(filters, await self.classes.read_properties(namespace, ranges) if ranges else ())

    async def _propose(self, probe: Probe) -> dict[int, float]:
        """Return the positions that words and vectors propose, with the BM25 score of each."""
        from weaviate.classes.query import Filter as By

        parts = await self._build_conditions(probe.namespace, probe.filters)
        if parts is None:
            return {}
        where = combine_all([By.by_property(PARTITION).equal(probe.partition), *parts])
        proposed = await self._search_words(probe, where)
        spaces = await self._store.read_spaces(probe.namespace)
        for space, vector in probe.vectors.items():
            if space in spaces:
                near = await self._search_vectors(probe, space, vector, where)
                proposed |= {position: proposed.get(position, 0.0) for position in near}
        return proposed

    async def _search_words(self, probe: Probe, where: _Filters) -> dict[int, float]:
        query = format_query_terms(probe.partition, probe.terms)
        if not query:
            return {}

        async def ask(limit: int) -> list[ScoredPosition]:
            from weaviate.classes.query import MetadataQuery

            async with self.classes.connection.request("searching words"):
                answer = await self.classes.get_collection(probe.namespace).query.bm25(
                    query=query,
                    query_properties=[TERMS],
                    limit=limit,
                    filters=where,
                    return_metadata=MetadataQuery(score=True),
                    return_properties=[POSITION],
                )
            return [
                (-round(hit.metadata.score or 0.0, _DIGITS), int(hit.properties[POSITION])) for hit in answer.objects
            ]

        return {position: -score / REPEATS_PER_WEIGHT for score, position in await _take_best(ask, probe.pool)}

    async def _search_vectors(self, probe: Probe, space: str, vector: Matrix, where: _Filters) -> list[int]:
        async def ask(limit: int) -> list[ScoredPosition]:
            from weaviate.classes.query import MetadataQuery

            async with self.classes.connection.request("searching vectors"):
                answer = await self.classes.get_collection(probe.namespace).query.near_vector(
                    near_vector=vector.tolist(),
                    target_vector=space,
                    limit=limit,
                    filters=where,
                    return_metadata=MetadataQuery(distance=True),
                    return_properties=[POSITION],
                )
            return [
                (round(hit.metadata.distance or 0.0, _DIGITS), int(hit.properties[POSITION])) for hit in answer.objects
            ]

        return [position for _, position in await _take_best(ask, probe.vector_pool)]

    async def _build_candidates(self, probe: Probe, proposed: Mapping[int, float]) -> Candidates:
        """Build candidates from the rows that the store knows as valid: Weaviate may be ahead, or another process may
        be updating it."""
        key, positions, seq = (probe.namespace, probe.partition), sorted(proposed), self._refresher.reached
        rows = (
            await self._store.database.fetch(expand_in_list(_VISIBLE_ROWS, positions), (*key, seq, *positions))
            if positions
            else []
        )
        without_vectors = await self._store.pending.find_without_vectors(key, positions, seq)
        words = np.array([proposed[as_int(position)] for position, _, _ in rows], dtype=np.float32)
        contents = [None if position in without_vectors else as_bytes(content) for position, _, content in rows]
        return Candidates(
            words,
            await self._read_vectors(probe, contents),
            _build_id_reader([str(document_id) for _, document_id, _ in rows]),
        )

    async def _read_vectors(self, probe: Probe, contents: Sequence[bytes | None]) -> dict[str, Matrix]:
        """Return for each space a matrix with a row for each content; zeros where there is no vector."""
        spaces = await self._store.read_spaces(probe.namespace)
        wanted = [space for space in (*probe.vectors, *probe.compared_vectors) if space in spaces]
        return {space: await self._read_matrix(spaces[space], contents) for space in wanted}

    async def _read_matrix(self, model: Model, contents: Sequence[bytes | None]) -> Matrix:
        known = await self._store.read_vectors(model, sorted({content for content in contents if content is not None}))
        zeros = np.zeros(model.dim, dtype=np.float32)
        rows = [zeros if content is None else known.get(content, zeros) for content in contents]
        return np.array(rows, dtype=np.float32).reshape(-1, model.dim)

    async def _search_snapshot(self, probe: Probe, as_of: int) -> Candidates:
        snapshot = await self._read_snapshot((probe.namespace, probe.partition), as_of)
        allowed = snapshot.find_passing(probe.filters)
        word_rows, scores = snapshot.search_words(probe, allowed)
        vectors = await self._read_snapshot_vectors(probe, snapshot, as_of)
        near = [
            snapshot.search_vectors(vector, vectors[space], allowed, probe.vector_pool)
            for space, vector in probe.vectors.items()
            if space in vectors
        ]
        rows = np.unique(np.concatenate([word_rows, *near]))
        words = np.zeros(len(rows), dtype=np.float32)
        words[np.searchsorted(rows, word_rows)] = scores
        ids = [snapshot.versions[row].id for row in rows]
        return Candidates(words, {space: matrix[rows] for space, matrix in vectors.items()}, _build_id_reader(ids))

    async def _read_snapshot_vectors(self, probe: Probe, snapshot: PastSnapshot, as_of: int) -> dict[str, Matrix]:
        wanted = {*probe.vectors, *probe.compared_vectors}
        if not wanted <= snapshot.vectors.keys():
            contents = [
                version.content_hash if version.vectors_since <= as_of else None for version in snapshot.versions
            ]
            snapshot.vectors.update(await self._read_vectors(probe, contents))
        return {space: snapshot.vectors[space] for space in wanted if space in snapshot.vectors}

    async def _read_snapshot(self, key: PartitionKey, as_of: int) -> PastSnapshot:
        """Return the snapshot as of a change. It is read from the store once and cached for the next searches."""
        await self._store.check_seq(as_of)
        cache_key = key, as_of
        snapshot = self._snapshots.get(cache_key)
        if snapshot is None:
            versions = await self._read_versions(key, as_of)
            snapshot = await asyncio.to_thread(PastSnapshot, versions, key[1], self._read)
            self._snapshots.put(cache_key, snapshot)
        return snapshot

    async def _read_versions(self, key: PartitionKey, as_of: int) -> list[Version]:
        versions: list[Version] = []
        position = 0
        while rows := await self._store.database.fetch(_VALID_VERSIONS, (*key, as_of, as_of, position, _BATCH_ROWS)):
            versions += map(read_version, rows)
            position = versions[-1].position
        return versions


async def _take_best(ask: Callable[[int], Awaitable[list[ScoredPosition]]], pool: int) -> list[ScoredPosition]:
    """Return the best rows, the lowest number first. Of equal rows across the edge the oldest win, whatever order the
    server stores them in, so a rebuilt server gives the same answer."""
    requested = pool + 1
    while True:
        hits = sorted(await ask(requested))
        if len(hits) < requested or hits[-1][0] > hits[pool - 1][0] or requested >= _MAX_REQUESTED:
            return hits[:pool]
        requested = min(requested * 4, _MAX_REQUESTED)


def _build_id_reader(ids: Sequence[str]) -> Callable[[Sequence[int]], Awaitable[list[str]]]:
    async def read_ids(rows: Sequence[int]) -> list[str]:
        return [ids[row] for row in rows]

    return read_ids


async def _read_no_ids(_: Sequence[int]) -> list[str]:
    return []
