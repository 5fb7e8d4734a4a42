"""The first query of a search on PostgreSQL: the state, the postings, the rows that pass the filters, the nearest rows.

One statement sees one state of the database, takes one round trip, and needs no transaction around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sanya.engines.index.arrays import Positions
from sanya.engines.index.postgresql.filters import Condition, PassingRows, build_few_query, build_where
from sanya.engines.index.postgresql.reader import FROM_STATE, STATE_JSON, build_state_values
from sanya.engines.index.rows import as_bytes, as_int
from sanya.kernel.storage.database import Row, Statement, Value
from sanya.retrieval.index import Probe

# The first column of a result row says what it is. The others are a number, a text and two byte strings, or NULL.
STATE, LASTING, NEW, PASSING, NEAREST = range(5)
_WITH_STATE = f"""
WITH state AS MATERIALIZED (
    SELECT COALESCE(?::bigint, c.seq, 0) AS seq, COALESCE(c.last_position, 0) AS last,
        {STATE_JSON} AS state_json:settings
    {FROM_STATE})"""
_SELECT_STATE = f"""
SELECT {STATE}::bigint, 0::bigint, state_json, NULL::bytea, NULL::bytea FROM state"""  # noqa: S608
# Reads both tables in one statement, so that rows which move from the new to the lasting table are seen once. Only
# lasting rows are worth caching.
_POSTINGS = f"""
UNION ALL SELECT p.kind, p.first, NULL, decode(a.term, 'hex'), p.postings
FROM jsonb_to_recordset(?::jsonb) AS a(term TEXT, known BIGINT) CROSS JOIN LATERAL (
    SELECT {LASTING} AS kind, first, postings FROM retrieval_terms
    WHERE namespace = ? AND partition_name = ? AND term = decode(a.term, 'hex') AND first > a.known
    UNION ALL SELECT {NEW}, first, postings FROM retrieval_new_terms
    WHERE namespace = ? AND partition_name = ? AND term = decode(a.term, 'hex') OFFSET 0) p"""  # noqa: S608
_SELECT_PASSING = f"""
UNION ALL SELECT {PASSING}, is_few::integer, NULL, NULL,
    (SELECT string_agg(int8send(position), '' ORDER BY position) FROM few)
FROM sample WHERE NOT is_known"""  # noqa: S608
# OFFSET 0 keeps the planner from reading whole tables: it looks rows up one by one, nearest first, until enough are
# valid.
_VALID = """
CROSS JOIN LATERAL (SELECT 1 FROM retrieval_documents d
    WHERE d.namespace = ? AND d.partition_name = ? AND d.position = e.position
    AND d.from_seq <= (SELECT seq FROM state)
    AND (d.to_seq IS NULL OR d.to_seq > (SELECT seq FROM state)) OFFSET 0) valid"""
_PASSING = """
CROSS JOIN LATERAL (SELECT 1 FROM retrieval_rows r
    WHERE r.namespace = ? AND r.partition_name = ? AND r.position = e.position AND :where OFFSET 0) passing"""
_AS_OF_BOUNDS = " AND e.position <= (SELECT last FROM state) AND e.seq <= (SELECT seq FROM state)"
_MANY = " AND NOT (SELECT is_few FROM sample)"
# Few rows, or all, compared one by one. `distance + 0` keeps the planner from using the graph.
_AMONG_FEW = """
    SELECT f.position, e.distance FROM few f CROSS JOIN LATERAL (
        SELECT (:distance) + 0 AS distance FROM :table e
        WHERE e.partition_name = ? AND e.position = f.position AND e.seq <= (SELECT seq FROM state) OFFSET 0) e"""
_AMONG_ALL = """
    SELECT e.position, (:distance) + 0 AS distance FROM :table e WHERE e.partition_name = ?:bounds"""
_COMPARED = f"""
UNION ALL (SELECT {NEAREST}, e.position, NULL, NULL, NULL FROM (:rows
    ORDER BY distance, position) e :passing {_VALID}
ORDER BY e.distance, e.position LIMIT :limit)"""  # noqa: S608
# In the order of the graph. The first condition makes PostgreSQL apply the settings before it starts.
_BY_GRAPH = f"""
UNION ALL (SELECT {NEAREST}, e.position, NULL, NULL, NULL FROM :table e :passing {_VALID}
WHERE (SELECT last FROM state) > 0 AND e.partition_name = ?:bounds
ORDER BY :distance LIMIT :limit)"""  # noqa: S608
# With a filter, pgvector continues its walk until enough rows pass.
_GRAPH_SETTINGS = """,
    set_config('hnsw.ef_search', ':width', true) AS width,
    set_config('hnsw.iterative_scan', 'relaxed_order', true) AS walked_on"""
# (rows, search width). With 100,000 rows this finds 99 of the 100 nearest (benchmarks/retrieval_engines.py); more rows
# need a wider search.
_WIDTHS = ((0, 64), (200_000, 160), (500_000, 400))
_FILTERED_WIDTH = 100
_SMALL_QUERY = _WITH_STATE.replace(":settings", "") + _SELECT_STATE + _POSTINGS


@dataclass(frozen=True, slots=True)
class VectorTarget:
    """A vector space to search, and the query's vector in it."""

    table: str
    distance: str
    """An SQL expression with one parameter: the query's vector as text."""
    vector: str


@dataclass(slots=True)
class _Sql:
    """A statement under construction, with its parameters."""

    parts: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def add(self, sql: str, *values: Value) -> None:
        self.parts.append(sql)
        self.values += values


def build_small_query(probe: Probe, terms: str) -> Statement:
    """Build the query for a small partition: its state, and the postings that are not cached (`terms`, as JSON)."""
    key = probe.namespace, probe.partition
    return _SMALL_QUERY, (probe.as_of, *build_state_values(key, probe.as_of), terms, *key, *key)


def choose_graph_width(rows: int) -> int:
    return max(width for least, width in _WIDTHS if rows >= least)


def build_large_query(
    probe: Probe, terms: str, targets: Sequence[VectorTarget], width: int, passing: PassingRows
) -> Statement:
    """Build the query for a large partition.

    The graph proposes the nearest rows of today. A search as of an earlier change compares all rows instead, because
    the graph's proposals change with rows that are added later.
    """
    key, sql = (probe.namespace, probe.partition), _Sql()
    by_graph = bool(targets) and probe.as_of is None
    settings = _GRAPH_SETTINGS.replace(":width", str(max(width, _FILTERED_WIDTH) if probe.filters else width))
    sql.add(
        _WITH_STATE.replace(":settings", settings if by_graph else ""),
        probe.as_of,
        *build_state_values(key, probe.as_of),
    )
    if probe.filters:
        few, values = build_few_query(key, probe.filters, passing)
        sql.add(few, *values)
    sql.add(_SELECT_STATE)
    sql.add(_POSTINGS, terms, *key, *key)
    if probe.filters:
        sql.add(_SELECT_PASSING)
    for target in targets:
        if probe.filters:
            _compare_few(sql, probe, target)
        (_ask_graph if by_graph else _compare_all)(sql, probe, target)
    return "".join(sql.parts), sql.values


def _compare_few(sql: _Sql, probe: Probe, target: VectorTarget) -> None:
    key = probe.namespace, probe.partition
    query = _COMPARED.replace(":rows", _AMONG_FEW).replace(":passing", "")
    sql.add(_fill_space(query, probe, target), target.vector, key[1], *key)


def _compare_all(sql: _Sql, probe: Probe, target: VectorTarget) -> None:
    key, (passing, values) = (probe.namespace, probe.partition), _build_passing(probe)
    bounds = _AS_OF_BOUNDS + (_MANY if probe.filters else "")
    query = _COMPARED.replace(":rows", _AMONG_ALL).replace(":passing", passing).replace(":bounds", bounds)
    sql.add(_fill_space(query, probe, target), target.vector, key[1], *values, *key)


def _ask_graph(sql: _Sql, probe: Probe, target: VectorTarget) -> None:
    key, (passing, values) = (probe.namespace, probe.partition), _build_passing(probe)
    query = _BY_GRAPH.replace(":passing", passing).replace(":bounds", _MANY if probe.filters else "")
    sql.add(_fill_space(query, probe, target), *values, *key, key[1], target.vector)


def _build_passing(probe: Probe) -> Condition:
    if not probe.filters:
        return "", []
    condition, values = build_where(probe.filters)
    return _PASSING.replace(":where", condition), [probe.namespace, probe.partition, *values]


def _fill_space(sql: str, probe: Probe, target: VectorTarget) -> str:
    limit = str(probe.vector_pool)
    return sql.replace(":distance", target.distance).replace(":table", target.table).replace(":limit", limit)


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    state_json: str
    """The state, for `parse_state`."""
    postings: Sequence[Row]
    near: Sequence[int]
    """The nearest rows of all spaces."""
    has_passing: bool
    few: Positions | None
    """The rows that pass the filters, if they are few."""


def read_answer(rows: Sequence[Row]) -> QueryAnswer:
    state, has_passing, few, postings, near = "", False, None, [], []
    for row in rows:
        kind, number, text, _, data = row
        if kind == NEAREST:
            near.append(as_int(number))
        elif kind == STATE:
            state = str(text)
        elif kind == PASSING:
            has_passing, few = (
                True,
                np.frombuffer(as_bytes(data or b""), dtype=">i8").astype(np.int64) if number else None,
            )
        else:
            postings.append(row)
    return QueryAnswer(state, postings, near, has_passing, few)
