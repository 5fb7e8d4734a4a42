"""The rows of the starter file, collected in any order and written in the order in which the package reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sanya.suites.herbs.graph.name_keys import fold_name
from sanya.text.characters import has_thai
from sanya.text.romanisation import romanise
from sanya.text.spelling import make_spelling_key

# A misheard drug name must never turn into another drug: drugs are not looked up by their sound.
_SPOKEN_TYPES = frozenset({"herb", "formulation", "indication", "condition"})


class BuildError(Exception):
    """The tables and the build's own lists do not fit together; the message lists what to mend."""


@dataclass
class StarterRows:
    """`content` is the whole file, always the same for the same tables."""

    sources: dict[str, list[Any]] = field(default_factory=dict)
    nodes: dict[str, list[Any]] = field(default_factory=dict)
    names: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    edges: dict[str, list[Any]] = field(default_factory=dict)

    def add_source(self, id: str, values: Iterable[Any]) -> None:
        """`values` are kind, title, year, url, publisher, pmid, review, note, read."""
        self.sources[id] = [id, *values]

    def add_node(self, id: str, type: str, labels: tuple[str | None, str | None], **more: Any) -> None:
        """`labels` are Thai and English; `more` are basis, review, note, sources, data."""
        if id in self.nodes:
            raise BuildError(f"node {id} is added twice")
        sources = list(more.get("sources", ()))
        note = more.get("note")
        self.nodes[id] = [id, type, *labels, more["basis"], more["review"], note, sources, _filled(more.get("data"))]

    def add_name(self, node_id: str, name: str, lang: str, kind: str, *, exact_only: bool = False) -> None:
        """Keep the first of two names that are compared alike: main names come first."""
        key = fold_name(name)
        if key:
            spoken = has_thai(name) and self.nodes[node_id][1] in _SPOKEN_TYPES
            sound = make_spelling_key(name) if spoken else ""
            self.names.setdefault((node_id, key), [node_id, name, lang, kind, sound, int(exact_only)])

    def add_thai_name(self, node_id: str, name: str, kind: str) -> None:
        """Add it with its transcription, under which people type it without a Thai keyboard."""
        self.add_name(node_id, name, "th", kind)
        if has_thai(name):
            self.add_name(node_id, romanise(name), "en", "romanised" if kind == "main" else "transcription")

    def add_edge(self, id: str, ends: tuple[str, str, str], **more: Any) -> None:
        """`ends` are from, type, to; `more` are fact, strength, basis, review, note, sources, data."""
        if id in self.edges:
            raise BuildError(f"edge {id} is added twice")
        self.edges[id] = [
            *(id, more.get("fact", id), *ends, more.get("strength"), more["basis"], more["review"], more.get("note")),
            *(list(more.get("sources", ())), _filled(more.get("data"))),
        ]

    def has(self, node_id: str) -> bool:
        return node_id in self.nodes

    def content(self) -> bytes:
        return "".join(f"{line}\n" for line in self._lines()).encode("utf-8")

    def _lines(self) -> Iterator[str]:
        for kind, rows in (("source", self.sources), ("node", self.nodes)):
            yield from _write(kind, (rows[key] for key in sorted(rows)))
        yield from _write("name", (self.names[key] for key in sorted(self.names)))
        yield from _write("edge", (self.edges[key] for key in sorted(self.edges)))


def _filled(data: dict[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (data or {}).items() if value not in (None, [], "", {})}


def _write(kind: str, rows: Iterable[list[Any]]) -> Iterator[str]:
    for row in rows:
        yield json.dumps([kind, *row], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
