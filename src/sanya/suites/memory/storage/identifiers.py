"""Identifiers: hashes of what they stand for.

The same request, document, node or edge gets the same identifier, whichever process makes it first, so writing it twice
changes nothing. Retries, consolidation after a crash and imports all rest on that.
"""

from __future__ import annotations

from hashlib import sha256

_HEX_DIGITS = 16


def make_memory_id(key: str) -> str:
    return _hash("mem_", key)


def make_node_id(namespace: str, *parts: str) -> str:
    return _hash("mem_", "node", namespace, *parts)


def make_edge_id(*parts: str) -> str:
    return _hash("edge_", *parts)


def make_source_id(*parts: str) -> str:
    return _hash("src_", *parts)


def make_contradiction_id(*parts: str) -> str:
    return _hash("con_", *parts)


def make_correction_id(key: str) -> str:
    """Return the handle under which a correction can be undone."""
    return _hash("cor_", key)


def _hash(prefix: str, *parts: str) -> str:
    # Lone surrogates in a name must not fail here; strict UTF-8 refuses them.
    return prefix + sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_HEX_DIGITS]
