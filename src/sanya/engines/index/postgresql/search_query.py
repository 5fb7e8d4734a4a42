"""The statement that a search on PostgreSQL begins with: the state, postings, which rows pass the filters, the nearest.

One statement sees one state of the database, is answered in one trip, and needs no transaction around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sanya.engines.index.postgresql.filters import Condition, Passing, asking_few, where
from sanya.engines.index.postgresql.postings import Positions
from sanya.engines.index.postgresql.reader import FROM_STATE, TOLD, state_values
from sanya.engines.index.rows import raw, whole
from sanya.kernel.database import Row, Statement, Value
from sanya.retrieval.index import Probe

# What a row of the answer is, by its first number. Each has a number, a text and two strings of bytes, or some of them.
STATE, LASTING, NEW, PASSING, NEAREST = range(5)
_MOMENT = f"""
WITH moment AS MATERIALIZED (
    SELECT COALESCE(?::bigint, c.seq, 0) AS seq, COALESCE(c.last_position, 0) AS last, {TOLD} AS told:settings
    {FROM_STATE})"""
_TELL = f"""
SELECT {STATE}::bigint, 0::bigint, told, NULL::bytea, NULL::bytea FROM moment"""  # noqa: S608
# Both tables in one statement, so that what is gathered meanwhile is seen once. What is new will be gathered: only the
# rest is worth remembering.
_POSTINGS = f"""
UNION ALL SELECT p.kind, p.first, NULL, decode(a.term, 'hex'), p.postings
FROM jsonb_to_recordset(?::jsonb) AS a(term TEXT, known BIGINT) CROSS JOIN LATERAL (
    SELECT {LASTING} AS kind, first, postings FROM retrieval_terms
    WHERE namespace = ? AND partition_name = ? AND term = decode(a.term, 'hex') AND first > a.known
    UNION ALL SELECT {NEW}, first, postings FROM retrieval_new_terms
    WHERE namespace = ? AND partition_name = ? AND term = decode(a.term, 'hex') OFFSET 0) p"""  # noqa: S608
_TELL_PASSING = f"""
UNION ALL SELECT {PASSING}, is_few::integer, NULL, NULL,
    (SELECT string_agg(int8send(position), '' ORDER BY position) FROM few)
FROM sample WHERE NOT is_known"""  # noqa: S608
# The offsets keep the planner from reading whole tables: rows are looked up one by one, in the order of distance, until
# enough are valid.
_VALID = """
CROSS JOIN LATERAL (SELECT 1 FROM retrieval_documents d
    WHERE d.namespace = ? AND d.partition_name = ? AND d.position = e.position
    AND d.from_seq <= (SELECT seq FROM moment)
    AND (d.to_seq IS NULL OR d.to_seq > (SELECT seq FROM moment)) OFFSET 0) valid"""
_PASSING = """
CROSS JOIN LATERAL (SELECT 1 FROM retrieval_rows r
    WHERE r.namespace = ? AND r.partition_name = ? AND r.position = e.position AND :where OFFSET 0) passing"""
_THEN = " AND e.position <= (SELECT last FROM moment) AND e.seq <= (SELECT seq FROM moment)"
_MANY = " AND NOT (SELECT is_few FROM sample)"
# Those of few rows, and all, compared one by one. A sum is no distance to the planner, so it leaves the graph alone.
_AMONG_FEW = """
    SELECT f.position, e.distance FROM few f CROSS JOIN LATERAL (
        SELECT (:distance) + 0 AS distance FROM :table e
        WHERE e.partition_name = ? AND e.position = f.position AND e.seq <= (SELECT seq FROM moment) OFFSET 0) e"""
_AMONG_ALL = """
    SELECT e.position, (:distance) + 0 AS distance FROM :table e WHERE e.partition_name = ?:bounds"""
_COMPARED = f"""
UNION ALL (SELECT {NEAREST}, e.position, NULL, NULL, NULL FROM (:rows
    ORDER BY distance, position) e :passing {_VALID}
ORDER BY e.distance, e.position LIMIT :limit)"""  # noqa: S608
# As the graph gives them. The first condition makes sure that what is set for it is set before.
_BY_GRAPH = f"""
UNION ALL (SELECT {NEAREST}, e.position, NULL, NULL, NULL FROM :table e :passing {_VALID}
WHERE (SELECT last FROM moment) > 0 AND e.partition_name = ?:bounds
ORDER BY :distance LIMIT :limit)"""  # noqa: S608
# With a filter the graph is walked on until enough rows pass.
_SET = """,
    set_config('hnsw.ef_search', ':width', true) AS width,
    set_config('hnsw.iterative_scan', 'relaxed_order', true) AS walked_on"""
# How widely the graph of so many rows is searched. Of 100,000, that finds 99 of 100 (benchmarks/retrieval_engines.py);
# larger ones need more.
_WIDTHS = ((0, 64), (200_000, 160), (500_000, 400))
_FILTERED_WIDTH = 100
_QUESTION = _MOMENT.replace(":settings", "") + _TELL + _POSTINGS


@dataclass(frozen=True, slots=True)
class Near:
    """A space in which the nearest are wanted."""

    table: str
    distance: str
    """As SQL, with one value: the query's vector as text."""
    vector: str


@dataclass(slots=True)
class _Sql:
    """A statement that grows, with the values of what was added."""

    parts: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def add(self, sql: str, *values: Value) -> None:
        self.parts.append(sql)
        self.values += values


def question(probe: Probe, wanted: str) -> Statement:
    """For the state and what is not known of terms, `wanted` as JSON: all that a small shelf needs."""
    shelf = probe.namespace, probe.partition
    return _QUESTION, (probe.as_of, *state_values(shelf, probe.as_of), wanted, *shelf, *shelf)


def graph_width(rows: int) -> int:
    return max(width for least, width in _WIDTHS if rows >= least)


def large_question(probe: Probe, wanted: str, near: Sequence[Near], width: int, known: Passing) -> Statement:
    """The graph, searched so widely, proposes the nearest now. Those of an earlier moment are all compared, because the
    graph's proposals change with what is added later."""
    shelf, sql = (probe.namespace, probe.partition), _Sql()
    by_graph = bool(near) and probe.as_of is None
    settings = _SET.replace(":width", str(max(width, _FILTERED_WIDTH) if probe.filters else width))
    sql.add(_MOMENT.replace(":settings", settings if by_graph else ""), probe.as_of, *state_values(shelf, probe.as_of))
    if probe.filters:
        few, values = asking_few(shelf, probe.filters, known)
        sql.add(few, *values)
    sql.add(_TELL)
    sql.add(_POSTINGS, wanted, *shelf, *shelf)
    if probe.filters:
        sql.add(_TELL_PASSING)
    for one in near:
        if probe.filters:
            _compare_few(sql, probe, one)
        (_ask_graph if by_graph else _compare_all)(sql, probe, one)
    return "".join(sql.parts), sql.values


def _compare_few(sql: _Sql, probe: Probe, near: Near) -> None:
    shelf = probe.namespace, probe.partition
    asked = _COMPARED.replace(":rows", _AMONG_FEW).replace(":passing", "")
    sql.add(_of_space(asked, probe, near), near.vector, shelf[1], *shelf)


def _compare_all(sql: _Sql, probe: Probe, near: Near) -> None:
    shelf, (passing, values) = (probe.namespace, probe.partition), _passing(probe)
    bounds = _THEN + (_MANY if probe.filters else "")
    asked = _COMPARED.replace(":rows", _AMONG_ALL).replace(":passing", passing).replace(":bounds", bounds)
    sql.add(_of_space(asked, probe, near), near.vector, shelf[1], *values, *shelf)


def _ask_graph(sql: _Sql, probe: Probe, near: Near) -> None:
    shelf, (passing, values) = (probe.namespace, probe.partition), _passing(probe)
    asked = _BY_GRAPH.replace(":passing", passing).replace(":bounds", _MANY if probe.filters else "")
    sql.add(_of_space(asked, probe, near), *values, *shelf, shelf[1], near.vector)


def _passing(probe: Probe) -> Condition:
    if not probe.filters:
        return "", []
    condition, values = where(probe.filters)
    return _PASSING.replace(":where", condition), [probe.namespace, probe.partition, *values]


def _of_space(sql: str, probe: Probe, near: Near) -> str:
    limit = str(probe.meaning_pool)
    return sql.replace(":distance", near.distance).replace(":table", near.table).replace(":limit", limit)


@dataclass(frozen=True, slots=True)
class Answer:
    told: str
    """The state, which `read_state` reads."""
    postings: Sequence[Row]
    near: Sequence[int]
    """The nearest of all spaces."""
    is_passing_told: bool
    few: Positions | None
    """The rows that the filters let through, where these are few."""


def read_answer(rows: Sequence[Row]) -> Answer:
    told, passing, few, postings, near = "", False, None, [], []
    for row in rows:
        kind, number, text, _, data = row
        if kind == NEAREST:
            near.append(whole(number))
        elif kind == STATE:
            told = str(text)
        elif kind == PASSING:
            passing, few = True, np.frombuffer(raw(data or b""), dtype=">i8").astype(np.int64) if number else None
        else:
            postings.append(row)
    return Answer(told, postings, near, passing, few)
