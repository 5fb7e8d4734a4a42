"""Sample papers, so that every tool can be tried before the first sync. The first real paper removes them.

The samples describe studies that nobody made and report no findings. Their ids lie far beyond those that PubMed has
assigned, so none can be taken for a paper.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from sanya.suite.store import Database, advance_revision
from sanya.suites.papers.checkpoints import CheckpointRequest, Checkpoints
from sanya.suites.papers.indexing.chunks import DEFAULT_NAMESPACE
from sanya.suites.papers.indexing.documents import build_documents
from sanya.suites.papers.pubmed.record import MeshHeading, PaperRecord, Section
from sanya.suites.papers.sample_ids import FIRST_SAMPLE
from sanya.suites.papers.store import PaperStore

SAMPLE_CHECKPOINT = "cp_samples"
_MADE_AT = "2026-01-31T00:00:00.000Z"
_ANY = "SELECT 1 FROM paper_versions LIMIT 1"
# Finds samples without their checkpoint: a process stopped between writing the two.
_UNNAMED = """
SELECT 1 FROM paper_versions WHERE is_sample = 1 AND to_seq IS NULL
AND NOT EXISTS (SELECT 1 FROM paper_checkpoints WHERE checkpoint_id = ?) LIMIT 1"""
_JOURNAL = "Sanya Samples"
_SECTION = re.compile(r"(BACKGROUND|OBJECTIVE|METHODS|RESULTS|CONCLUSIONS): ")


class PaperStarter:
    def __init__(self, database: Database, store: PaperStore, checkpoints: Checkpoints) -> None:
        self._database = database
        self._store = store
        self._checkpoints = checkpoints
        self._turn = asyncio.Lock()
        self._done = False

    async def load(self) -> None:
        """Write the samples into a home that never had a paper."""
        if self._done:
            return
        async with self._turn:
            if not self._done:
                if not await self._database.fetch(_ANY, touches=1):
                    await self._write_samples()
                if await self._database.fetch(_UNNAMED, (SAMPLE_CHECKPOINT,), touches=1):
                    await self._create_checkpoint()
            self._done = True

    async def _write_samples(self) -> None:
        await self._store.index.prepare()
        async with self._database.transaction() as transaction:
            await advance_revision(transaction, "papers")
            # Check again under the lock: another process may have been first.
            if await transaction.fetch(_ANY):
                return
            await self._store.upsert_pubmed_docs(load_samples(), transaction, is_sample=True)

    async def _create_checkpoint(self) -> None:
        await self._store.index.refresh()
        await self._checkpoints.create(
            CheckpointRequest(SAMPLE_CHECKPOINT, "Samples", "The corpus as Sanya brings it along", _MADE_AT, ()),
            embed_first=True,  # the package has their vectors
        )


@cache
def load_samples() -> tuple[PaperRecord, ...]:
    text = files(__package__).joinpath("samples.txt").read_text(encoding="utf-8")
    return tuple(_parse_samples(text))


def list_sample_texts() -> list[str]:
    """Return the texts of the samples that are embedded."""
    return [document.text for record in load_samples() for document in build_documents(record, DEFAULT_NAMESPACE)]


def _parse_samples(text: str) -> Iterator[PaperRecord]:
    """Parse blocks separated by blank lines: title, then `date|publication types|headings`, then the abstract."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for number, block in enumerate(filter(None, map(str.strip, lines.split("\n\n")))):
        title, facts, abstract = block.split("\n", 2)
        day, types, headings = facts.split("|")
        yield PaperRecord(
            pmid=str(FIRST_SAMPLE + number),
            title=title,
            sections=tuple(_parse_sections(abstract.replace("\n", " "))),
            journal=_JOURNAL,
            pub_types=tuple(types.split("; ")) if types else (),
            mesh=tuple(MeshHeading(name, None, major=False) for name in headings.split("; ") if name),
            languages=("eng",),
            pdat=day,
            edat="2026-01-31T00:00:00Z",
            lr="2026-01-31T00:00:00Z",
        )


def _parse_sections(abstract: str) -> Iterator[Section]:
    first, *labelled = _SECTION.split(abstract)
    if first.strip():
        yield Section(None, None, first.strip())
    for label, text in zip(labelled[::2], labelled[1::2], strict=True):
        yield Section(label, label, text.strip())
