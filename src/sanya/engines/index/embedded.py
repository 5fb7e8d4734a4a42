"""The embedded index: tantivy for words and usearch for meaning, both derived from the tables in the database.

A change is true once its transaction commits. What is derived from it follows in order, and knows by its own count how
far it got, so that whatever was missed (a crash, another process's change) is taken up by the next `refresh`. One
process at a time derives; any number search, each a state that is whole.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import rmtree

import numpy as np

from sanya.engines.index.lock import FolderLock
from sanya.engines.index.shelf import FOREVER, Moment
from sanya.engines.index.shelf import Shelf as OpenShelf
from sanya.engines.index.store import IndexStore, Shelf, Version
from sanya.kernel.database import Database, Transaction
from sanya.retrieval.documents import Document, Filter, Text
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, Entry, Probe

ReadTexts = Callable[[Sequence[Text], str], Mapping[str, Sequence[str]]]
"""Reads the terms of a document's texts; the second argument is its partition."""

_ROWS_AT_ONCE = 2000
# A search among fewer rows is over sooner than a thread would take it up.
_SEARCHED_IN_PLACE = 200_000
_REMEMBERED_NAMES = 100_000


@asynccontextmanager
async def open_embedded(database: Database, folder: Path, read: ReadTexts) -> AsyncIterator[EmbeddedIndex]:
    index = EmbeddedIndex(database, folder, read)
    try:
        await index.refresh()
        yield index
    finally:
        await index.close()


class EmbeddedIndex:
    def __init__(self, database: Database, folder: Path, read: ReadTexts) -> None:
        self._store = IndexStore(database)
        self._folder = folder
        self._read = read
        self._shelves: dict[Shelf, OpenShelf] = {}
        self._known_names: dict[Shelf, dict[int, str]] = {}
        self._seen_seq = -1
        self._lock = FolderLock(folder)
        self._turn = asyncio.Lock()

    async def declare(self, namespace: str, spaces: Mapping[str, Model]) -> None:
        await self._store.declare(namespace, spaces)

    async def upsert(self, namespace: str, entries: Sequence[Entry], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, entries, (), transaction)

    async def delete(self, namespace: str, ids: Sequence[str], transaction: Transaction | None = None) -> int:
        return await self._write(namespace, (), ids, transaction)

    async def _write(
        self, namespace: str, entries: Sequence[Entry], removed: Sequence[str], transaction: Transaction | None
    ) -> int:
        if transaction is not None:
            return await self._store.write(transaction, namespace, entries, removed)
        async with self._store.database.transaction() as own:
            seq = await self._store.write(own, namespace, entries, removed)
        await self.refresh()
        return seq

    async def refresh(self) -> None:
        async with self._turn:
            if await self._store.last_seq() == self._seen_seq:
                return
            self._seen_seq = await self._catch_up()

    def shown_seq(self, namespace: str) -> int:
        """The last change that a search in this process sees."""
        moments = [shelf.state.moment.seq for (name, _), shelf in self._shelves.items() if name == namespace]
        return max(moments, default=0)

    async def partitions(self, namespace: str) -> tuple[str, ...]:
        return tuple(partition for name, partition in sorted(self._shelves) if name == namespace)

    async def search(self, probe: Probe) -> Candidates:
        shelf = self._shelves.get((probe.namespace, probe.partition))
        if shelf is None:
            return Candidates(np.empty(0, np.float32), {}, _no_names)
        state = shelf.state
        moment = await self._moment((probe.namespace, probe.partition), state.moment, probe.as_of)
        if state.words.count <= _SEARCHED_IN_PLACE:
            positions, words, vectors = state.search(probe, moment)
        else:
            positions, words, vectors = await asyncio.to_thread(state.search, probe, moment)
        place = probe.namespace, probe.partition
        return Candidates(words, vectors, lambda rows: self._names(place, positions[list(rows)].tolist()))

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        total = 0
        for (name, partition), shelf in self._shelves.items():
            if name == namespace:
                moment = await self._moment((name, partition), shelf.state.moment, as_of)
                total += shelf.state.count(filters, moment)
        return total

    async def documents(self, namespace: str, ids: Sequence[str], as_of: int | None = None) -> dict[str, Document]:
        return await self._store.documents(namespace, ids, FOREVER if as_of is None else as_of)

    async def rebuild(self, namespace: str) -> None:
        async with self._turn:
            await asyncio.to_thread(self._lock.wait)
            for shelf in [one for one in self._shelves if one[0] == namespace]:
                self._shelves.pop(shelf).close()
            await asyncio.to_thread(rmtree, self._folder / namespace, ignore_errors=True)
            self._seen_seq = await self._catch_up()

    async def close(self) -> None:
        async with self._turn:
            for shelf in self._shelves.values():
                if self._lock.is_held:
                    await asyncio.to_thread(shelf.save, closing=True)
                await asyncio.to_thread(shelf.close)
            self._shelves.clear()
            self._lock.release()

    async def _names(self, place: Shelf, positions: list[int]) -> list[str]:
        """The id at a position never changes, so those that were shown are remembered."""
        known = self._known_names.setdefault(place, {})
        if len(known) > _REMEMBERED_NAMES:
            known.clear()
        missing = [position for position in positions if position not in known]
        if missing:
            known.update(zip(missing, await self._store.ids(place, missing), strict=True))
        return [known[position] for position in positions]

    async def _moment(self, shelf: Shelf, now: Moment, as_of: int | None) -> Moment:
        if as_of is None or as_of >= now.seq:
            return now
        _, last_position = await self._store.reached(shelf, seq=as_of)
        return Moment(as_of, last_position)

    async def _catch_up(self) -> int:
        """Derives what is missing, if no other process does, and shows what is there. Returns the change shown."""
        seq = await self._store.last_seq()
        deriving = self._lock.take()
        for shelf, last in (await self._store.shelves()).items():
            opened = await self._opened(shelf)
            if deriving:
                await self._derive(shelf, opened, last)
            await self._show(shelf, opened)
            if deriving:
                await asyncio.to_thread(opened.save)
        shown = all(opened.state.moment.seq >= seq for opened in self._shelves.values())
        return seq if shown or deriving else -1

    async def _opened(self, shelf: Shelf) -> OpenShelf:
        if shelf not in self._shelves:
            models = await self._store.spaces(shelf[0])
            folder = self._folder / shelf[0] / shelf[1]
            self._shelves[shelf] = await asyncio.to_thread(OpenShelf, folder, models)
        return self._shelves[shelf]

    async def _derive(self, shelf: Shelf, opened: OpenShelf, last: int) -> None:
        done = (await asyncio.to_thread(opened.committed)).count
        while done < last:
            versions = await self._store.versions(shelf, done, _ROWS_AT_ONCE)
            vectors = await self._vectors(shelf[0], versions)
            await asyncio.to_thread(opened.add, versions, vectors, self._reading(shelf[1]))
            done = versions[-1].position

    async def _show(self, shelf: Shelf, opened: OpenShelf) -> None:
        words = await asyncio.to_thread(opened.committed)
        seq, last_position = await self._store.reached(shelf, position=words.count)
        ends = await self._store.ends(shelf, opened.state.moment.seq)
        await asyncio.to_thread(opened.show, words, Moment(seq, last_position), ends)

    async def _vectors(self, namespace: str, versions: Sequence[Version]) -> dict[str, dict[int, Matrix]]:
        hashes = sorted({version.content_hash for version in versions})
        found: dict[str, dict[int, Matrix]] = {}
        for space, model in (await self._store.spaces(namespace)).items():
            known = await self._store.vectors(model, hashes)
            found[space] = {
                version.position: known[version.content_hash] for version in versions if version.content_hash in known
            }
        return found

    def _reading(self, partition: str) -> Callable[[Version], Mapping[str, Sequence[str]]]:
        return lambda version: self._read(version.texts, partition)


async def _no_names(_: Sequence[int]) -> list[str]:
    return []
