"""The embedded index: tantivy for words and usearch for vectors, both derived from tables in the database.

The write path has two steps. First a transaction writes the change to the tables; once it commits, the change is true
and nothing can lose it. Then `refresh` derives the files: vectors, then words, then the sequence number up to which
everything is derived. Each file records how far it got, so a refresh continues where the last one stopped, whether
that was a crash or another process's change. A file lock picks the one process that derives.

Readers never see a half-derived state. `_publish` builds a new `PartitionSnapshot` from what the files hold up to one
sequence number and swaps it in with one assignment; a search takes the snapshot once and works on it to its end.

A process without the lock sees what it has stored once the holder has derived it. The holder may have no use for it: a
server opens the index and searches nothing for hours. So such a process asks (`FolderLock.ask_holder`), the holder
looks for requests (`serve_requests`), and a search that would leave documents out waits for it (`await_searchable`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from time import monotonic

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from sanya.engines.index.derived_index import DerivedIndex
from sanya.engines.index.embedded.as_of import AsOfRanker
from sanya.engines.index.embedded.hits import PartitionHits
from sanya.engines.index.embedded.partition import (
    HistoryPoint,
    Partition,
    PartitionSnapshot,
    VectorsBySpace,
)
from sanya.engines.index.folder_lock import FolderLock
from sanya.engines.index.rows import FOREVER, PartitionKey, Version
from sanya.engines.index.store import IndexStore
from sanya.engines.index.write_buffer import WriteBuffer
from sanya.kernel.calls.offloading import wait_briefly
from sanya.kernel.faults import Fault, Unavailable
from sanya.kernel.storage.database import Database
from sanya.retrieval.documents import Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import Candidates, DocumentTerms, Probe, TermAnalyzer

_BATCH_ROWS = 20_000
# A search of fewer rows ends sooner than a hop to a thread takes.
_IN_PLACE_ROWS = 200_000
_CACHED_IDS = 100_000
_LOOK_EVERY_S = 0.1
"""The process that holds the lock looks so often whether others have asked it to derive what they stored."""
_FOLLOW_EVERY_S = 0.02
_SOME_SHOWN_S = 0.25
"""A search that would leave out some documents waits so long for the process that derives them."""
_NOTHING_SHOWN_S = 20.0
"""The same for a search that would see no document at all, or a state of the past only in part."""
_RETRY_MS = 2000


@asynccontextmanager
async def open_embedded(database: Database, folder: Path, read: TermAnalyzer) -> AsyncIterator[EmbeddedIndex]:
    # A search compares few rows: BLAS threads cost more than they save and take cores from other calls.
    threadpool_limits(1, "blas")
    index = EmbeddedIndex(database, folder, read)
    serving = asyncio.create_task(index.serve_requests(), name="search index: requests")
    try:
        await index.refresh()
        yield index
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        await index.close()


class EmbeddedIndex(DerivedIndex):
    def __init__(self, database: Database, folder: Path, read: TermAnalyzer) -> None:
        self._buffer = WriteBuffer()
        super().__init__(IndexStore(database, self._buffer))
        self._folder = folder
        self._read = read
        self._partitions: dict[PartitionKey, Partition] = {}
        self._known_ids: dict[PartitionKey, dict[int, str]] = {}
        self._as_of_ranker = AsOfRanker(self._store, read)
        self._lock = FolderLock(folder)

    async def declare(
        self, namespace: str, spaces: Mapping[str, Model], filtered: Collection[str] | None = None
    ) -> None:
        await self._store.declare(namespace, spaces, filtered)
        fields = await self._store.filterable.read(namespace)
        if not all(
            partition.can_filter_by(fields) for (name, _), partition in self._partitions.items() if name == namespace
        ):
            self._refresher.invalidate()
            await self.refresh()

    def get_visible_seq(self, namespace: str) -> int:
        """Return the last change that a search in this process sees."""
        visible = [
            partition.snapshot.point.seq for (name, _), partition in self._partitions.items() if name == namespace
        ]
        return max(visible, default=0)

    async def serve_requests(self) -> None:
        """Derive what other processes have stored, when they ask, as long as this one holds the lock."""
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            if self._lock.take_request() and self._lock.is_held:
                with suppress(Fault):  # those who asked learn it by their own refresh
                    await self.refresh()

    async def refresh(self) -> bool:
        is_complete = await super().refresh()
        if not is_complete:
            self._lock.ask_holder()
        return is_complete

    async def await_searchable(self, namespace: str, as_of: int | None = None, *, whole: bool = False) -> int:
        if self._refresher.is_complete:
            return 0
        begun = monotonic()
        while True:
            shown, missing = await self._count_shown(namespace, as_of)
            must_wait = missing > 0 and (whole or not shown or as_of is not None)
            left = begun + (_NOTHING_SHOWN_S if must_wait else _SOME_SHOWN_S) - monotonic()
            if not missing or (not must_wait and (left <= 0 or self._lock.is_held)):
                return missing
            if left <= 0:
                raise Unavailable(
                    f"the stored texts of {namespace} are still being indexed; try again in a moment. If that lasts, "
                    "restart the server of this home",
                    retry_after_ms=_RETRY_MS,
                )
            await wait_briefly(asyncio.ensure_future(self._follow()), left)

    async def _follow(self) -> None:
        """Try again to see what another process derives, or derive it here if that process has ended."""
        if not await self.refresh():
            await asyncio.sleep(_FOLLOW_EVERY_S)

    async def _count_shown(self, namespace: str, as_of: int | None) -> tuple[int, int]:
        """Return how many documents a search sees, and how many stored rows it leaves out."""
        shown = missing = 0
        for key, last in (await self._store.read_partitions()).items():
            if key[0] != namespace:
                continue
            wanted = last if as_of is None else (await self._store.find_commit(key, seq=as_of))[1]
            partition = self._partitions.get(key)
            if partition is not None:
                snapshot = partition.snapshot
                shown += snapshot.count((), snapshot.point)
                wanted -= snapshot.point.last_position
            missing += max(0, wanted)
        return shown, missing

    async def list_partitions(self, namespace: str) -> tuple[str, ...]:
        return tuple(partition for name, partition in sorted(self._partitions) if name == namespace)

    async def search(self, probe: Probe) -> Candidates:
        await self._store.filterable.check(probe.namespace, (*probe.filters, *probe.statistics_filters))
        partition = self._partitions.get((probe.namespace, probe.partition))
        if partition is None:
            return Candidates(np.empty(0, np.float32), {}, _read_no_ids)
        key = probe.namespace, probe.partition
        await self._ensure_reached(key, partition, probe.as_of)
        _check_filterable(partition, (*probe.filters, *probe.statistics_filters))
        snapshot = partition.snapshot
        point = await self._resolve_point(key, snapshot.point, probe.as_of)
        hits = await self._run_search(snapshot, probe, point)

        async def read_ids(rows: Sequence[int]) -> list[str]:
            return await self._read_ids(key, hits.positions[list(rows)].tolist())

        return Candidates(hits.words, hits.vectors, read_ids, hits.word_bound)

    async def _run_search(self, snapshot: PartitionSnapshot, probe: Probe, point: HistoryPoint) -> PartitionHits:
        if probe.as_of is not None or snapshot.has_rows_outside(probe.statistics_filters):
            word_hits = await self._as_of_ranker.find_best(probe, snapshot, point)
            return await asyncio.to_thread(snapshot.search_exactly, probe, point, word_hits)
        if snapshot.words.count <= _IN_PLACE_ROWS:
            return snapshot.search(probe, point)
        return await asyncio.to_thread(snapshot.search, probe, point)

    async def count(self, namespace: str, filters: Sequence[Filter] = (), as_of: int | None = None) -> int:
        await self._store.filterable.check(namespace, filters)
        total = 0
        for key, partition in list(self._partitions.items()):
            if key[0] == namespace:
                await self._ensure_reached(key, partition, as_of)
                _check_filterable(partition, filters)
                snapshot = partition.snapshot
                total += snapshot.count(tuple(filters), await self._resolve_point(key, snapshot.point, as_of))
        return total

    async def _rebuild(self, namespace: str) -> int:
        await asyncio.to_thread(self._lock.acquire)
        for key in [open_key for open_key in self._partitions if open_key[0] == namespace]:
            self._partitions.pop(key).close()
        await asyncio.to_thread(rmtree, self._folder / namespace, ignore_errors=True)
        self._known_ids.clear()
        self._as_of_ranker.clear()
        self._buffer.clear()
        return await self._catch_up()

    async def close(self) -> None:
        async with self._refresher.idle():
            for partition in self._partitions.values():
                await asyncio.to_thread(partition.close)
            self._partitions.clear()
            self._lock.release()

    async def _read_ids(self, key: PartitionKey, positions: list[int]) -> list[str]:
        """Return the ids at positions. An id never changes, so those that were read are cached."""
        ids = self._known_ids.setdefault(key, {})
        if len(ids) > _CACHED_IDS:
            ids.clear()
        missing = [position for position in positions if position not in ids]
        if missing:
            ids.update(zip(missing, await self._store.read_ids(key, missing), strict=True))
        return [ids[position] for position in positions]

    async def _ensure_reached(self, key: PartitionKey, partition: Partition, as_of: int | None) -> None:
        """Wait until the files hold the change `as_of`: a partial state would give another answer when asked again."""
        if as_of is None or as_of <= partition.snapshot.point.seq:
            return
        await self._store.check_seq(as_of)
        wanted_seq, _ = await self._store.find_commit(key, seq=as_of)
        if wanted_seq > partition.snapshot.point.seq:
            await self.refresh()
            await self.await_searchable(key[0], as_of)
        if wanted_seq > partition.snapshot.point.seq:
            raise Unavailable("another process is still indexing that state; try again in a moment")

    async def _resolve_point(self, key: PartitionKey, latest: HistoryPoint, as_of: int | None) -> HistoryPoint:
        if as_of is None or as_of >= latest.seq:
            return latest
        _, last_position = await self._store.find_commit(key, seq=as_of)
        return HistoryPoint(as_of, last_position)

    async def _catch_up(self) -> int:
        with _translated_errors():
            return await self._publish_all()

    async def _publish_all(self) -> int:
        """Derive what is missing, unless another process does, and publish what is there. Return the visible change, or
        -1 where some partition lags behind."""
        # The partitions are read before `seq`, so all of their rows belong to changes up to it.
        keys = await self._store.read_partitions()
        seq = await self._store.read_last_seq()
        is_deriving = self._lock.try_acquire()
        is_complete = True
        for key in keys:
            fields = await self._store.filterable.read(key[0])
            partition = await self._open_partition(key)
            if is_deriving and not partition.can_filter_by(fields):
                await self._discard(key)
                partition = await self._open_partition(key)
            reached, last = await self._store.find_commit(key, seq=seq)
            if 0 < reached == partition.snapshot.point.seq:
                is_complete &= partition.can_filter_by(fields)
                continue  # nothing changed here
            if is_deriving:
                await self._derive(key, partition, last, reached)
            await self._publish(key, partition)
            is_complete &= partition.snapshot.point.seq >= reached and partition.can_filter_by(fields)
        self._buffer.drop_through(seq)
        return seq if is_complete else -1

    async def _discard(self, key: PartitionKey) -> None:
        """Delete the partition's files, so that the next derivation starts from nothing."""
        self._partitions.pop(key).close()
        await asyncio.to_thread(rmtree, self._folder / key[0] / key[1], ignore_errors=True)

    async def _open_partition(self, key: PartitionKey) -> Partition:
        if key not in self._partitions:
            models = await self._store.read_spaces(key[0])
            folder = self._folder / key[0] / key[1]
            self._partitions[key] = await asyncio.to_thread(Partition, folder, models)
        return self._partitions[key]

    async def _derive(self, key: PartitionKey, partition: Partition, last: int, seq: int) -> None:
        """Derive all changes up to `seq`: first vectors that arrived for rows already indexed, then new rows."""
        derived = partition.derived_seq
        if derived == seq:
            return
        fields = await self._store.filterable.read(key[0])
        done = (await asyncio.to_thread(partition.read_committed)).count
        await self._derive_arrivals(key, partition, (derived, seq), done)
        async for versions in self._read_portions(key, (derived, seq), done, last):
            contents = {version.position: version.content_hash for version in versions if version.vectors_since <= seq}
            vectors = await self._read_vectors(key[0], contents)
            await asyncio.to_thread(partition.add, versions, vectors, self._build_reader(key), fields)
        # Checked before the sequence number is recorded: this finds a file that something else truncated.
        if (await asyncio.to_thread(partition.read_committed)).count < last:
            raise Unavailable(f"the search of {key[0]} has lost rows; run: sanya search rebuild {key[0]}")
        await asyncio.to_thread(partition.set_derived_seq, seq)

    async def _read_portions(
        self, key: PartitionKey, changes: tuple[int, int], done: int, last: int
    ) -> AsyncIterator[Sequence[Version]]:
        """Yield the rows after position `done`: from the write buffer if it holds every change, else from the
        database."""
        buffered = [version for version in await self._read_buffered(key, *changes) if version.position > done]
        if [version.position for version in buffered] == list(range(done + 1, last + 1)):
            for start in range(0, len(buffered), _BATCH_ROWS):
                yield buffered[start : start + _BATCH_ROWS]
            return
        while done < last:
            versions = await self._store.read_versions(key, done, min(_BATCH_ROWS, last - done))
            yield [
                version._replace(vectors_since=FOREVER) if changes[1] < version.vectors_since < FOREVER else version
                for version in versions
            ]
            done = versions[-1].position

    async def _read_buffered(self, key: PartitionKey, derived: int, seq: int) -> Sequence[Version]:
        if not self._buffer.has(key[0], seq):
            return ()
        return self._buffer.collect_rows(key, await self._store.read_changes(key, derived, seq)) or ()

    async def _derive_arrivals(
        self, key: PartitionKey, partition: Partition, changes: tuple[int, int], rows: int
    ) -> None:
        offset = 0
        while arrived := await self._store.pending.read_arrivals(key, *changes, rows, (_BATCH_ROWS, offset)):
            vectors = await self._read_vectors(key[0], {position: content for position, _, content in arrived})
            await asyncio.to_thread(partition.put_vectors, {position: seq for position, seq, _ in arrived}, vectors)
            offset += len(arrived)

    async def _publish(self, key: PartitionKey, partition: Partition) -> None:
        # Read the sequence number before the words: the words then hold at least what it promises.
        derived = await asyncio.to_thread(lambda: partition.derived_seq)
        words = await asyncio.to_thread(partition.read_committed)
        seq, last_position = await self._store.find_commit(key, seq=derived)
        ends = await self._store.read_ends(key, partition.snapshot.point.seq)
        await asyncio.to_thread(
            partition.publish, words, HistoryPoint(seq, last_position), ends, deriving=self._lock.is_held
        )

    async def _read_vectors(self, namespace: str, contents: Mapping[int, bytes]) -> VectorsBySpace:
        """Return the vectors of the contents at positions, by space and position."""
        hashes = sorted(set(contents.values()))
        by_space: dict[str, dict[int, Matrix]] = {}
        for space, model in (await self._store.read_spaces(namespace)).items():
            known = await self._store.read_vectors(model, hashes)
            by_space[space] = {position: known[content] for position, content in contents.items() if content in known}
        return by_space

    def _build_reader(self, key: PartitionKey) -> Callable[[Version], DocumentTerms]:
        return lambda version: self._read(version.texts, key[1])


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Turn an error of the disk into a fault. What was committed is safe in the database."""
    try:
        yield
    except OSError as error:
        raise Unavailable(
            f"the search files cannot be written ({error.strerror}); free disk space or check the disk, "
            "then indexing continues"
        ) from error


def _check_filterable(partition: Partition, filters: Sequence[Filter]) -> None:
    if filters and not partition.can_filter_by(frozenset(filter.field for filter in filters)):
        raise Unavailable("another process is still indexing a field of this filter; try again in a moment")


async def _read_no_ids(_: Sequence[int]) -> list[str]:
    return []
