"""The RPC methods of our services: turn request messages into kernel calls and outcomes into response messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from google.protobuf.message import DecodeError

from sanya.kernel.calls.call import Answered, Call, Caller, Outcome, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.traceparent import read_traceparent
from sanya.kernel.faults import Fault, InvalidArgument, MissingArgument
from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.encoding import Encoding
from sanya.surfaces.grpc.exchange import Exchange, RpcFailure, to_failure
from sanya.surfaces.grpc.proto import PACKAGE, ProtoFile, ProtoMethod
from sanya.surfaces.grpc.status import StatusDetails, build_receipt, find_status
from sanya.surfaces.http.disconnects import cancel_on_disconnect
from sanya.surfaces.resource_shapes import build_content, describe_resource

SURFACE = "grpc"
MAX_ID_CHARS = 128

UnaryMethod = Callable[[Exchange, Caller], Awaitable[None]]


class ServiceMethods:
    """Builds every method of the proto file. `methods` maps a path to its method."""

    def __init__(self, kernel: Kernel, file: ProtoFile, descriptors: Descriptors) -> None:
        self._kernel = kernel
        self._descriptors = descriptors
        self._encoding = Encoding(file)
        self.details = StatusDetails(descriptors)
        self.methods: dict[str, UnaryMethod] = {}
        self._tools: dict[str, str] = {}
        for service in file.services:
            for method in service.methods:
                path = f"/{PACKAGE}.{service.name}/{method.name}"
                self.methods[path] = self._build_method(method)
                if method.tool is not None:
                    self._tools[path] = method.tool

    def _build_method(self, method: ProtoMethod) -> UnaryMethod:
        if method.tool is not None:
            return self._build_tool_method(method, method.tool)
        return {"ListResources": self._list_resources, "ReadResource": self._read_resource}[method.name]

    def _build_tool_method(self, method: ProtoMethod, tool: str) -> UnaryMethod:
        request, response = (
            self._descriptors.get_message_class(method.request),
            self._descriptors.get_message_class(method.response),
        )
        read, write = self._encoding.get_reader(method.request), self._encoding.get_writer(f"{method.name}Body")
        kernel = self._kernel

        async def call(exchange: Exchange, caller: Caller) -> None:
            arguments = read(_parse_message(request, await exchange.read_message()))
            outcome = await cancel_on_disconnect(
                kernel.call(_build_call(exchange, caller, tool, arguments)), exchange.wait_for_disconnect
            )
            answered = self._require_answer(outcome)
            body = answered.body if write is None else write(answered.body)
            await exchange.answer(response(body=body, receipt=build_receipt(answered)).SerializeToString())

        return call

    def _require_answer(self, outcome: Outcome) -> Answered:
        if isinstance(outcome, Refused):
            status = find_status(type(outcome.fault))
            raise RpcFailure(status, outcome.message, self.details.build_from_refusal(outcome))
        return outcome

    async def _read_resource(self, exchange: Exchange, caller: Caller) -> None:
        request = _parse_message(
            self._descriptors.get_message_class("ReadResourceRequest"), await exchange.read_message()
        )
        if not request.HasField("uri"):
            raise MissingArgument("uri is required", field="uri")
        call = _build_call(exchange, caller, request.uri, {})
        answered = self._require_answer(
            await cancel_on_disconnect(self._kernel.read(call), exchange.wait_for_disconnect)
        )
        body = build_content(self._kernel.catalogue, request.uri, answered)
        response = self._descriptors.get_message_class("ReadResourceResponse")
        await exchange.answer(response(body=body, receipt=build_receipt(answered)).SerializeToString())

    async def _list_resources(self, exchange: Exchange, caller: Caller) -> None:
        await self._kernel.admit_request(caller)
        _parse_message(self._descriptors.get_message_class("ListResourcesRequest"), await exchange.read_message())
        entries = [describe_resource(resource) for resource in self._kernel.catalogue.resources]
        response = self._descriptors.get_message_class("ListResourcesResponse")
        await exchange.answer(response(resources=entries).SerializeToString())

    def refuse_early(self, fault: Fault, path: str) -> RpcFailure:
        """Build the failure of a call whose caller cannot be identified, in the words of the suite that was called."""
        tool = self._kernel.catalogue.find_tool(self._tools.get(path, ""))
        return (
            self.to_failure(fault) if tool is None else to_failure(fault, self.details.build_early_refusal(fault, tool))
        )

    def to_failure(self, fault: Fault) -> RpcFailure:
        return to_failure(fault, self.details.build_from_fault(fault))


def _parse_message(kind: Any, payload: bytes) -> Any:
    try:
        return kind.FromString(payload)
    except DecodeError:
        raise InvalidArgument(f"The message is not a valid {kind.DESCRIPTOR.full_name}.") from None


def _build_call(exchange: Exchange, caller: Caller, tool: str, arguments: dict[str, Any]) -> Call:
    request_id = exchange.get_metadata("x-request-id")
    if request_id is not None and not (request_id.strip() and len(request_id) <= MAX_ID_CHARS):
        raise InvalidArgument(f"x-request-id must be a string of 1 to {MAX_ID_CHARS} characters", field="x-request-id")
    parent = exchange.get_metadata("traceparent")
    trace_id, span_id = (None, None) if parent is None else read_traceparent(parent.decode("latin-1"))
    return Call(
        tool,
        arguments,
        caller=caller,
        surface=SURFACE,
        request_id=None if request_id is None else request_id.decode("ascii", "replace"),
        trace_id=trace_id,
        parent_span_id=span_id,
        timeout_ms=exchange.read_timeout_ms(),
    )
