"""The classes that Sanya keeps in a Weaviate server, and its marks there: how far each shelf got, and from which store.

The marks lie beside what they speak of, so that a server that was emptied is known to be empty.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sanya.engines.index.rows import Shelf
from sanya.engines.index.weaviate.connection import WeaviateConnection
from sanya.engines.index.weaviate.schema import Layout, chunk_properties, number_properties
from sanya.kernel.faults import Unavailable

if TYPE_CHECKING:
    from weaviate.collections import CollectionAsync

_MOST_MARKS = 10_000


@dataclass(frozen=True, slots=True)
class Mark:
    """All rows up to `position` are there, and whatever ended up to the change `seq` is gone."""

    position: int = 0
    seq: int = 0


class WeaviateClasses:
    """`store` tells one home's documents from another's."""

    def __init__(self, connection: WeaviateConnection, layout: Layout, store: str) -> None:
        self.connection = connection
        self.layout = layout
        self._store = store
        self._properties: dict[str, frozenset[str]] = {}

    def collection(self, namespace: str) -> CollectionAsync[Any, Any]:
        return self.connection.client.collections.get(self.layout.class_of(namespace))

    def forget(self) -> None:
        """What was known of the server may be outdated."""
        self._properties.clear()

    async def numbers(self, namespace: str, wanted: Collection[str]) -> frozenset[str]:
        """The properties that exist. Another process may have added some, so it is asked again for what is missing."""
        if namespace not in self._properties or not set(wanted) <= self._properties[namespace]:
            async with self.connection.answering("reading a class"):
                config = await self.collection(namespace).config.get()
            self._properties[namespace] = frozenset(one.name for one in config.properties)
        return self._properties[namespace]

    async def add_numbers(self, namespace: str, wanted: Collection[str]) -> None:
        missing = sorted(set(wanted) - await self.numbers(namespace, wanted))
        async with self.connection.answering("adding properties"):
            for one in number_properties(missing):
                await self.collection(namespace).config.add_property(one)
        self._properties[namespace] |= set(missing)

    async def ensure(self, namespace: str, spaces: Collection[str]) -> None:
        """Makes the class where it is missing, and anew where it lacks a vector space: what it held is in the store."""
        if namespace in self._properties:
            return
        await self._ensure_marks()
        state = await self._state(namespace, spaces)
        if state == "foreign":
            raise Unavailable(
                f"the Weaviate class {self.layout.class_of(namespace)} holds what this home did not write; "
                "set weaviate_class to another name"
            )
        if state != "ready":
            await self.drop(namespace)
            await self._create(namespace, spaces)
        await self.numbers(namespace, ())

    async def drop(self, namespace: str) -> None:
        """The class goes first: marks without a class are known to be void, a class without marks is not known to be
        ours."""
        self._properties.pop(namespace, None)
        collections, name = self.connection.client.collections, self.layout.class_of(namespace)
        async with self.connection.answering("dropping a class"):
            if await collections.exists(name):
                await collections.delete(name)
        for shelf in (await self._marks())[1]:
            if shelf[0] == namespace:
                await self._forget_mark(shelf)

    async def marks(self) -> dict[Shelf, Mark]:
        return (await self._marks())[1]

    async def set_mark(self, shelf: Shelf, mark: Mark) -> None:
        from weaviate.classes.data import DataObject

        one = DataObject(
            uuid=self.layout.uuid_of(self._mark_name(shelf)),
            properties={
                "store": self._store,
                "namespace": shelf[0],
                "partition": shelf[1],
                "position": mark.position,
                "seq": mark.seq,
            },
        )
        async with self.connection.answering("keeping a mark"):
            await self._mark_collection.data.insert_many([one])

    async def _state(self, namespace: str, spaces: Collection[str]) -> str:
        name = self.layout.class_of(namespace)
        async with self.connection.answering("looking for a class"):
            if not await self.connection.client.collections.exists(name):
                return "missing"
            config = await self.collection(namespace).config.get()
        others, ours = await self._marks()
        if namespace in others:
            return "foreign"
        if not any(shelf[0] == namespace for shelf in ours):
            async with self.connection.answering("counting a class"):
                held = await self.collection(namespace).aggregate.over_all(total_count=True)
            return "foreign" if held.total_count else "empty"
        return "ready" if set(spaces) <= set(config.vector_config or {}) else "outdated"

    async def _create(self, namespace: str, spaces: Collection[str]) -> None:
        from weaviate.classes.config import Configure, VectorDistances

        near = Configure.VectorIndex.hnsw(distance_metric=VectorDistances.COSINE)
        async with self.connection.answering("creating a class"):
            await self.connection.client.collections.create(
                self.layout.class_of(namespace),
                description=f"What Sanya searches in {namespace}, derived from its store.",
                properties=chunk_properties(),
                vector_config=[
                    Configure.Vectors.self_provided(name=space, vector_index_config=near) for space in sorted(spaces)
                ],
                inverted_index_config=Configure.inverted_index(bm25_b=0.75, bm25_k1=1.2),
            )
        # Before the first document, so that a class with documents is known to be ours.
        await self.set_mark((namespace, ""), Mark())

    async def _ensure_marks(self) -> None:
        from weaviate.classes.config import Configure, DataType, Property

        collections = self.connection.client.collections
        async with self.connection.answering("looking for the marks"):
            if await collections.exists(self.layout.marks_class):
                return
            texts = [Property(name=name, data_type=DataType.TEXT) for name in ("store", "namespace", "partition")]
            whole = [Property(name=name, data_type=DataType.INT) for name in ("position", "seq")]
            await collections.create(
                self.layout.marks_class,
                description="How far Sanya's classes follow its store.",
                properties=[*texts, *whole],
                vector_config=Configure.Vectors.self_provided(),
            )

    async def _marks(self) -> tuple[set[str], dict[Shelf, Mark]]:
        """The namespaces of other stores, and our own marks."""
        async with self.connection.answering("reading the marks"):
            found = await self._mark_collection.query.fetch_objects(limit=_MOST_MARKS)
        rows: Sequence[Mapping[str, Any]] = [one.properties for one in found.objects]
        ours = [row for row in rows if row["store"] == self._store]
        return (
            {str(row["namespace"]) for row in rows if row["store"] != self._store},
            {(row["namespace"], row["partition"]): Mark(int(row["position"]), int(row["seq"])) for row in ours},
        )

    async def _forget_mark(self, shelf: Shelf) -> None:
        async with self.connection.answering("forgetting a mark"):
            await self._mark_collection.data.delete_by_id(self.layout.uuid_of(self._mark_name(shelf)))

    def _mark_name(self, shelf: Shelf) -> str:
        return f"mark {self._store} {shelf[0]} {shelf[1]}"

    @property
    def _mark_collection(self) -> CollectionAsync[Any, Any]:
        return self.connection.client.collections.get(self.layout.marks_class)
