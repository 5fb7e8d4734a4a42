"""What the ledger may not keep: fields that a contract calls secret or that opted out."""

from __future__ import annotations

from typing import Any

from sanya.kernel.canonical import canonical_json

REDACTED = "[redacted]"
# Far more than any contract takes, far less than a body may have: refused calls must not fill the disk.
MAX_REFUSED_BYTES = 64 * 1024


def redact(sealed: bytes, given: dict[str, Any] | None, paths: tuple[tuple[str, ...], ...]) -> tuple[str, bool]:
    """The canonical input as the ledger keeps it, and whether anything was taken out.

    Refused arguments (`given` is None) never became the contract's shape, so a secret may stand anywhere in them and
    they may be of any size: a tool with redacted fields then keeps none of them, and no tool keeps huge ones.
    """
    if given is None and (paths or len(sealed) > MAX_REFUSED_BYTES):
        return "{}", True
    if given is None or not paths:
        return sealed.decode("utf-8"), False
    kept = given
    for path in paths:
        kept = _replace(kept, path)
    return canonical_json(kept).decode("utf-8"), kept != given


def _replace(node: Any, path: tuple[str, ...]) -> Any:
    head, rest = path[0], path[1:]
    if head == "*" and isinstance(node, list):
        return [_replace(item, rest) for item in node]
    if not isinstance(node, dict) or node.get(head) is None:
        return node
    return {**node, head: _replace(node[head], rest) if rest else REDACTED}
