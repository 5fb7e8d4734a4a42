"""Keeps tables of headings and references beside the stored records, from which they are derived.

An import writes neither: it has millions of them, and few calls ask. They follow in the background and with the first
question, in the order of the sequence numbers, so that an interruption loses nothing and records from before these
tables are read as well. The position moves in the transaction that writes. Rows of a paper are replaced by those of its
current version, so reading a paper twice does no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple

import orjson

from sanya.suite.store import Database, Row, Transaction, Value, advance_revision, expand_in_list
from sanya.suites.papers.indexing.name_folding import fold_name

NAME_PREFIX = "name:"
"""Begins the key of a heading for which a record gives no id of MeSH."""
_LOOK_EVERY_S = 5.0
_BATCH_VALUES = 400
_PAPERS_AT_ONCE = 400
_POSITION = "SELECT seq FROM paper_facts_position"
_NEXT = (
    "SELECT min(seq) FROM (SELECT min(from_seq) AS seq FROM paper_versions WHERE from_seq > ? "
    "UNION ALL SELECT min(to_seq) FROM paper_versions WHERE to_seq > ?) AS changes"
)
_TOUCHED = "SELECT DISTINCT pmid FROM paper_versions WHERE from_seq = ? OR to_seq = ? ORDER BY pmid"
_CONTENT = "SELECT pmid, content FROM paper_versions WHERE to_seq IS NULL AND pmid IN (:values)"
_UNREAD = "SELECT count(*) FROM paper_versions WHERE from_seq > ? AND to_seq IS NULL"
_SAVE_POSITION = (
    "INSERT INTO paper_facts_position (id, seq) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET seq = excluded.seq"
)
_DROP = (
    "DELETE FROM paper_headings WHERE pmid IN (:values)",
    "DELETE FROM paper_references WHERE origin = 'pubmed' AND pmid IN (:values)",
)
_ADD_HEADING = (
    "INSERT INTO paper_headings (heading, qualifier, pmid, is_major) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (heading, qualifier, pmid) DO NOTHING"
)
_ADD_TERM = (
    "INSERT INTO mesh_terms (ui, name, folded, is_heading) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (ui) DO UPDATE SET name = excluded.name, folded = excluded.folded"
)
_ADD_REFERENCE = (
    "INSERT INTO paper_references (reference, pmid, origin) VALUES (?, ?, 'pubmed') "
    "ON CONFLICT (reference, pmid, origin) DO NOTHING"
)


class _Facts(NamedTuple):
    headings: list[tuple[str, str, str, int]]
    terms: dict[str, tuple[str, str, str, int]]
    references: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PaperFacts:
    database: Database

    async def catch_up(self, within_s: float | None = None) -> int:
        """Read records that are new since the last time, for so long at most. Return how many are left."""
        deadline = None if within_s is None else monotonic() + within_s
        position = await self._read_position()
        while (seq := await self._find_next(position)) is not None:
            await self._read_change(seq)
            position = seq
            if deadline is not None and monotonic() > deadline:
                break
        ((left,),) = await self.database.fetch(_UNREAD, (position,))
        return int(str(left))

    async def keep_up(self) -> None:
        """Follow the records while a server runs."""
        while True:
            await self.catch_up()
            await asyncio.sleep(_LOOK_EVERY_S)

    async def _read_position(self) -> int:
        rows = await self.database.fetch(_POSITION, touches=1)
        return int(str(rows[0][0])) if rows else 0

    async def _find_next(self, position: int) -> int | None:
        ((seq,),) = await self.database.fetch(_NEXT, (position, position), touches=2)
        return None if seq is None else int(str(seq))

    async def _read_change(self, seq: int) -> None:
        """Replace the rows of the papers that a change of the index touched, a part at a time."""
        pmids = [str(pmid) for (pmid,) in await self.database.fetch(_TOUCHED, (seq, seq))]
        for start in range(0, len(pmids), _PAPERS_AT_ONCE):
            some = pmids[start : start + _PAPERS_AT_ONCE]
            rows = await _fetch_in_batches(self.database, _CONTENT, some)
            facts = await asyncio.to_thread(_collect_facts, rows)
            async with self.database.transaction() as transaction:
                await _write_facts(transaction, some, facts)
                if start + _PAPERS_AT_ONCE >= len(pmids):
                    await transaction.execute(_SAVE_POSITION, (seq,))
                    await advance_revision(transaction, "papers")  # answers about subjects and references change


async def _write_facts(transaction: Transaction, pmids: Sequence[str], facts: _Facts) -> None:
    for sql in _DROP:
        for start in range(0, len(pmids), _BATCH_VALUES):
            batch = pmids[start : start + _BATCH_VALUES]
            await transaction.execute(expand_in_list(sql, batch), batch)
    await transaction.execute_many(_ADD_TERM, [facts.terms[ui] for ui in sorted(facts.terms)])
    await transaction.execute_many(_ADD_HEADING, facts.headings)
    await transaction.execute_many(_ADD_REFERENCE, facts.references)


def _collect_facts(rows: Iterable[Row]) -> _Facts:
    facts = _Facts([], {}, [])
    for pmid, content in rows:
        fields: dict[str, Any] = orjson.loads(str(content))
        facts.references.extend((reference, str(pmid)) for reference in fields.get("references", ()))
        for name, ui, is_major, qualifiers in fields.get("mesh", ()):
            heading = _note_term(facts, name, ui, is_heading=1)
            # A heading is a major topic of the paper if it or one of its qualifiers is marked so.
            any_major = is_major or any(qualifier[2] for qualifier in qualifiers)
            facts.headings.append((heading, "", str(pmid), int(any_major)))
            for qualifier_name, qualifier_ui, qualifier_major in qualifiers:
                qualifier = _note_term(facts, qualifier_name, qualifier_ui, is_heading=0)
                facts.headings.append((heading, qualifier, str(pmid), int(qualifier_major)))
    return facts


def _note_term(facts: _Facts, name: str, ui: str | None, *, is_heading: int) -> str:
    key = ui or f"{NAME_PREFIX}{name}"
    facts.terms[key] = (key, name, fold_name(name), is_heading)
    return key


async def _fetch_in_batches(database: Database, sql: str, values: Sequence[Value]) -> list[Row]:
    rows: list[Row] = []
    for start in range(0, len(values), _BATCH_VALUES):
        batch = values[start : start + _BATCH_VALUES]
        rows += await database.fetch(expand_in_list(sql, batch), batch)
    return rows
