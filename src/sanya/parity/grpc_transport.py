"""Calls gRPC as a client would: reads the messages by reflection, uses grpcio's client, rebuilds the body."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sanya.kernel.contracts.schema_types import (
    ContractType,
    ListType,
    MapType,
    Member,
    RecordType,
    StampType,
    read_record,
    to_type_name,
)
from sanya.parity.comparison import Case, Transport, TransportAnswer, TransportFailed

_PACKAGE = "sanya.v1"
_JSON = ("google.protobuf.Struct", "google.protobuf.Value")
_PATIENCE_S = 180.0
_ABSENT: Any = object()


@asynccontextmanager
async def open_grpc(address: str, headers: Mapping[str, str]) -> AsyncIterator[Transport]:
    import grpc.aio  # here: it is an extra

    try:
        methods = await asyncio.to_thread(_reflect_methods, address, headers)
    except (grpc.RpcError, grpc.FutureTimeoutError) as error:
        raise TransportFailed(f"gRPC gave no schema: {error or type(error).__name__}") from error
    async with grpc.aio.insecure_channel(address) as channel:

        async def ask(case: Case) -> TransportAnswer:
            path, request, response = methods["ReadResource" if case.uri else to_type_name(case.tool.name)]
            arguments = {"uri": case.uri} if case.uri else case.arguments
            call = channel.unary_unary(
                path, request_serializer=request.SerializeToString, response_deserializer=response.FromString
            )
            try:
                answer = await call(
                    _build_message(request, arguments),
                    timeout=case.tool.timeout_ms / 1000 + _PATIENCE_S,
                    metadata=tuple(headers.items()),
                )
            except grpc.aio.AioRpcError as error:
                return _read_refusal(error, methods["Fault"][1])
            if case.uri:
                return TransportAnswer(_read_resource(answer.body), answer.receipt.stamp.out_hash)
            return TransportAnswer(
                _rebuild_record(read_record(case.tool.output_schema), answer.body), answer.receipt.stamp.out_hash
            )

        yield Transport("gRPC", ask)


def _reflect_methods(address: str, headers: Mapping[str, str]) -> dict[str, tuple[str, Any, Any]]:
    """Return path, request class and response class of every method by name, and the class of faults."""
    import grpc
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass
    from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

    found: dict[str, tuple[str, Any, Any]] = {}
    with grpc.insecure_channel(address) as channel:
        grpc.channel_ready_future(channel).result(timeout=_PATIENCE_S)
        database = ProtoReflectionDescriptorDatabase(_add_headers(channel, headers))
        pool = DescriptorPool(database)
        for name in database.get_services():
            if name.startswith(f"{_PACKAGE}."):
                for method in pool.FindServiceByName(name).methods:
                    types = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
                    found[method.name] = (f"/{name}/{method.name}", *types)
        fault = GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.Fault"))
    return {**found, "Fault": ("", fault, fault)}


def _add_headers(channel: Any, headers: Mapping[str, str]) -> Any:
    """Return the channel with these headers on its streams: the client of reflection takes none itself."""
    import grpc

    class HeaderInterceptor(grpc.StreamStreamClientInterceptor):  # type: ignore[misc]
        def intercept_stream_stream(self, continuation: Any, details: Any, requests: Any) -> Any:
            return continuation(details._replace(metadata=tuple(headers.items())), requests)

    return grpc.intercept_channel(channel, HeaderInterceptor())


def _build_message(kind: Any, arguments: Mapping[str, Any]) -> Any:
    from google.protobuf.json_format import ParseDict, ParseError

    try:
        return ParseDict(_as_proto(kind.DESCRIPTOR, arguments), kind())
    except ParseError as error:
        raise TransportFailed(f"the arguments do not fit the message: {error}") from error


def _as_proto(descriptor: Any, value: Mapping[str, Any]) -> dict[str, Any]:
    """Wrap lists in the messages that hold them."""
    fields = {field.json_name: field for field in descriptor.fields}
    rebuilt = {}
    for name, argument in value.items():
        kind = fields[name].message_type if name in fields else None
        if kind is not None and kind.full_name not in _JSON and isinstance(argument, dict):
            rebuilt[name] = _as_proto(kind, argument)
        elif kind is not None and kind.full_name not in _JSON and not fields[name].is_repeated and argument is not None:
            rebuilt[name] = {"values": argument}
        else:
            rebuilt[name] = argument
    return rebuilt


def _read_refusal(error: Any, fault: Any) -> TransportAnswer:
    from google.protobuf.json_format import MessageToDict
    from google.rpc.status_pb2 import Status

    details = (error.trailing_metadata() or {}).get("grpc-status-details-bin")
    if details is None:
        raise TransportFailed(f"{error.code().name}: {error.details()}")
    ours = fault.FromString(Status.FromString(details).details[-1].value)
    return TransportAnswer(MessageToDict(ours.error), ours.receipt.stamp.out_hash)


def _read_resource(body: Any) -> dict[str, Any]:
    if body.HasField("text"):
        return {"text": body.text, "mime_type": body.mime_type}
    found: dict[str, Any] = _to_dict(body.json)
    return found


def _rebuild_record(record: RecordType, message: Any) -> dict[str, Any]:
    """Rebuild a record under the contract's names, which are the fields' names in JSON."""
    fields = {field.json_name: field for field in message.DESCRIPTOR.fields}
    rebuilt = {member.name: _rebuild_member(member, message, fields[member.name]) for member in record.members}
    return {name: value for name, value in rebuilt.items() if value is not _ABSENT}


def _rebuild_member(member: Member, message: Any, field: Any) -> Any:
    if field.has_presence and not message.HasField(field.name):
        return None if member.type.nullable else _ABSENT
    value = getattr(message, field.name)
    is_many = isinstance(member.type.kind, ListType | MapType) and not field.is_repeated
    if is_many and field.message_type.full_name not in _JSON:
        value = value.values  # a list or map that can be null is in a message of its own
    return _rebuild_value(member.type, value)


def _rebuild_value(typed: ContractType, value: Any) -> Any:
    if hasattr(value, "DESCRIPTOR") and value.DESCRIPTOR.full_name in _JSON:
        return _to_dict(value)
    match typed.kind:
        case RecordType() as record:
            return _rebuild_record(record, value)
        case ListType(item):
            return [_rebuild_value(item, element) for element in value]
        case MapType(item):
            return {key: _rebuild_value(item, value[key]) for key in value}
        case StampType():
            return {field.name: getattr(value, field.name) for field in value.DESCRIPTOR.fields}
    return value


def _to_dict(value: Any) -> Any:
    from google.protobuf.json_format import MessageToDict

    return MessageToDict(value)
