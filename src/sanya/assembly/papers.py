"""The papers suite: its search on the shared library, its names from the house's table and the owner's file."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from sanya.assembly.opened import Opened
from sanya.assembly.papers_intake import Intake
from sanya.kernel.suite import Suite, Worker
from sanya.settings import BadSetting, Settings
from sanya.suites.papers import suite
from sanya.suites.papers.checkpoints import Checkpoints
from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.embedding import keep_embedded
from sanya.suites.papers.search import PaperSearch
from sanya.suites.papers.shelf import PaperShelf
from sanya.suites.papers.starter import Starter
from sanya.suites.papers.store import PaperStore
from sanya.suites.papers.synonyms import Concept, Synonyms, extended, house_concepts, read_concepts
from sanya.suites.papers.tools import PaperTools


async def open_papers(opened: Opened) -> Suite:
    settings, database = opened.settings, opened.database
    shelf = PaperShelf(opened.library, database, _namespace(settings))
    store = PaperStore(database, shelf)
    checkpoints = Checkpoints(database, shelf)
    corpus = Corpus(database)
    more = _own_concepts(settings)
    search = PaperSearch(shelf, lambda: Synonyms(extended(house_concepts(), more)))
    tools = PaperTools(store, corpus, search, checkpoints, Starter(database, store, checkpoints))
    embedding = Worker("papers: embedding", lambda: keep_embedded(corpus, shelf))
    intake = Intake(opened, store)
    return suite.build(tools, intake.tools, (embedding, *intake.workers))


def _namespace(settings: Settings) -> UUID:
    try:
        return UUID(settings.papers_uuid_namespace)
    except ValueError:
        raise BadSetting(f"papers_uuid_namespace takes a UUID, got {settings.papers_uuid_namespace!r}") from None


def _own_concepts(settings: Settings) -> list[Concept]:
    if not settings.papers_synonyms:
        return []
    path = Path(settings.papers_synonyms).expanduser()
    try:
        return list(read_concepts(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        raise BadSetting(f"papers_synonyms: {path} cannot be read: {problem}") from None
