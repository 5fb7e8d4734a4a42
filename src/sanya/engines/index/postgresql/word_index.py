"""Words on PostgreSQL. Its own text ranking is not BM25 and slow, so postings are kept in tables, and each row's totals
up to it: BM25 is computed here, with the statistics of whichever moment is asked about."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sanya.engines.index.postgresql.caches import KnownPostings
from sanya.engines.index.postgresql.postings import (
    STRETCH_BITS,
    Asked,
    Packed,
    Population,
    Postings,
    Ranking,
    ReadRow,
    key_of,
    packed,
)
from sanya.engines.index.postgresql.reader import Moment
from sanya.engines.index.postgresql.search_query import LASTING, NEW
from sanya.engines.index.rows import Shelf, Version, raw, whole
from sanya.kernel.database import Row, Transaction, Value
from sanya.retrieval.index import WAYS, ReadTexts, Terms

_TOTALS = ", ".join(f"{way}_total" for way in WAYS)
# What single changes bring gathers in a table of its own, term by term, until it is worth a string of its own.
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
    {", ".join(f"{way}_total BIGINT NOT NULL" for way in WAYS)}, fields JSONB NOT NULL,
    PRIMARY KEY (namespace, partition_name, position))""",
    """
CREATE INDEX IF NOT EXISTS retrieval_rows_by_field ON retrieval_rows
USING gin (fields jsonb_path_ops) WITH (fastupdate = off)""",
)
# The tables that words and vectors were kept in before; what they held is derived anew.
_FORMER = """
SELECT tablename FROM pg_tables
WHERE schemaname = current_schema() AND tablename ~ '^retrieval_(postings|derived|space_[0-9a-f]{16})$'"""
_GATHERED_ROWS = 1024
# One string for all, cut by the server: a parameter for each would take far longer.
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
FROM jsonb_to_recordset(?::jsonb) AS row(position BIGINT, {", ".join(f"{way}_total BIGINT" for way in WAYS)})
JOIN retrieval_documents d ON d.namespace = ? AND d.partition_name = ? AND d.position = row.position"""  # noqa: S608
_LAST_ROW = f"""
SELECT position, {_TOTALS} FROM retrieval_rows
WHERE namespace = ? AND partition_name = ? ORDER BY position DESC LIMIT 1"""  # noqa: S608
_REBUILT = """
INSERT INTO retrieval_counters (name, value) VALUES (?, 1)
ON CONFLICT (name) DO UPDATE SET value = retrieval_counters.value + 1"""
# Fewer are added up sooner than a thread would take them up.
_ADDED_IN_PLACE = 50_000


@dataclass(frozen=True, slots=True)
class Asking:
    """Terms that are asked for, with what is known of them from a generation."""

    shelf: Shelf
    generation: int
    asked: Sequence[tuple[bytes, str, float]]
    known: Mapping[bytes, Postings]

    @property
    def wanted(self) -> str:
        """The terms with how far each is known, as JSON."""
        return json.dumps([{"term": key.hex(), "known": one.until} for key, one in self.known.items()])

    def holds(self, moment: Moment) -> bool:
        """Whether what is known is of the moment's generation, or nothing is known."""
        return self.generation == moment.rebuilt or not any(map(len, self.known.values()))


class PostgresqlWords:
    def __init__(self, read: ReadTexts) -> None:
        self._read = read
        self._known = KnownPostings()
        self._generations: dict[Shelf, int] = {}

    async def prepare(self, transaction: Transaction) -> None:
        for former in [str(name) for (name,) in await transaction.fetch(_FORMER)]:
            await transaction.execute(f"DROP TABLE IF EXISTS {former}")
        for table in _TABLES:
            await transaction.execute(table)

    async def last_row(self, transaction: Transaction, shelf: Shelf) -> tuple[int, dict[str, int]]:
        """The last row whose words are here, and the totals up to it."""
        rows = await transaction.fetch(_LAST_ROW, shelf)
        position, *totals = map(whole, rows[0]) if rows else (0, *(0 for _ in WAYS))
        return position, dict(zip(WAYS, totals, strict=True))

    async def add(
        self, transaction: Transaction, shelf: Shelf, versions: Sequence[Version], totals: dict[str, int]
    ) -> None:
        """Adds the rows that follow the last one, whose `totals` are given."""
        rows = await asyncio.to_thread(lambda: [(one.position, self._read(one.texts, shelf[1])) for one in versions])
        await transaction.execute(_ADD_ROWS, (json.dumps(_grown(rows, totals)), *shelf))
        table = "retrieval_terms" if len(rows) >= _GATHERED_ROWS else "retrieval_new_terms"
        await _add_postings(transaction, table, shelf, await asyncio.to_thread(packed, rows))
        if (rows[0][0] - 1) // _GATHERED_ROWS < rows[-1][0] // _GATHERED_ROWS:
            await transaction.execute(_GATHER, shelf)

    async def delete(self, transaction: Transaction, namespace: str) -> None:
        await transaction.execute(_REBUILT, (f"rebuilt {namespace}",))
        for table in ("retrieval_terms", "retrieval_new_terms", "retrieval_rows"):
            await transaction.execute("DELETE FROM :table WHERE namespace = ?".replace(":table", table), (namespace,))

    def asking(self, shelf: Shelf, terms: Terms, generation: int | None = None) -> Asking:
        """The question for what is not known yet of some terms, of the generation that was met last."""
        if generation is None:
            generation = self._generations.get(shelf, 0)
        asked = [(key_of(way, term), way, weight) for way, weights in terms.items() for term, weight in weights.items()]
        known = {key: self._known.get((shelf, generation, key)) for key, _, _ in asked}
        return Asking(shelf, generation, asked, known)

    async def ranking(self, asking: Asking, rows: Sequence[Row], moment: Moment, population: Population) -> Ranking:
        """The score of every row of the population up to the last one of the moment. `rows` answer the question."""
        self._generations[asking.shelf] = moment.rebuilt

        def ranked() -> Ranking:
            lasting, all_ = _grown_postings(asking.known, rows)
            for key, postings in lasting.items():
                self._known.keep((asking.shelf, moment.rebuilt, key), postings)
            asked = [Asked(way, weight, all_[key]) for key, way, weight in asking.asked]
            return Ranking(asked, moment.last, population)

        read = sum(len(raw(row[4])) for row in rows) // 4 + sum(map(len, asking.known.values()))
        return ranked() if read <= _ADDED_IN_PLACE else await asyncio.to_thread(ranked)


def _grown_postings(
    known: Mapping[bytes, Postings], rows: Sequence[Row]
) -> tuple[dict[bytes, Postings], dict[bytes, Postings]]:
    """What was known with what was read: that which lasts, and all of it."""
    strings: dict[tuple[bytes, int], list[tuple[int, bytes]]] = {}
    for kind, first, _, key, postings in rows:
        strings.setdefault((raw(key), whole(kind)), []).append((whole(first), raw(postings)))
    grown = {key: one.grown(strings.get((key, LASTING), ())) for key, one in known.items()}
    return grown, {key: one.grown(strings.get((key, NEW), ())) for key, one in grown.items()}


async def _add_postings(transaction: Transaction, table: str, shelf: Shelf, postings: Sequence[Packed]) -> None:
    begin, cuts = 1, []
    for key, first, some in postings:
        cuts.append({"term": key.hex(), "first": first, "begin": begin, "size": len(some)})
        begin += len(some)
    together = b"".join(some for _, _, some in postings)
    await transaction.execute(_ADD_POSTINGS.replace(":table", table), (*shelf, together, json.dumps(cuts)))


def _grown(rows: Sequence[ReadRow], totals: dict[str, int]) -> list[dict[str, Value]]:
    """Of each row the totals up to it."""
    grown: list[dict[str, Value]] = []
    for position, ways in rows:
        for way, terms in ways.items():
            totals[way] += terms.size
        grown.append({"position": position, **{f"{way}_total": totals[way] for way in WAYS}})
    return grown
