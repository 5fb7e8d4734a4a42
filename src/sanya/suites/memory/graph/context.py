"""One memory on its way into the graph: what it is read from, where it is written, what it touches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from sanya.kernel.database import Transaction
from sanya.kernel.sql import build_insert
from sanya.suites.memory.parsing.parser import ParsedText
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
from sanya.suites.memory.storage.store import MemoryReader
from sanya.suites.memory.storage.writer import MemoryWriter
from sanya.suites.memory.writes.sending import make_edge_id

MAX_NAME_CHARS = 300


@dataclass(slots=True)
class GraphContext:
    memory: Memory
    parsed: ParsedText
    reader: MemoryReader
    writer: MemoryWriter
    at: str
    to_rerate: set[str] = field(default_factory=set)
    """The memories whose rating may have changed."""
    entity_keys: dict[str, str] = field(default_factory=dict)
    """By the key of a name as written: the key of the entity that it means."""

    @property
    def namespace(self) -> str:
        return self.memory.namespace

    def make_edge(
        self, source: str, relation: EdgeRelation, target: str, role: str | None = None, **properties: object
    ) -> MemoryEdge:
        """An edge that this memory says; the same one always gets the same id."""
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


def make_node_id(namespace: str, *parts: str) -> str:
    """Ids are made from what they stand for: whoever reads the same twice, or first, gets the same."""
    named = "\n".join(("node", namespace, *parts))
    return "mem_" + sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def make_node_names(node: MemoryNode, folded: Iterable[str]) -> list[NodeName]:
    return [NodeName(node.namespace, one, node.id) for one in dict.fromkeys(map(fold_name, folded)) if one]


async def insert_missing(transaction: Transaction, records: Sequence[MemoryRecord]) -> None:
    """Stores those that are not there yet. What is read out of a text can be read again, so no log is kept of it."""
    by_table: dict[str, list[MemoryRecord]] = {}
    for record in records:
        by_table.setdefault(record.table, []).append(record)
    for table, some in by_table.items():
        rows = [to_row(one) for one in some]
        columns = list(rows[0])
        sql = f"{build_insert(table, columns)} ON CONFLICT DO NOTHING"
        await transaction.execute_many(sql, [list(row.values()) for row in rows])
