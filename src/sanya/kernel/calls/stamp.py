"""The stamp of a call: hashes of its input and answer, the seed, the latency and the status."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from sanya.kernel.calls.prepared_bodies import PreparedBody
from sanya.kernel.canonical import to_canonical_json

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


def add_stamp_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a body that carries its stamp under `audit`."""
    properties = {**schema["properties"], "audit": _STAMP_SCHEMA}
    return {**schema, "properties": properties, "required": [*schema.get("required", ()), "audit"]}


def remove_stamp_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema without what `add_stamp_schema` added."""
    properties = {name: member for name, member in schema["properties"].items() if name != "audit"}
    return {**schema, "properties": properties, "required": [name for name in schema["required"] if name != "audit"]}


def digest(canonical: bytes) -> str:
    return sha256(canonical).hexdigest()


def derive_seed(in_hash: str) -> int:
    """Return the first 64 bits of the input hash: the only source of randomness of a call."""
    return int(in_hash[:16], 16)


def serialise_hashed(body: Mapping[str, Any], unhashed: tuple[tuple[str, ...], ...], *, plain: bool = False) -> bytes:
    """Return the bytes that `out_hash` covers: the body without paths that hold wall-clock time or newly made ids."""
    if isinstance(body, PreparedBody) and not unhashed:
        return body.to_canonical_json()
    for path in unhashed:
        body = remove_path(body, path)
    return to_canonical_json(body, plain=plain)


def remove_path(body: Any, path: tuple[str, ...]) -> Any:
    """Return a copy of `body` without the value at `path`; `*` stands for every element of a list."""
    head, rest = path[0], path[1:]
    if head == "*" and isinstance(body, list):
        return [remove_path(item, rest) for item in body]
    if not isinstance(body, Mapping) or head not in body:
        return body
    if not rest:
        return {key: value for key, value in body.items() if key != head}
    return {**body, head: remove_path(body[head], rest)}
