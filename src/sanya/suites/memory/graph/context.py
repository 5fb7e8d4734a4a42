"""The context of adding one memory to the graph: its parsed text, reader and writer, and what to do afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sanya.suite.store import Transaction, build_insert
from sanya.suites.memory.parsing.parser import ParsedText
from sanya.suites.memory.storage.identifiers import make_edge_id
from sanya.suites.memory.storage.reader import MemoryReader
from sanya.suites.memory.storage.records import (
    EdgeRelation,
    Memory,
    MemoryEdge,
    MemoryNode,
    MemoryRecord,
    NodeName,
    fold_name,
    to_row,
)
from sanya.suites.memory.storage.writer import MemoryWriter

MAX_NAME_CHARS = 300


@dataclass(slots=True)
class GraphContext:
    memory: Memory
    parsed: ParsedText
    reader: MemoryReader
    writer: MemoryWriter
    timestamp: str
    to_rerate: set[str] = field(default_factory=set)
    """Ids of the memories whose evidence may have changed."""
    superseded: set[str] = field(default_factory=set)
    """Ids of the memories that this one replaces, and that it therefore does not contradict."""
    entity_keys: dict[str, str] = field(default_factory=dict)
    """The key of the entity that each name of the memory means, by the key of the name as written."""

    @property
    def namespace(self) -> str:
        return self.memory.namespace

    def make_edge(
        self, source: str, relation: EdgeRelation, target: str, role: str | None = None, **properties: object
    ) -> MemoryEdge:
        """Return an edge that this memory states. The same edge always gets the same id."""
        return MemoryEdge(
            id=make_edge_id(self.memory.id, source, relation, target, role or ""),
            namespace=self.namespace,
            from_id=source,
            relation=relation,
            to_id=target,
            role=role,
            confidence=self.memory.rating,
            memory_id=self.memory.id,
            properties=properties,
        )

    async def save(self, records: Iterable[MemoryRecord]) -> None:
        await insert_missing(self.writer.transaction, list(records))


def make_node_names(node: MemoryNode, names: Iterable[str]) -> list[NodeName]:
    return [NodeName(node.namespace, name, node.id) for name in dict.fromkeys(map(fold_name, names)) if name]


async def insert_missing(transaction: Transaction, records: Sequence[MemoryRecord]) -> None:
    """Insert the records that do not exist yet. They can be parsed again, so the log of changes leaves them out."""
    by_table: dict[str, list[MemoryRecord]] = {}
    for record in records:
        by_table.setdefault(record.table, []).append(record)
    for table, of_table in by_table.items():
        rows = [to_row(record) for record in of_table]
        columns = list(rows[0])
        sql = f"{build_insert(table, columns)} ON CONFLICT DO NOTHING"
        await transaction.execute_many(sql, [list(row.values()) for row in rows])
