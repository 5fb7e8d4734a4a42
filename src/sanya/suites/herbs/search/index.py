"""Keeps the shared search in step with the graph: what is searched is made from a revision, and follows it.

Only what differs is indexed anew, in one transaction, whichever process comes first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from sanya.kernel.database import Database, Transaction
from sanya.suites.herbs.facts.fact import Facts, facts_of
from sanya.suites.herbs.graph.model import Graph
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.questions.mentions import Gazetteer
from sanya.suites.herbs.search.passages import FILTERED, NAMESPACE, Passage, passages_of
from sanya.text.characters import has_thai

if TYPE_CHECKING:
    from sanya.retrieval.search import Library, LibraryDoor

# The row that says which state the others make up.
_STATE = ""
_READ_STATE = "SELECT digest FROM herb_passages WHERE id = ''"
_READ_ALL = "SELECT id, digest FROM herb_passages WHERE id <> ''"
_REMOVE = "DELETE FROM herb_passages WHERE id = ?"
_WRITE = "INSERT INTO herb_passages (id, digest) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET digest = excluded.digest"


@dataclass(frozen=True)
class Searchable:
    """One revision of the graph, ready to be searched and quoted."""

    graph: Graph
    facts: Facts
    passages: dict[str, Passage]
    gazetteer: Gazetteer
    library: Library
    _words: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)

    def words_of(self, text: str) -> frozenset[str]:
        """The words of a text of the graph, which are asked for again and again; there are only so many texts."""
        if text not in self._words:
            self._words[text] = frozenset(self.library.reader.words(text))
        return self._words[text]


class SearchIndex:
    def __init__(self, store: HerbStore, door: LibraryDoor) -> None:
        self.store = store
        self._door = door
        self._turn = asyncio.Lock()
        self._ready: Searchable | None = None

    async def ready(self) -> Searchable:
        """The current revision. The first call on a home indexes it; a call after a change indexes the difference."""
        revision = await self.store.revision()
        if self._ready is None or self._ready.graph.revision != revision:
            async with self._turn:
                graph = await self.store.snapshot()
                if self._ready is None or self._ready.graph.revision != graph.revision:
                    self._ready = await self._prepare(graph)
        return self._ready

    async def _prepare(self, graph: Graph) -> Searchable:
        facts = await asyncio.to_thread(facts_of, graph)
        passages = passages_of(graph, facts)
        library = await self._door()
        await library.declare(NAMESPACE, FILTERED)
        await _bring(self.store.database, library, passages)
        gazetteer = await asyncio.to_thread(Gazetteer.for_questions, graph)
        return Searchable(graph, facts, passages, gazetteer, library.knowing(_translations(graph)))


async def _bring(database: Database, library: Library, passages: dict[str, Passage]) -> None:
    wanted = {one: passage.digest for one, passage in passages.items()}
    state = sha256("\n".join(f"{one} {digest}" for one, digest in sorted(wanted.items())).encode()).hexdigest()
    if await database.fetch(_READ_STATE, touches=1) != [(state,)]:
        async with database.transaction() as transaction:
            await transaction.execute(_WRITE, (_STATE, ""))
            await _exchange(transaction, library, passages, wanted)
            await transaction.execute(_WRITE, (_STATE, state))
    await library.refresh()
    # Apart from the transaction, for embedding may take long; broken off, the next process goes on with it.
    await library.embed_missing(NAMESPACE)


async def _exchange(
    transaction: Transaction, library: Library, passages: dict[str, Passage], wanted: dict[str, str]
) -> None:
    known = {str(one): str(digest) for one, digest in await transaction.fetch(_READ_ALL)}
    stale = sorted(known.keys() - wanted.keys())
    changed = sorted(one for one, digest in wanted.items() if known.get(one) != digest)
    if stale:
        await library.remove(NAMESPACE, stale, transaction)
        await transaction.execute_many(_REMOVE, [(one,) for one in stale])
    if changed:
        await library.add(NAMESPACE, [passages[one].document for one in changed], transaction, embed=False)
        await transaction.execute_many(_WRITE, [(one, wanted[one]) for one in changed])


def _translations(graph: Graph) -> list[tuple[str, str]]:
    """Every Thai name with the English and the Latin one of the same thing."""
    pairs: list[tuple[str, str]] = []
    for node in graph.nodes.values():
        names = [name for name in graph.names_of(node.id) if name.kind in ("main", "alias", "synonym")]
        thai = [name.name for name in names if has_thai(name.name)]
        foreign = [name.name for name in names if not has_thai(name.name)]
        pairs += [(one, other) for one in thai for other in foreign]
    return pairs
