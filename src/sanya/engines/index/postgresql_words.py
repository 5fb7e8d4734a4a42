"""Words on PostgreSQL. Its own text ranking is not BM25 and slow, so words are kept as postings in a table, each row
with the totals up to it: BM25 is computed here, with the statistics of whichever moment is asked about."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from sanya.engines.index.rows import Shelf, Version, whole
from sanya.kernel.database import Database, Transaction, Value
from sanya.retrieval.documents import Text
from sanya.retrieval.index import WAYS, Probe

ReadTexts = Callable[[Sequence[Text], str], Mapping[str, Sequence[str]]]
Condition = tuple[str, list[Value]]
"""SQL on a document `d`, and its values."""

_TOTALS = ", ".join(f"{way}_total" for way in WAYS)
TABLES = (
    """
CREATE TABLE IF NOT EXISTS retrieval_postings (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, way TEXT NOT NULL, term BYTEA NOT NULL,
    position BIGINT NOT NULL, frequency INTEGER NOT NULL, length INTEGER NOT NULL,
    PRIMARY KEY (namespace, partition_name, way, term, position))""",
    f"""
CREATE TABLE IF NOT EXISTS retrieval_derived (
    namespace TEXT NOT NULL, partition_name TEXT NOT NULL, position BIGINT NOT NULL,
    {", ".join(f"{way}_total BIGINT NOT NULL" for way in WAYS)},
    PRIMARY KEY (namespace, partition_name, position))""",
)
_ADD_POSTINGS = """
INSERT INTO retrieval_postings (namespace, partition_name, way, term, position, frequency, length)
SELECT ?, ?, way, convert_to(term, 'UTF8'), position, frequency, length
FROM jsonb_to_recordset(?::jsonb) AS row(way TEXT, term TEXT, position BIGINT, frequency INTEGER, length INTEGER)"""
_ADD_DERIVED = f"""
INSERT INTO retrieval_derived (namespace, partition_name, position, {_TOTALS})
VALUES (?, ?, ?, {", ".join("?" * len(WAYS))})"""  # noqa: S608
_LAST_DERIVED = f"""
SELECT position, {_TOTALS} FROM retrieval_derived
WHERE namespace = ? AND partition_name = ? ORDER BY position DESC LIMIT 1"""  # noqa: S608
# BM25 with tantivy's constants (k1 1.2, b 0.75), so that both engines rank alike. Each term's part is brought to a
# whole number before it is added: the sum is then the same in whatever order the planner adds.
_STEPS = 2**30
# The offsets keep the planner from reading whole tables: each term and each row is looked up by itself.
_LONGEST_TERM = 1000
_BY_WORDS = f"""
WITH asked AS (
    SELECT way, convert_to(term, 'UTF8') AS term, weight
    FROM jsonb_to_recordset(?::jsonb) AS row(way TEXT, term TEXT, weight DOUBLE PRECISION)
), totals AS MATERIALIZED (
    SELECT position::float8 AS documents, jsonb_build_object(
        {", ".join(f"'{way}', {way}_total" for way in WAYS)}) AS lengths
    FROM retrieval_derived WHERE namespace = ? AND partition_name = ? AND position = ?
), found AS (
    SELECT p.position, p.frequency, p.length, p.spread, a.weight, a.way FROM asked a CROSS JOIN LATERAL (
        SELECT position, frequency, length, count(*) OVER ()::float8 AS spread FROM retrieval_postings
        WHERE namespace = ? AND partition_name = ? AND way = a.way AND term = a.term AND position <= ? OFFSET 0) p
)
SELECT g.position, g.score FROM (
    SELECT f.position, sum(round({_STEPS} * f.weight * ln(1 + (t.documents - f.spread + 0.5) / (f.spread + 0.5))
        * f.frequency * 2.2
        / (f.frequency + 1.2 * (0.25 + 0.75 * f.length * t.documents / (t.lengths ->> f.way)::float8)))::int8)::float8
        AS score
    FROM found f CROSS JOIN totals t GROUP BY f.position) g
CROSS JOIN LATERAL (
    SELECT 1 FROM retrieval_documents d
    WHERE d.namespace = ? AND d.partition_name = ? AND d.position = g.position AND :where OFFSET 0) valid
ORDER BY g.score DESC, g.position LIMIT ?"""  # noqa: S608


class PostgresqlWords:
    def __init__(self, database: Database, read: ReadTexts) -> None:
        self._database = database
        self._read = read

    async def last_derived(self, transaction: Transaction, shelf: Shelf) -> tuple[int, dict[str, int]]:
        """The last row whose words are here, and the totals up to it."""
        rows = await transaction.fetch(_LAST_DERIVED, shelf)
        position, *totals = map(whole, rows[0]) if rows else (0, *(0 for _ in WAYS))
        return position, dict(zip(WAYS, totals, strict=True))

    async def add(self, transaction: Transaction, shelf: Shelf, versions: Sequence[Version]) -> None:
        """Adds the rows that follow the last one."""
        _, totals = await self.last_derived(transaction, shelf)
        postings: list[dict[str, Value]] = []
        derived: list[tuple[Value, ...]] = []
        for version in versions:
            for way, terms in self._read(version.texts, shelf[1]).items():
                totals[way] += len(terms)
                postings += _postings(version.position, way, terms)
            derived.append((*shelf, version.position, *(totals[way] for way in WAYS)))
        await transaction.execute(_ADD_POSTINGS, (*shelf, json.dumps(postings)))
        await transaction.execute_many(_ADD_DERIVED, derived)

    async def delete(self, transaction: Transaction, namespace: str) -> None:
        for table in ("retrieval_postings", "retrieval_derived"):
            await transaction.execute("DELETE FROM :table WHERE namespace = ?".replace(":table", table), (namespace,))

    async def best(self, probe: Probe, last: int, valid: Condition) -> dict[int, float]:
        """The score of the best rows, by the statistics of the first `last` rows."""
        asked = [
            {"way": way, "term": _storable(term), "weight": weight}
            for way, terms in probe.terms.items()
            for term, weight in terms.items()
        ]
        if not asked:
            return {}
        condition, values = valid
        shelf = probe.namespace, probe.partition
        rows = await self._database.fetch(
            _BY_WORDS.replace(":where", condition),
            (json.dumps(asked), *shelf, last, *shelf, last, *shelf, *values, probe.pool),
        )
        return {whole(position): _number(score) / _STEPS for position, score in rows}


def _postings(position: int, way: str, terms: Sequence[str]) -> list[dict[str, Value]]:
    return [
        {"way": way, "term": term, "position": position, "frequency": frequency, "length": len(terms)}
        for term, frequency in Counter(map(_storable, terms)).items()
    ]


def _storable(term: str) -> str:
    """PostgreSQL's text takes no zero character and no half ones, and its indexes no row of more than 2,704 bytes: a
    longer term is told by its digest."""
    raw = term.encode("utf-8", "replace").replace(b"\x00", b"?")
    return raw.decode("utf-8") if len(raw) <= _LONGEST_TERM else sha256(raw).hexdigest()


def _number(value: Value) -> float:
    assert isinstance(value, int | float)
    return float(value)
