"""The classes that Sanya keeps in a Weaviate server, and its marks there: how far each partition follows which store.

The marks are stored in Weaviate itself, so that a server which lost its data has lost its marks too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sanya.engines.index.rows import PartitionKey
from sanya.engines.index.weaviate.connection import WeaviateConnection
from sanya.engines.index.weaviate.schema import Layout, build_number_properties, build_properties
from sanya.kernel.faults import Unavailable

if TYPE_CHECKING:
    from weaviate.collections import CollectionAsync

_MAX_MARKS = 10_000
_MAX_COPIES = 3


@dataclass(frozen=True, slots=True)
class FollowMark:
    """All rows up to `position` are in Weaviate, and rows that ended up to the change `seq` are deleted."""

    position: int = 0
    seq: int = 0


class WeaviateClasses:
    """The classes of one store; its name distinguishes one home's documents from another's."""

    def __init__(self, connection: WeaviateConnection, layout: Layout, store: str) -> None:
        self.connection = connection
        self.layout = layout
        self._store = store
        self._properties: dict[str, frozenset[str]] = {}

    def get_collection(self, namespace: str) -> CollectionAsync[Any, Any]:
        return self.connection.client.collections.get(self.layout.name_class(namespace))

    def invalidate(self) -> None:
        """Drop what is known of the server, which may be outdated."""
        self._properties.clear()

    async def read_properties(self, namespace: str, wanted: Collection[str]) -> frozenset[str]:
        """Return the properties of a class. Another process may add some, so a missing one is looked up again."""
        if namespace not in self._properties or not set(wanted) <= self._properties[namespace]:
            async with self.connection.request("reading a class"):
                config = await self.get_collection(namespace).config.get()
            self._properties[namespace] = frozenset(property.name for property in config.properties)
        return self._properties[namespace]

    async def add_number_properties(self, namespace: str, wanted: Collection[str]) -> None:
        missing = sorted(set(wanted) - await self.read_properties(namespace, wanted))
        async with self.connection.request("adding properties"):
            for property in build_number_properties(missing):
                await self.get_collection(namespace).config.add_property(property)
        self._properties[namespace] |= set(missing)

    async def ensure(self, namespace: str, spaces: Collection[str]) -> None:
        """Create the class if it is missing, and again if it lacks a vector space: its content is in the store."""
        if namespace in self._properties:
            return
        await self._ensure_marks()
        state = await self._inspect_class(namespace, spaces)
        if state == "foreign":
            raise Unavailable(
                f"the Weaviate class {self.layout.name_class(namespace)} holds objects that this home did not write; "
                "set weaviate_class to another name"
            )
        if state != "ready":
            await self.drop(namespace)
            await self._create(namespace, spaces)
        await self.read_properties(namespace, ())

    async def drop(self, namespace: str) -> None:
        """Delete the class, then its marks: marks without a class are known to be void, but a class without marks looks
        foreign."""
        self._properties.pop(namespace, None)
        collections, name = self.connection.client.collections, self.layout.name_class(namespace)
        async with self.connection.request("dropping a class"):
            if await collections.exists(name):
                await collections.delete(name)
        for key in (await self._read_all_marks())[1]:
            if key[0] == namespace:
                await self._delete_mark(key)

    async def read_marks(self) -> dict[PartitionKey, FollowMark]:
        return (await self._read_all_marks())[1]

    async def set_mark(self, key: PartitionKey, mark: FollowMark) -> None:
        from weaviate.classes.data import DataObject

        data = DataObject(
            uuid=self.layout.derive_uuid(self._name_mark(key)),
            properties={
                "store": self._store,
                "namespace": key[0],
                "partition": key[1],
                "position": mark.position,
                "seq": mark.seq,
            },
        )
        async with self.connection.request("keeping a mark"):
            await self._mark_collection.data.insert_many([data])

    async def _inspect_class(self, namespace: str, spaces: Collection[str]) -> str:
        name = self.layout.name_class(namespace)
        async with self.connection.request("looking for a class"):
            if not await self.connection.client.collections.exists(name):
                return "missing"
            config = await self.get_collection(namespace).config.get()
        others, ours = await self._read_all_marks()
        if namespace in others:
            return "foreign"
        if not any(key[0] == namespace for key in ours):
            async with self.connection.request("counting a class"):
                counted = await self.get_collection(namespace).aggregate.over_all(total_count=True)
            return "foreign" if counted.total_count else "empty"
        return "ready" if set(spaces) <= set(config.vector_config or {}) else "outdated"

    async def _create(self, namespace: str, spaces: Collection[str]) -> None:
        from weaviate.classes.config import Configure, VectorDistances

        graph = Configure.VectorIndex.hnsw(distance_metric=VectorDistances.COSINE)
        copies = await self._choose_copies()
        async with self.connection.request("creating a class"):
            await self.connection.client.collections.create(
                self.layout.name_class(namespace),
                description=f"What Sanya searches in {namespace}, derived from its store.",
                properties=build_properties(),
                vector_config=[
                    Configure.Vectors.self_provided(name=space, vector_index_config=graph) for space in sorted(spaces)
                ],
                inverted_index_config=Configure.inverted_index(bm25_b=0.75, bm25_k1=1.2),
                replication_config=Configure.replication(factor=copies),
            )
        # Written before the first document, so that a class with documents is known to be ours.
        await self.set_mark((namespace, ""), FollowMark())

    async def _choose_copies(self) -> int:
        """Return on how many nodes to keep each row: up to three, so that a cluster can lose one and still answer."""
        async with self.connection.request("listing nodes"):
            return min(_MAX_COPIES, len(await self.connection.client.cluster.nodes(output="minimal")))

    async def _ensure_marks(self) -> None:
        from weaviate.classes.config import Configure, DataType, Property

        collections = self.connection.client.collections
        async with self.connection.request("looking for the marks"):
            if await collections.exists(self.layout.marks_class):
                return
            copies = await self._choose_copies()
            texts = [Property(name=name, data_type=DataType.TEXT) for name in ("store", "namespace", "partition")]
            integers = [Property(name=name, data_type=DataType.INT) for name in ("position", "seq")]
            await collections.create(
                self.layout.marks_class,
                description="How far Sanya's classes follow its store.",
                properties=[*texts, *integers],
                vector_config=Configure.Vectors.self_provided(),
                replication_config=Configure.replication(factor=copies),
            )

    async def _read_all_marks(self) -> tuple[set[str], dict[PartitionKey, FollowMark]]:
        """Return the namespaces of other stores, and our own marks."""
        async with self.connection.request("reading the marks"):
            result = await self._mark_collection.query.fetch_objects(limit=_MAX_MARKS)
        rows: Sequence[Mapping[str, Any]] = [mark.properties for mark in result.objects]
        ours = [row for row in rows if row["store"] == self._store]
        return (
            {str(row["namespace"]) for row in rows if row["store"] != self._store},
            {(row["namespace"], row["partition"]): FollowMark(int(row["position"]), int(row["seq"])) for row in ours},
        )

    async def _delete_mark(self, key: PartitionKey) -> None:
        async with self.connection.request("forgetting a mark"):
            await self._mark_collection.data.delete_by_id(self.layout.derive_uuid(self._name_mark(key)))

    def _name_mark(self, key: PartitionKey) -> str:
        return f"mark {self._store} {key[0]} {key[1]}"

    @property
    def _mark_collection(self) -> CollectionAsync[Any, Any]:
        return self.connection.client.collections.get(self.layout.marks_class)
