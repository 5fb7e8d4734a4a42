"""Refusals of calls whose caller cannot be identified, because the store of the keys is away.

No call begins then: nothing may be recorded for somebody unknown. The caller gets the words of the suite all the same,
in the form of the surface: an agent must not meet another vocabulary just because an outage was noticed earlier.
"""

from __future__ import annotations

from typing import Any

import orjson

from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.dialect import find_code
from sanya.kernel.contracts.schema_types import to_identifier
from sanya.kernel.contracts.tool import Tool
from sanya.kernel.faults import DeadlineExceeded, Fault, Unavailable
from sanya.kernel.strict_json import DuplicateName, parse_json
from sanya.suites.tasks.dialect import DIALECT as GATEWAY_DIALECT
from sanya.surfaces.http import envelope
from sanya.surfaces.http.asgi import DATA_HEADERS, HttpRefusal, HttpRequest, HttpResponse
from sanya.surfaces.http.body import read_body
from sanya.surfaces.mcp.results import build_early_refusal

OUTAGES = (Unavailable, DeadlineExceeded)
MAX_BODY_BYTES = 64 * 1024
"""Of a body from somebody unknown no more is read, only to find the name of its tool and its id."""

_GATEWAY = "/tools"
_GRAPHQL = "/graphql"
_SERVER_ERROR = -32000


class EarlyRefusals:
    def __init__(self, catalogue: Catalogue, body_timeout_s: float) -> None:
        self._catalogue = catalogue
        self._body_timeout_s = body_timeout_s

    async def answer(self, fault: Fault, request: HttpRequest, *, is_mcp: bool) -> HttpResponse | None:
        """Return the answer in the words of the suite that was called; None for a request that is no call."""
        path: str = request.scope["path"].rstrip("/")
        if request.scope["method"] != "POST":
            return None
        if is_mcp:
            return self._answer_mcp(fault, await self._read_document(request))
        if path == _GRAPHQL:
            return self._answer_graphql(fault, await self._read_document(request))
        if path != _GATEWAY and not path.startswith(f"{_GATEWAY}/"):
            return None
        document = await self._read_document(request)
        named = path.removeprefix(_GATEWAY).strip("/") or document.get("tool")
        request_id = document.get("request_id")
        shown = request_id if isinstance(request_id, str) and 0 < len(request_id) <= 128 else None
        return envelope.refuse(fault, request_id=shown, tool=self._find_tool(named))

    def _answer_mcp(self, fault: Fault, message: dict[str, Any]) -> HttpResponse | None:
        id, params = message.get("id"), message.get("params")
        if not isinstance(id, int | str):
            return None
        is_call = message.get("method") == "tools/call" and isinstance(params, dict)
        tool = self._find_tool(params.get("name") if isinstance(params, dict) else None) if is_call else None
        if tool is not None:
            result = build_early_refusal(fault, tool)
            return _respond(200, {"jsonrpc": "2.0", "id": id, "result": result}, fault)
        data = {"kind": fault.kind, "retry_after_ms": fault.retry_after_ms}
        error = {"code": _SERVER_ERROR, "message": fault.message, "data": data}
        return _respond(envelope.find_status(fault), {"jsonrpc": "2.0", "id": id, "error": error}, fault)

    def _answer_graphql(self, fault: Fault, document: dict[str, Any]) -> HttpResponse:
        """Return an error for each tool that the query names, or one in the words of the gateway."""
        from sanya.surfaces.graphql.root_fields import (
            list_root_fields,  # here: most servers never need a GraphQL parser
        )

        tools = {to_identifier(tool.portable_name): tool for tool in self._catalogue.tools}
        fields = list_root_fields(document.get("query"))
        errors = [_describe_error(fault, [key], tools[name]) for key, name in fields if name in tools]
        content = {"errors": errors or [_describe_error(fault, None, None)]}
        return _respond(envelope.find_status(fault), content, fault)

    def _find_tool(self, name: object) -> Tool | None:
        return self._catalogue.find_tool(name) if isinstance(name, str) else None

    async def _read_document(self, request: HttpRequest) -> dict[str, Any]:
        """Return the body if it is a small JSON object, else nothing."""
        length = request.headers.get(b"content-length")
        try:
            body = await read_body(request.receive, MAX_BODY_BYTES, length=length, timeout_s=self._body_timeout_s)
            document = parse_json(body)
        except (Fault, HttpRefusal, orjson.JSONDecodeError, DuplicateName):
            return {}
        return document if isinstance(document, dict) else {}


def _describe_error(fault: Fault, path: list[str] | None, tool: Tool | None) -> dict[str, Any]:
    response = (tool.dialect if tool else GATEWAY_DIALECT).render_fault(fault, tool)
    extensions = {
        "code": find_code(tool.dialect if tool else GATEWAY_DIALECT, fault, response.error),
        "kind": fault.kind,
        "error": response.error,
        "retry_after_ms": fault.retry_after_ms,
    }
    return {"message": response.message, **({"path": path} if path else {}), "extensions": extensions}


def _respond(status: int, content: dict[str, Any], fault: Fault) -> HttpResponse:
    headers = DATA_HEADERS + envelope.build_fault_headers(fault)
    return HttpResponse(status, orjson.dumps(content), headers=headers)
