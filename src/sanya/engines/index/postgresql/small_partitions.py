"""Small partitions of PostgreSQL held in memory: ids, ends and vectors. Comparing so few rows here takes less time than
a query.

What is held stays true: rows are only appended, and each records the changes between which it is valid.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import attrgetter

import numpy as np

from sanya.engines.index.arrays import Int64Array, Positions
from sanya.engines.index.postgresql.reader import PartitionState, PostgresqlReader
from sanya.engines.index.rows import FOREVER, PartitionKey, as_bytes, as_int
from sanya.kernel.lru import LruCache
from sanya.kernel.storage.database import Row, Statement, Value
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.fusion import compute_cosines

SMALL_ROWS = 10_000
"""Partitions of up to this many rows are held in memory and compared one by one."""

# The rows that were added, that ended or that got their vectors since the last read.
_CHANGED = f"""
WITH changed AS MATERIALIZED (
    SELECT position FROM retrieval_rows
    WHERE namespace = ? AND partition_name = ? AND position > ? AND position <= {SMALL_ROWS}
    UNION SELECT position FROM retrieval_documents
    WHERE namespace = ? AND partition_name = ? AND to_seq > ? AND position <= ?
    UNION SELECT position FROM retrieval_late_vectors
    WHERE namespace = ? AND partition_name = ? AND seq > ? AND position <= ?)
SELECT c.position, d.id, COALESCE(d.to_seq, {FOREVER}):columns FROM changed c
CROSS JOIN LATERAL (SELECT d.id, d.to_seq FROM retrieval_documents d
    WHERE d.namespace = ? AND d.partition_name = ? AND d.position = c.position OFFSET 0) d"""  # noqa: S608
_VECTOR = """
LEFT JOIN LATERAL (SELECT seq, vector FROM {source} e
    WHERE e.partition_name = ? AND e.position = c.position OFFSET 0) v{number} ON TRUE"""
# The binary form of a vector begins with its dimension, which takes the space of two numbers.
_VECTOR_HEADER = 2
# Products in single precision are off by less. Rows this close to the edge are compared again in double precision.
_ROUNDING = 1e-4
_MIN_CAPACITY = 256
# Four bytes each.
_MAX_NUMBERS = 32_000_000


class SmallPartition:
    """Arrays indexed by position - 1, with spare capacity and changed in place. A reader of an earlier state ignores
    what came later, because each row records its changes."""

    def __init__(self, spaces: Mapping[str, Model]) -> None:
        self._spaces = spaces
        self.seq, self.ids = 0, list[str]()
        self._ends: Int64Array = np.empty(0, dtype=np.int64)
        self._since: dict[str, Int64Array] = {space: np.empty(0, dtype=np.int64) for space in spaces}
        self._vectors: dict[str, Matrix] = {
            space: np.empty((0, model.dim), dtype=np.float32) for space, model in spaces.items()
        }

    @property
    def last(self) -> int:
        return len(self.ids)

    @property
    def numbers(self) -> int:
        return sum(matrix.size for matrix in self._vectors.values())

    def is_behind(self, state: PartitionState) -> bool:
        return self.seq < state.seq or self.last < state.last

    def build_query(self, key: PartitionKey, sources: Mapping[str, str]) -> Statement:
        since: tuple[Value, ...] = (*key, self.seq, self.last)
        columns = "".join(f", v{number}.seq, v{number}.vector" for number in range(len(sources)))
        joins = [_VECTOR.format(source=source, number=number) for number, source in enumerate(sources.values())]
        values: list[Value] = [*key, self.last, *since, *since, *key, *(key[1] for _ in sources)]
        return _CHANGED.replace(":columns", columns) + "".join(joins) + " ORDER BY c.position", values

    def take(self, rows: Sequence[Row], seq: int) -> None:
        """Take in rows that changed since the last read, sorted by position. They are complete up to the change
        `seq`."""
        positions = [as_int(row[0]) for row in rows]
        self._make_room(max([self.last, *positions[-1:]]))
        self.ids += [str(row[1]) for row in rows[bisect_right(positions, self.last) :]]
        # Answers may arrive out of order. The minimum is right, because a row ends once and gets its vectors once.
        at = np.array(positions, dtype=np.int64) - 1
        self._ends[at] = np.minimum(self._ends[at], [as_int(row[2]) for row in rows])
        for number, (space, model) in enumerate(self._spaces.items(), 1):
            embedded = [row for row in rows if row[2 * number + 1] is not None]
            at = np.array([as_int(row[0]) for row in embedded], dtype=np.int64) - 1
            numbers = np.frombuffer(b"".join([as_bytes(row[2 * number + 2]) for row in embedded]), dtype=">f2")
            self._vectors[space][at] = numbers.reshape(len(at), _VECTOR_HEADER + model.dim)[:, _VECTOR_HEADER:]
            since = [as_int(row[2 * number + 1]) for row in embedded]
            self._since[space][at] = np.minimum(self._since[space][at], since)
        self.seq = max(self.seq, seq)

    def _make_room(self, last: int) -> None:
        have = len(self._ends)
        if last <= have:
            return
        capacity = max(last, _MIN_CAPACITY, min(2 * have, SMALL_ROWS))
        self._ends = np.concatenate([self._ends, np.full(capacity - have, FOREVER)])
        for space, model in self._spaces.items():
            self._since[space] = np.concatenate([self._since[space], np.full(capacity - have, FOREVER)])
            more = np.zeros((capacity - have, model.dim), dtype=np.float32)
            self._vectors[space] = np.concatenate([self._vectors[space], more])

    def find_valid(self, state: PartitionState) -> Positions:
        return np.flatnonzero(self._ends[: min(state.last, self.last)] > state.seq) + 1

    def find_nearest(self, space: str, vector: Matrix, rows: Positions, seq: int, limit: int) -> list[int]:
        """Return the nearest of some rows, of equal ones the oldest first."""
        embedded = rows[self._since[space][rows - 1] <= seq]
        if not len(embedded):
            return []
        vectors = self._vectors[space]
        # Picking many rows takes longer than comparing all of them.
        is_majority = 2 * len(embedded) > len(vectors)
        similarity = (vectors @ vector)[embedded - 1] if is_majority else vectors[embedded - 1] @ vector
        if len(similarity) > limit:
            least = np.partition(similarity, len(similarity) - limit)[len(similarity) - limit] - _ROUNDING
            embedded = embedded[similarity >= least]
        similarity = compute_cosines(vectors[embedded - 1], vector)
        nearest: list[int] = embedded[np.lexsort((embedded, -similarity))[:limit]].tolist()
        return nearest

    def read_vectors(self, space: str, rows: Positions, seq: int) -> Matrix:
        """Return the vectors of rows; zeros for a row that had none as of a change."""
        vectors = self._vectors[space][rows - 1]
        vectors[self._since[space][rows - 1] > seq] = 0
        return vectors


class SmallPartitions:
    def __init__(self, reader: PostgresqlReader, most: int = _MAX_NUMBERS) -> None:
        self._reader = reader
        self._partitions: LruCache[tuple[object, ...], SmallPartition] = LruCache(
            max_weight=most, weigh=attrgetter("numbers")
        )

    async def read_at(
        self, key: PartitionKey, state: PartitionState, spaces: Mapping[str, Model], sources: Mapping[str, str]
    ) -> SmallPartition:
        """Return the partition with all rows of a state. `sources` maps each space to the SQL its vectors come from."""
        cache_key = key, state.rebuilt, *spaces.items()
        partition = self._partitions.get(cache_key)
        if partition is None:
            self._partitions.put(cache_key, partition := SmallPartition(spaces))
        if partition.is_behind(state):
            partition.take(await self._reader.fetch(partition.build_query(key, sources)), state.seq)
            self._partitions.put(cache_key, partition)
        return partition
