"""One step from some nodes: the statements that read their neighbours along the edges that a path may take.

Edges are read type by type and way by way, each from an index that has them in order, so that a limit bounds what is
looked at and not only what is returned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol, cast

import orjson

from sanya.kernel.database import Row, Value
from sanya.kernel.sql import format_placeholders
from sanya.suites.herbs.graph.model import EDGE_TYPES, EdgeType, Review, Strength, strength_rank
from sanya.suites.herbs.paths.patterns import Step

Triple = tuple[str, EdgeType, str]
_WAYS = (("from", "to"), ("to", "from"))


class Statement(Protocol):
    """As much of an edge as a filter looks at."""

    type: EdgeType
    strength: Strength | None
    review: Review
    sources: list[str]


@dataclass(frozen=True, slots=True)
class Through:
    """What edges a path may go along; empty and None mean any."""

    edge_types: tuple[EdgeType, ...] = ()
    min_strength: Strength | None = None
    source: str | None = None
    review: Review | None = None

    def allows(self, edge: Statement) -> bool:
        """Whether a path may take this edge, whose type is one that was asked for."""
        return (
            (not self.edge_types or edge.type in self.edge_types)
            and (self.min_strength is None or not 0 < strength_rank(edge.strength) < strength_rank(self.min_strength))
            and (self.source is None or self.source in edge.sources)
            and (self.review is None or edge.review == self.review)
        )


@dataclass(frozen=True)
class Reach:
    """The neighbours of `nodes`, from the one whose id is `seek` on."""

    nodes: list[str]
    step: Step
    through: Through
    seek: str

    @cached_property
    def edge_types(self) -> list[EdgeType]:
        named = self.step.edges or EDGE_TYPES
        return [type for type in named if not self.through.edge_types or type in self.through.edge_types]

    def glance(self, most: int) -> tuple[str, list[Value], int]:
        """A statement that looks at no more than `most` rows, and how many each of its parts may give. Rows are chosen
        by `takes`, not by the statement: those that it passed over would be looked at all the same."""
        each = most // max(len(_WAYS) * len(self.edge_types), 1)
        parts, values = self._parts([], [], each)
        return " UNION ALL ".join(parts), values, each

    def takes(self, row: Row) -> bool:
        """Whether a row of `glance` is one that a path may take."""
        _, _, _, node_type, strength, review = row
        least = self.through.min_strength
        return (
            (self.step.node is None or node_type == self.step.node)
            and (self.through.review is None or review == self.through.review)
            and (least is None or not 0 < cast(int, strength) < strength_rank(least))
        )

    def edge(self, row: Row) -> Triple:
        """From, type and to of a row of `glance`."""
        way, type = divmod(cast(int, row[0]), len(self.edge_types))
        node, other = str(row[1]), str(row[2])
        return (other, self.edge_types[type], node) if way else (node, self.edge_types[type], other)

    def page(self, most: int) -> tuple[str, list[Value]]:
        """A statement for at most `most` pairs of a node and a neighbour, in order."""
        conditions, chosen = self._conditions()
        parts, values = self._parts(conditions, chosen, most)
        union = " UNION ALL ".join(parts)
        sql = f"SELECT DISTINCT node, other FROM ({union}) AS steps ORDER BY node, other LIMIT ?"  # noqa: S608
        return sql, [*values, most]

    def _parts(self, conditions: list[str], chosen: list[Value], most: int) -> tuple[list[str], list[Value]]:
        """A statement for each way and type: its number, the node, the neighbour, and what `takes` looks at."""
        values: list[Value] = []
        for _ in _WAYS:
            for type in self.edge_types:
                values += [*self.nodes, type, self.seek, *chosen]
        more = "".join(f" AND {one}" for one in conditions)
        return _statements(len(self.nodes), len(self.edge_types), more, most), values

    def _conditions(self) -> tuple[list[str], list[Value]]:
        conditions: list[str] = []
        values: list[Value] = []
        if self.step.node is not None:
            conditions.append("{there}_type = ?")
            values.append(self.step.node)
        if self.through.review is not None:
            conditions.append("review = ?")
            values.append(self.through.review)
        if self.through.min_strength is not None:
            conditions.append("(strength = 0 OR strength >= ?)")
            values.append(strength_rank(self.through.min_strength))
        if self.through.source is not None:
            conditions.append("sources LIKE ? ESCAPE '!'")
            values.append(_holding(self.through.source))
        return conditions, values


@lru_cache(maxsize=512)
def _statements(nodes: int, types: int, more: str, most: int) -> list[str]:
    marks = format_placeholders(range(nodes))
    parts: list[str] = []
    for here, there in _WAYS:
        where = f"{here}_id IN ({marks}) AND type = ? AND {there}_id >= ?{more.format(there=there)}"
        for _ in range(types):
            parts.append(
                f"SELECT * FROM (SELECT {len(parts)} AS part, {here}_id AS node, {there}_id AS other, "  # noqa: S608
                f"{there}_type AS node_type, strength, review FROM herb_edges WHERE {where} "
                f"ORDER BY {here}_id, {there}_id LIMIT {most}) AS part_{len(parts)}"
            )
    return parts


def _holding(source: str) -> str:
    """A pattern for lists in JSON that hold this source."""
    return f"%{re.sub('[!%_]', lambda sign: '!' + sign[0], orjson.dumps(source).decode('utf-8'))}%"
