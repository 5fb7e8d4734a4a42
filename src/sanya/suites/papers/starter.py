"""A small corpus of our own, so that every tool can be tried before anything was synced. It goes when real papers come.

The samples describe studies that nobody made and report no findings. Their ids lie far beyond those that PubMed has
given, so none can be taken for a paper.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from sanya.kernel.database import Database
from sanya.suites.papers.checkpoints import Checkpoints, Named
from sanya.suites.papers.chunks import DEFAULT_NAMESPACE
from sanya.suites.papers.documents import documents_of
from sanya.suites.papers.record import MeshHeading, Record, Section
from sanya.suites.papers.sample_ids import FIRST_SAMPLE
from sanya.suites.papers.store import PaperStore

SAMPLE_CHECKPOINT = "cp_samples"
_MADE_AT = "2026-01-31T00:00:00.000Z"
_ANY = "SELECT 1 FROM paper_versions LIMIT 1"
# Samples that came, and whose checkpoint did not: whoever brought them was stopped between the two.
_UNNAMED = """
SELECT 1 FROM paper_versions WHERE is_sample = 1 AND to_seq IS NULL
AND NOT EXISTS (SELECT 1 FROM paper_checkpoints WHERE checkpoint_id = ?) LIMIT 1"""
_TAKE_TURN = (
    "INSERT INTO revisions (suite, revision) VALUES ('papers', 1) "
    "ON CONFLICT (suite) DO UPDATE SET revision = revisions.revision + 1"
)
_JOURNAL = "Sanya Samples"
_SECTION = re.compile(r"(BACKGROUND|OBJECTIVE|METHODS|RESULTS|CONCLUSIONS): ")


class Starter:
    def __init__(self, database: Database, store: PaperStore, checkpoints: Checkpoints) -> None:
        self._database = database
        self._store = store
        self._checkpoints = checkpoints
        self._turn = asyncio.Lock()
        self._done = False

    async def load(self) -> None:
        """Puts the samples into a home that never had a paper."""
        if self._done:
            return
        async with self._turn:
            if not self._done:
                if not await self._database.fetch(_ANY, touches=1):
                    await self._write()
                if await self._database.fetch(_UNNAMED, (SAMPLE_CHECKPOINT,), touches=1):
                    await self._name()
            self._done = True

    async def _write(self) -> None:
        await self._store.shelf.ready()
        async with self._database.transaction() as transaction:
            await transaction.execute(_TAKE_TURN)
            # Asked again now that we have our turn: another process may have been first.
            if await transaction.fetch(_ANY):
                return
            await self._store.upsert_pubmed_docs(samples(), transaction, is_sample=True)

    async def _name(self) -> None:
        await self._store.shelf.refresh()
        await self._checkpoints.create(
            Named(SAMPLE_CHECKPOINT, "Samples", "The corpus as Sanya brings it along", _MADE_AT, ())
        )


@cache
def samples() -> tuple[Record, ...]:
    text = files(__package__).joinpath("samples.txt").read_text(encoding="utf-8")
    return tuple(_read(text))


def sample_texts() -> list[str]:
    """What of the samples is embedded."""
    return [document.text for record in samples() for document in documents_of(record, DEFAULT_NAMESPACE)]


def _read(text: str) -> Iterator[Record]:
    """Blocks parted by blank lines: title, then `date|publication types|headings`, then the abstract."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for number, block in enumerate(filter(None, map(str.strip, lines.split("\n\n")))):
        title, facts, abstract = block.split("\n", 2)
        day, types, headings = facts.split("|")
        yield Record(
            pmid=str(FIRST_SAMPLE + number),
            title=title,
            sections=tuple(_sections(abstract.replace("\n", " "))),
            journal=_JOURNAL,
            pub_types=tuple(types.split("; ")) if types else (),
            mesh=tuple(MeshHeading(name, None, major=False) for name in headings.split("; ") if name),
            languages=("eng",),
            pdat=day,
            edat="2026-01-31T00:00:00Z",
            lr="2026-01-31T00:00:00Z",
        )


def _sections(abstract: str) -> Iterator[Section]:
    first, *labelled = _SECTION.split(abstract)
    if first.strip():
        yield Section(None, None, first.strip())
    for label, text in zip(labelled[::2], labelled[1::2], strict=True):
        yield Section(label, label, text.strip())
