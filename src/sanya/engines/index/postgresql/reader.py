"""Reads what a search on PostgreSQL needs in as few round trips as possible: the state, valid rows, their vectors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import orjson

from sanya.engines.index.arrays import Positions
from sanya.engines.index.postgresql.caches import PopulationCache
from sanya.engines.index.postgresql.filters import build_where, format_array
from sanya.engines.index.postgresql.postings import Population
from sanya.engines.index.rows import FOREVER, PartitionKey, as_bytes, as_int
from sanya.engines.index.store import check_not_future
from sanya.kernel.storage.database import Database, Row, Statement, Value
from sanya.retrieval.documents import Filter
from sanya.retrieval.embedding import Matrix, Model
from sanya.retrieval.index import TERM_KINDS

IdReader = Callable[[Sequence[int]], Awaitable[list[str]]]

STATE_JSON = f"""json_build_array(c.seq, c.last_position, {", ".join(f"r.{kind}_total" for kind in TERM_KINDS)},
        (SELECT value FROM retrieval_counters WHERE name = 'rebuilt ' || ?::text),
        (SELECT value FROM retrieval_counters WHERE name = 'seq'),
        (SELECT json_agg(json_build_array(space, model, dim, digest))
            FROM retrieval_spaces WHERE namespace = ?))::text"""  # noqa: S608
"""SQL for a state as JSON, for `parse_state`."""
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
_TERMS_OF_ROWS = "COALESCE(sum(r.{kind}_total - COALESCE(b.{kind}_total, 0)), 0)::bigint"
_POPULATION = f"""
SELECT count(*), {", ".join(_TERMS_OF_ROWS.format(kind=kind) for kind in TERM_KINDS)},
    string_agg(r.position::text, ',' ORDER BY r.position)
FROM retrieval_rows r LEFT JOIN retrieval_rows b
ON b.namespace = r.namespace AND b.partition_name = r.partition_name AND b.position = r.position - 1
WHERE r.namespace = ? AND r.partition_name = ? AND r.position > ? AND r.position <= ? AND :where"""  # noqa: S608
_PASSING_POSITIONS = """
SELECT string_agg(int8send(r.position), '' ORDER BY r.position) FROM retrieval_rows r
WHERE r.namespace = ? AND r.partition_name = ? AND r.position > ? AND r.position <= ? AND :where"""
_PASSES = f"EXISTS (SELECT 1 FROM retrieval_rows r WHERE {_OF_ROW} AND :where)"  # noqa: S608
# The first of the best rows by words that are valid and pass the filters, and the nearest rows, which were checked. All
# of them as one row of long strings, which is faster to send and to read than many rows.
_REQUESTED_ROWS = f"""
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
# The binary form of a vector begins with its dimension, which takes the space of two numbers.
_VECTOR_HEADER = 2


@runtime_checkable
class BinaryDatabase(Protocol):
    """A database that can answer in binary form, which is half as long for vectors. It suits integers, texts and
    bytes."""

    async def fetch_binary(self, sql: str, params: Sequence[Value] = ()) -> list[Row]: ...


@dataclass(frozen=True, slots=True)
class PartitionState:
    """A state of a partition: its last change, the number of its rows, the total of their terms by kind."""

    seq: int
    last: int
    totals: Mapping[str, int]
    rebuilt: int
    """How often the index was rebuilt, up to now."""


@dataclass(frozen=True, slots=True)
class RowRequest:
    """Rows to read: of `words`, best first, the first `most` that are valid and pass the filters; and all of
    `meaning`."""

    words: Sequence[int]
    most: int
    meaning: Sequence[int]
    filters: Sequence[Filter]
    """Filters that the rows of `words` have not been tested against."""


@dataclass(frozen=True, slots=True)
class FetchedRows:
    """Valid rows: their ids, and for each space the positions and the binary vectors of those that have one."""

    ids: Mapping[int, str]
    embedded: Mapping[str, tuple[Positions, bytes]]

    def __contains__(self, position: int) -> bool:
        return position in self.ids

    def build_id_reader(self, positions: Positions) -> IdReader:
        ids = [self.ids[position] for position in positions.tolist()]

        async def read_ids(rows: Sequence[int]) -> list[str]:
            return [ids[row] for row in rows]

        return read_ids

    def build_vectors(self, positions: Positions, spaces: Mapping[str, Model]) -> dict[str, Matrix]:
        """Return for each space a matrix with a row for every position; zeros where there is no vector."""
        vectors = {space: np.zeros((len(positions), model.dim), dtype=np.float32) for space, model in spaces.items()}
        for space, (known, data) in self.embedded.items():
            if len(known) and len(positions):
                numbers = np.frombuffer(data, dtype=">f2").reshape(len(known), -1)[:, _VECTOR_HEADER:]
                places = np.searchsorted(positions[:-1], known)
                is_present = positions[places] == known
                vectors[space][places[is_present]] = numbers[is_present]
        return vectors


_NOTHING = FetchedRows({}, {})


class PostgresqlReader:
    def __init__(self, database: Database) -> None:
        self._database = database
        # Checked once: isinstance with a Protocol takes as long as reading a result.
        self._fetch = database.fetch_binary if isinstance(database, BinaryDatabase) else database.fetch
        self._populations = PopulationCache()
        self._passing = PopulationCache()

    async def fetch(self, statement: Statement) -> list[Row]:
        return await self._fetch(*statement)

    async def read_state(self, key: PartitionKey, as_of: int | None) -> tuple[PartitionState, dict[str, Model]]:
        result = await self._database.fetch(f"SELECT {STATE_JSON} {FROM_STATE}", build_state_values(key, as_of))
        return parse_state(str(result[0][0]), as_of)

    async def count(self, key: PartitionKey, as_of: int | None, filters: Sequence[Filter]) -> int:
        state, _ = await self.read_state(key, as_of)
        condition, values = _build_passing(filters)
        result = await self._database.fetch(
            _COUNT.replace(":where", condition), (*key, state.last, state.seq, state.seq, *values)
        )
        return as_int(result[0][0])

    async def read_population(
        self, key: PartitionKey, state: PartitionState, filters: tuple[Filter, ...]
    ) -> Population:
        """Return the rows that BM25 statistics are taken from: all, or those that pass the filters."""
        if not filters:
            return Population(state.last, state.totals)
        cache_key = key, state.rebuilt, filters
        until, population = self._populations.get(cache_key, state.last)
        if until < state.last:
            condition, values = build_where(filters)
            result = await self._database.fetch(
                _POPULATION.replace(":where", condition), (*key, until, state.last, *values)
            )
            count, *totals = (as_int(value) for value in result[0][:-1])
            rows = np.array(str(result[0][-1]).split(","), dtype=np.int64) if count else np.empty(0, dtype=np.int64)
            population = population.extend(count, dict(zip(TERM_KINDS, totals, strict=True)), rows)
            self._populations.put(cache_key, state.last, population)
        return population

    async def read_passing(self, key: PartitionKey, state: PartitionState, filters: tuple[Filter, ...]) -> Positions:
        """Return all rows of a small partition that pass the filters."""
        cache_key = key, state.rebuilt, filters
        until, passing = self._passing.get(cache_key, FOREVER)
        if until < state.last:
            condition, values = build_where(filters)
            result = await self.fetch(
                (_PASSING_POSITIONS.replace(":where", condition), (*key, until, state.last, *values))
            )
            rows = _decode_positions(result[0][0])
            passing = passing.extend(len(rows), {}, rows)
            self._passing.put(cache_key, state.last, passing)
        assert passing.rows is not None
        return passing.rows[: np.searchsorted(passing.rows, state.last, side="right")]

    async def read_rows(
        self, key: PartitionKey, state: PartitionState, request: RowRequest, sources: Mapping[str, str]
    ) -> FetchedRows:
        """Read rows with their vectors. `sources` maps each space to the SQL that its vectors come from."""
        if not request.words and not request.meaning:
            return _NOTHING
        parameters: list[Value] = [format_array(request.words)]
        passing, vectors, joins = "", "", ""
        if request.filters:
            condition, values = build_where(request.filters)
            passing = _PASSING.replace(":where", condition)
            parameters += [*key, *values]
        parameters += [*key, state.seq, state.seq, request.most, format_array(request.meaning), *key]
        for number, source in enumerate(sources.values()):
            vectors += _VECTORS.format(v=f"v{number}")
            joins += _OF_SPACE.format(source=source, v=f"v{number}")
            parameters += [key[1], state.seq]
        sql = _REQUESTED_ROWS.replace(":passing", passing).replace(":vectors", vectors) + joins
        positions, ids, *vector_columns = (await self.fetch((sql, parameters)))[0]
        embedded = {
            space: (_decode_positions(places), as_bytes(data or b""))
            for space, places, data in zip(sources, vector_columns[::2], vector_columns[1::2], strict=True)
        }
        return FetchedRows(
            dict(zip(_decode_positions(positions).tolist(), orjson.loads(str(ids or "[]")), strict=True)), embedded
        )


def _decode_positions(data: Value) -> Positions:
    return np.frombuffer(as_bytes(data or b""), dtype=">i8").astype(np.int64)


def build_state_values(key: PartitionKey, as_of: int | None) -> Sequence[Value]:
    return key[0], key[0], *key, FOREVER if as_of is None else as_of, *key


def parse_state(state_json: str, as_of: int | None) -> tuple[PartitionState, dict[str, Model]]:
    """Return the state as of a change, or the current one, and the models of the namespace's vector spaces."""
    *numbers, spaces = orjson.loads(state_json)
    seq, last, *totals, rebuilt, latest = (number or 0 for number in numbers)
    check_not_future(as_of, latest)
    state = PartitionState(seq if as_of is None else as_of, last, dict(zip(TERM_KINDS, totals, strict=True)), rebuilt)
    return state, {space: Model(name, dim, digest) for space, name, dim, digest in sorted(spaces or [])}


def _build_passing(filters: Sequence[Filter]) -> tuple[str, list[Value]]:
    condition, values = build_where(filters)
    return (_PASSES.replace(":where", condition) if filters else "TRUE"), values
