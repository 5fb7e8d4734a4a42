"""Keeps the shared search in step with the graph.

The table `herb_passages` holds the digest of every indexed passage. After a change of the graph, the first process that
searches indexes the passages whose digests differ, in one transaction.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.suite.store import Database, Transaction
from sanya.suite.text import has_thai
from sanya.suites.herbs.facts.fact import HerbFacts, derive_facts
from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.questions.mentions import Gazetteer
from sanya.suites.herbs.questions.people_words import PeopleWords
from sanya.suites.herbs.questions.prepared_names import PreparedData
from sanya.suites.herbs.search.passages import FILTERED, NAMESPACE, GraphPassage, build_passages

if TYPE_CHECKING:
    from sanya.suite.search import Library, LibraryOpener

# The id of the row that holds the digest of all others.
_STATE = ""
_READ_STATE = "SELECT digest FROM herb_passages WHERE id = ''"
_READ_ALL = "SELECT id, digest FROM herb_passages WHERE id <> ''"
_REMOVE = "DELETE FROM herb_passages WHERE id = ?"
_WRITE = "INSERT INTO herb_passages (id, digest) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET digest = excluded.digest"


@dataclass(frozen=True)
class IndexedGraph:
    """A revision of the graph with its facts, passages and names, ready to be searched and quoted."""

    graph: HerbGraph
    facts: HerbFacts
    passages: dict[str, GraphPassage]
    gazetteer: Gazetteer
    library: Library
    _words: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)

    def tokenize(self, text: str) -> frozenset[str]:
        """Return the words of a text of the graph. They are cached: the texts are few, and each is read often."""
        if text not in self._words:
            self._words[text] = frozenset(self.library.reader.extract_words(text))
        return self._words[text]


class SearchIndex:
    """`words` are the words that people use, beside the graph's names; those of the suite where none are given. The
    indexes of the names are `kept` for the next process."""

    def __init__(
        self,
        store: HerbStore,
        open_library: LibraryOpener,
        words: PeopleWords | None = None,
        kept: PreparedData | None = None,
    ) -> None:
        self.store = store
        self._open_library = open_library
        self._words = words
        self._kept = kept
        self._lock = asyncio.Lock()
        self._indexed: IndexedGraph | None = None

    async def prepare(self) -> IndexedGraph:
        """Return the current revision. The first call in a home indexes it, a call after a change the difference."""
        revision = await self.store.read_revision()
        if self._indexed is None or self._indexed.graph.revision != revision:
            async with self._lock:
                graph = await self.store.load_graph()
                if self._indexed is None or self._indexed.graph.revision != graph.revision:
                    self._indexed = await self._index_graph(graph)
        return self._indexed

    async def _index_graph(self, graph: HerbGraph) -> IndexedGraph:
        facts = await asyncio.to_thread(derive_facts, graph)
        passages = build_passages(graph, facts)
        library = await self._open_library()
        await library.declare(NAMESPACE, FILTERED)
        await _synchronise(self.store.database, library, passages)
        gazetteer = await asyncio.to_thread(Gazetteer.build_for_questions, graph, self._words, self._kept)
        return IndexedGraph(graph, facts, passages, gazetteer, library.with_names(_pair_translations(graph)))


async def _synchronise(database: Database, library: Library, passages: dict[str, GraphPassage]) -> None:
    digests = {id: passage.digest for id, passage in passages.items()}
    state = sha256("\n".join(f"{id} {digest}" for id, digest in sorted(digests.items())).encode()).hexdigest()
    if await database.fetch(_READ_STATE, touches=1) != [(state,)]:
        async with database.transaction() as transaction:
            await transaction.execute(_WRITE, (_STATE, ""))
            await _replace_changed(transaction, library, passages, digests)
            await transaction.execute(_WRITE, (_STATE, state))
    await library.refresh()
    await library.require_whole(NAMESPACE)
    # Embedding may take long, so it runs outside the transaction. If it is interrupted, the next process continues.
    await library.embed_missing(NAMESPACE)


async def _replace_changed(
    transaction: Transaction, library: Library, passages: dict[str, GraphPassage], digests: dict[str, str]
) -> None:
    indexed = {str(id): str(digest) for id, digest in await transaction.fetch(_READ_ALL)}
    stale = sorted(indexed.keys() - digests.keys())
    changed = sorted(id for id, digest in digests.items() if indexed.get(id) != digest)
    if stale:
        await library.remove(NAMESPACE, stale, transaction)
        await transaction.execute_many(_REMOVE, [(id,) for id in stale])
    if changed:
        await library.add(NAMESPACE, [passages[id].document for id in changed], transaction, embed=False)
        await transaction.execute_many(_WRITE, [(id, digests[id]) for id in changed])


def _pair_translations(graph: HerbGraph) -> list[tuple[str, str]]:
    """Return every Thai name paired with each English and Latin name of the same node."""
    pairs: list[tuple[str, str]] = []
    for node in graph.nodes.values():
        names = [name for name in graph.get_names(node.id) if name.kind in ("main", "alias", "synonym")]
        thai = [name.name for name in names if has_thai(name.name)]
        foreign = [name.name for name in names if not has_thai(name.name)]
        pairs += [(thai_name, foreign_name) for thai_name in thai for foreign_name in foreign]
    return pairs
