"""Memories out of what people already have: the file of the reference MCP memory server, and Markdown notes."""

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

_AT_ONCE = 200
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.S)

NotePassage = tuple[str, str | None]
"""A text, and where it stands."""


class UnreadableNotes(ValueError):
    """A file that is neither; the message says where it stops making sense."""


def read_knowledge_graph(text: str) -> list[NotePassage]:
    """Entities with observations and relations between them, one JSON object a line."""
    passages: list[NotePassage] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            passages += _list_graph_passages(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableNotes(f"line {number} is no entity or relation of an MCP memory file: {error!r}") from None
    return passages


def _list_graph_passages(one: dict[str, object]) -> Iterator[NotePassage]:
    if one["type"] == "entity":
        name, kind = str(one["name"]), str(one.get("entityType") or "")
        observations = one.get("observations") or []
        if not isinstance(observations, list):
            raise ValueError("observations is not a list")
        yield from ((f"{name}: {told}", kind or None) for told in observations)
        if not observations:
            yield f"{name} is a {kind}." if kind else name, None
    elif one["type"] == "relation":
        yield f"{one['from']} {str(one['relationType']).replace('_', ' ')} {one['to']}.", None
    else:
        raise ValueError(f"type is {one['type']!r}")


def read_markdown(text: str) -> list[NotePassage]:
    """Each paragraph and each point of a list, with the headings above it."""
    passages: list[NotePassage] = []
    headings: list[tuple[int, str]] = []
    gathered: list[str] = []
    fenced = False

    def close() -> None:
        if gathered:
            passages.append((" ".join(gathered), " › ".join(title for _, title in headings) or None))
            gathered.clear()

    for line in _FRONT_MATTER.sub("", text.replace("\r\n", "\n")).splitlines():
        if _FENCE.match(line):
            fenced = not fenced
            continue
        heading = None if fenced else _HEADING.match(line)
        bullet = None if fenced else _BULLET.match(line)
        if heading or bullet or not line.strip():
            close()
        if heading:
            level = len(heading[1])
            headings = [*[one for one in headings if one[0] < level], (level, heading[2])]
        elif bullet:
            gathered.append(bullet[1].strip())
        elif line.strip():
            gathered.append(line.strip())
    close()
    return [(text, place) for text, place in passages if text.strip()]


async def import_passages(store: MemoryStore, draft: MemoryDraft, passages: Sequence[NotePassage]) -> tuple[int, int]:
    """Stores passages as memories like `draft`, which names the file. Those that are there already are left alone, so
    that a file can be imported again when it has grown. Returns how many are new, and how many were known."""
    drafts = {one.id: one for one in (_make_draft(draft, *passage) for passage in passages)}
    known = await store.reader.find_memories(draft.namespace, list(drafts))
    new = [one for one in drafts.values() if one.id not in known]
    for start in range(0, len(new), _AT_ONCE):
        await store_drafts(store, new[start : start + _AT_ONCE])
    return len(new), len(known)


def _make_draft(like: MemoryDraft, text: str, place: str | None) -> MemoryDraft:
    content = redact_secrets(text[:MAX_CONTENT_CHARS])
    properties = {"redactions": dict(content.found)} if content.found else {}
    if is_instruction_like(text):
        properties = {**properties, INSTRUCTION_MARK: True}  # type: ignore[dict-item]
    origin = Origin(like.origin.type, like.origin.ref, place[:2048] if place else None)
    key = "\n".join((like.namespace, like.origin.ref or "", place or "", content.text))
    return replace(like, key=key, content=content.text, origin=origin, properties=properties)
