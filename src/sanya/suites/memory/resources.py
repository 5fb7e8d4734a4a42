"""Resources: one memory by its id, whole or page by page, and the list of contradictions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from sanya.suite import Content, Context, InvalidArgument, Resource
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.prompts import NAME
from sanya.suites.memory.recall.answers import AnswerParts, build_entry, load_current
from sanya.suites.memory.recall.contradiction_list import (
    STATES,
    ContradictionState,
    count_contradictions,
    describe_pairs,
    list_pairs,
    load_summaries,
)
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.writes.corrections import make_not_found

PAGE_CHARS = 8000
PAGE_PAIRS = 20
_CONTRADICTIONS = "memory://contradictions"


def build_resources(
    store: MemoryStore, namespaces: Namespaces, catch_up: Callable[[str], Awaitable[None]]
) -> tuple[Resource, ...]:
    """Return the resources. `catch_up` consolidates what was sent a moment ago: its contradictions are listed."""
    return *_build_contradiction_lists(store, namespaces, catch_up), *_build_memory_pages(store, namespaces)


def _build_memory_pages(store: MemoryStore, namespaces: Namespaces) -> tuple[Resource, ...]:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        namespace = namespaces.find_namespace(context.caller)
        memory = await store.reader.find_memory(namespace, parts["id"])
        if memory is None:
            raise make_not_found(parts["id"])
        related = await load_current(store.reader, namespace, [memory], AnswerParts())
        entry = build_entry(memory, related).model_dump(mode="json", exclude={"score", "score_parts"})
        page, pages = _parse_page(parts.get("page", "1"), len(memory.content), PAGE_CHARS)
        entry["content"] = memory.content[(page - 1) * PAGE_CHARS : page * PAGE_CHARS]
        more = f"memory://{memory.id}/{page + 1}" if page < pages else None
        summaries = await load_summaries(store.reader, namespace, [entry])
        return Content(data={**entry, "summaries": summaries, "page": page, "pages": pages, "next": more})

    return (
        Resource(
            uri="memory://{id}",
            suite=NAME,
            name="memory",
            title="One memory",
            description="A memory by its id, the first page of its content.",
            read=read,
        ),
        Resource(
            uri="memory://{id}/{page}",
            suite=NAME,
            name="memory_page",
            title="A page of a memory",
            description=f"A page of {PAGE_CHARS:,} characters of a long memory; `next` names the following one.",
            read=read,
        ),
    )


def _build_contradiction_lists(
    store: MemoryStore, namespaces: Namespaces, catch_up: Callable[[str], Awaitable[None]]
) -> tuple[Resource, ...]:
    async def list_contradictions(parts: Mapping[str, str], context: Context) -> Content:
        namespace = namespaces.find_namespace(context.caller)
        await catch_up(namespace)
        state = _parse_state(parts.get("state", "open"))
        counts = await count_contradictions(store.database, namespace)
        page, pages = _parse_page(parts.get("page", "1"), counts.count(state), PAGE_PAIRS)
        found = await list_pairs(store.database, namespace, state, PAGE_PAIRS, (page - 1) * PAGE_PAIRS)
        pairs = await describe_pairs(store.reader, namespace, found)
        sides = [side for pair in pairs for side in pair["memories"]]
        return Content(
            data={
                "state": state,
                "open": counts.open,
                "settled": counts.settled,
                "contradictions": pairs,
                "summaries": await load_summaries(store.reader, namespace, sides),
                "page": page,
                "pages": pages,
                "next": f"{_CONTRADICTIONS}/{state}/{page + 1}" if page < pages else None,
            }
        )

    return (
        Resource(
            uri=_CONTRADICTIONS,
            suite=NAME,
            name="memory_contradictions",
            title="Contradictions",
            description="Open contradictions, the newest first, with both memories of each.",
            read=list_contradictions,
        ),
        Resource(
            uri=_CONTRADICTIONS + "/{state}/{page}",
            suite=NAME,
            name="memory_contradictions_page",
            title="A page of contradictions",
            description=f"{PAGE_PAIRS} contradictions; state is open, settled or all. `next` names the following page.",
            read=list_contradictions,
        ),
    )


def _parse_state(text: str) -> ContradictionState:
    state = next((state for state in STATES if state == text), None)
    if state is None:
        raise InvalidArgument(f"state must be one of {', '.join(STATES)}, got {text[:20]!r}", field="state")
    return state


def _parse_page(text: str, count: int, page_size: int) -> tuple[int, int]:
    pages = max(1, -(-count // page_size))
    if not text.isdecimal() or not 1 <= int(text) <= pages:
        raise InvalidArgument(f"page must be a number from 1 to {pages}, got {text[:20]!r}", field="page")
    return int(text), pages
