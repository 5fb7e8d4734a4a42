"""A cache of chunks and whole papers, with what ranking and answers need of each.

A state of the corpus never changes, so entries are kept by state and never invalidated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from sanya.suite.runtime import LruCache
from sanya.suite.search import Document
from sanya.suites.papers.corpus import CorpusState
from sanya.suites.papers.indexing.chunks import Chunk, join_chunks
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex
from sanya.suites.papers.indexing.quality import FixedQuality
from sanya.suites.papers.indexing.sections import SECTION_NAMES, SectionName
from sanya.suites.papers.search.passages import Quotation

if TYPE_CHECKING:
    from sanya.suite.search import Library

_MAX_CHUNKS = 20_000
_MAX_STATES = 4
_SECTIONS: dict[str, SectionName] = {name: name for name in SECTION_NAMES}


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    uuid: str
    pmid: str
    title: str
    chunk: Chunk
    sibling_ids: tuple[str, ...]
    """The ids of all chunks of its paper in order, its own included."""
    fixed_quality: FixedQuality
    last_day: date | None
    """The last day on which it may have been published."""
    year: int | None
    journal: str | None
    pub_types: tuple[str, ...]
    is_retracted: bool
    quotation: Quotation | None = None
    """The paragraph, where it is one of a full text and no chunk of the abstract."""


class AssembledPaper(NamedTuple):
    """A paper put together from its chunks, with its whole abstract."""

    chunks: tuple[Chunk, ...]
    abstract: str | None


class _CacheEntries(NamedTuple):
    chunks: dict[str, IndexedChunk]
    papers: dict[str, AssembledPaper]


def to_indexed_chunk(document: Document) -> IndexedChunk:
    fields = document.fields
    title, text = document.texts
    chunk_id, start, last = str(fields["chunk_id"]), fields.get("start", 0), fields.get("date_last")
    year, journal, pub_types = fields.get("year"), fields.get("journal"), fields.get("pub_types", ())
    return IndexedChunk(
        document.id,
        str(fields["pmid"]),
        title.value,
        Chunk(chunk_id, _SECTIONS.get(str(fields["section"]), "other"), text.value, _require_int(start)),
        tuple(str(fields.get("chunks", chunk_id)).split(" ")),
        FixedQuality(
            _require_int(fields["design"]), _require_int(fields["journal_rank"]), _require_int(fields["human"])
        ),
        _to_date(_require_int(last)) if last is not None else None,
        _require_int(year) if year is not None else None,
        str(journal) if journal is not None else None,
        pub_types if isinstance(pub_types, tuple) else (),
        bool(fields["retracted"]),
    )


def _require_int(value: object) -> int:
    assert isinstance(value, int)
    return value


def _to_date(number: int) -> date:
    return date(number // 10_000, number // 100 % 100, number % 100)


class ChunkCache:
    def __init__(self, index: PaperIndex) -> None:
        self._index = index
        self._entries: LruCache[CorpusState, _CacheEntries] = LruCache(_MAX_STATES)

    async def read_chunks(self, library: Library, uuids: Iterable[str], state: CorpusState) -> dict[str, IndexedChunk]:
        """Return the chunks that exist, by UUID; a chunk may have been deleted since the search found it."""
        cached = self._select_entries(state).chunks
        requested = list(uuids)
        missing = [uuid for uuid in requested if uuid not in cached]
        if missing:
            documents = await library.fetch_documents(NAMESPACE, missing, state.seq)
            cached.update((uuid, to_indexed_chunk(document)) for uuid, document in documents.items())
        return {uuid: cached[uuid] for uuid in requested if uuid in cached}

    async def assemble_papers(
        self, library: Library, matches: Sequence[IndexedChunk], state: CorpusState
    ) -> list[AssembledPaper]:
        """Return the whole paper of each chunk."""
        cached = self._select_entries(state).papers
        missing = {match.pmid: match.sibling_ids for match in matches if match.pmid not in cached}
        if missing:
            uuids = {pmid: [self._index.make_uuid(pmid, id) for id in ids] for pmid, ids in missing.items()}
            siblings = await self.read_chunks(library, [uuid for own in uuids.values() for uuid in own], state)
            for pmid, own in uuids.items():
                chunks = [siblings[uuid].chunk for uuid in own if uuid in siblings]
                cached[pmid] = AssembledPaper(tuple(chunks), join_chunks(chunks))
        return [cached[match.pmid] for match in matches]

    def _select_entries(self, state: CorpusState) -> _CacheEntries:
        entries = self._entries.get(state)
        if entries is None or len(entries.chunks) > _MAX_CHUNKS:
            entries = _CacheEntries({}, {})
            self._entries.put(state, entries)
        return entries
