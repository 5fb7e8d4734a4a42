"""Which nodes a statement is about. Every thing that its words name ends at a node, or the build fails and lists it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from sanya.suites.herbs.graph.name_keys import fold_name
from scripts.herbs_starter.rows import StarterRows
from scripts.herbs_starter.tables import Row, Tables, read_own, unique
from scripts.herbs_starter.vocabulary import Vocabulary

_PARTS = re.compile(r"[,;()/]| and | or ")
_ENDINGS = (" substrates", " substrate", " drugs", " agents", " users", " 300 mg")


@dataclass
class Filing:
    """Files rows of both tables; `unfiled` collects what no node stands for."""

    tables: Tables
    vocabulary: Vocabulary
    rows: StarterRows
    unfiled: list[str] = field(default_factory=list)

    @cached_property
    def _by_row(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = read_own("row_objects.json")
        return found

    @cached_property
    def _by_phrase(self) -> dict[str, list[str]]:
        """What the build files a phrase under comes before what the table of phrases says of conditions."""
        table = {row["phrase_en"]: row["condition_ids"] for row in self.tables.condition_phrases}
        return {**table, **read_own("object_phrases.json")}

    @cached_property
    def _by_object_id(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = read_own("object_ids.json")
        return found

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """Node ids of drugs and conditions by the key of each of their names."""
        found: dict[str, list[str]] = {}
        for node_id, key in self.rows.names:
            if node_id.startswith(("drug:", "condition:")):
                found.setdefault(key, []).append(node_id)
        return found

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        """The nodes that are directly part of each node of the vocabulary."""
        found: dict[str, list[str]] = {}
        for _, _, child, type, parent, *_ in self.rows.edges.values():
            if type == "part_of" and parent.startswith(("drug:", "condition:")):
                found.setdefault(parent, []).append(child)
        return found

    def file_row(self, row: Row) -> list[str]:
        """Return the node ids that a row is about, in the order of its words."""
        node_ids = unique(map(self.vocabulary.node_id, self._table_ids(row)))
        dropped = {fold_name(term) for term in row.get("dropped_terms", ())}
        kept = [id for id in node_ids if not any((id, key) in self.rows.names for key in dropped)]
        if not kept:
            self.unfiled.append(f"{row['id']}: {row['object_en']}")
        if not row.get("is_corrected_terms"):
            self._note_lost(row, node_ids)
        return kept

    def _table_ids(self, row: Row) -> list[str]:
        if row["id"] in self._by_row:
            return self._by_row[row["id"]]
        if row.get("is_corrected_terms"):
            return [self._term_id(row, term) for term in row["object_terms"]]
        if row["object_en"] in self._by_phrase:
            return self._by_phrase[row["object_en"]]
        if "object_id" in row:
            return self._by_object_id.get(row["object_id"], [row["object_id"]])
        return [self._term_id(row, term) for term in row.get("object_terms") or [row["object_en"]]]

    def _term_id(self, row: Row, term: str) -> str:
        """Find the table id of a single term: by id, or by a name that only one node has."""
        terms: dict[str, str] = read_own("terms.json")
        if term in terms:
            return terms[term]
        if self.vocabulary.has(term):
            return term
        nodes = self._by_name.get(fold_name(term), [])
        if len(nodes) == 1:
            return self._table_id_of[nodes[0]]
        self.unfiled.append(f"{row['id']}: {term} ({', '.join(nodes) or 'no node'})")
        return "anyone"

    @cached_property
    def _table_id_of(self) -> dict[str, str]:
        every = [*self.vocabulary.drugs, *self.vocabulary.classes, *self.vocabulary.conditions]
        return {self.vocabulary.node_id(id): id for id in every}

    def _note_lost(self, row: Row, node_ids: list[str]) -> None:
        """List every part of the row's words that none of its nodes, nor anything below them, is called."""
        reached = self._reach(node_ids)
        if self._is_named(row["object_en"], set(node_ids)):
            return
        accounted: dict[str, list[str]] = read_own("accounted_words.json")
        for part in split_words(row["object_en"]):
            ids = accounted.get(f"{row['id']}:{part}", accounted.get(part))
            wanted = None if ids is None else {self.vocabulary.node_id(id) for id in ids}
            if not (wanted <= reached if wanted is not None else self._is_named(part, reached)):
                self.unfiled.append(f"{row['id']}: {part!r} of {row['object_en']!r}")

    def _is_named(self, part: str, reached: set[str]) -> bool:
        keys = {fold_name(part), fold_name(f"{part} substrates"), fold_name(f"CYP{part}"), fold_name(f"{part}s")}
        return any((id, key) in self.rows.names for id in reached for key in keys)

    def _reach(self, node_ids: list[str]) -> set[str]:
        reached, waiting = set(node_ids), list(node_ids)
        while waiting:
            for child in self._below.get(waiting.pop(), ()):
                if child not in reached:
                    reached.add(child)
                    waiting.append(child)
        return reached


def split_words(phrase: str) -> Iterator[str]:
    """Yield the things that a phrase names, without the words that only say what sort of thing they are."""
    for part in _PARTS.split(phrase):
        word = part.strip()
        for ending in _ENDINGS:
            word = word.removesuffix(ending)
        if word.strip():
            yield word.strip()
