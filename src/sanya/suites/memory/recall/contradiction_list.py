"""The list of all contradictions: pairs of memories that cannot both be true, the newest first.

A contradiction is open while both memories stand. It is settled when one of them was replaced by a later memory or
retired by a correction, or when its row says that it was resolved. Nothing is stored for that: undoing the correction
opens it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sanya.suite.store import Row, Value
from sanya.suites.memory.recall.answers import AnswerParts, RelatedRecords, build_entry, load_current
from sanya.suites.memory.recall.causal_chains import summarise
from sanya.suites.memory.storage.reader import MemoryReader, RowReader
from sanya.suites.memory.storage.records import Contradiction, Memory, from_row, list_columns

ContradictionState = Literal["open", "settled", "all"]
Settlement = Literal["replacement", "retirement", "decision"]
STATES: tuple[ContradictionState, ...] = ("open", "settled", "all")

_MAX_CONTENT_CHARS = 2000
_PAIRS = (
    "FROM memory_contradictions c JOIN memories later ON later.id = c.memory_id "
    "JOIN memories earlier ON earlier.id = c.other_id WHERE c.namespace = ?"
)
_IS_OPEN = (
    "c.resolution_status = 'unresolved' AND later.retired_at IS NULL AND earlier.retired_at IS NULL AND NOT EXISTS ("
    "SELECT 1 FROM memory_edges e JOIN memories newer ON newer.id = e.from_id WHERE e.namespace = c.namespace "
    "AND e.relation = 'supersedes' AND e.to_id IN (c.memory_id, c.other_id) AND newer.retired_at IS NULL)"
)
_CONDITIONS: dict[ContradictionState, str] = {
    "open": f" AND {_IS_OPEN}",
    "settled": f" AND NOT ({_IS_OPEN})",
    "all": "",
}


@dataclass(frozen=True, slots=True)
class ContradictionCounts:
    open: int
    settled: int

    def count(self, state: ContradictionState) -> int:
        return self.open + self.settled if state == "all" else self.open if state == "open" else self.settled


async def count_contradictions(row_reader: RowReader, namespace: str) -> ContradictionCounts:
    ((total, open_ones),) = await row_reader.fetch(
        f"SELECT COUNT(*), COALESCE(SUM(CASE WHEN {_IS_OPEN} THEN 1 ELSE 0 END), 0) {_PAIRS}",
        (namespace,),
    )
    return ContradictionCounts(open=int(str(open_ones)), settled=int(str(total)) - int(str(open_ones)))


async def list_pairs(
    row_reader: RowReader, namespace: str, state: ContradictionState, limit: int, offset: int = 0
) -> list[Contradiction]:
    """Return contradictions of a state whose memories both exist, the newest first."""
    columns = ", ".join(f"c.{name}" for name in list_columns(Contradiction))
    params: tuple[Value, ...] = (namespace, limit, offset)
    rows: list[Row] = await row_reader.fetch(
        f"SELECT {columns} {_PAIRS}{_CONDITIONS[state]} ORDER BY c.detected_at DESC, c.id LIMIT ? OFFSET ?",
        params,
    )
    return [from_row(Contradiction, row) for row in rows]


async def describe_pairs(reader: MemoryReader, namespace: str, pairs: Sequence[Contradiction]) -> list[dict[str, Any]]:
    """Return contradictions with both memories, the later first, and with what settled them."""
    ids = sorted({side for pair in pairs for side in (pair.memory_id, pair.other_id)})
    memories = await reader.find_memories(namespace, ids)
    related = await load_current(reader, namespace, list(memories.values()), AnswerParts(max_depth=1))
    return [
        {
            "id": pair.id,
            "nature": pair.nature,
            "state": "settled" if settlement else "open",
            "settled_by": settlement,
            "detected_at": pair.detected_at,
            "memories": [_describe_side(memories[side], related) for side in (pair.memory_id, pair.other_id)],
        }
        for pair in pairs
        if pair.memory_id in memories and pair.other_id in memories
        for settlement in [_find_settlement(pair, memories, related)]
    ]


async def load_summaries(reader: MemoryReader, namespace: str, entries: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the beginnings of the memories that these entries replace or are replaced by, by id."""
    ids = {id for entry in entries for id in (*entry["supersedes"], entry["superseded_by"]) if id}
    return {
        id: summarise(memory.content) for id, memory in (await reader.find_memories(namespace, sorted(ids))).items()
    }


def _find_settlement(pair: Contradiction, memories: Mapping[str, Memory], related: RelatedRecords) -> Settlement | None:
    sides = (pair.memory_id, pair.other_id)
    if pair.resolution_status != "unresolved":
        return "decision"
    if any(side in related.replacements for side in sides):
        return "replacement"
    return "retirement" if any(memories[side].retired_at is not None for side in sides) else None


def _describe_side(memory: Memory, related: RelatedRecords) -> dict[str, Any]:
    entry = build_entry(memory, related).model_dump(mode="json", exclude={"score", "score_parts"})
    content: str = entry["content"]
    is_shortened = len(content) > _MAX_CONTENT_CHARS
    return {
        **entry,
        "content": f"{content[:_MAX_CONTENT_CHARS]}…" if is_shortened else content,
        "is_shortened": is_shortened,
        "is_retired": memory.retired_at is not None,
    }
