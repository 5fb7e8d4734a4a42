"""Operations of the owner on the command line: show a memory, list events and contradictions, import files."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sanya.suite import ProgressSink, ignore_progress
from sanya.suite.runtime import format_timestamp
from sanya.suites.memory.ratings.provenance import Origin
from sanya.suites.memory.recall.answers import AnswerParts, build_entry, load_contradictions, load_current
from sanya.suites.memory.recall.contradiction_list import describe_pairs, list_pairs
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.transfer.json_lines import import_lines, is_own_format
from sanya.suites.memory.transfer.notes import UnreadableNotes, import_passages, read_knowledge_graph, read_markdown
from sanya.suites.memory.writes.sending import MemoryDraft

MemoryView = dict[str, Any]
_MAX_CONTRADICTIONS = 1000


async def show_memory(store: MemoryStore, namespace: str, memory_id: str) -> MemoryView | None:
    """Return a memory, retired or not, with its related records, contradictions and corrections."""
    memory = await store.reader.find_memory(namespace, memory_id)
    if memory is None:
        return None
    parts = AnswerParts()
    related = await load_current(store.reader, namespace, [memory], parts)
    entry = build_entry(memory, related).model_dump(mode="json", exclude={"score", "score_parts"})
    contradicting = await load_contradictions(store.reader, namespace, [memory], parts)
    corrections = await store.database.fetch(
        "SELECT id, action, caller, created_at, undone_at FROM memory_corrections "
        "WHERE namespace = ? AND target_id = ? ORDER BY created_at, id",
        (namespace, memory_id),
    )
    names = ("id", "action", "by", "at", "undone_at")
    return {
        **entry,
        "retired_at": memory.retired_at,
        "contradictions": [
            {
                "nature": contradiction.nature,
                "id": contradiction.contradicting_memory.id,
                "content": contradiction.contradicting_memory.content,
            }
            for contradiction in contradicting
        ],
        "corrections": [dict(zip(names, row, strict=True)) for row in corrections],
    }


async def list_timeline(store: MemoryStore, namespace: str, limit: int) -> list[tuple[str, ...]]:
    """Return events by their time, or memories by their arrival if no event is known yet."""
    nodes = await store.reader.list_nodes_of_kind(namespace, "event")
    events = [node for node in nodes if node.happened_at]
    if events:
        return [(str(event.happened_at), event.id, event.name) for event in events[:limit]]
    memories = await store.reader.list_by_arrival(namespace, limit=limit)
    return [(memory.created_at, memory.id, memory.content) for memory in memories]


async def list_contradictions(store: MemoryStore, namespace: str) -> list[tuple[str, ...]]:
    pairs = await list_pairs(store.database, namespace, "all", _MAX_CONTRADICTIONS)
    return [
        (pair["nature"], pair["state"], *(side[name] for side in pair["memories"] for name in ("id", "content")))
        for pair in await describe_pairs(store.reader, namespace, pairs)
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
    template = MemoryDraft(
        key=name,
        namespace=namespace,
        content="",
        created_at=format_timestamp(datetime.now(UTC)),
        origin=Origin(source, name[:2048]),
    )
    created, known = await import_passages(store, template, passages)
    return {"file": name, "format": kind, "created": created, "known": known}


def guess_format(name: str, text: str) -> str:
    first = text.lstrip().partition("\n")[0]
    if is_own_format(first):
        return "sanya"
    if first.startswith("{"):
        return "mcp"
    if name.endswith((".md", ".markdown", ".txt")) or first.startswith(("#", "-", "*")):
        return "markdown"
    raise UnreadableNotes(
        f"{name}: not recognised as an export, an MCP memory file or Markdown; name the format with --format"
    )
