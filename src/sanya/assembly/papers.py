"""Opens the papers suite: search on the shared library, synonyms from the built-in table and the owner's file."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from uuid import UUID

from sanya.assembly.home_resources import HomeResources
from sanya.assembly.papers_intake import Intake
from sanya.kernel.contracts.suite import Suite, Worker
from sanya.settings import BadSetting, Settings
from sanya.suites.papers import suite
from sanya.suites.papers.checkpoints import Checkpoints
from sanya.suites.papers.corpus import Corpus
from sanya.suites.papers.fulltext.passage_search import PassageSearch
from sanya.suites.papers.fulltext.store import FullTextStore
from sanya.suites.papers.fulltext.tools import FullTextTools, build_fulltext_tools
from sanya.suites.papers.indexing.embedding import keep_embedded
from sanya.suites.papers.indexing.paper_facts import PaperFacts
from sanya.suites.papers.indexing.paper_index import PaperIndex
from sanya.suites.papers.mesh.heading_search import HeadingSearch
from sanya.suites.papers.mesh.headings import Headings
from sanya.suites.papers.mesh.tools import MeshTools, build_mesh_tools
from sanya.suites.papers.references.related_papers import RelatedPapers
from sanya.suites.papers.references.resolver import PaperResolver
from sanya.suites.papers.references.shared_references import SharedReferences
from sanya.suites.papers.references.tools import ReferenceTools, build_reference_tools
from sanya.suites.papers.search.paper_search import PaperSearch
from sanya.suites.papers.search.synonyms import Concept, Synonyms, load_concepts, merge_concepts, read_concepts
from sanya.suites.papers.starter import PaperStarter
from sanya.suites.papers.status.tools import StatusTools, build_status_tools
from sanya.suites.papers.store import PaperStore
from sanya.suites.papers.tools import PaperTools


async def open_papers(resources: HomeResources) -> Suite:
    settings, database = resources.settings, resources.database
    index = PaperIndex(resources.library, database, _read_namespace(settings))
    store = PaperStore(database, index)
    checkpoints = Checkpoints(database, index)
    corpus = Corpus(database)
    more = _own_concepts(settings)
    load_synonyms = cache(lambda: Synonyms(merge_concepts(load_concepts(), more)))
    texts = FullTextStore(database, resources.library)
    search = PaperSearch(index, load_synonyms, PassageSearch(texts))
    tools = PaperTools(store, corpus, search, checkpoints, PaperStarter(database, store, checkpoints))
    embedding = Worker("papers: embedding", lambda: keep_embedded(corpus, index, texts))
    intake, facts = Intake(resources, store), PaperFacts(database)
    references = ReferenceTools(
        tools, PaperResolver(store, search), RelatedPapers(store, search, facts, SharedReferences(database))
    )
    status = StatusTools(tools, index, intake.watches, resources.cursors)
    fulltext = FullTextTools(texts, store, intake.open_entrez)
    headings = Headings(database)
    mesh = MeshTools(tools, facts, headings, HeadingSearch(headings, load_synonyms))
    following = Worker("papers: headings and references", facts.keep_up)
    more_tools = (
        *build_reference_tools(references),
        *build_mesh_tools(mesh),
        *build_status_tools(status),
        *build_fulltext_tools(fulltext),
        *intake.tools,
    )
    built = suite.build(tools, more_tools, (embedding, following, *intake.workers))
    return replace(built, prepare=index.prepare)


def _read_namespace(settings: Settings) -> UUID:
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
