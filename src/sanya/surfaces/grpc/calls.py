"""The methods of our own services: messages into calls of the kernel, and what they come to into messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from google.protobuf.message import DecodeError

from sanya.kernel.call import Answered, Call, Caller, Outcome, Refused
from sanya.kernel.dispatch import Kernel
from sanya.kernel.faults import Fault, InvalidArgument, MissingArgument
from sanya.kernel.traceparent import read_traceparent
from sanya.surfaces.grpc.descriptors import Descriptors
from sanya.surfaces.grpc.encoding import Encoding
from sanya.surfaces.grpc.exchange import Exchange, Failed, failed
from sanya.surfaces.grpc.proto import PACKAGE, Method, ProtoFile
from sanya.surfaces.grpc.status import Details, receipt_of, status_of
from sanya.surfaces.http.watch import watched
from sanya.surfaces.resource_shapes import content_of, entry_of

SURFACE = "grpc"
MAX_ID_CHARS = 128

Unary = Callable[[Exchange, Caller], Awaitable[None]]


class Calls:
    """`methods` has every method by its path."""

    def __init__(self, kernel: Kernel, file: ProtoFile, descriptors: Descriptors) -> None:
        self._kernel = kernel
        self._descriptors = descriptors
        self._encoding = Encoding(file)
        self.details = Details(descriptors)
        self.methods: dict[str, Unary] = {}
        for service in file.services:
            for method in service.methods:
                self.methods[f"/{PACKAGE}.{service.name}/{method.name}"] = self._method(method)

    def _method(self, method: Method) -> Unary:
        if method.tool is not None:
            return self._tool_method(method, method.tool)
        return {"ListResources": self._list_resources, "ReadResource": self._read_resource}[method.name]

    def _tool_method(self, method: Method, tool: str) -> Unary:
        request, response = self._descriptors.message(method.request), self._descriptors.message(method.response)
        read, write = self._encoding.reader(method.request), self._encoding.writer(f"{method.name}Body")
        kernel = self._kernel

        async def call(exchange: Exchange, caller: Caller) -> None:
            arguments = read(_parsed(request, await exchange.message()))
            outcome = await watched(kernel.call(_call(exchange, caller, tool, arguments)), exchange.gone)
            answered = self._answered(outcome)
            body = answered.body if write is None else write(answered.body)
            await exchange.answer(response(body=body, receipt=receipt_of(answered)).SerializeToString())

        return call

    def _answered(self, outcome: Outcome) -> Answered:
        if isinstance(outcome, Refused):
            status = status_of(type(outcome.fault))
            raise Failed(status, outcome.message, self.details.of_refused(outcome))
        return outcome

    async def _read_resource(self, exchange: Exchange, caller: Caller) -> None:
        request = _parsed(self._descriptors.message("ReadResourceRequest"), await exchange.message())
        if not request.HasField("uri"):
            raise MissingArgument("uri is required", field="uri")
        call = _call(exchange, caller, request.uri, {})
        answered = self._answered(await watched(self._kernel.read(call), exchange.gone))
        body = content_of(self._kernel.catalogue, request.uri, answered)
        response = self._descriptors.message("ReadResourceResponse")
        await exchange.answer(response(body=body, receipt=receipt_of(answered)).SerializeToString())

    async def _list_resources(self, exchange: Exchange, caller: Caller) -> None:  # noqa: ARG002 - a method's signature
        _parsed(self._descriptors.message("ListResourcesRequest"), await exchange.message())
        entries = [entry_of(one) for one in self._kernel.catalogue.resources]
        response = self._descriptors.message("ListResourcesResponse")
        await exchange.answer(response(resources=entries).SerializeToString())

    def fault(self, fault: Fault) -> Failed:
        return failed(fault, self.details.of_fault(fault))


def _parsed(kind: Any, payload: bytes) -> Any:
    try:
        return kind.FromString(payload)
    except DecodeError:
        raise InvalidArgument(f"the message is not a {kind.DESCRIPTOR.full_name}") from None


def _call(exchange: Exchange, caller: Caller, tool: str, arguments: dict[str, Any]) -> Call:
    request_id = exchange.metadata("x-request-id")
    if request_id is not None and not (request_id.strip() and len(request_id) <= MAX_ID_CHARS):
        raise InvalidArgument(f"x-request-id must be a text of 1 to {MAX_ID_CHARS} characters", field="x-request-id")
    parent = exchange.metadata("traceparent")
    trace_id, span_id = (None, None) if parent is None else read_traceparent(parent.decode("latin-1"))
    return Call(
        tool,
        arguments,
        caller=caller,
        surface=SURFACE,
        request_id=None if request_id is None else request_id.decode("ascii", "replace"),
        trace_id=trace_id,
        parent_span_id=span_id,
        timeout_ms=exchange.timeout_ms(),
    )
