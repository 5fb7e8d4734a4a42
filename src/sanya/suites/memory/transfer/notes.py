"""Import from files of other tools: the file of the reference MCP memory server, and Markdown notes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sanya.suites.memory.contract import MAX_CONTENT_CHARS
from sanya.suites.memory.prompt_injection import is_instruction_like
from sanya.suites.memory.ratings.provenance import Origin
from sanya.suites.memory.ratings.rerating import INSTRUCTION_MARK
from sanya.suites.memory.secrets import redact_secrets
from sanya.suites.memory.storage.store import MemoryStore
from sanya.suites.memory.writes.sending import MemoryDraft, store_drafts

_BATCH_SIZE = 200
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)

NotePassage = tuple[str, str | None]
"""A text and its place in the file."""


class UnreadableNotes(ValueError):
    """A file in neither format. The message names the line."""


def read_knowledge_graph(text: str) -> list[NotePassage]:
    """Return the passages of a file with one entity or relation as JSON on each line."""
    passages: list[NotePassage] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            passages += _list_graph_passages(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableNotes(
                f"line {number} is not an entity or relation of an MCP memory file: {error!r}"
            ) from None
    return passages


def _list_graph_passages(item: dict[str, object]) -> Iterator[NotePassage]:
    if item["type"] == "entity":
        name, kind = str(item["name"]), str(item.get("entityType") or "")
        observations = item.get("observations") or []
        if not isinstance(observations, list):
            raise ValueError("observations is not a list")
        yield from ((f"{name}: {observation}", kind or None) for observation in observations)
        if not observations:
            yield f"{name} is a {kind}." if kind else name, None
    elif item["type"] == "relation":
        yield f"{item['from']} {str(item['relationType']).replace('_', ' ')} {item['to']}.", None
    else:
        raise ValueError(f"type is {item['type']!r}")


def read_markdown(text: str) -> list[NotePassage]:
    """Return each paragraph and each list item, with the headings above it."""
    passages: list[NotePassage] = []
    headings: list[tuple[int, str]] = []
    paragraph: list[str] = []
    in_fence = False

    def close() -> None:
        if paragraph:
            passages.append((" ".join(paragraph), " › ".join(title for _, title in headings) or None))
            paragraph.clear()

    for line in _FRONT_MATTER.sub("", text.replace("\r\n", "\n")).splitlines():
        if _FENCE.match(line):
            in_fence = not in_fence
            continue
        heading = None if in_fence else _HEADING.match(line)
        bullet = None if in_fence else _BULLET.match(line)
        if heading or bullet or not line.strip():
            close()
        if heading:
            level = len(heading[1])
            headings = [*(above for above in headings if above[0] < level), (level, heading[2])]
        elif bullet:
            paragraph.append(bullet[1].strip())
        elif line.strip():
            paragraph.append(line.strip())
    close()
    return [(text, place) for text, place in passages if text.strip()]


async def import_passages(
    store: MemoryStore, template: MemoryDraft, passages: Sequence[NotePassage]
) -> tuple[int, int]:
    """Store passages as memories with the namespace and origin of a template. Return the numbers of new and known ones.

    Known passages stay as they are, so a file that has grown can be imported again.
    """
    made = [_make_draft(template, *passage) for passage in passages]
    drafts = {draft.id: draft for draft in made}
    known = await store.reader.find_memories(template.namespace, list(drafts))
    new = [draft for draft in drafts.values() if draft.id not in known]
    for start in range(0, len(new), _BATCH_SIZE):
        await store_drafts(store, new[start : start + _BATCH_SIZE])
    return len(new), len(known)


def _make_draft(template: MemoryDraft, text: str, place: str | None) -> MemoryDraft:
    content = redact_secrets(text[:MAX_CONTENT_CHARS])
    properties = {"redactions": dict(content.found)} if content.found else {}
    if is_instruction_like(text):
        properties = {**properties, INSTRUCTION_MARK: True}  # type: ignore[dict-item]
    origin = Origin(template.origin.type, template.origin.ref, place[:2048] if place else None)
    key = "\n".join((template.namespace, template.origin.ref or "", place or "", content.text))
    return replace(template, key=key, content=content.text, origin=origin, properties=properties)
