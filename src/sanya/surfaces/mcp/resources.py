"""`resources/read`: reads a resource through the kernel."""

from __future__ import annotations

from typing import Any

import orjson
from mcp import MCPError, types

from sanya.kernel.calls.call import Answered, Call, Caller, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.traceparent import read_traceparent
from sanya.kernel.contracts.suite import Resource
from sanya.kernel.faults import Forbidden, InvalidArgument, NotFound, Unauthorized
from sanya.surfaces.mcp.calls import SURFACE
from sanya.surfaces.mcp.results import build_meta

_JSON = "application/json"
_CLIENT_FAULTS = (InvalidArgument, NotFound, Forbidden, Unauthorized)


async def read_resource(kernel: Kernel, uri: str, caller: Caller, meta: dict[str, Any]) -> types.ReadResourceResult:
    trace_id, parent_span_id = read_traceparent(meta.get("traceparent"))
    call = Call(uri, {}, caller, SURFACE, trace_id=trace_id, parent_span_id=parent_span_id)
    outcome = await kernel.read(call)
    if isinstance(outcome, Refused):
        raise _build_error(uri, outcome)
    resource = kernel.catalogue.find_resource(uri)
    assert resource is not None, "it has just been read"
    return types.ReadResourceResult(contents=[_build_contents(uri, resource, outcome)], _meta=build_meta(outcome))


def _build_contents(
    uri: str, resource: Resource, outcome: Answered
) -> types.TextResourceContents | types.BlobResourceContents:
    if resource.mime_type == _JSON:
        text, mime_type = orjson.dumps(outcome.body).decode("utf-8"), _JSON
    else:
        text, mime_type = outcome.body["text"], outcome.body["mime_type"]
    meta = dict(resource.meta) or None
    if "blob" in outcome.body and resource.mime_type != _JSON:
        return types.BlobResourceContents(uri=uri, blob=outcome.body["blob"], mime_type=mime_type, _meta=meta)
    return types.TextResourceContents(uri=uri, text=text, mime_type=mime_type, _meta=meta)


def _build_error(uri: str, refused: Refused) -> MCPError:
    """Turn a refusal into a protocol error. Unlike a tool result, a resource result cannot carry an error."""
    code = types.INVALID_PARAMS if isinstance(refused.fault, _CLIENT_FAULTS) else types.INTERNAL_ERROR
    return MCPError(code, refused.message, {"uri": uri, "error": refused.error})
