"""Calls of tools over HTTP in the newer era, past the SDK's client.

A call there is one request with one answer, so it needs none of the SDK's sessions and streams, which take more than
half of the CPU of a call. Everything else goes through the SDK: the older era, progress, and what is unusual.
"""

from __future__ import annotations

import base64
import itertools
from collections.abc import Mapping
from typing import Any

import orjson
from mcp import MCPError, types
from mcp.types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from sanya.sources.http_connections import HttpAnswer, HttpConnections

_EVENTS = "text/event-stream"


class DirectCalls:
    """Calls the tools of one server. `version` is the protocol's, as negotiated."""

    def __init__(self, connections: HttpConnections, version: str, client_info: Mapping[str, str]) -> None:
        self._connections = connections
        self._headers = {
            "content-type": "application/json",
            "accept": f"application/json, {_EVENTS}",
            "mcp-protocol-version": version,
            "mcp-method": "tools/call",
        }
        self._meta = {
            PROTOCOL_VERSION_META_KEY: version,
            CLIENT_INFO_META_KEY: dict(client_info),
            CLIENT_CAPABILITIES_META_KEY: {},
        }
        self._ids = itertools.count(1)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the result. Raise MCPError with the server's error, OSError where there is no answer."""
        params = {"name": name, "arguments": dict(arguments), "_meta": self._meta}
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": "tools/call", "params": params}
        headers = {**self._headers, "mcp-name": _encode_header(name)}
        answer = _find_answer(await self._connections.post(orjson.dumps(message), headers), message["id"])
        if error := answer.get("error"):
            raise MCPError(int(error.get("code", types.INTERNAL_ERROR)), str(error.get("message", "")))
        result = answer.get("result")
        if not isinstance(result, dict) or result.get("resultType", "complete") != "complete":
            raise MCPError(types.INTERNAL_ERROR, f"{name} asks for input, which a proxy cannot give")
        return result


def is_modern_version(version: str) -> bool:
    return version in MODERN_PROTOCOL_VERSIONS


def _encode_header(name: str) -> str:
    if name.isascii() and name.isprintable():
        return name
    return f"=?base64?{base64.b64encode(name.encode('utf-8')).decode('ascii')}?="


def _find_answer(response: HttpAnswer, id: object) -> dict[str, Any]:
    """Return the JSON-RPC answer of a response, which is JSON or a stream of events that ends with it."""
    texts = [response.content]
    if response.headers.get("content-type", "").startswith(_EVENTS):
        texts = [line[5:] for line in response.content.splitlines() if line.startswith(b"data:")]
    for text in reversed(texts):
        try:
            answer = orjson.loads(text)
        except orjson.JSONDecodeError:
            continue
        if isinstance(answer, dict) and (answer.get("id") == id or "error" in answer):
            return answer
    raise MCPError(types.INTERNAL_ERROR, f"the server answered with HTTP status {response.status} and no result")
