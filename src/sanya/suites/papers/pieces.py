"""Chunks as the search gives them back: what ranking and answers need of each, read once and remembered.

A state of the corpus does not change, so what was read of one stays true while it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from sanya.retrieval.documents import Document
from sanya.suites.papers.chunks import Chunk, joined
from sanya.suites.papers.corpus import State
from sanya.suites.papers.quality import Standing
from sanya.suites.papers.sections import SECTION_NAMES, SectionName
from sanya.suites.papers.shelf import NAMESPACE, PaperShelf

if TYPE_CHECKING:
    from sanya.retrieval.search import Library

_REMEMBERED = 20_000
_STATES = 4
_SECTIONS: dict[str, SectionName] = {name: name for name in SECTION_NAMES}


@dataclass(frozen=True, slots=True)
class Piece:
    uuid: str
    pmid: str
    title: str
    chunk: Chunk
    siblings: tuple[str, ...]
    """The ids of all chunks of its paper, in their order, its own included."""
    standing: Standing
    last_day: date | None
    """The last day on which it may have been published."""
    year: int | None
    journal: str | None
    pub_types: tuple[str, ...]
    retracted: bool


class Whole(NamedTuple):
    """A paper put together: its chunks in their order, and its abstract."""

    chunks: tuple[Chunk, ...]
    abstract: str | None


class _Known(NamedTuple):
    pieces: dict[str, Piece]
    papers: dict[str, Whole]


def piece_of(document: Document) -> Piece:
    fields = document.fields
    title, text = document.texts
    chunk_id, start, last = str(fields["chunk_id"]), fields.get("start", 0), fields.get("date_last")
    year, journal, pub_types = fields.get("year"), fields.get("journal"), fields.get("pub_types", ())
    return Piece(
        document.id,
        str(fields["pmid"]),
        title.value,
        Chunk(chunk_id, _SECTIONS.get(str(fields["section"]), "other"), text.value, _whole(start)),
        tuple(str(fields.get("chunks", chunk_id)).split(" ")),
        Standing(_whole(fields["design"]), _whole(fields["journal_rank"]), _whole(fields["human"])),
        _day(_whole(last)) if last is not None else None,
        _whole(year) if year is not None else None,
        str(journal) if journal is not None else None,
        pub_types if isinstance(pub_types, tuple) else (),
        bool(fields["retracted"]),
    )


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def _day(number: int) -> date:
    return date(number // 10_000, number // 100 % 100, number % 100)


class Pieces:
    def __init__(self, shelf: PaperShelf) -> None:
        self._shelf = shelf
        self._known: dict[State, _Known] = {}

    async def of(self, library: Library, uuids: Iterable[str], state: State) -> dict[str, Piece]:
        """Those that are there, by UUID: one may have gone since it was found."""
        known = self._of_state(state).pieces
        wanted = list(uuids)
        missing = [one for one in wanted if one not in known]
        if missing:
            read = await library.documents(NAMESPACE, missing, state.seq)
            known.update((uuid, piece_of(document)) for uuid, document in read.items())
        return {one: known[one] for one in wanted if one in known}

    async def papers(self, library: Library, found: Sequence[Piece], state: State) -> list[Whole]:
        """Of each piece its whole paper."""
        known = self._of_state(state).papers
        missing = {one.pmid: one for one in found if one.pmid not in known}
        if missing:
            uuids = {pmid: [self._shelf.uuid_of(pmid, name) for name in one.siblings] for pmid, one in missing.items()}
            read = await self.of(library, [uuid for own in uuids.values() for uuid in own], state)
            for pmid, own in uuids.items():
                chunks = [read[uuid].chunk for uuid in own if uuid in read]
                known[pmid] = Whole(tuple(chunks), joined(chunks))
        return [known[one.pmid] for one in found]

    def _of_state(self, state: State) -> _Known:
        known = self._known.pop(state, None)
        self._known[state] = known if known and len(known.pieces) <= _REMEMBERED else _Known({}, {})
        while len(self._known) > _STATES:
            self._known.pop(next(iter(self._known)))
        return self._known[state]
