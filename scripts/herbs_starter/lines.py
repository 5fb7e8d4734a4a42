"""The lines of the starter file, in the order in which the package reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sanya.suites.herbs.graph.name_keys import name_key
from sanya.text.characters import has_thai
from sanya.text.romanisation import romanise
from sanya.text.spelling import spelling_key
from scripts.herbs_starter.tables import Row, slug


@dataclass
class Lines:
    """Collects; `content` is the whole file, always the same for the same tables."""

    sources: dict[str, list[Any]] = field(default_factory=dict)
    nodes: dict[str, list[Any]] = field(default_factory=dict)
    names: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    edges: dict[str, list[Any]] = field(default_factory=dict)

    def source(self, row: Row) -> None:
        review = "needs_review" if row.get("check") else "reviewed"
        values = [row.get(key) for key in ("id", "kind", "title", "year", "url", "publisher", "pmid")]
        self.sources[row["id"]] = [*values, review, row.get("reason")]

    def node(self, id: str, type: str, labels: tuple[str | None, str | None], **more: Any) -> None:
        """`labels` are Thai and English; `more` are basis, review, note, sources, data."""
        assert id not in self.nodes, id
        data = {key: value for key, value in more.get("data", {}).items() if value not in (None, [], "")}
        sources = list(more.get("sources", ()))
        self.nodes[id] = [id, type, *labels, more["basis"], more["review"], more.get("note"), sources, data]

    def name(self, node_id: str, name: str, lang: str, kind: str) -> None:
        """The first of two names that are compared alike stays: main names come first."""
        key = name_key(name)
        if key:
            sound = spelling_key(name) if has_thai(name) else ""
            self.names.setdefault((node_id, key), [node_id, name, lang, kind, sound])

    def thai_name(self, node_id: str, name: str, kind: str) -> None:
        """With its transcription, under which people type it without a Thai keyboard."""
        self.name(node_id, name, "th", kind)
        if has_thai(name):
            self.name(node_id, romanise(name), "en", "romanised" if kind == "main" else "transcription")

    def edge(self, id: str, ends: tuple[str, str, str], **more: Any) -> None:
        """`ends` are from, type, to; `more` are fact, strength, basis, review, note, sources, data."""
        assert id not in self.edges, id
        data = {key: value for key, value in more.get("data", {}).items() if value not in (None, [], "")}
        self.edges[id] = [
            *(id, more.get("fact", id), *ends, more.get("strength"), more["basis"], more["review"], more.get("note")),
            *(list(more.get("sources", ())), data),
        ]

    def has(self, node_id: str) -> bool:
        return node_id in self.nodes

    def content(self) -> bytes:
        return "".join(f"{line}\n" for line in self._lines()).encode("utf-8")

    def _lines(self) -> Iterator[str]:
        for kind, rows in (("source", self.sources), ("node", self.nodes)):
            yield from _written(kind, (rows[key] for key in sorted(rows)))
        yield from _written("name", (self.names[key] for key in sorted(self.names)))
        yield from _written("edge", (self.edges[key] for key in sorted(self.edges)))


def _written(kind: str, rows: Iterable[list[Any]]) -> Iterator[str]:
    for row in rows:
        yield json.dumps([kind, *row], ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def indication_id(code: str | None, description: str) -> str:
    return f"icd10:{code}" if code else f"indication:{slug(description)}"
