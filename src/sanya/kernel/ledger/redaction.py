"""Redaction of the fields that a contract keeps out of the ledger."""

from __future__ import annotations

from typing import Any

from sanya.kernel.canonical import to_canonical_json

REDACTED = "[redacted]"
# Far more than any contract accepts, far less than a request body may have: refused calls must not fill the disk.
MAX_REFUSED_BYTES = 64 * 1024


def redact(sealed: bytes, given: dict[str, Any] | None, paths: tuple[tuple[str, ...], ...]) -> tuple[str, bool]:
    """Return the canonical input as the ledger stores it, and whether anything was redacted.

    Refused arguments (`given` is None) never matched the contract's shape, so a secret may be anywhere in them, and
    they may have any size. A tool with redacted fields then stores none of them, and no tool stores huge ones.
    """
    if given is None and (paths or len(sealed) > MAX_REFUSED_BYTES):
        return "{}", True
    if given is None or not paths:
        return sealed.decode("utf-8"), False
    kept = given
    for path in paths:
        kept = _replace(kept, path)
    return to_canonical_json(kept).decode("utf-8"), kept != given


def _replace(node: Any, path: tuple[str, ...]) -> Any:
    head, rest = path[0], path[1:]
    if head == "*" and isinstance(node, list):
        return [_replace(item, rest) for item in node]
    if not isinstance(node, dict) or node.get(head) is None:
        return node
    return {**node, head: _replace(node[head], rest) if rest else REDACTED}
