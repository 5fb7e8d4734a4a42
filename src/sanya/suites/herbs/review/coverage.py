"""Coverage: which herbs have recorded warnings about which classes of drugs, and which have none.

A column is a class of drugs. A statement about a class counts for it and for every narrower class. A statement about
warfarin counts for anticoagulants as well, marked as one that names some members only. An empty cell says that nothing
is recorded; it never says that the pair is safe.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from sanya.suites.herbs.graph.model import HerbGraph, HerbNode
from sanya.suites.herbs.review.queue import EVIDENCE_KINDS, ReviewQueue, ReviewStatement
from sanya.suites.herbs.review.views import JsonView, describe_node
from sanya.suites.herbs.safety.severity import rank_severity

_COLUMN_KINDS = ("drug_class", "enzyme")
# A drug is no member of the class of an enzyme by inhibiting it.
_RELATIONS = (None, "member", "subclass", "substrate")
ROW_TYPES = ("herb", "formulation")


@dataclass(slots=True)
class CoverageCell:
    """The statements of a herb about a class. `whole` are those about the class itself or a broader one; the others
    name some of its members."""

    statements: list[ReviewStatement] = field(default_factory=list)
    whole: set[str] = field(default_factory=set)

    def describe(self) -> JsonView:
        strongest = max(self.statements, key=lambda statement: rank_severity(statement.severity))
        kinds = {statement.evidence for statement in self.statements if statement.evidence}
        return {
            "severity": strongest.severity,
            "evidence": next((kind for kind in EVIDENCE_KINDS if kind in kinds), None),
            "statements": [statement.id for statement in self.statements],
            "open": sum(statement.is_open for statement in self.statements),
            "whole": len(self.whole),
        }


@dataclass(slots=True)
class CoverageGrid:
    """Cells by row and column. Rows are sorted by how much is recorded, the most first. The usual columns come before
    the others."""

    rows: list[HerbNode]
    columns: list[HerbNode]
    cells: dict[tuple[str, str], CoverageCell]

    def describe(self) -> JsonView:
        position = {column.id: index for index, column in enumerate(self.columns)}
        cells: dict[str, JsonView] = {row.id: {} for row in self.rows}
        for (row, column), cell in self.cells.items():
            cells[row][str(position[column])] = cell.describe()
        usual = set(load_usual_columns())
        return {
            "columns": [{**describe_node(column), "usual": column.id in usual} for column in self.columns],
            "rows": [{**describe_node(row), "cells": cells[row.id]} for row in self.rows],
        }


@dataclass(frozen=True)
class ClassTree:
    """The classes that drugs belong to, read once for a grid."""

    graph: HerbGraph
    _above: dict[str, frozenset[str]] = field(default_factory=dict)
    _below: dict[str, frozenset[str]] = field(default_factory=dict)

    def list_above(self, id: str) -> frozenset[str]:
        """Return the classes that a drug or class is or belongs to, at any depth."""
        if id not in self._above:
            self._above[id] = self._walk(id, upwards=True)
        return self._above[id]

    def list_below(self, id: str) -> frozenset[str]:
        """Return the narrower classes of a class, and the class itself."""
        if id not in self._below:
            self._below[id] = self._walk(id, upwards=False)
        return self._below[id]

    def _walk(self, start: str, *, upwards: bool) -> frozenset[str]:
        seen, frontier = {start}, [start]
        while frontier:
            current = frontier.pop()
            for edge in self.graph.get_edges(current):
                near, far = (edge.from_id, edge.to_id) if upwards else (edge.to_id, edge.from_id)
                is_step = edge.type == "part_of" and near == current and edge.data.get("relation") in _RELATIONS
                if is_step and far not in seen:
                    seen.add(far)
                    frontier.append(far)
        return frozenset(id for id in seen if self.graph.nodes[id].data.get("kind") in _COLUMN_KINDS)


def build_grid(queue: ReviewQueue, type: str) -> CoverageGrid:
    """Build the grid for the herbs or the formulations, from their own statements. Rejected ones do not count, nor do
    those that found no effect."""
    graph = queue.graph
    tree = ClassTree(graph)
    cells: dict[tuple[str, str], CoverageCell] = {}
    for statement in queue.statements:
        if statement.subject.type != type or not _is_counted(statement):
            continue
        whole, some = _list_columns(tree, statement)
        for column in whole | some:
            cell = cells.setdefault((statement.subject.id, column), CoverageCell())
            cell.statements.append(statement)
            if column in whole:
                cell.whole.add(statement.id)
    return CoverageGrid(_sort_rows(graph, type, cells), _sort_columns(graph, cells), cells)


def _is_counted(statement: ReviewStatement) -> bool:
    return statement.state != "rejected" and statement.first.data.get("finding") != "negative"


def _list_columns(tree: ClassTree, statement: ReviewStatement) -> tuple[frozenset[str], frozenset[str]]:
    """Return the classes that the statement is about as a whole, and those of which it names members."""
    whole: frozenset[str] = frozenset()
    some: frozenset[str] = frozenset()
    for node in statement.objects:
        if node.type == "drug":
            whole |= tree.list_below(node.id)
            some |= tree.list_above(node.id)
    return whole, some - whole


def _sort_rows(graph: HerbGraph, type: str, cells: Iterable[tuple[str, str]]) -> list[HerbNode]:
    counts = Counter(row for row, _ in cells)
    rows = [node for node in graph.nodes.values() if node.type == type]
    return sorted(rows, key=lambda row: (-counts[row.id], row.id))


def _sort_columns(graph: HerbGraph, cells: Iterable[tuple[str, str]]) -> list[HerbNode]:
    counts = Counter(column for _, column in cells)
    usual = [id for id in load_usual_columns() if id in graph.nodes]
    others = sorted(counts.keys() - set(usual), key=lambda id: (-counts[id], id))
    return [graph.nodes[id] for id in (*usual, *others)]


@cache
def load_usual_columns() -> tuple[str, ...]:
    """Load the classes that people ask about most, in the order in which a grid shows them."""
    text = (files("sanya.suites.herbs.review") / "coverage_columns.json").read_text(encoding="utf-8")
    return tuple(json.loads(text))
