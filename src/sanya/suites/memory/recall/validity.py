"""Validity: a memory that another one replaces comes after it, whatever the question matched better.

Both speak of the same property, so what replaces a memory answers the question that found it. It takes the place of the
one that it replaces, and that one follows. The difference is a part of the score, like all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sanya.suite.search import round_score

if TYPE_CHECKING:
    from sanya.suites.memory.recall.ranking import RecallMatch
    from sanya.suites.memory.storage.reader import MemoryReader

VALIDITY = "validity"
_OUTDATED = 0.25
_MAX_CHAIN = 20


@dataclass(frozen=True, slots=True)
class Replacement:
    """The memory that replaces another one, and when it was sent."""

    memory_id: str
    at: str


async def load_replacements(
    reader: MemoryReader, namespace: str, ids: Sequence[str], as_of: str | None = None
) -> dict[str, Replacement]:
    """Return the latest memory that replaces each of these, as far as it was known at a time."""
    edges = await reader.find_edges_to(namespace, ids, "supersedes") if ids else []
    memories = await reader.find_memories(namespace, sorted({edge.from_id for edge in edges}))
    found: dict[str, Replacement] = {}
    for edge in edges:
        memory = memories.get(edge.from_id)
        if memory is None or memory.retired_at is not None or (as_of and memory.created_at > as_of):
            continue
        if edge.to_id not in found or found[edge.to_id].at < memory.created_at:
            found[edge.to_id] = Replacement(memory.id, memory.created_at)
    return found


def rank_by_validity(
    matches: Sequence[RecallMatch], replacements: Mapping[str, Replacement], limit: int
) -> list[RecallMatch]:
    """Put each memory that is replaced behind the one that replaces it."""
    from sanya.suites.memory.recall.ranking import RecallMatch

    if not replacements:
        return list(matches[:limit])
    scores = {match.id: match.score for match in matches}
    adjusted = dict(scores)
    for match in matches:
        if match.id in replacements:
            newest = _find_newest(match.id, replacements)
            adjusted[newest] = max(adjusted.get(newest, 0.0), scores[match.id])
    for match in matches:
        if match.id in replacements:
            newest = _find_newest(match.id, replacements)
            adjusted[match.id] = round_score(min(scores[match.id], adjusted[newest]) - _OUTDATED)
    parts = {match.id: match.parts for match in matches}
    ranked = [
        RecallMatch(key, score, _add_part(parts.get(key, {}), score - scores.get(key, 0.0)))
        for key, score in adjusted.items()
    ]
    return sorted(ranked, key=lambda match: (-match.score, match.id))[:limit]


def _find_newest(memory_id: str, replacements: Mapping[str, Replacement]) -> str:
    for _ in range(_MAX_CHAIN):
        if memory_id not in replacements:
            break
        memory_id = replacements[memory_id].memory_id
    return memory_id


def _add_part(parts: Mapping[str, float], difference: float) -> Mapping[str, float]:
    return {**parts, VALIDITY: round_score(difference)} if difference else parts
