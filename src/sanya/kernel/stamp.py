"""The stamp of a call: what went in, what came out, and the seed between them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from sanya.kernel.canonical import canonical_json

Status = Literal["ok", "error"]


class Stamp(NamedTuple):
    in_hash: str
    out_hash: str
    seed: int
    latency_ms: int
    status: Status

    def as_json(self) -> dict[str, Any]:
        return {
            "in_hash": self.in_hash,
            "out_hash": self.out_hash,
            "latency_ms": self.latency_ms,
            "seed": self.seed,
            "status": self.status,
        }


_STAMP_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What went in, what came out, and the seed between them.",
    "properties": {
        "in_hash": {"type": "string", "description": "SHA-256 of the canonical input."},
        "out_hash": {"type": "string", "description": "SHA-256 of the canonical answer without this stamp."},
        "latency_ms": {"type": "integer", "description": "How long the call took."},
        "seed": {"type": "integer", "description": "The only source of randomness: the first 64 bits of in_hash."},
        "status": {"type": "string", "enum": ["ok", "error"], "description": "How the call ended."},
    },
    "required": ["in_hash", "out_hash", "latency_ms", "seed", "status"],
    "additionalProperties": False,
}


def stamped_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a body that carries its stamp under `audit`."""
    properties = {**schema["properties"], "audit": _STAMP_SCHEMA}
    return {**schema, "properties": properties, "required": [*schema.get("required", ()), "audit"]}


def digest(canonical: bytes) -> str:
    return sha256(canonical).hexdigest()


def seed_of(in_hash: str) -> int:
    """The first 16 hex digits as an unsigned 64-bit number: the only source of randomness of a call."""
    return int(in_hash[:16], 16)


def hashed_bytes(body: Mapping[str, Any], unhashed: tuple[tuple[str, ...], ...], *, plain: bool = False) -> bytes:
    """What `out_hash` is the digest of: the body without the paths that hold wall-clock time or ids made by a write."""
    for path in unhashed:
        body = _without(body, path)
    return canonical_json(body, plain=plain)


def _without(body: Any, path: tuple[str, ...]) -> Any:
    """A copy of `body` without the value at `path`; `*` stands for every element of a list."""
    head, rest = path[0], path[1:]
    if head == "*" and isinstance(body, list):
        return [_without(item, rest) for item in body]
    if not isinstance(body, Mapping) or head not in body:
        return body
    if not rest:
        return {key: value for key, value in body.items() if key != head}
    return {**body, head: _without(body[head], rest)}
