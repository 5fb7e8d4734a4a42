"""The embedded index: tantivy for words and usearch for meaning, both derived from the tables in the database.

A change is true once its transaction commits. What is derived from it follows in order, and knows by its own count how
far it got, so that whatever was missed (a crash, another process's change) is taken up by the next `refresh`. One
process at a time derives; any number search, each a state that is whole.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from shutil import rmtree

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from sanya.engines.index.derived_index import FollowingIndex
from sanya.engines.index.embedded.as_of import EarlierWords
from sanya.engines.index.embedded.partition import Found, Moment, ShelfState, Vectors
from sanya.engines.index.embedded.partition import Shelf as OpenShelf
from sanya.engines.index.folder_lock import FolderLock
from sanya.engines.index.rows import FOREVER, Shelf, Version
from sanya.engines.index.store import IndexStore
from sanya.engines.index.write_buffer import FreshRows
from sanya.kernel.database import Database
from sanya.kernel.faults import Unavailable
from sanya.retrieval.documents import Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, Probe, ReadTerms, ReadTexts

_ROWS_AT_ONCE = 20_000
# A search among fewer rows is over sooner than a thread would take it up.
_SEARCHED_IN_PLACE = 200_000
_REMEMBERED_NAMES = 100_000


@asynccontextmanager
async def open_embedded(database: Database, folder: Path, read: ReadTexts) -> AsyncIterator[EmbeddedIndex]:
    # A search compares few rows: threads for that would cost more than they save, and take cores from other calls.
    threadpool_limits(1, "blas")
    index = EmbeddedIndex(database, folder, read)
    try:
        await index.refresh()
        yield index
    finally:
        await index.close()


class EmbeddedIndex(FollowingIndex):
    def __init__(self, database: Database, folder: Path, read: ReadTexts) -> None:
        self._fresh = FreshRows()
        super().__init__(IndexStore(database, self._fresh))
        self._folder = folder
        self._read = read
        self._shelves: dict[Shelf, OpenShelf] = {}
        self._known_names: dict[Shelf, dict[int, str]] = {}
        self._earlier = EarlierWords(self._store, read)
        self._lock = FolderLock(folder)

    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        await self._store.declare(namespace, spaces, filtered)
        fields = await self._store.filtered.of(namespace)
        if not all(shelf.holds(fields) for (name, _), shelf in self._shelves.items() if name == namespace):
            self._catching_up.forget()
            await self.refresh()

    def shown_seq(self, namespace: str) -> int:
        """The last change that a search in this process sees."""
        moments = [shelf.state.moment.seq for (name, _), shelf in self._shelves.items() if name == namespace]
        return max(moments, default=0)

    async def partitions(self, namespace: str) -> tuple[str, ...]:
        return tuple(partition for name, partition in sorted(self._shelves) if name == namespace)

    async def search(self, probe: Probe) -> Candidates:
        await self._store.filtered.check(probe.namespace, (*probe.filters, *probe.among))
        shelf = self._shelves.get((probe.namespace, probe.partition))
        if shelf is None:
            return Candidates(np.empty(0, np.float32), {}, _no_names)
        place = probe.namespace, probe.partition
        await self._reach(place, shelf, probe.as_of)
        _check_held(shelf, (*probe.filters, *probe.among))
        state = shelf.state
        moment = await self._moment(place, state.moment, probe.as_of)
        positions, words, vectors = await self._searched(state, probe, moment)
        return Candidates(words, vectors, lambda rows: self._names(place, positions[list(rows)].tolist()))

    async def _searched(self, state: ShelfState, probe: Probe, moment: Moment) -> Found:
        if probe.as_of is not None or state.has_others(probe.among):
            best = await self._earlier.best(probe, state, moment)
            return await asyncio.to_thread(state.search_exactly, probe, moment, best)
        if state.words.count <= _SEARCHED_IN_PLACE:
            return state.search(probe, moment)
        return await asyncio.to_thread(state.search, probe, moment)

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        await self._store.filtered.check(namespace, filters)
        total = 0
        for place, shelf in list(self._shelves.items()):
            if place[0] == namespace:
                await self._reach(place, shelf, as_of)
                _check_held(shelf, filters)
                state = shelf.state
                total += state.count(tuple(filters), await self._moment(place, state.moment, as_of))
        return total

    async def _rebuild(self, namespace: str) -> int:
        await asyncio.to_thread(self._lock.wait)
        for shelf in [one for one in self._shelves if one[0] == namespace]:
            self._shelves.pop(shelf).close()
        await asyncio.to_thread(rmtree, self._folder / namespace, ignore_errors=True)
        self._known_names.clear()
        self._earlier.forget()
        self._fresh.clear()
        return await self._catch_up()

    async def close(self) -> None:
        async with self._catching_up.ended():
            for shelf in self._shelves.values():
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

    async def _reach(self, place: Shelf, shelf: OpenShelf, as_of: int | None) -> None:
        """Sees to it that the state asked about is here whole: less of it would not be the same when asked again."""
        if as_of is None or as_of <= shelf.state.moment.seq:
            return
        await self._store.check_moment(as_of)
        reached, _ = await self._store.reached(place, seq=as_of)
        if reached > shelf.state.moment.seq:
            await self.refresh()
        if reached > shelf.state.moment.seq:
            raise Unavailable("another process is still taking in that state; try again in a moment")

    async def _moment(self, shelf: Shelf, now: Moment, as_of: int | None) -> Moment:
        if as_of is None or as_of >= now.seq:
            return now
        _, last_position = await self._store.reached(shelf, seq=as_of)
        return Moment(as_of, last_position)

    async def _catch_up(self) -> int:
        with _worded():
            return await self._show_all()

    async def _show_all(self) -> int:
        """Derives what is missing, if no other process does, and shows what is there. Returns the change shown."""
        # In this order: the rows of every partition are those of changes up to `seq`.
        shelves = await self._store.shelves()
        seq = await self._store.last_seq()
        deriving = self._lock.take()
        shown = True
        for shelf in shelves:
            fields = await self._store.filtered.of(shelf[0])
            opened = await self._opened(shelf)
            if deriving and not opened.holds(fields):
                await self._forget(shelf)
                opened = await self._opened(shelf)
            reached, last = await self._store.reached(shelf, seq=seq)
            if 0 < reached == opened.state.moment.seq:
                shown &= opened.holds(fields)
                continue  # nothing has changed here
            if deriving:
                await self._derive(shelf, opened, last, reached)
            await self._show(shelf, opened)
            shown &= opened.state.moment.seq >= reached and opened.holds(fields)
        self._fresh.forget(seq)
        return seq if shown else -1

    async def _forget(self, shelf: Shelf) -> None:
        """So that it is derived anew."""
        self._shelves.pop(shelf).close()
        await asyncio.to_thread(rmtree, self._folder / shelf[0] / shelf[1], ignore_errors=True)

    async def _opened(self, shelf: Shelf) -> OpenShelf:
        if shelf not in self._shelves:
            models = await self._store.spaces(shelf[0])
            folder = self._folder / shelf[0] / shelf[1]
            self._shelves[shelf] = await asyncio.to_thread(OpenShelf, folder, models)
        return self._shelves[shelf]

    async def _derive(self, shelf: Shelf, opened: OpenShelf, last: int, seq: int) -> None:
        """All changes up to `seq`: first the vectors that came late to rows that are there, then the rows."""
        derived = opened.derived
        if derived == seq:
            return
        fields = await self._store.filtered.of(shelf[0])
        done = (await asyncio.to_thread(opened.committed)).count
        await self._derive_arrived(shelf, opened, (derived, seq), done)
        async for versions in self._portions(shelf, (derived, seq), done, last):
            contents = {one.position: one.content_hash for one in versions if one.vectors_since <= seq}
            vectors = await self._vectors(shelf[0], contents)
            await asyncio.to_thread(opened.add, versions, vectors, self._reading(shelf), fields)
        # Before the mark says so for good: a file that was cut off behind our back is found here.
        if (await asyncio.to_thread(opened.committed)).count < last:
            raise Unavailable(f"the search of {shelf[0]} has lost rows; run: sanya search rebuild {shelf[0]}")
        await asyncio.to_thread(opened.set_derived, seq)

    async def _portions(
        self, shelf: Shelf, changes: tuple[int, int], done: int, last: int
    ) -> AsyncIterator[Sequence[Version]]:
        """The rows beyond `done`: as they were committed here, if every change to derive was one of ours; else as the
        database has them."""
        fresh = [one for one in await self._fresh_rows(shelf, *changes) if one.position > done]
        if [one.position for one in fresh] == list(range(done + 1, last + 1)):
            for start in range(0, len(fresh), _ROWS_AT_ONCE):
                yield fresh[start : start + _ROWS_AT_ONCE]
            return
        while done < last:
            versions = await self._store.versions(shelf, done, min(_ROWS_AT_ONCE, last - done))
            yield [
                one._replace(vectors_since=FOREVER) if changes[1] < one.vectors_since < FOREVER else one
                for one in versions
            ]
            done = versions[-1].position

    async def _fresh_rows(self, shelf: Shelf, derived: int, seq: int) -> Sequence[Version]:
        if not self._fresh.has(shelf[0], seq):
            return ()
        return self._fresh.rows(shelf, await self._store.changes(shelf, derived, seq)) or ()

    async def _derive_arrived(self, shelf: Shelf, opened: OpenShelf, changes: tuple[int, int], rows: int) -> None:
        begin = 0
        while arrived := await self._store.late.arrived(shelf, *changes, rows, (_ROWS_AT_ONCE, begin)):
            vectors = await self._vectors(shelf[0], {position: content for position, _, content in arrived})
            await asyncio.to_thread(opened.give, {position: seq for position, seq, _ in arrived}, vectors)
            begin += len(arrived)

    async def _show(self, shelf: Shelf, opened: OpenShelf) -> None:
        # The mark before the words: what it promises is then surely there.
        derived = await asyncio.to_thread(lambda: opened.derived)
        words = await asyncio.to_thread(opened.committed)
        seq, last_position = await self._store.reached(shelf, seq=derived)
        ends = await self._store.ends(shelf, opened.state.moment.seq)
        await asyncio.to_thread(opened.show, words, Moment(seq, last_position), ends, deriving=self._lock.is_held)

    async def _vectors(self, namespace: str, contents: Mapping[int, bytes]) -> Vectors:
        """By space and position, what is known of the contents at the positions."""
        hashes = sorted(set(contents.values()))
        found: dict[str, dict[int, Matrix]] = {}
        for space, model in (await self._store.spaces(namespace)).items():
            known = await self._store.vectors(model, hashes)
            found[space] = {position: known[one] for position, one in contents.items() if one in known}
        return found

    def _reading(self, shelf: Shelf) -> Callable[[Version], ReadTerms]:
        return lambda version: self._read(version.texts, shelf[1])


@contextmanager
def _worded() -> Iterator[None]:
    """What was committed is safe, whatever becomes of the files that are derived from it."""
    try:
        yield
    except OSError as error:
        raise Unavailable(
            f"the files of the search cannot be written ({error.strerror}); free some space or check the disk, "
            "and it goes on by itself"
        ) from error


def _check_held(shelf: OpenShelf, filters: Sequence[Filter]) -> None:
    if filters and not shelf.holds(frozenset(one.field for one in filters)):
        raise Unavailable("another process is still deriving what this is filtered by; try again in a moment")


async def _no_names(_: Sequence[int]) -> list[str]:
    return []
