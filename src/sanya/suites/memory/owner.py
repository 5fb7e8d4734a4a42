"""What the owner looks at and brings in by hand, beside what agents do through the tools."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sanya.kernel.call import ProgressSink, ignore_progress
from sanya.kernel.clock import format_timestamp
from sanya.suites.memory.ratings.provenance import Origin
from sanya.suites.memory.recall.answers import AnswerParts, build_entry, load_contradictions, load_related
from sanya.suites.memory.storage.records import Contradiction, from_row, list_columns
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.transfer.json_lines import import_lines, is_own_format
from sanya.suites.memory.transfer.notes import UnreadableNotes, import_passages, read_knowledge_graph, read_markdown
from sanya.suites.memory.writes.sending import MemoryDraft

MemoryView = dict[str, Any]
_MOST_CONTRADICTIONS = 1000


async def show_memory(store: MemoryStore, namespace: str, one: str) -> MemoryView | None:
    """A memory, retired ones too, with its surroundings, contradictions and the corrections it has had."""
    memory = await store.reader.find_memory(namespace, one)
    if memory is None:
        return None
    wanted = AnswerParts()
    around = await load_related(store.reader, namespace, [memory], wanted)
    entry = build_entry(memory, around).model_dump(mode="json", exclude={"score", "score_parts"})
    against = await load_contradictions(store.reader, namespace, [memory], wanted)
    corrections = await store.database.fetch(
        "SELECT id, action, caller, created_at, undone_at FROM memory_corrections "
        "WHERE namespace = ? AND target_id = ? ORDER BY created_at, id",
        (namespace, one),
    )
    names = ("id", "action", "by", "at", "undone_at")
    return {
        **entry,
        "retired_at": memory.retired_at,
        "contradictions": [
            {"nature": each.nature, "id": each.contradicting_memory.id, "content": each.contradicting_memory.content}
            for each in against
        ],
        "corrections": [dict(zip(names, row, strict=True)) for row in corrections],
    }


async def list_timeline(store: MemoryStore, namespace: str, limit: int) -> list[tuple[str, ...]]:
    """Events by the time at which they happened; where none is known yet, memories by the time they came."""
    events = [one for one in await store.reader.list_nodes_of_kind(namespace, "event") if one.happened_at]
    if events:
        return [(str(one.happened_at), one.id, one.name) for one in events[:limit]]
    return [(one.created_at, one.id, one.content) for one in await store.reader.list_by_arrival(namespace, limit=limit)]


async def list_contradictions(store: MemoryStore, namespace: str) -> list[tuple[str, ...]]:
    rows = await store.database.fetch(
        f"SELECT {', '.join(list_columns(Contradiction))} FROM memory_contradictions "  # noqa: S608 - names of our own
        "WHERE namespace = ? ORDER BY detected_at DESC, id LIMIT ?",
        (namespace, _MOST_CONTRADICTIONS),
    )
    found = [from_row(Contradiction, row) for row in rows]
    said = await store.reader.find_memories(
        namespace, [side for one in found for side in (one.memory_id, one.other_id)]
    )
    return [
        (
            one.nature,
            one.resolution_status,
            one.memory_id,
            said[one.memory_id].content,
            one.other_id,
            said[one.other_id].content,
        )
        for one in found
        if one.memory_id in said and one.other_id in said
    ]


async def import_file(
    store: MemoryStore,
    namespace: str,
    name: str,
    text: str,
    kind: str | None = None,
    progress: ProgressSink = ignore_progress,
) -> dict[str, Any]:
    kind = kind or guess_format(name, text)
    if kind == "sanya":
        report = await import_lines(store, namespace, text.splitlines(), progress)
        return {"file": name, "format": kind, "created": report.created, "known": report.known}
    passages = read_knowledge_graph(text) if kind == "mcp" else read_markdown(text)
    source = "mcp-memory" if kind == "mcp" else "note"
    like = MemoryDraft(
        key=name,
        namespace=namespace,
        content="",
        created_at=format_timestamp(datetime.now(UTC)),
        origin=Origin(source, name[:2048]),
    )
    created, known = await import_passages(store, like, passages)
    return {"file": name, "format": kind, "created": created, "known": known}


def guess_format(name: str, text: str) -> str:
    first = text.lstrip().partition("\n")[0]
    if is_own_format(first):
        return "sanya"
    if first.startswith("{"):
        return "mcp"
    if name.endswith((".md", ".markdown", ".txt")) or first.startswith(("#", "-", "*")):
        return "markdown"
    raise UnreadableNotes(f"{name}: neither an export, an MCP memory file nor Markdown; say which with --format")
