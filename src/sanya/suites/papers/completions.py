"""What is offered while somebody types a PMID or a journal: what the corpus has now."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from sanya.kernel.database import Database
from sanya.kernel.folding import fold
from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.pubmed.record import read_record_json
from sanya.suites.papers.starter import PaperStarter

# Journals of the newest papers: reading all records of a large corpus would take too long while somebody types.
_NEWEST = 2000
_PMIDS = "SELECT pmid FROM paper_versions WHERE to_seq IS NULL AND pmid >= ? AND pmid < ? ORDER BY pmid LIMIT ?"
_RECORDS = "SELECT content, lr FROM paper_versions WHERE to_seq IS NULL ORDER BY edat DESC LIMIT ?"


@dataclass(slots=True)
class PaperCompletions:
    database: Database
    corpus: Corpus
    starter: PaperStarter
    _journals: tuple[int, Sequence[str]] = field(default=(-1, ()))

    async def complete_pmid(self, text: str, limit: int) -> list[str]:
        await self.starter.load()
        begun = text.strip().removeprefix("pmid:").strip()
        last = begun + chr(sys.maxunicode)
        return [str(pmid) for (pmid,) in await self.database.fetch(_PMIDS, (begun, last, limit), touches=limit)]

    async def complete_journal(self, text: str, limit: int) -> list[str]:
        await self.starter.load()
        revision = (await self.corpus.get_current_state()).revision
        if self._journals[0] != revision:
            self._journals = (revision, await self._read_journals())
        return [name for name in self._journals[1] if fold(name).startswith(fold(text.strip()))][:limit]

    async def _read_journals(self) -> list[str]:
        rows = await self.database.fetch(_RECORDS, (_NEWEST,))
        records = (read_record_json(str(content), None if lr is None else str(lr)) for content, lr in rows)
        return sorted({one.journal for one in records if one.journal})
