"""Resources: one memory by its id, whole or page by page."""

from __future__ import annotations

from collections.abc import Mapping

from sanya.suite import Content, Context, InvalidArgument, Resource
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.prompts import NAME
from sanya.suites.memory.recall.answers import AnswerParts, build_entry, load_related
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.writes.corrections import make_not_found

PAGE_CHARS = 8000


def build_resources(store: MemoryStore, namespaces: Namespaces) -> tuple[Resource, ...]:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        namespace = namespaces.find_namespace(context.caller)
        memory = await store.reader.find_memory(namespace, parts["id"])
        if memory is None:
            raise make_not_found(parts["id"])
        related = await load_related(store.reader, namespace, [memory], AnswerParts())
        entry = build_entry(memory, related).model_dump(mode="json", exclude={"score", "score_parts"})
        page, pages = _parse_page(parts.get("page", "1"), len(memory.content))
        entry["content"] = memory.content[(page - 1) * PAGE_CHARS : page * PAGE_CHARS]
        more = f"memory://{memory.id}/{page + 1}" if page < pages else None
        return Content(data={**entry, "page": page, "pages": pages, "next": more})

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


def _parse_page(text: str, chars: int) -> tuple[int, int]:
    pages = max(1, -(-chars // PAGE_CHARS))
    if not text.isdecimal() or not 1 <= int(text) <= pages:
        raise InvalidArgument(f"page must be a number from 1 to {pages}, got {text[:20]!r}", field="page")
    return int(text), pages
