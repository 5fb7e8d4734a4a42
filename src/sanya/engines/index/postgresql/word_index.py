"""The word index on PostgreSQL. PostgreSQL's own text ranking is slow and not BM25, so postings are stored in tables
and scored here.

Each row also stores the running totals of terms up to it. The totals at the last row of a state are its statistics, so
a search as of an earlier change scores with the statistics of that time at no extra cost.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sanya.engines.index.postgresql.caches import PostingsCache
from sanya.engines.index.postgresql.postings import (
    STRETCH_BITS,
    Bm25Ranking,
    PackedPostings,
    Population,
    Postings,
    QueryTerm,
    ReadRow,
    hash_term,
    pack_postings,
)
from sanya.engines.index.postgresql.reader import PartitionState
from sanya.engines.index.postgresql.search_query import LASTING, NEW
from sanya.engines.index.rows import PartitionKey, Version, as_bytes, as_int
from sanya.kernel.storage.database import Row, Transaction, Value
from sanya.retrieval.index import TERM_KINDS, TermAnalyzer, WeightedTerms

_TOTALS = ", ".join(f"{kind}_total" for kind in TERM_KINDS)
# Postings of small changes gather in a table of their own until they are worth a byte string of their own.
_POSTINGS = """
CREATE TABLE IF NOT EXISTS {table} (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, term BYTEA NOT NULL, first BIGINT NOT NULL,
    postings BYTEA STORAGE EXTERNAL NOT NULL, PRIMARY KEY (namespace, partition_name, term, first))"""
_TABLES = (
    _POSTINGS.format(table="retrieval_terms"),
    _POSTINGS.format(table="retrieval_new_terms"),
    f"""
CREATE TABLE IF NOT EXISTS retrieval_rows (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, position BIGINT NOT NULL,
    {", ".join(f"{kind}_total BIGINT NOT NULL" for kind in TERM_KINDS)}, fields JSONB NOT NULL,
    PRIMARY KEY (namespace, partition_name, position))""",
    """
CREATE INDEX IF NOT EXISTS retrieval_rows_by_field ON retrieval_rows
USING gin (fields jsonb_path_ops) WITH (fastupdate = off)""",
)
# Tables of former versions. What they held is derived again.
_FORMER_TABLES = """
SELECT tablename FROM pg_tables
WHERE schemaname = current_schema() AND tablename ~ '^retrieval_(postings|derived|space_[0-9a-f]{16})$'"""
_GATHER_EVERY_ROWS = 1024
# All postings as one byte string that the server splits: a parameter for each takes far longer.
_ADD_POSTINGS = """
INSERT INTO :table (namespace, partition_name, term, first, postings)
SELECT ?, ?, decode(term, 'hex'), first, substring(?::bytea FROM begin FOR size)
FROM jsonb_to_recordset(?::jsonb) AS row(term TEXT, first BIGINT, begin INTEGER, size INTEGER)"""
_GATHER = f"""
WITH gathered AS (
    DELETE FROM retrieval_new_terms WHERE namespace = ? AND partition_name = ? RETURNING *)
INSERT INTO retrieval_terms (namespace, partition_name, term, first, postings)
SELECT namespace, partition_name, term, min(first), string_agg(postings, '' ORDER BY first)
FROM gathered GROUP BY namespace, partition_name, term, first >> {STRETCH_BITS}"""  # noqa: S608
_ADD_ROWS = f"""
INSERT INTO retrieval_rows (namespace, partition_name, position, {_TOTALS}, fields)
SELECT d.namespace, d.partition_name, d.position, {_TOTALS}, d.fields::jsonb
FROM jsonb_to_recordset(?::jsonb) AS row(position BIGINT, {", ".join(f"{kind}_total BIGINT" for kind in TERM_KINDS)})
JOIN retrieval_documents d ON d.namespace = ? AND d.partition_name = ? AND d.position = row.position"""  # noqa: S608
_LAST_ROW = f"""
SELECT position, {_TOTALS} FROM retrieval_rows
WHERE namespace = ? AND partition_name = ? ORDER BY position DESC LIMIT 1"""  # noqa: S608
_REBUILT = """
INSERT INTO retrieval_counters (name, value) VALUES (?, 1)
ON CONFLICT (name) DO UPDATE SET value = retrieval_counters.value + 1"""
# Fewer postings are scored sooner than a hop to a thread takes.
_IN_PLACE_POSTINGS = 50_000


@dataclass(frozen=True, slots=True)
class TermQuery:
    """The terms of a query, with the postings cached for a generation of the partition."""

    partition: PartitionKey
    generation: int
    terms: Sequence[tuple[bytes, str, float]]
    cached: Mapping[bytes, Postings]

    @property
    def request_json(self) -> str:
        """The terms as JSON, each with the position up to which its postings are cached."""
        return json.dumps([{"term": key.hex(), "known": postings.until} for key, postings in self.cached.items()])

    def is_current(self, state: PartitionState) -> bool:
        """Return whether the cached postings belong to the state's generation, or there are none."""
        return self.generation == state.rebuilt or not any(map(len, self.cached.values()))


class PostgresqlWordIndex:
    def __init__(self, read: TermAnalyzer) -> None:
        self._read = read
        self._known = PostingsCache()
        self._generations: dict[PartitionKey, int] = {}

    async def prepare(self, transaction: Transaction) -> None:
        for former in [str(name) for (name,) in await transaction.fetch(_FORMER_TABLES)]:
            await transaction.execute(f"DROP TABLE IF EXISTS {former}")
        for table in _TABLES:
            await transaction.execute(table)

    async def read_last_row(self, transaction: Transaction, partition: PartitionKey) -> tuple[int, dict[str, int]]:
        """Return the last row that is indexed, and the totals up to it."""
        rows = await transaction.fetch(_LAST_ROW, partition)
        position, *totals = map(as_int, rows[0]) if rows else (0, *(0 for _ in TERM_KINDS))
        return position, dict(zip(TERM_KINDS, totals, strict=True))

    async def add(
        self, transaction: Transaction, partition: PartitionKey, versions: Sequence[Version], totals: dict[str, int]
    ) -> None:
        """Add the rows after the last one, whose `totals` are given."""
        rows = await asyncio.to_thread(
            lambda: [(version.position, self._read(version.texts, partition[1])) for version in versions]
        )
        await transaction.execute(_ADD_ROWS, (json.dumps(_accumulate_totals(rows, totals)), *partition))
        table = "retrieval_terms" if len(rows) >= _GATHER_EVERY_ROWS else "retrieval_new_terms"
        await _add_postings(transaction, table, partition, await asyncio.to_thread(pack_postings, rows))
        if (rows[0][0] - 1) // _GATHER_EVERY_ROWS < rows[-1][0] // _GATHER_EVERY_ROWS:
            await transaction.execute(_GATHER, partition)

    async def delete(self, transaction: Transaction, namespace: str) -> None:
        await transaction.execute(_REBUILT, (f"rebuilt {namespace}",))
        for table in ("retrieval_terms", "retrieval_new_terms", "retrieval_rows"):
            await transaction.execute("DELETE FROM :table WHERE namespace = ?".replace(":table", table), (namespace,))

    def start_query(self, partition: PartitionKey, terms: WeightedTerms, generation: int | None = None) -> TermQuery:
        """Start a query for terms with what is cached for the generation, by default the one seen last."""
        if generation is None:
            generation = self._generations.get(partition, 0)
        hashed = [
            (hash_term(kind, term), kind, weight) for kind, weights in terms.items() for term, weight in weights.items()
        ]
        cached = {key: self._known.get((partition, generation, key)) for key, _, _ in hashed}
        return TermQuery(partition, generation, hashed, cached)

    async def rank(
        self, query: TermQuery, rows: Sequence[Row], state: PartitionState, population: Population
    ) -> Bm25Ranking:
        """Score the rows of the population up to the last row of the state. `rows` are the postings that were not
        cached."""
        self._generations[query.partition] = state.rebuilt

        def score_rows() -> Bm25Ranking:
            lasting, complete = _extend_postings(query.cached, rows)
            for key, postings in lasting.items():
                self._known.put((query.partition, state.rebuilt, key), postings)
            terms = [QueryTerm(kind, weight, complete[key]) for key, kind, weight in query.terms]
            return Bm25Ranking(terms, state.last, population)

        count = sum(len(as_bytes(row[4])) for row in rows) // 4 + sum(map(len, query.cached.values()))
        return score_rows() if count <= _IN_PLACE_POSTINGS else await asyncio.to_thread(score_rows)


def _extend_postings(
    known: Mapping[bytes, Postings], rows: Sequence[Row]
) -> tuple[dict[bytes, Postings], dict[bytes, Postings]]:
    """Extend the cached postings by what was read. Return those worth caching, and all of them."""
    strings: dict[tuple[bytes, int], list[tuple[int, bytes]]] = {}
    for kind, first, _, key, postings in rows:
        strings.setdefault((as_bytes(key), as_int(kind)), []).append((as_int(first), as_bytes(postings)))
    extended = {key: known_postings.extend(strings.get((key, LASTING), ())) for key, known_postings in known.items()}
    return extended, {
        key: known_postings.extend(strings.get((key, NEW), ())) for key, known_postings in extended.items()
    }


async def _add_postings(
    transaction: Transaction, table: str, partition: PartitionKey, postings: Sequence[PackedPostings]
) -> None:
    begin, cuts = 1, []
    for key, first, data in postings:
        cuts.append({"term": key.hex(), "first": first, "begin": begin, "size": len(data)})
        begin += len(data)
    all_postings = b"".join(data for _, _, data in postings)
    await transaction.execute(_ADD_POSTINGS.replace(":table", table), (*partition, all_postings, json.dumps(cuts)))


def _accumulate_totals(rows: Sequence[ReadRow], totals: dict[str, int]) -> list[dict[str, Value]]:
    """Return for each row the totals up to it."""
    accumulated: list[dict[str, Value]] = []
    for position, kinds in rows:
        for kind, terms in kinds.items():
            totals[kind] += terms.term_count
        accumulated.append({"position": position, **{f"{kind}_total": totals[kind] for kind in TERM_KINDS}})
    return accumulated
