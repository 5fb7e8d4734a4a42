"""Which state of the corpus a question is put to: as it is now, or as a checkpoint holds it. Each has its own date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sanya.kernel.database import Database, Transaction
from sanya.kernel.revisions import read_revision

_LATEST_ENTRY = "SELECT max(edat) FROM paper_versions WHERE to_seq IS NULL"
_ANY_REAL = "SELECT 1 FROM paper_versions WHERE to_seq IS NULL AND is_sample = 0 LIMIT 1"


@dataclass(frozen=True, slots=True)
class CorpusState:
    """`seq` is the change of the index to look at, None for what is there now; `revision` tells two of those apart.
    `as_of` is the day on which PubMed took in the newest record: the clock of everything that ages."""

    seq: int | None
    as_of: date | None
    revision: int = 0


class Corpus:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._now: CorpusState | None = None

    async def get_current_state(self) -> CorpusState:
        revision = await read_revision(self._database, "papers")
        if self._now is None or self._now.revision != revision:
            self._now = CorpusState(None, await read_latest_entry(self._database), revision)
        return self._now

    async def has_papers(self) -> bool:
        """Whether there are any beside the samples."""
        return bool(await self._database.fetch(_ANY_REAL, touches=1))


async def read_latest_entry(reading: Database | Transaction) -> date | None:
    rows = await reading.fetch(_LATEST_ENTRY)
    return date.fromisoformat(str(rows[0][0])[:10]) if rows and rows[0][0] else None
