"""Chunks as the search gives them back: what ranking and answers need of each, read once and remembered.

A state of the corpus does not change, so what was read of one stays true while it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from sanya.kernel.lru import LruCache
from sanya.retrieval.documents import Document
from sanya.suites.papers.corpus import CorpusState
from sanya.suites.papers.indexing.chunks import Chunk, join_chunks
from sanya.suites.papers.indexing.paper_index import NAMESPACE, PaperIndex
from sanya.suites.papers.indexing.quality import FixedQuality
from sanya.suites.papers.indexing.sections import SECTION_NAMES, SectionName

if TYPE_CHECKING:
    from sanya.retrieval.search import Library

_REMEMBERED = 20_000
_STATES = 4
_SECTIONS: dict[str, SectionName] = {name: name for name in SECTION_NAMES}


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    uuid: str
    pmid: str
    title: str
    chunk: Chunk
    sibling_ids: tuple[str, ...]
    """The ids of all chunks of its paper, in their order, its own included."""
    fixed_quality: FixedQuality
    last_day: date | None
    """The last day on which it may have been published."""
    year: int | None
    journal: str | None
    pub_types: tuple[str, ...]
    is_retracted: bool


class AssembledPaper(NamedTuple):
    """A paper put together: its chunks in their order, and its abstract."""

    chunks: tuple[Chunk, ...]
    abstract: str | None


class _CacheEntries(NamedTuple):
    pieces: dict[str, IndexedChunk]
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
    def __init__(self, shelf: PaperIndex) -> None:
        self._shelf = shelf
        self._known: LruCache[CorpusState, _CacheEntries] = LruCache(_STATES)

    async def read_chunks(self, library: Library, uuids: Iterable[str], state: CorpusState) -> dict[str, IndexedChunk]:
        """Those that are there, by UUID: one may have gone since it was found."""
        known = self._select_entries(state).pieces
        wanted = list(uuids)
        missing = [one for one in wanted if one not in known]
        if missing:
            read = await library.documents(NAMESPACE, missing, state.seq)
            known.update((uuid, to_indexed_chunk(document)) for uuid, document in read.items())
        return {one: known[one] for one in wanted if one in known}

    async def assemble_papers(
        self, library: Library, found: Sequence[IndexedChunk], state: CorpusState
    ) -> list[AssembledPaper]:
        """Of each piece its whole paper."""
        known = self._select_entries(state).papers
        missing = {one.pmid: one for one in found if one.pmid not in known}
        if missing:
            uuids = {
                pmid: [self._shelf.make_uuid(pmid, name) for name in one.sibling_ids] for pmid, one in missing.items()
            }
            read = await self.read_chunks(library, [uuid for own in uuids.values() for uuid in own], state)
            for pmid, own in uuids.items():
                chunks = [read[uuid].chunk for uuid in own if uuid in read]
                known[pmid] = AssembledPaper(tuple(chunks), join_chunks(chunks))
        return [known[one.pmid] for one in found]

    def _select_entries(self, state: CorpusState) -> _CacheEntries:
        known = self._known.get(state)
        if known is None or len(known.pieces) > _REMEMBERED:
            known = _CacheEntries({}, {})
            self._known.put(state, known)
        return known
