"""`POST /tools/<tool>` and `POST /tools`: call any tool of any suite through one envelope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

from sanya.kernel.calls.call import Call
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.traceparent import read_traceparent
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import Fault, InvalidArgument, UnknownTool
from sanya.surfaces.http import envelope
from sanya.surfaces.http.asgi import HttpRefusal, HttpRequest, HttpResponse
from sanya.surfaces.http.body import read_json_body
from sanya.surfaces.http.console_client import name_surface
from sanya.surfaces.http.disconnects import cancel_on_disconnect

MAX_ID_CHARS = 128

_ENVELOPE_KEYS = {"request_id", "tool", "args", "context"}
_CONTEXT_KEYS = {"session_id", "trace_id"}


@dataclass(frozen=True, slots=True)
class GatewayRequest:
    """A validated request envelope. The kernel validates the arguments."""

    tool: Tool
    arguments: Mapping[str, Any]
    request_id: str | None
    session_id: str | None
    trace_id: str | None


class Gateway:
    def __init__(self, kernel: Kernel, *, max_body_bytes: int, body_timeout_s: float) -> None:
        self._kernel = kernel
        self._max_body_bytes = max_body_bytes
        self._body_timeout_s = body_timeout_s

    async def call(self, request: HttpRequest, path_tool: str | None) -> HttpResponse:
        started_ns = perf_counter_ns()
        tool = None if path_tool is None else self._find_tool(path_tool)
        document: Any = None
        try:
            document = await self._read_document(request)
            read = self._read_envelope(document, tool)
        except Fault as fault:
            return envelope.refuse(fault, request_id=_extract_request_id(document), tool=tool)
        except HttpRefusal as refusal:
            return envelope.refuse(refusal.fault, status=refusal.status, tool=tool)
        outcome = await cancel_on_disconnect(self._kernel.call(_build_call(read, request)), request.receive)
        return envelope.answer(outcome, read.tool.name, (perf_counter_ns() - started_ns) // 1_000_000)

    def _find_tool(self, name: str) -> Tool:
        tool = self._kernel.catalogue.find_tool(name)
        if tool is None:
            raise UnknownTool(self._kernel.catalogue.suggest(name), details={"name": name[:MAX_ID_CHARS]})
        return tool

    async def _read_document(self, request: HttpRequest) -> Any:
        return await read_json_body(
            request, self._max_body_bytes, self._body_timeout_s, if_empty='Send at least {"args": {}}.'
        )

    def _read_envelope(self, document: Any, tool: Tool | None) -> GatewayRequest:
        if not isinstance(document, dict):
            raise InvalidArgument('The body must be a JSON object such as {"args": {}}.')
        _refuse_unknown(document, _ENVELOPE_KEYS, "")
        request_id = _read_text(document, "request_id", "")
        named = _read_text(document, "tool", "")
        if tool is None:
            if named is None:
                raise InvalidArgument("tool is required in the body or in the path (/tools/<tool>)", field="tool")
            tool = self._find_tool(named)
        elif named is not None and self._kernel.catalogue.find_tool(named) is not tool:
            message = f"The path names {tool.name} but the body names {named}. Send only one of them."
            raise InvalidArgument(message, field="tool")
        context = _read_object(document, "context")
        _refuse_unknown(context, _CONTEXT_KEYS, "context.")
        return GatewayRequest(
            tool=tool,
            arguments=_read_object(document, "args"),
            request_id=request_id,
            session_id=_read_text(context, "session_id", "context."),
            trace_id=_read_text(context, "trace_id", "context."),
        )


def _refuse_unknown(given: Mapping[str, Any], known: set[str], prefix: str) -> None:
    unknown = sorted(given.keys() - known)
    if unknown:
        names = ", ".join(f"{prefix}{name[:MAX_ID_CHARS]}" for name in unknown[:10])
        expected = ", ".join(f"{prefix}{name}" for name in sorted(known))
        raise InvalidArgument(f"Unknown field in the envelope: {names}. Use {expected}.", field=prefix + unknown[0])


def _read_text(given: Mapping[str, Any], name: str, prefix: str) -> str | None:
    value = given.get(name)
    if value is None or (isinstance(value, str) and value.strip() and len(value) <= MAX_ID_CHARS):
        return value
    raise InvalidArgument(f"{prefix}{name} must be a string of 1 to {MAX_ID_CHARS} characters", field=prefix + name)


def _read_object(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = given.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise InvalidArgument(f"{name} must be an object", field=name)
    return value


def _extract_request_id(document: Any) -> str | None:
    """Return the request id of a refused request if it is valid, so that the refusal can carry it."""
    request_id = document.get("request_id") if isinstance(document, dict) else None
    is_valid = isinstance(request_id, str) and request_id.strip() and len(request_id) <= MAX_ID_CHARS
    return request_id if is_valid else None


def _build_call(read: GatewayRequest, request: HttpRequest) -> Call:
    parent = request.headers.get(b"traceparent")
    trace_id, parent_span_id = (None, None) if parent is None else read_traceparent(parent.decode("latin-1"))
    return Call(
        read.tool.name,
        read.arguments,
        caller=request.caller,
        surface=name_surface(request.headers),
        request_id=read.request_id,
        trace_id=read.trace_id or trace_id,
        parent_span_id=parent_span_id if read.trace_id in (None, trace_id) else None,
        session_id=read.session_id,
    )
