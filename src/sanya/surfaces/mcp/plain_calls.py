"""Recognises plain modern `tools/call` requests, which are nearly all traffic.

A request is plain when its headers name the method, the version and the tool, its body agrees with them, and it uses
no progress token, log level or mirrored argument. Everything else, valid or not, is left to the SDK. So this module
only ever returns a call or None, and never has to report an error.
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

from sanya.kernel.strict_json import DuplicateName, parse_json
from sanya.surfaces.mcp.calls import has_valid_request_id

METHOD = "tools/call"
_VERSION = LATEST_MODERN_VERSION
_RAW_VERSION = _VERSION.encode("ascii")
_RAW_METHOD = METHOD.encode("ascii")
_PARAMS = frozenset({"name", "arguments", "_meta"})
_NOT_PLAIN = frozenset({"progressToken", LOG_LEVEL_META_KEY})
# orjson reads an integer beyond 64 bits as a float, unlike the SDK. A run of 19 digits is the shortest such integer.
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * 19

HeaderPairs = Iterable[tuple[bytes, bytes]]


class PlainCall(NamedTuple):
    id: int | str
    name: str
    arguments: dict[str, Any]
    meta: dict[str, Any]


def read_tool_header(headers: HeaderPairs, max_body_bytes: int) -> bytes | None:
    """Return the `Mcp-Name` header if all headers are those of a plain call, else None."""
    by_name = dict(headers)
    if (
        by_name.get(b"mcp-method") != _RAW_METHOD
        or by_name.get(b"mcp-protocol-version") != _RAW_VERSION
        or not _is_acceptable(by_name.get(b"accept", b""))
        or not _is_json(by_name.get(b"content-type", b""))
        or not _is_within(by_name.get(b"content-length"), max_body_bytes)
        or len(by_name) != _count(headers)
        or b"mcp-param-" in b"\n".join(by_name)
    ):
        return None
    return by_name.get(b"mcp-name")


def read_plain_call(body: bytes, tool_header: bytes) -> PlainCall | None:
    """Return the call if the body is a plain one and names the same tool as the header, else None."""
    if _LONG_NUMBER in body.translate(_DIGITS_ALIKE):
        return None
    try:
        message = parse_json(body)
    except (orjson.JSONDecodeError, DuplicateName):
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
    """Return True if the SDK accepts these capabilities and client info. A client repeats them in every call."""
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
    """Return True if the SDK reads this Accept header as accepting both JSON and an event stream."""
    return all(check_accept_headers(Request({"type": "http", "headers": [(b"accept", accept)]})))


@lru_cache(maxsize=256)
def _is_json(content_type: bytes) -> bool:
    return content_type.lower().startswith(b"application/json")


def _is_within(content_length: bytes | None, max_body_bytes: int) -> bool:
    return content_length is None or (content_length.isdigit() and int(content_length) <= max_body_bytes)


def _count(headers: HeaderPairs) -> int:
    return len(headers) if isinstance(headers, list | tuple) else sum(1 for _ in headers)
