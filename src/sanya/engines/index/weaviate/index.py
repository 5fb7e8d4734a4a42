"""The index on Weaviate: for a home whose documents outgrow one machine, or that shares a server with others.

The tables in the database stay the truth. A change is true once its transaction commits; what Weaviate holds follows,
marks how far it got, and takes up whatever was missed at the next `refresh`.
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

from sanya.engines.index.derived_index import FollowingIndex
from sanya.engines.index.rows import VERSION_COLUMNS, Shelf, Version, raw, version_of, whole
from sanya.engines.index.store import IndexStore
from sanya.engines.index.weaviate.classes import WeaviateClasses
from sanya.engines.index.weaviate.connection import WeaviateAddress, WeaviateFailed, WeaviateSilent, open_connection
from sanya.engines.index.weaviate.filters import all_of, conditions, number_property
from sanya.engines.index.weaviate.follower import FollowingTurn, WeaviateFollower
from sanya.engines.index.weaviate.schema import PARTITION, POSITION, TERMS, TIMES_FOR_ONE, Layout, asked_terms
from sanya.engines.index.weaviate.snapshots import MomentShelf
from sanya.kernel.breaker import Breakers
from sanya.kernel.database import Database
from sanya.kernel.lru import LruCache
from sanya.kernel.sql import expand_in_list
from sanya.retrieval.documents import Between, Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, Probe, ReadTexts

if TYPE_CHECKING:
    from weaviate.collections.classes.filters import _Filters

Answer = TypeVar("Answer")

# A server answers with no more by default.
_MOST_ASKED = 10_000
_MOMENTS_KEPT = 4
_ROWS_AT_ONCE = 2000

_SHOWN = """
SELECT position, id, content_hash FROM retrieval_documents
WHERE namespace = ? AND partition_name = ? AND (to_seq IS NULL OR to_seq > ?) AND position IN (:values)
ORDER BY position"""
_VALID = f"""
SELECT {VERSION_COLUMNS}
WHERE d.namespace = ? AND d.partition_name = ? AND d.from_seq <= ? AND (d.to_seq IS NULL OR d.to_seq > ?)
AND d.position > ? ORDER BY d.position LIMIT ?"""
_KNOW_STORE = """
INSERT INTO retrieval_counters (name, value) VALUES ('weaviate store', ?) ON CONFLICT (name) DO NOTHING"""


@dataclass(frozen=True, slots=True)
class WeaviateOptions:
    address: WeaviateAddress
    layout: Layout = field(default_factory=Layout)
    breakers: Breakers | None = None


@asynccontextmanager
async def open_weaviate(
    database: Database, folder: Path, read: ReadTexts, options: WeaviateOptions
) -> AsyncIterator[WeaviateIndex]:
    """`folder` holds the lock by which processes of one machine take turns."""
    async with open_connection(options.address, options.breakers) as connection:
        store = IndexStore(database)
        classes = WeaviateClasses(connection, options.layout, await _store_name(database))
        index = WeaviateIndex(
            store, classes, WeaviateFollower(store, classes, FollowingTurn(database, folder), read), read
        )
        try:
            await index.refresh()
            yield index
        finally:
            await index.close()


async def _store_name(database: Database) -> str:
    """Tells this store's documents from another's in the same server; made once, by chance."""
    async with database.transaction() as transaction:
        await transaction.execute(_KNOW_STORE, (randbits(52),))
        rows = await transaction.fetch("SELECT value FROM retrieval_counters WHERE name = 'weaviate store'")
    return str(rows[0][0])


class WeaviateIndex(FollowingIndex):
    def __init__(
        self, store: IndexStore, classes: WeaviateClasses, follower: WeaviateFollower, read: ReadTexts
    ) -> None:
        super().__init__(store)
        self.classes = classes
        self._follower = follower
        self._read = read
        self._moments: LruCache[tuple[Shelf, int], MomentShelf] = LruCache(_MOMENTS_KEPT)

    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        await self._store.declare(namespace, spaces, filtered)

    async def _catch_up(self) -> int:
        return await self._follower.catch_up()

    async def _rebuild(self, namespace: str) -> int:
        # Whoever erased something counts on its being nowhere after this.
        self._moments.clear()
        return await self._follower.rebuild(namespace)

    async def close(self) -> None:
        await self._catching_up.break_off()

    async def partitions(self, namespace: str) -> tuple[str, ...]:
        return tuple(partition for name, partition in sorted(await self._store.shelves()) if name == namespace)

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        await self._store.filtered.check(namespace, filters)
        partitions = await self.partitions(namespace)
        if as_of is not None:
            moments = [await self._moment((namespace, partition), as_of) for partition in partitions]
            return sum(len(moment.matching(filters)) for moment in moments)
        return await self._healing(lambda: self._count(namespace, filters)) if partitions else 0

    async def search(self, probe: Probe) -> Candidates:
        await self._store.filtered.check(probe.namespace, (*probe.filters, *probe.among))
        shelf = probe.namespace, probe.partition
        if shelf not in await self._store.shelves():
            return Candidates(np.empty(0, np.float32), {}, _no_names)
        if probe.as_of is not None:
            return await self._search_moment(probe, probe.as_of)
        brought = await self._healing(lambda: self._brought(probe))
        return await self._candidates(probe, brought)

    async def _healing(self, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """A server that lost its classes is filled anew, once."""
        try:
            return await ask()
        except WeaviateSilent:
            raise
        except WeaviateFailed:
            self.classes.forget()
            self._catching_up.forget()
            await self.refresh()
            return await ask()

    async def _count(self, namespace: str, filters: Sequence[Filter]) -> int:
        parts = await self._conditions(namespace, filters)
        if parts is None:
            return 0
        async with self.classes.connection.answering("counting documents"):
            counted = await self.classes.collection(namespace).aggregate.over_all(
                total_count=True, filters=all_of(parts) if parts else None
            )
        return counted.total_count or 0

    async def _conditions(self, namespace: str, filters: Sequence[Filter]) -> list[_Filters] | None:
        ranges = [number_property(one.field) for one in filters if isinstance(one, Between)]
        return conditions(filters, await self.classes.numbers(namespace, ranges) if ranges else ())

    async def _brought(self, probe: Probe) -> dict[int, float]:
        """The positions that words and meaning propose, with the BM25 score of each."""
        from weaviate.classes.query import Filter as By

        parts = await self._conditions(probe.namespace, probe.filters)
        if parts is None:
            return {}
        where = all_of([By.by_property(PARTITION).equal(probe.partition), *parts])
        brought = await self._by_words(probe, where)
        spaces = await self._store.spaces(probe.namespace)
        for space, vector in probe.vectors.items():
            if space in spaces:
                near = await self._by_meaning(probe, space, vector, where)
                brought |= {position: brought.get(position, 0.0) for position in near}
        return brought

    async def _by_words(self, probe: Probe, where: _Filters) -> dict[int, float]:
        from weaviate.classes.query import MetadataQuery

        query = asked_terms(probe.partition, probe.terms)
        asked = probe.pool + 1
        found: list[tuple[float, int]] = []
        while query:
            async with self.classes.connection.answering("searching words"):
                answer = await self.classes.collection(probe.namespace).query.bm25(
                    query=query,
                    query_properties=[TERMS],
                    limit=asked,
                    filters=where,
                    return_metadata=MetadataQuery(score=True),
                    return_properties=[POSITION],
                )
            found = sorted((-(one.metadata.score or 0.0), int(one.properties[POSITION])) for one in answer.objects)
            # Which of equal scores across the edge come in must not hang on how the server keeps them: the oldest do.
            if len(found) < asked or found[-1][0] > found[probe.pool - 1][0] or asked >= _MOST_ASKED:
                break
            asked = min(asked * 4, _MOST_ASKED)
        return {position: -score / TIMES_FOR_ONE for score, position in found[: probe.pool]}

    async def _by_meaning(self, probe: Probe, space: str, vector: Matrix, where: _Filters) -> list[int]:
        async with self.classes.connection.answering("searching vectors"):
            answer = await self.classes.collection(probe.namespace).query.near_vector(
                near_vector=vector.tolist(),
                target_vector=space,
                limit=probe.meaning_pool,
                filters=where,
                return_properties=[POSITION],
            )
        return [int(one.properties[POSITION]) for one in answer.objects]

    async def _candidates(self, probe: Probe, brought: Mapping[int, float]) -> Candidates:
        """Only what the store knows as valid is shown: another process may be bringing Weaviate up to it."""
        shelf, positions, seen = (probe.namespace, probe.partition), sorted(brought), self._catching_up.reached
        rows = (
            await self._store.database.fetch(expand_in_list(_SHOWN, positions), (*shelf, seen, *positions))
            if positions
            else []
        )
        lacking = await self._store.late.lacking(shelf, positions, seen)
        words = np.array([brought[whole(position)] for position, _, _ in rows], dtype=np.float32)
        contents = [None if position in lacking else raw(content) for position, _, content in rows]
        return Candidates(words, await self._vectors(probe, contents), _named([str(one) for _, one, _ in rows]))

    async def _vectors(self, probe: Probe, contents: Sequence[bytes | None]) -> dict[str, Matrix]:
        """By space a row for each content; zeros where there is none."""
        spaces = await self._store.spaces(probe.namespace)
        asked = [space for space in (*probe.vectors, *probe.compared) if space in spaces]
        return {space: await self._matrix(spaces[space], contents) for space in asked}

    async def _matrix(self, model: Model, contents: Sequence[bytes | None]) -> Matrix:
        known = await self._store.vectors(model, sorted({one for one in contents if one is not None}))
        nothing = np.zeros(model.dim, dtype=np.float32)
        rows = [nothing if one is None else known.get(one, nothing) for one in contents]
        return np.array(rows, dtype=np.float32).reshape(-1, model.dim)

    async def _search_moment(self, probe: Probe, as_of: int) -> Candidates:
        moment = await self._moment((probe.namespace, probe.partition), as_of)
        allowed = moment.matching(probe.filters)
        found, scores = moment.by_words(probe, allowed)
        everything = await self._moment_vectors(probe, moment, as_of)
        near = [
            moment.by_meaning(vector, everything[space], allowed, probe.meaning_pool)
            for space, vector in probe.vectors.items()
            if space in everything
        ]
        rows = np.unique(np.concatenate([found, *near]))
        words = np.zeros(len(rows), dtype=np.float32)
        words[np.searchsorted(rows, found)] = scores
        names = [moment.versions[row].id for row in rows]
        return Candidates(words, {space: matrix[rows] for space, matrix in everything.items()}, _named(names))

    async def _moment_vectors(self, probe: Probe, moment: MomentShelf, as_of: int) -> dict[str, Matrix]:
        asked = {*probe.vectors, *probe.compared}
        if not asked <= moment.vectors.keys():
            contents = [one.content_hash if one.vectors_since <= as_of else None for one in moment.versions]
            moment.vectors.update(await self._vectors(probe, contents))
        return {space: moment.vectors[space] for space in asked if space in moment.vectors}

    async def _moment(self, shelf: Shelf, as_of: int) -> MomentShelf:
        """Read from the store when first asked for; the next searches of the same state find it here."""
        await self._store.check_moment(as_of)
        key = shelf, as_of
        known = self._moments.get(key)
        if known is None:
            versions = await self._versions(shelf, as_of)
            known = await asyncio.to_thread(MomentShelf, versions, shelf[1], self._read)
            self._moments.put(key, known)
        return known

    async def _versions(self, shelf: Shelf, as_of: int) -> list[Version]:
        found: list[Version] = []
        position = 0
        while rows := await self._store.database.fetch(_VALID, (*shelf, as_of, as_of, position, _ROWS_AT_ONCE)):
            found += map(version_of, rows)
            position = found[-1].position
        return found


def _named(names: Sequence[str]) -> Callable[[Sequence[int]], Awaitable[list[str]]]:
    async def name(rows: Sequence[int]) -> list[str]:
        return [names[row] for row in rows]

    return name


async def _no_names(_: Sequence[int]) -> list[str]:
    return []
