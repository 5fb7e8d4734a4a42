"""What a search on PostgreSQL asks the store for, in as few trips as can be: the state, which rows are valid, rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import orjson

from sanya.engines.index.postgresql.caches import KnownPopulations
from sanya.engines.index.postgresql.filters import listed, where
from sanya.engines.index.postgresql.postings import Population, Positions
from sanya.engines.index.rows import FOREVER, Shelf, raw, whole
from sanya.engines.index.store import check_reached
from sanya.kernel.database import Database, Row, Statement, Value
from sanya.retrieval.documents import Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import WAYS

Names = Callable[[Sequence[int]], Awaitable[list[str]]]

TOLD = f"""json_build_array(c.seq, c.last_position, {", ".join(f"r.{way}_total" for way in WAYS)},
        (SELECT value FROM retrieval_counters WHERE name = 'rebuilt ' || ?::text),
        (SELECT value FROM retrieval_counters WHERE name = 'seq'),
        (SELECT json_agg(json_build_array(space, model, dim, digest))
            FROM retrieval_spaces WHERE namespace = ?))::text"""  # noqa: S608
"""A state as a text that `PostgresqlReading` reads."""
FROM_STATE = """FROM (SELECT 1) one
    LEFT JOIN LATERAL (
        SELECT seq, last_position FROM retrieval_commits
        WHERE namespace = ? AND partition_name = ? AND seq <= ? ORDER BY seq DESC LIMIT 1) c ON TRUE
    LEFT JOIN retrieval_rows r ON r.namespace = ? AND r.partition_name = ? AND r.position = c.last_position"""
_VALID = "d.from_seq <= ? AND (d.to_seq IS NULL OR d.to_seq > ?)"
_OF_ROW = "r.namespace = d.namespace AND r.partition_name = d.partition_name AND r.position = d.position"
_COUNT = f"""
SELECT count(*) FROM retrieval_documents d
WHERE d.namespace = ? AND d.partition_name = ? AND d.position <= ? AND {_VALID} AND :where"""  # noqa: S608
_OWN = f"""
SELECT count(*), {", ".join(f"COALESCE(sum(r.{way}_total - COALESCE(b.{way}_total, 0)), 0)::bigint" for way in WAYS)},
    string_agg(r.position::text, ',' ORDER BY r.position)
FROM retrieval_rows r LEFT JOIN retrieval_rows b
ON b.namespace = r.namespace AND b.partition_name = r.partition_name AND b.position = r.position - 1
WHERE r.namespace = ? AND r.partition_name = ? AND r.position > ? AND r.position <= ? AND :where"""  # noqa: S608
_LISTED = """
SELECT string_agg(int8send(r.position), '' ORDER BY r.position) FROM retrieval_rows r
WHERE r.namespace = ? AND r.partition_name = ? AND r.position > ? AND r.position <= ? AND :where"""
_PASSES = f"EXISTS (SELECT 1 FROM retrieval_rows r WHERE {_OF_ROW} AND :where)"  # noqa: S608
# Of the best by words the first that are valid and pass, and the nearest, which are and do. All of them in one row of
# long strings: that is sooner sent, and sooner read, than many short ones.
_WANTED = f"""
WITH wanted AS MATERIALIZED (
    (SELECT p.position, d.id FROM unnest(?::text::bigint[]) WITH ORDINALITY p(position, rank) :passing
    CROSS JOIN LATERAL (SELECT d.id FROM retrieval_documents d
        WHERE d.namespace = ? AND d.partition_name = ? AND d.position = p.position AND {_VALID} OFFSET 0) d
    ORDER BY p.rank LIMIT ?)
    UNION SELECT p.position, d.id FROM unnest(?::text::bigint[]) p(position)
    CROSS JOIN LATERAL (SELECT d.id FROM retrieval_documents d
        WHERE d.namespace = ? AND d.partition_name = ? AND d.position = p.position OFFSET 0) d)
SELECT string_agg(int8send(w.position), ''), json_agg(w.id)::text:vectors
FROM wanted w"""  # noqa: S608
_PASSING = """
    CROSS JOIN LATERAL (SELECT 1 FROM retrieval_rows r
        WHERE r.namespace = ? AND r.partition_name = ? AND r.position = p.position AND :where OFFSET 0) passing"""
_VECTORS = ", string_agg(int8send(w.position), '') FILTER (WHERE {v}.vector IS NOT NULL), string_agg({v}.vector, '')"
_OF_SPACE = """
LEFT JOIN LATERAL (SELECT vector FROM {source} e
    WHERE e.partition_name = ? AND e.position = w.position AND e.seq <= ? OFFSET 0) {v} ON TRUE"""
# The binary form of a vector begins with how many numbers it has, which takes the room of two.
_HEAD = 2


@runtime_checkable
class Binary(Protocol):
    """A database that answers in the binary form, which is half as long where there are vectors. It is for whole
    numbers, texts and bytes."""

    async def fetch_binary(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of a shelf: the change that it is after, the number of its rows, the length of them all in each way."""

    seq: int
    last: int
    totals: Mapping[str, int]
    rebuilt: int
    """How often the derived part was made anew; by now, not then."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Rows that are asked for: the first `most` that are in the state and pass, of those that words brought, the best
    first; and those that meaning brought."""

    words: Sequence[int]
    most: int
    meaning: Sequence[int]
    filters: Sequence[Filter]
    """What is still to be asked of the words' rows."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Valid rows: ids, and for each space the positions and the vectors of those that have one."""

    ids: Mapping[int, str]
    embedded: Mapping[str, tuple[Positions, bytes]]

    def __contains__(self, position: int) -> bool:
        return position in self.ids

    def names(self, positions: Positions) -> Names:
        named = [self.ids[position] for position in positions.tolist()]

        async def name(rows: Sequence[int]) -> list[str]:
            return [named[row] for row in rows]

        return name

    def vectors(self, positions: Positions, spaces: Mapping[str, Model]) -> dict[str, Matrix]:
        """In each space a row for every position, of which the oldest is first; zeros for one that had none."""
        vectors = {space: np.zeros((len(positions), model.dim), dtype=np.float32) for space, model in spaces.items()}
        for space, (known, found) in self.embedded.items():
            if len(known) and len(positions):
                numbers = np.frombuffer(found, dtype=">f2").reshape(len(known), -1)[:, _HEAD:]
                at = np.searchsorted(positions[:-1], known)
                is_wanted = positions[at] == known
                vectors[space][at[is_wanted]] = numbers[is_wanted]
        return vectors


_NOTHING = Rows({}, {})


class PostgresqlReading:
    def __init__(self, database: Database) -> None:
        self._database = database
        # Whether it can is found out once: to look takes as long as to read a result.
        self._fetch = database.fetch_binary if isinstance(database, Binary) else database.fetch
        self._populations = KnownPopulations()
        self._passing = KnownPopulations()

    async def fetch(self, statement: Statement) -> list[Row]:
        return await self._fetch(*statement)

    async def state(self, shelf: Shelf, as_of: int | None) -> tuple[Moment, dict[str, Model]]:
        found = await self._database.fetch(f"SELECT {TOLD} {FROM_STATE}", state_values(shelf, as_of))
        return read_state(str(found[0][0]), as_of)

    async def count(self, shelf: Shelf, as_of: int | None, filters: Sequence[Filter]) -> int:
        moment, _ = await self.state(shelf, as_of)
        condition, values = _passing(filters)
        found = await self._database.fetch(
            _COUNT.replace(":where", condition), (*shelf, moment.last, moment.seq, moment.seq, *values)
        )
        return whole(found[0][0])

    async def population(self, shelf: Shelf, moment: Moment, among: tuple[Filter, ...]) -> Population:
        """The rows whose words make the statistics: all of them, or those that the filters let through."""
        if not among:
            return Population(moment.last, moment.totals)
        place = shelf, moment.rebuilt, among
        until, population = self._populations.get(place, moment.last)
        if until < moment.last:
            condition, values = where(among)
            found = await self._database.fetch(_OWN.replace(":where", condition), (*shelf, until, moment.last, *values))
            count, *totals = (whole(value) for value in found[0][:-1])
            rows = np.array(str(found[0][-1]).split(","), dtype=np.int64) if count else np.empty(0, dtype=np.int64)
            population = population.grown(count, dict(zip(WAYS, totals, strict=True)), rows)
            self._populations.keep(place, moment.last, population)
        return population

    async def passing(self, shelf: Shelf, moment: Moment, filters: tuple[Filter, ...]) -> Positions:
        """All rows that the filters let through; a list for a small shelf."""
        place = shelf, moment.rebuilt, filters
        until, known = self._passing.get(place, FOREVER)
        if until < moment.last:
            condition, values = where(filters)
            found = await self.fetch((_LISTED.replace(":where", condition), (*shelf, until, moment.last, *values)))
            rows = _positions(found[0][0])
            known = known.grown(len(rows), {}, rows)
            self._passing.keep(place, moment.last, known)
        assert known.rows is not None
        return known.rows[: np.searchsorted(known.rows, moment.last, side="right")]

    async def rows(self, shelf: Shelf, moment: Moment, wanted: Wanted, sources: Mapping[str, str]) -> Rows:
        """With the vectors of some spaces, of which is told where they are."""
        if not wanted.words and not wanted.meaning:
            return _NOTHING
        parameters: list[Value] = [listed(wanted.words)]
        passing, vectors, joins = "", "", ""
        if wanted.filters:
            condition, values = where(wanted.filters)
            passing = _PASSING.replace(":where", condition)
            parameters += [*shelf, *values]
        parameters += [*shelf, moment.seq, moment.seq, wanted.most, listed(wanted.meaning), *shelf]
        for number, source in enumerate(sources.values()):
            vectors += _VECTORS.format(v=f"v{number}")
            joins += _OF_SPACE.format(source=source, v=f"v{number}")
            parameters += [shelf[1], moment.seq]
        sql = _WANTED.replace(":passing", passing).replace(":vectors", vectors) + joins
        positions, ids, *found = (await self.fetch((sql, parameters)))[0]
        embedded = {
            space: (_positions(places), raw(some or b""))
            for space, places, some in zip(sources, found[::2], found[1::2], strict=True)
        }
        return Rows(dict(zip(_positions(positions).tolist(), orjson.loads(str(ids or "[]")), strict=True)), embedded)


def _positions(sent: Value) -> Positions:
    return np.frombuffer(raw(sent or b""), dtype=">i8").astype(np.int64)


def state_values(shelf: Shelf, as_of: int | None) -> Sequence[Value]:
    return shelf[0], shelf[0], *shelf, FOREVER if as_of is None else as_of, *shelf


def read_state(told: str, as_of: int | None) -> tuple[Moment, dict[str, Model]]:
    """The state at a change, or now, and the models of the namespace's vector spaces."""
    *numbers, spaces = orjson.loads(told)
    seq, last, *totals, rebuilt, latest = (number or 0 for number in numbers)
    check_reached(as_of, latest)
    moment = Moment(seq if as_of is None else as_of, last, dict(zip(WAYS, totals, strict=True)), rebuilt)
    return moment, {space: Model(name, dim, digest) for space, name, dim, digest in sorted(spaces or [])}


def _passing(filters: Sequence[Filter]) -> tuple[str, list[Value]]:
    condition, values = where(filters)
    return (_PASSES.replace(":where", condition) if filters else "TRUE"), values
