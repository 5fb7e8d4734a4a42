"""gRPC as a stranger asks it: messages by reflection, grpcio's client, the body put together again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sanya.kernel.contract_types import Listed, Mapped, Member, Record, Stamped, Typed, record_of, type_name
from sanya.parity.comparison import Case, Heard, Way, WayFailed

_PACKAGE = "sanya.v1"
_JSON = ("google.protobuf.Struct", "google.protobuf.Value")
_PATIENCE_S = 30.0
_ABSENT: Any = object()


@asynccontextmanager
async def open_grpc_way(address: str) -> AsyncIterator[Way]:
    import grpc.aio  # here: it is an extra

    methods = await asyncio.to_thread(_reflected, address)
    async with grpc.aio.insecure_channel(address) as channel:

        async def ask(case: Case) -> Heard:
            path, request, response = methods["ReadResource" if case.uri else type_name(case.tool.name)]
            arguments = {"uri": case.uri} if case.uri else case.arguments
            call = channel.unary_unary(
                path, request_serializer=request.SerializeToString, response_deserializer=response.FromString
            )
            try:
                answer = await call(_message(request, arguments), timeout=case.tool.timeout_ms / 1000 + _PATIENCE_S)
            except grpc.aio.AioRpcError as error:
                return _refused(error, methods["Fault"][1])
            if case.uri:
                return Heard(_resource(answer.body), answer.receipt.stamp.out_hash)
            return Heard(_record(record_of(case.tool.output_schema), answer.body), answer.receipt.stamp.out_hash)

        yield Way("gRPC", ask)


def _reflected(address: str) -> dict[str, tuple[str, Any, Any]]:
    """Path, request class and response class of every method by its name; and the class of faults."""
    import grpc
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message_factory import GetMessageClass
    from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

    found: dict[str, tuple[str, Any, Any]] = {}
    with grpc.insecure_channel(address) as channel:
        grpc.channel_ready_future(channel).result(timeout=_PATIENCE_S)
        database = ProtoReflectionDescriptorDatabase(channel)
        pool = DescriptorPool(database)
        for name in database.get_services():
            if name.startswith(f"{_PACKAGE}."):
                for method in pool.FindServiceByName(name).methods:
                    types = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
                    found[method.name] = (f"/{name}/{method.name}", *types)
        fault = GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.Fault"))
    return {**found, "Fault": ("", fault, fault)}


def _message(kind: Any, arguments: Mapping[str, Any]) -> Any:
    from google.protobuf.json_format import ParseDict, ParseError

    try:
        return ParseDict(_as_proto(kind.DESCRIPTOR, arguments), kind())
    except ParseError as error:
        raise WayFailed(f"the arguments are no message: {error}") from error


def _as_proto(descriptor: Any, value: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with lists in the messages that wrap them."""
    fields = {field.json_name: field for field in descriptor.fields}
    made = {}
    for name, one in value.items():
        kind = fields[name].message_type if name in fields else None
        if kind is not None and kind.full_name not in _JSON and isinstance(one, dict):
            made[name] = _as_proto(kind, one)
        elif kind is not None and kind.full_name not in _JSON and not fields[name].is_repeated and one is not None:
            made[name] = {"values": one}
        else:
            made[name] = one
    return made


def _refused(error: Any, fault: Any) -> Heard:
    from google.protobuf.json_format import MessageToDict
    from google.rpc.status_pb2 import Status

    details = (error.trailing_metadata() or {}).get("grpc-status-details-bin")
    if details is None:
        raise WayFailed(f"{error.code().name}: {error.details()}")
    ours = fault.FromString(Status.FromString(details).details[-1].value)
    return Heard(MessageToDict(ours.error), ours.receipt.stamp.out_hash)


def _resource(body: Any) -> dict[str, Any]:
    if body.HasField("text"):
        return {"text": body.text, "mime_type": body.mime_type}
    found: dict[str, Any] = _plain(body.json)
    return found


def _record(record: Record, message: Any) -> dict[str, Any]:
    """Under the contract's own names, which the fields have as their names in JSON."""
    fields = {field.json_name: field for field in message.DESCRIPTOR.fields}
    made = {member.name: _member(member, message, fields[member.name]) for member in record.members}
    return {name: value for name, value in made.items() if value is not _ABSENT}


def _member(member: Member, message: Any, field: Any) -> Any:
    if field.has_presence and not message.HasField(field.name):
        return None if member.typed.nullable else _ABSENT
    value = getattr(message, field.name)
    is_many = isinstance(member.typed.kind, Listed | Mapped) and not field.is_repeated
    if is_many and field.message_type.full_name not in _JSON:
        value = value.values  # a list or map that can be null is in a message of its own
    return _value(member.typed, value)


def _value(typed: Typed, value: Any) -> Any:
    if hasattr(value, "DESCRIPTOR") and value.DESCRIPTOR.full_name in _JSON:
        return _plain(value)
    match typed.kind:
        case Record() as record:
            return _record(record, value)
        case Listed(item):
            return [_value(item, one) for one in value]
        case Mapped(one):
            return {key: _value(one, value[key]) for key in value}
        case Stamped():
            return {field.name: getattr(value, field.name) for field in value.DESCRIPTOR.fields}
    return value


def _plain(value: Any) -> Any:
    from google.protobuf.json_format import MessageToDict

    return MessageToDict(value)
