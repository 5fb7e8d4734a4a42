"""Completions of a PMID or a journal name, from the papers in the corpus."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from sanya.suite.store import Database
from sanya.suite.text import fold
from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.pubmed.record import read_record_json
from sanya.suites.papers.starter import PaperStarter

# Journals are taken from the newest papers only: reading every record of a large corpus takes too long while somebody
# types.
_JOURNAL_PAPERS = 2000
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
        prefix = text.strip().removeprefix("pmid:").strip()
        end = prefix + chr(sys.maxunicode)
        return [str(pmid) for (pmid,) in await self.database.fetch(_PMIDS, (prefix, end, limit), touches=limit)]

    async def complete_journal(self, text: str, limit: int) -> list[str]:
        await self.starter.load()
        revision = (await self.corpus.get_current_state()).revision
        if self._journals[0] != revision:
            self._journals = (revision, await self._read_journals())
        return [name for name in self._journals[1] if fold(name).startswith(fold(text.strip()))][:limit]

    async def _read_journals(self) -> list[str]:
        rows = await self.database.fetch(_RECORDS, (_JOURNAL_PAPERS,))
        records = (read_record_json(str(content), None if lr is None else str(lr)) for content, lr in rows)
        return sorted({record.journal for record in records if record.journal})
