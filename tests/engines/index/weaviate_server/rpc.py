"""The gRPC side of the stand-in: Search, Aggregate, BatchObjects, BatchDelete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import grpc
import numpy as np
from google.protobuf.json_format import MessageToDict
from weaviate.proto.v1 import (
    aggregate_pb2,
    base_search_pb2,
    batch_delete_pb2,
    batch_pb2,
    properties_pb2,
    search_get_pb2,
    weaviate_pb2_grpc,
)

from tests.engines.index.weaviate_server.held import ClassStore, Refused, StoredClass, StoredObject, Vector
from tests.engines.index.weaviate_server.misbehaving import Misbehaviour
from tests.engines.index.weaviate_server.scoring import ScoredObjects, find_passing, fuse, rank_by_vector, rank_by_words

_DEFAULT_LIMIT = 10
_MAX_RESULTS = 10_000


class Service(weaviate_pb2_grpc.WeaviateServicer):
    def __init__(self, store: ClassStore, misbehaviour: Misbehaviour) -> None:
        self._store = store
        self._misbehaviour = misbehaviour
        self.calls: list[str] = []

    # The names are the proto's.
    async def Search(self, request: search_get_pb2.SearchRequest, context: Any) -> Any:  # noqa: N802
        return await self._answer("Search", context, lambda: self._search(request))

    async def Aggregate(self, request: aggregate_pb2.AggregateRequest, context: Any) -> Any:  # noqa: N802
        return await self._answer("Aggregate", context, lambda: self._aggregate(request))

    async def BatchObjects(self, request: batch_pb2.BatchObjectsRequest, context: Any) -> Any:  # noqa: N802
        return await self._answer("BatchObjects", context, lambda: self._put(request))

    async def BatchDelete(self, request: batch_delete_pb2.BatchDeleteRequest, context: Any) -> Any:  # noqa: N802
        return await self._answer("BatchDelete", context, lambda: self._delete(request))

    async def _answer(self, method: str, context: Any, answer: Callable[[], Any]) -> Any:
        self.calls.append(method)
        await self._misbehaviour.run_before(method, context.abort)
        try:
            found = answer()
        except Refused as refused:
            await context.abort(grpc.StatusCode.UNKNOWN, str(refused))
        await self._misbehaviour.run_after(method, context.abort)
        return found

    def _search(self, request: search_get_pb2.SearchRequest) -> search_get_pb2.SearchReply:
        limit = request.limit or _DEFAULT_LIMIT
        if limit + request.offset > _MAX_RESULTS:
            raise Refused("query maximum results exceeded")
        held = self._store.get(request.collection)
        among = find_passing(held, request.filters if request.HasField("filters") else None)
        scored = self._score(held, request, among)[:limit]
        return search_get_pb2.SearchReply(
            results=[_build_result(held, stored, score, request) for score, stored in scored]
        )

    def _score(
        self, held: StoredClass, request: search_get_pb2.SearchRequest, among: list[StoredObject]
    ) -> ScoredObjects:
        if request.HasField("bm25_search"):
            return rank_by_words(held, request.bm25_search.query, list(request.bm25_search.properties), among)
        if request.HasField("near_vector"):
            return rank_by_vector(held, *_read_vector(request.near_vector), among)
        if request.HasField("hybrid_search"):
            hybrid = request.hybrid_search
            words = rank_by_words(held, hybrid.query, list(hybrid.properties), among)
            meaning = rank_by_vector(held, *_read_vector(hybrid), among)
            assert hybrid.fusion_type == base_search_pb2.Hybrid.FUSION_TYPE_RELATIVE_SCORE
            return fuse(words, meaning, hybrid.alpha_param if hybrid.use_alpha_param else hybrid.alpha)
        return [(0.0, stored) for stored in sorted(among, key=lambda stored: stored.number)]

    def _aggregate(self, request: aggregate_pb2.AggregateRequest) -> aggregate_pb2.AggregateReply:
        held = self._store.get(request.collection)
        found = find_passing(held, request.filters if request.HasField("filters") else None)
        return aggregate_pb2.AggregateReply(single_result=aggregate_pb2.AggregateReply.Single(objects_count=len(found)))

    def _put(self, request: batch_pb2.BatchObjectsRequest) -> batch_pb2.BatchObjectsReply:
        errors = []
        for at, stored in enumerate(request.objects):
            try:
                self._misbehaviour.refuse_object(stored.uuid)
                properties = MessageToDict(stored.properties.non_ref_properties)
                properties |= {part.prop_name: list(part.values) for part in stored.properties.text_array_properties}
                properties |= {name: [] for name in stored.properties.empty_list_props}
                vectors = {part.name: _unpack(part.vector_bytes) for part in stored.vectors}
                self._store.get(stored.collection).put(stored.uuid, properties, vectors)
            except Refused as refused:
                errors.append(batch_pb2.BatchObjectsReply.BatchError(index=at, error=str(refused)))
        return batch_pb2.BatchObjectsReply(errors=errors)

    def _delete(self, request: batch_delete_pb2.BatchDeleteRequest) -> batch_delete_pb2.BatchDeleteReply:
        held = self._store.get(request.collection)
        found = find_passing(held, request.filters)
        for stored in found:
            del held.objects[stored.uuid]
        return batch_delete_pb2.BatchDeleteReply(matches=len(found), successful=len(found), failed=0)


def _read_vector(asked: base_search_pb2.NearVector | base_search_pb2.Hybrid) -> tuple[Vector, str]:
    (space,) = asked.targets.target_vectors
    raw = asked.vector_bytes or (asked.vectors[0].vector_bytes if asked.vectors else b"")
    if not raw and isinstance(asked, base_search_pb2.NearVector):
        (target,) = asked.vector_for_targets
        raw = target.vector_bytes or target.vectors[0].vector_bytes
    return _unpack(raw), space


def _unpack(raw: bytes) -> Vector:
    return np.frombuffer(raw, dtype="<f4")


def _build_result(
    held: StoredClass, stored: StoredObject, score: float, request: search_get_pb2.SearchRequest
) -> search_get_pb2.SearchResult:
    asked = request.properties
    everything = asked.return_all_nonref_properties or not request.HasField("properties")
    names = list(stored.properties) if everything else list(asked.non_ref_properties)
    fields = {name: _build_value(held, name, stored.properties[name]) for name in names if name in stored.properties}
    metadata = search_get_pb2.MetadataResult(id=stored.uuid, id_as_bytes=UUID(stored.uuid).bytes)
    if request.metadata.score:
        metadata.score, metadata.score_present = score, True
    if request.metadata.distance:
        metadata.distance, metadata.distance_present = score, True
    if request.metadata.creation_time_unix:
        metadata.creation_time_unix, metadata.creation_time_unix_present = stored.stored_ms, True
    if request.metadata.last_update_time_unix:
        metadata.last_update_time_unix, metadata.last_update_time_unix_present = stored.stored_ms, True
    for name in request.metadata.vectors:
        if name in stored.vectors:
            metadata.vectors.add(name=name, vector_bytes=stored.vectors[name].tobytes(), type=1)
    properties = search_get_pb2.PropertiesResult(
        target_collection=request.collection, non_ref_props=properties_pb2.Properties(fields=fields)
    )
    return search_get_pb2.SearchResult(properties=properties, metadata=metadata)


def _build_value(held: StoredClass, name: str, value: Any) -> properties_pb2.Value:
    match held.get_property(name)["dataType"][0]:
        case "int":
            return properties_pb2.Value(int_value=int(value))
        case "number":
            return properties_pb2.Value(number_value=value)
        case "text[]":
            return properties_pb2.Value(
                list_value=properties_pb2.ListValue(text_values=properties_pb2.TextValues(values=value))
            )
    return properties_pb2.Value(text_value=value)
