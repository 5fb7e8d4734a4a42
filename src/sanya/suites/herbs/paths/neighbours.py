"""SQL for one step of a path: the neighbours of some nodes along the edges that a path may take.

Each edge type and each direction is read by a statement of its own, from an index that holds its rows in order. A LIMIT
then bounds the rows that are looked at, not only those returned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol, cast

import orjson

from sanya.suite.store import Row, Value
from sanya.suites.herbs.graph.model import EDGE_TYPES, EdgeType, ReviewState, Strength, rank_strength
from sanya.suites.herbs.paths.patterns import Step

EdgeTriple = tuple[str, EdgeType, str]
_DIRECTIONS = (("from", "to"), ("to", "from"))


class FilterableEdge(Protocol):
    """The fields of an edge that a filter looks at."""

    type: EdgeType
    strength: Strength | None
    review: ReviewState
    sources: list[str]


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Restricts the edges of a path; empty and None allow any."""

    edge_types: tuple[EdgeType, ...] = ()
    min_strength: Strength | None = None
    source: str | None = None
    review: ReviewState | None = None

    def is_allowed(self, edge: FilterableEdge) -> bool:
        return (
            (not self.edge_types or edge.type in self.edge_types)
            and (self.min_strength is None or not 0 < rank_strength(edge.strength) < rank_strength(self.min_strength))
            and (self.source is None or self.source in edge.sources)
            and (self.review is None or edge.review == self.review)
        )


@dataclass(frozen=True)
class NeighbourQuery:
    """The neighbours of `nodes`, from the id `first_id` on."""

    nodes: list[str]
    step: Step
    edge_filter: EdgeFilter
    first_id: str
    edge_table: str = "herb_edges"

    @cached_property
    def edge_types(self) -> list[EdgeType]:
        types = self.step.edges or EDGE_TYPES
        return [type for type in types if not self.edge_filter.edge_types or type in self.edge_filter.edge_types]

    def build_unfiltered_query(self, max_rows: int) -> tuple[str, list[Value], int]:
        """Return SQL that reads at most `max_rows` rows, its values, and the limit of each of its parts.

        The caller filters the rows with `is_match`. A condition in SQL would look at the rejected rows all the same,
        without a bound.
        """
        part_limit = max_rows // max(len(_DIRECTIONS) * len(self.edge_types), 1)
        parts, values = self._build_parts([], [], part_limit)
        return " UNION ALL ".join(parts), values, part_limit

    def is_match(self, row: Row) -> bool:
        """Return whether a path may take this row of the unfiltered query."""
        _, _, _, node_type, strength, review = row
        min_strength = self.edge_filter.min_strength
        return (
            (self.step.node is None or node_type == self.step.node)
            and (self.edge_filter.review is None or review == self.edge_filter.review)
            and (min_strength is None or not 0 < cast(int, strength) < rank_strength(min_strength))
        )

    def read_edge(self, row: Row) -> EdgeTriple:
        """Return from, type and to of a row of the unfiltered query."""
        direction, type_index = divmod(cast(int, row[0]), len(self.edge_types))
        node, other = str(row[1]), str(row[2])
        type = self.edge_types[type_index]
        return (other, type, node) if direction else (node, type, other)

    def build_page_query(self, limit: int) -> tuple[str, list[Value]]:
        """Return SQL and values for at most `limit` pairs of a node and a neighbour, in order."""
        conditions, condition_values = self._build_conditions()
        parts, values = self._build_parts(conditions, condition_values, limit)
        union = " UNION ALL ".join(parts)
        sql = f"SELECT DISTINCT node, other FROM ({union}) AS steps ORDER BY node, other LIMIT ?"  # noqa: S608
        return sql, [*values, limit]

    def _build_parts(
        self, conditions: list[str], condition_values: list[Value], limit: int
    ) -> tuple[list[str], list[Value]]:
        """Build one SELECT for each direction and type: its number, node, neighbour, and the columns of `is_match`."""
        values: list[Value] = []
        for _ in _DIRECTIONS:
            for type in self.edge_types:
                values += [*self.nodes, type, self.first_id, *condition_values]
        extra = "".join(f" AND {condition}" for condition in conditions)
        selects = _build_selects(self.edge_table, len(self.nodes), len(self.edge_types), extra, limit)
        return selects, values

    def _build_conditions(self) -> tuple[list[str], list[Value]]:
        conditions: list[str] = []
        values: list[Value] = []
        if self.step.node is not None:
            conditions.append("{there}_type = ?")
            values.append(self.step.node)
        if self.edge_filter.review is not None:
            conditions.append("review = ?")
            values.append(self.edge_filter.review)
        if self.edge_filter.min_strength is not None:
            conditions.append("(strength = 0 OR strength >= ?)")
            values.append(rank_strength(self.edge_filter.min_strength))
        if self.edge_filter.source is not None:
            conditions.append("sources LIKE ? ESCAPE '!'")
            values.append(_build_source_pattern(self.edge_filter.source))
        return conditions, values


@lru_cache(maxsize=512)
def _build_selects(edge_table: str, node_count: int, type_count: int, extra: str, limit: int) -> list[str]:
    placeholders = ", ".join("?" for _ in range(node_count))
    selects: list[str] = []
    for here, there in _DIRECTIONS:
        where = f"{here}_id IN ({placeholders}) AND type = ? AND {there}_id >= ?{extra.format(there=there)}"
        for _ in range(type_count):
            number = len(selects)
            selects.append(
                f"SELECT * FROM (SELECT {number} AS part, {here}_id AS node, {there}_id AS other, "  # noqa: S608
                f"{there}_type AS node_type, strength, review FROM {edge_table} WHERE {where} "
                f"ORDER BY {here}_id, {there}_id LIMIT {limit}) AS part_{number}"
            )
    return selects


def _build_source_pattern(source: str) -> str:
    """Return a LIKE pattern for JSON lists that hold this source."""
    return f"%{re.sub('[!%_]', lambda sign: '!' + sign[0], orjson.dumps(source).decode('utf-8'))}%"
