"""Recognises the plain modern `tools/call`: the one request that makes up nearly all traffic.

It answers only "plain" or "not plain". Whatever is unusual or wrong is not plain and goes to the SDK, which knows how
to answer it; so nothing here ever has to word a refusal.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import orjson
from mcp.server.streamable_http import check_accept_headers
from mcp.shared.inbound import decode_header_value
from mcp.types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, LOG_LEVEL_META_KEY, PROTOCOL_VERSION_META_KEY
from mcp.types.methods import validate_client_request
from mcp.types.version import LATEST_MODERN_VERSION
from pydantic import ValidationError
from starlette.requests import Request

from sanya.surfaces.mcp.calls import has_valid_request_id

METHOD = "tools/call"
_VERSION = LATEST_MODERN_VERSION
_RAW_VERSION = _VERSION.encode("ascii")
_RAW_METHOD = METHOD.encode("ascii")
_PARAMS = frozenset({"name", "arguments", "_meta"})
_NOT_PLAIN = frozenset({"progressToken", LOG_LEVEL_META_KEY})
# orjson reads an integer beyond 64 bits as a fraction, which the SDK does not; 19 digits is where that can begin.
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * 19

HeaderPairs = Iterable[tuple[bytes, bytes]]


class PlainCall(NamedTuple):
    id: int | str
    name: str
    arguments: dict[str, Any]
    meta: dict[str, Any]


def read_tool_header(headers: HeaderPairs, max_body_bytes: int) -> bytes | None:
    """The `Mcp-Name` of a request whose headers are those of a plain call, else None."""
    found = dict(headers)
    if (
        found.get(b"mcp-method") != _RAW_METHOD
        or found.get(b"mcp-protocol-version") != _RAW_VERSION
        or not _is_acceptable(found.get(b"accept", b""))
        or not _is_json(found.get(b"content-type", b""))
        or not _is_within(found.get(b"content-length"), max_body_bytes)
        or len(found) != _count(headers)
        or b"mcp-param-" in b"\n".join(found)
    ):
        return None
    return found.get(b"mcp-name")


def read_plain_call(body: bytes, tool_header: bytes) -> PlainCall | None:
    """The call, if this body is a plain one and names the same tool as its header."""
    if _LONG_NUMBER in body.translate(_DIGITS_ALIKE):
        return None
    try:
        message = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    if type(message) is not dict or message.get("jsonrpc") != "2.0" or message.get("method") != METHOD:
        return None
    id, params = message.get("id"), message.get("params")
    if (type(id) is not int and type(id) is not str) or type(params) is not dict or not _PARAMS.issuperset(params):
        return None
    name, meta, arguments = params.get("name"), params.get("_meta"), params.get("arguments")
    if (
        type(name) is not str
        or not _is_same_name(tool_header, name)
        or type(meta) is not dict
        or not _is_plain_meta(meta)
    ):
        return None
    if arguments is None:
        arguments = {}
    return PlainCall(id, name, arguments, meta) if type(arguments) is dict else None


def _is_same_name(header: bytes, name: str) -> bool:
    raw = header.decode("latin-1")
    return raw == name if raw[:2] != "=?" else decode_header_value(raw) == name


def _is_plain_meta(meta: dict[str, Any]) -> bool:
    if meta.get(PROTOCOL_VERSION_META_KEY) != _VERSION or CLIENT_CAPABILITIES_META_KEY not in meta:
        return False
    if not _NOT_PLAIN.isdisjoint(meta) or not has_valid_request_id(meta):
        return False
    return _is_valid_client(orjson.dumps([meta[CLIENT_CAPABILITIES_META_KEY], meta.get(CLIENT_INFO_META_KEY)]))


@lru_cache(maxsize=512)
def _is_valid_client(described: bytes) -> bool:
    """Whether the SDK takes these capabilities and this client info. A client sends the same ones with every call."""
    capabilities, info = orjson.loads(described)
    meta = {
        PROTOCOL_VERSION_META_KEY: _VERSION,
        CLIENT_CAPABILITIES_META_KEY: capabilities,
        CLIENT_INFO_META_KEY: info,
    }
    try:
        validate_client_request(METHOD, _VERSION, {"name": "", "_meta": meta})
    except ValidationError:
        return False
    return True


@lru_cache(maxsize=256)
def _is_acceptable(accept: bytes) -> bool:
    """Whether the SDK reads this as accepting JSON and an event stream."""
    return all(check_accept_headers(Request({"type": "http", "headers": [(b"accept", accept)]})))


@lru_cache(maxsize=256)
def _is_json(content_type: bytes) -> bool:
    return content_type.lower().startswith(b"application/json")


def _is_within(content_length: bytes | None, max_body_bytes: int) -> bool:
    return content_length is None or (content_length.isdigit() and int(content_length) <= max_body_bytes)


def _count(headers: HeaderPairs) -> int:
    return len(headers) if isinstance(headers, list | tuple) else sum(1 for _ in headers)
