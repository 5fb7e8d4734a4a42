"""Shelves of few rows on PostgreSQL, held here as they were read: ids, ends and vectors. To compare so few one by one
takes less time than to ask for them.

What is known stays true: rows are only added, and each tells from which change to which it counts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from sanya.engines.index.postgresql.postings import Positions
from sanya.engines.index.postgresql.reader import Moment, PostgresqlReading
from sanya.engines.index.rows import FOREVER, Shelf, raw, whole
from sanya.kernel.database import Row, Statement, Value
from sanya.kernel.lru import LruCache
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.fusion import similarities

SMALL_ROWS = 10_000
"""Up to so many rows are compared one by one."""

# What was derived since, what ended since, and what got its vectors since.
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
# The binary form of a vector begins with how many numbers it has, which takes the room of two.
_HEAD = 2
# Sums of short numbers are off by less; what may be among the nearest is added up in long ones.
_DOUBT = 1e-4
_LEAST_ROOM = 256
# Four bytes each.
_MOST_NUMBERS = 32_000_000

Numbers = NDArray[np.int64]


class SmallShelf:
    """Rows by their position less one. Arrays have room for more, and are changed in place: to whoever reads an earlier
    state nothing that comes later counts."""

    def __init__(self, spaces: Mapping[str, Model]) -> None:
        self._spaces = spaces
        self.seq, self.ids = 0, list[str]()
        self._ends: Numbers = np.empty(0, dtype=np.int64)
        self._since: dict[str, Numbers] = {space: np.empty(0, dtype=np.int64) for space in spaces}
        self._vectors: dict[str, Matrix] = {
            space: np.empty((0, model.dim), dtype=np.float32) for space, model in spaces.items()
        }

    @property
    def last(self) -> int:
        return len(self.ids)

    @property
    def numbers(self) -> int:
        return sum(one.size for one in self._vectors.values())

    def lacks(self, moment: Moment) -> bool:
        return self.seq < moment.seq or self.last < moment.last

    def question(self, shelf: Shelf, sources: Mapping[str, str]) -> Statement:
        since: tuple[Value, ...] = (*shelf, self.seq, self.last)
        columns = "".join(f", v{number}.seq, v{number}.vector" for number in range(len(sources)))
        joins = [_VECTOR.format(source=source, number=number) for number, source in enumerate(sources.values())]
        values: list[Value] = [*shelf, self.last, *since, *since, *shelf, *(shelf[1] for _ in sources)]
        return _CHANGED.replace(":columns", columns) + "".join(joins) + " ORDER BY c.position", values

    def take(self, rows: Sequence[Row], seq: int) -> None:
        """What came since, up to a change at least: rows in the order of their positions."""
        positions = [whole(row[0]) for row in rows]
        self._make_room(max([self.last, *positions[-1:]]))
        self.ids += [str(row[1]) for row in rows[bisect_right(positions, self.last) :]]
        # Whoever asked sooner may be answered later: a row ends once, and gets its vectors once.
        at = np.array(positions, dtype=np.int64) - 1
        self._ends[at] = np.minimum(self._ends[at], [whole(row[2]) for row in rows])
        for number, (space, model) in enumerate(self._spaces.items(), 1):
            embedded = [row for row in rows if row[2 * number + 1] is not None]
            at = np.array([whole(row[0]) for row in embedded], dtype=np.int64) - 1
            together = np.frombuffer(b"".join([raw(row[2 * number + 2]) for row in embedded]), dtype=">f2")
            self._vectors[space][at] = together.reshape(len(at), _HEAD + model.dim)[:, _HEAD:]
            since = [whole(row[2 * number + 1]) for row in embedded]
            self._since[space][at] = np.minimum(self._since[space][at], since)
        self.seq = max(self.seq, seq)

    def _make_room(self, last: int) -> None:
        have = len(self._ends)
        if last <= have:
            return
        room = max(last, _LEAST_ROOM, min(2 * have, SMALL_ROWS))
        self._ends = np.concatenate([self._ends, np.full(room - have, FOREVER)])
        for space, model in self._spaces.items():
            self._since[space] = np.concatenate([self._since[space], np.full(room - have, FOREVER)])
            more = np.zeros((room - have, model.dim), dtype=np.float32)
            self._vectors[space] = np.concatenate([self._vectors[space], more])

    def valid(self, moment: Moment) -> Positions:
        return np.flatnonzero(self._ends[: min(moment.last, self.last)] > moment.seq) + 1

    def nearest(self, space: str, vector: Matrix, rows: Positions, seq: int, limit: int) -> list[int]:
        """Of some rows those whose vectors are most alike, the oldest of equals first."""
        embedded = rows[self._since[space][rows - 1] <= seq]
        if not len(embedded):
            return []
        vectors = self._vectors[space]
        # To pick many rows takes longer than to compare some for nothing.
        are_many = 2 * len(embedded) > len(vectors)
        alike = (vectors @ vector)[embedded - 1] if are_many else vectors[embedded - 1] @ vector
        if len(alike) > limit:
            least = np.partition(alike, len(alike) - limit)[len(alike) - limit] - _DOUBT
            embedded = embedded[alike >= least]
        alike = similarities(vectors[embedded - 1], vector)
        nearest: list[int] = embedded[np.lexsort((embedded, -alike))[:limit]].tolist()
        return nearest

    def vectors(self, space: str, rows: Positions, seq: int) -> Matrix:
        """Of some rows, zeros for one that had none at a change."""
        vectors = self._vectors[space][rows - 1]
        vectors[self._since[space][rows - 1] > seq] = 0
        return vectors


class SmallShelves:
    def __init__(self, reading: PostgresqlReading, most: int = _MOST_NUMBERS) -> None:
        self._reading = reading
        self._known: LruCache[tuple[object, ...], SmallShelf] = LruCache(max_weight=most, weigh=attrgetter("numbers"))

    async def at(
        self, shelf: Shelf, moment: Moment, spaces: Mapping[str, Model], sources: Mapping[str, str]
    ) -> SmallShelf:
        """With all rows of a moment. `sources` tell where the vectors of each space are."""
        place = shelf, moment.rebuilt, *spaces.items()
        known = self._known.get(place)
        if known is None:
            self._known.put(place, known := SmallShelf(spaces))
        if known.lacks(moment):
            known.take(await self._reading.fetch(known.question(shelf, sources)), moment.seq)
            self._known.put(place, known)
        return known
