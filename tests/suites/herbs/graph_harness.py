"""The graph's tools on a kernel of their own, and helpers that build small graphs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.limits import LocalRateLimiter
from sanya.kernel.calls.requests import RequestWindow
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.cursors import Cursors
from sanya.kernel.ledger.chain import Ledger
from sanya.kernel.storage.database import Database
from sanya.suites.herbs.dialect import DIALECT
from sanya.suites.herbs.graph.model import EdgeType, HerbEdge, HerbGraph, HerbName, HerbNode, NodeType
from sanya.suites.herbs.graph.rows import WRITE_EDGE, WRITE_NAME, WRITE_NODE, to_edge_row, to_name_row, to_node_row
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.prompts import define_prompts
from sanya.suites.herbs.suite import define_graph_tools, define_resources
from sanya.text.characters import has_thai
from sanya.text.spelling import make_spelling_key
from tests.kernel.conftest import InMemoryLedgerStore

NOW = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
PATHS, CHECK = "tool.query_kg", "tool.find_contraindications"


@dataclass
class GraphHarness:
    kernel: Kernel
    store: HerbStore

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    async def refusal(self, tool: str, arguments: Any) -> dict[str, Any]:
        outcome = await self.kernel.call(Call(tool, arguments))
        assert isinstance(outcome, Refused), outcome
        return outcome.error

    async def read(self, uri: str) -> dict[str, Any]:
        outcome = await self.kernel.read(Call(uri, {}))
        assert isinstance(outcome, Answered), outcome
        return outcome.body

    async def all_paths(self, limit: int, **arguments: Any) -> list[list[str]]:
        """Return the paths of all pages."""
        found: list[list[str]] = []
        cursor = None
        while True:
            body = await self.call(PATHS, **arguments, limit=limit, **({"cursor": cursor} if cursor else {}))
            found += ids(body)
            cursor = body["next_cursor"]
            if cursor is None:
                return found


def ids(body: dict[str, Any]) -> list[list[str]]:
    return [[node["id"] for node in path] for path in body["paths"]]


@asynccontextmanager
async def open_graph_harness(database: Database, graph: HerbGraph | None = None) -> AsyncIterator[GraphHarness]:
    """Open the tools on a database. `graph` is what it holds, where that was read before."""
    store, cursors = HerbStore(database, graph=graph), Cursors(b"a secret of the tests")
    suite = Suite(
        name="herbs",
        title="Herbs",
        dialect=DIALECT,
        tools=define_graph_tools(store, cursors),
        resources=define_resources(store),
        prompts=define_prompts(store),
    )
    ledger = Ledger(InMemoryLedgerStore(), group_ms=1)
    kernel = Kernel([suite], ledger=ledger, limiter=LocalRateLimiter(), window=RequestWindow(), clock=lambda: NOW)
    ledger.start()
    try:
        yield GraphHarness(kernel, store)
    finally:
        await ledger.close()


def node(id: str, type: NodeType = "herb", **fields: Any) -> HerbNode:
    values = {"label_th": None, "label_en": id, "basis": "source", "review": "reviewed"} | fields
    return HerbNode(id, type, **values)


def edge(start: HerbNode, type: EdgeType, end: HerbNode, **fields: Any) -> HerbEdge:
    id = fields.pop("id", f"{start.id}:{type}:{end.id}")
    values = {"fact": id, "strength": None, "basis": "source", "review": "reviewed"} | fields
    return HerbEdge(id=id, from_id=start.id, from_type=start.type, type=type, to_id=end.id, to_type=end.type, **values)


async def insert_graph(
    database: Database, nodes: Sequence[HerbNode], edges: Sequence[HerbEdge], names: Sequence[HerbName] = ()
) -> None:
    async with database.transaction() as transaction:
        await transaction.execute_many(WRITE_NODE, [to_node_row(row) for row in nodes])
        await transaction.execute_many(WRITE_EDGE, [to_edge_row(row) for row in edges])
        sounds = [make_spelling_key(name.name) if has_thai(name.name) else "" for name in names]
        await transaction.execute_many(WRITE_NAME, [to_name_row(*pair) for pair in zip(names, sounds, strict=True)])
