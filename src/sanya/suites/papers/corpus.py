"""States of the corpus that a question can be asked of: the current one, or one that a checkpoint holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sanya.suite.store import Database, Transaction, read_revision

_LATEST_ENTRY = "SELECT max(edat) FROM paper_versions WHERE to_seq IS NULL"
_COUNT = "SELECT count(*) FROM paper_versions WHERE to_seq IS NULL"
_COUNT_AT = "SELECT count(*) FROM paper_versions WHERE from_seq <= ? AND (to_seq IS NULL OR to_seq > ?)"
_ANY_REAL = "SELECT 1 FROM paper_versions WHERE to_seq IS NULL AND is_sample = 0 LIMIT 1"


@dataclass(frozen=True, slots=True)
class CorpusState:
    """A state of the corpus.

    `seq` is a sequence number of the search index, or None for the current state; `revision` tells two current states
    apart. `as_of` is the day on which PubMed took in the newest record. Recency is measured from that day and not from
    today, so that the same corpus gives the same scores on any day.
    """

    seq: int | None
    as_of: date | None
    revision: int = 0


class Corpus:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._current: CorpusState | None = None

    async def get_current_state(self) -> CorpusState:
        revision = await read_revision(self._database, "papers")
        if self._current is None or self._current.revision != revision:
            self._current = CorpusState(None, await read_latest_entry(self._database), revision)
        return self._current

    async def count_papers(self, state: CorpusState) -> int:
        """Return the number of papers in a state of the corpus, samples included."""
        at = () if state.seq is None else (state.seq, state.seq)
        rows = await self._database.fetch(_COUNT if state.seq is None else _COUNT_AT, at)
        return int(str(rows[0][0]))

    async def has_papers(self) -> bool:
        """Return whether the corpus has papers beside the samples."""
        return bool(await self._database.fetch(_ANY_REAL, touches=1))


async def read_latest_entry(connection: Database | Transaction) -> date | None:
    """Return the day on which PubMed took in the newest current record."""
    rows = await connection.fetch(_LATEST_ENTRY)
    return date.fromisoformat(str(rows[0][0])[:10]) if rows and rows[0][0] else None
