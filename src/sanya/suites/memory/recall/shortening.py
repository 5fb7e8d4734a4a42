"""Shortening of answers: long contents first, then the last memories; the answer says so and where the rest is."""

from __future__ import annotations

from typing import Any

_LEAST_CHARS = 200
_CONTENTS = "memories.content"
_LAST = "memories"
_MESSAGE = (
    "Shortened to fit this connection ({fields}). Read memory://ID for a whole memory, or ask with compact, a smaller "
    "limit or a narrower question."
)


def shorten_memories(body: dict[str, Any], share: float) -> dict[str, Any] | None:
    """Return the answer of `get_memory` with about this share of its size, or None if nothing is left to shorten."""
    memories = body["memories"]
    if not memories:
        return None
    others = [found["contradicting_memory"] for found in body["contradictions"]]
    lengths = [len(memory["content"]) for memory in (*memories, *others)]
    longest = _find_longest(lengths, share)
    if longest < max(lengths):
        return _mark(
            body,
            _CONTENTS,
            memories=[_cut(memory, longest) for memory in memories],
            contradictions=[
                {**found, "contradicting_memory": _cut(found["contradicting_memory"], longest)}
                for found in body["contradictions"]
            ],
        )
    if len(memories) == 1:
        return None
    kept = memories[: max(1, int(len(memories) * share))]
    ids = {memory["id"] for memory in kept}
    contradictions = [found for found in body["contradictions"] if found["memory_id"] in ids]
    return _mark(body, _LAST, memories=kept, contradictions=contradictions)


def _find_longest(lengths: list[int], share: float) -> int:
    """Return the length to which contents are cut, so that about this share of all letters stays."""
    room = int(sum(lengths) * share)
    low, high = _LEAST_CHARS, max(max(lengths), _LEAST_CHARS)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sum(min(length, middle) for length in lengths) <= room else (low, middle - 1)
    return low


def _cut(memory: dict[str, Any], longest: int) -> dict[str, Any]:
    content = memory["content"]
    if len(content) <= longest:
        return memory
    known = memory["properties"].get("content_chars", len(content))
    return {
        **memory,
        "content": content[: longest - 1] + "…",
        "properties": {**memory["properties"], "content_chars": known},
    }


def _mark(body: dict[str, Any], field: str, **parts: Any) -> dict[str, Any]:
    meta = body["meta"]
    fields = sorted({*meta["shortened"], field})
    meta = {**meta, "returned": len(parts["memories"]), "truncated": True, "shortened": fields}
    return {**body, **parts, "meta": meta, "message": _MESSAGE.format(fields=", ".join(fields))}
