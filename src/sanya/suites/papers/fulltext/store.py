"""Stores full texts and their paragraphs in the search index, in one transaction for each article."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from sanya.suite import ProgressSink, ignore_progress
from sanya.suite.runtime import format_timestamp
from sanya.suite.search import Document, DocumentText
from sanya.suite.store import Database, Row, advance_revision
from sanya.suite.text import split_windows
from sanya.suites.papers.fulltext.article import FullText, Paragraph, read_full_text

if TYPE_CHECKING:
    from sanya.suite.search import Library, LibraryOpener

NAMESPACE = "papers.fulltext"
FILTER_FIELDS = ("pmcid", "section", "kind")
StoreOutcome = Literal["stored", "unchanged", "no_licence", "no_text"]

_READ = "SELECT pmcid, pmid, content FROM paper_fulltexts WHERE "
_WRITE = """
INSERT INTO paper_fulltexts (pmcid, pmid, licence, stored_at, content_hash, content) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (pmcid) DO UPDATE SET pmid = excluded.pmid, licence = excluded.licence, stored_at = excluded.stored_at,
content_hash = excluded.content_hash, content = excluded.content"""

_DROP_REFERENCES = "DELETE FROM paper_references WHERE pmid = ? AND origin = 'fulltext'"
_ADD_REFERENCE = "INSERT INTO paper_references (reference, pmid, origin) VALUES (?, ?, 'fulltext')"


@dataclass
class FullTextStore:
    database: Database
    open_library: LibraryOpener
    _library: Library | None = field(default=None, repr=False)

    async def prepare(self) -> Library:
        """Open the library. Call it before a transaction: opening writes, and there is one writer at a time."""
        if self._library is None:
            library = await self.open_library()
            await library.declare(NAMESPACE, FILTER_FIELDS)
            self._library = library
        return self._library

    async def put(self, article: FullText, now: datetime) -> StoreOutcome:
        """Store an article that its licence allows to keep; an unchanged one is left as it is. One that was stored
        and no longer has such a licence is removed."""
        if not article.licence.is_open:
            await self._remove(article.pmcid)
            return "no_licence"
        if not article.paragraphs:
            return "no_text"
        content = article.to_json()
        digest = sha256(content.encode()).hexdigest()
        library = await self.prepare()
        async with self.database.transaction() as transaction:
            rows = await transaction.fetch(
                "SELECT content_hash, content FROM paper_fulltexts WHERE pmcid = ?", (article.pmcid,)
            )
            if rows and rows[0][0] == digest:
                return "unchanged"
            documents = build_documents(article)
            if rows:
                earlier = build_documents(read_full_text(article.pmcid, article.pmid, str(rows[0][1])))
                stale = {document.id for document in earlier} - {document.id for document in documents}
                await library.remove(NAMESPACE, sorted(stale), transaction)
            await library.add(NAMESPACE, documents, transaction, embed=False)
            licence = article.licence.name or ""
            values = (article.pmcid, article.pmid, licence, format_timestamp(now), digest, content)
            await transaction.execute(_WRITE, values)
            if article.pmid:
                await transaction.execute(_DROP_REFERENCES, (article.pmid,))
                references = [(reference, article.pmid) for reference in article.references]
                await transaction.execute_many(_ADD_REFERENCE, references)
            await advance_revision(transaction, "papers")
        return "stored"

    async def _remove(self, pmcid: str) -> None:
        stored = await self.find(pmcid)
        if stored is None:
            return
        library = await self.prepare()
        async with self.database.transaction() as transaction:
            await library.remove(NAMESPACE, [document.id for document in build_documents(stored)], transaction)
            await transaction.execute("DELETE FROM paper_fulltexts WHERE pmcid = ?", (pmcid,))
            if stored.pmid:
                await transaction.execute(_DROP_REFERENCES, (stored.pmid,))
            await advance_revision(transaction, "papers")
        await library.refresh()

    async def finish(self, progress: ProgressSink = ignore_progress) -> None:
        """Make what was stored searchable, and embed it. After an interruption the next call continues."""
        library = await self.prepare()
        await library.refresh()
        if await library.count_unembedded(NAMESPACE):
            await library.embed_missing(NAMESPACE, progress=progress)
            async with self.database.transaction() as transaction:
                await advance_revision(transaction, "papers")
            await library.refresh()

    async def find(self, identifier: str) -> FullText | None:
        """Return the article of a PMCID or a PMID."""
        column = "pmcid" if identifier.upper().startswith("PMC") else "pmid"
        value = identifier.upper() if column == "pmcid" else identifier
        rows = await self.database.fetch(f"{_READ}{column} = ? ORDER BY pmcid", (value,), touches=1)
        return _read_row(rows[0]) if rows else None

    async def count(self) -> int:
        (row,) = await self.database.fetch("SELECT count(*) FROM paper_fulltexts")
        return int(str(row[0]))


def build_documents(article: FullText) -> list[Document]:
    """Build a document for each paragraph; a long one has several windows with the same number."""
    title = DocumentText(article.title or article.pmcid)
    return [
        Document(
            f"{article.pmcid}:{paragraph.number}" + (f":{window}" if window else ""),
            (title, DocumentText(text)),
            {
                "pmcid": article.pmcid,
                "section": paragraph.section,
                "kind": paragraph.kind,
                "number": paragraph.number,
            },
        )
        for paragraph in article.paragraphs
        for window, text in enumerate(_split(paragraph))
    ]


def _split(paragraph: Paragraph) -> Sequence[str]:
    return [span.slice(paragraph.text) for span in split_windows(paragraph.text)] or [paragraph.text]


def _read_row(row: Row) -> FullText:
    pmcid, pmid, content = row
    return read_full_text(str(pmcid), None if pmid is None else str(pmid), str(content))
