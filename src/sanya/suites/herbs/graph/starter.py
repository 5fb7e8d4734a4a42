"""The starter graph: loaded from the package's file into a home, and replaced when a release ships another file.

Only rows of the batch `starter` are replaced. Ingested rows stay, and so do the decisions of the owner's reviewers:
what they come to for the new rows is computed in the same transaction.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any

import orjson

from sanya.suite.store import Database, Transaction, Value, advance_revision, take_back_revision
from sanya.suites.herbs.graph.model import STARTER, HerbEdge, HerbName, HerbNode, HerbSource, NodeType
from sanya.suites.herbs.graph.rows import (
    WRITE_EDGE,
    WRITE_NAME,
    WRITE_NODE,
    WRITE_SOURCE,
    to_edge_row,
    to_name_row,
    to_node_row,
    to_source_row,
)

FILE = "starter.jsonl"
# The SHA-256 of the file, made with it: every start compares it with what the home holds, without reading the graph.
_DIGEST_FILE = "starter.digest"
_TABLES = ("herb_edges", "herb_names", "herb_nodes", "herb_sources")
_READ_DIGEST = "SELECT digest FROM herb_batches WHERE id = 'starter'"
_WRITE_DIGEST = (
    "INSERT INTO herb_batches (id, digest) VALUES ('starter', ?) "
    "ON CONFLICT (id) DO UPDATE SET digest = excluded.digest"
)


@dataclass(slots=True)
class StarterGraph:
    """The records of the file. Each name comes with its spelling key."""

    sources: list[HerbSource] = field(default_factory=list)
    nodes: list[HerbNode] = field(default_factory=list)
    names: list[tuple[HerbName, str]] = field(default_factory=list)
    edges: list[HerbEdge] = field(default_factory=list)


@cache
def _read_file() -> bytes:
    return (files("sanya.suites.herbs") / FILE).read_bytes()


@cache
def digest_starter() -> str:
    return (files("sanya.suites.herbs") / _DIGEST_FILE).read_text("utf-8").strip()


async def load_starter(database: Database, on_replaced: Callable[[Transaction], Awaitable[None]] | None = None) -> bool:
    """Bring the home to the shipped graph in one transaction; return whether anything changed. `on_replaced` runs in
    the transaction, after the rows were replaced."""
    if await _is_loaded(database):
        return False
    rows = _build_rows(read_starter(_read_file()))
    async with database.transaction() as transaction:
        await advance_revision(transaction, "herbs")
        # Advancing the revision waits for other writers. One of them may have loaded the file since the check above.
        if [digest_starter()] == [row[0] for row in await transaction.fetch(_READ_DIGEST)]:
            await take_back_revision(transaction, "herbs")
            return False
        await _replace_rows(transaction, rows)
        if on_replaced is not None:
            await on_replaced(transaction)
    return True


async def _is_loaded(database: Database) -> bool:
    return [(digest_starter(),)] == [tuple(row) for row in await database.fetch(_READ_DIGEST, touches=1)]


async def _replace_rows(transaction: Transaction, rows: dict[str, list[tuple[Value, ...]]]) -> None:
    for table in _TABLES:
        await transaction.execute(f"DELETE FROM {table} WHERE batch = '{STARTER}'")  # noqa: S608 - names of our own
    for statement, statement_rows in rows.items():
        await transaction.execute_many(statement, statement_rows)
    await transaction.execute(_WRITE_DIGEST, (digest_starter(),))


def _build_rows(starter: StarterGraph) -> dict[str, list[tuple[Value, ...]]]:
    return {
        WRITE_SOURCE: [to_source_row(source) for source in starter.sources],
        WRITE_NODE: [to_node_row(node) for node in starter.nodes],
        WRITE_NAME: [to_name_row(name, sound) for name, sound in starter.names],
        WRITE_EDGE: [to_edge_row(edge) for edge in starter.edges],
    }


def read_starter(content: bytes) -> StarterGraph:
    """Parse the file: JSON lines, each a record kind followed by the values of its dataclass in order."""
    starter = StarterGraph()
    types: dict[str, NodeType] = {}
    for line in content.splitlines():
        kind, *values = orjson.loads(line)
        match kind:
            case "source":
                *fields, how_read = values
                starter.sources.append(replace(HerbSource(*fields), how_read=how_read))
            case "node":
                *scalars, sources, data = values
                node = HerbNode(*[*scalars, tuple(sources), data])
                types[node.id] = node.type
                starter.nodes.append(node)
            case "name":
                node_id, name, lang, name_kind, sound, exact_only = values
                named = HerbName(node_id, types[node_id], name, lang, name_kind, exact_only=bool(exact_only))
                starter.names.append((named, sound))
            case "edge":
                starter.edges.append(_parse_edge(values, types))
    return starter


def _parse_edge(values: list[Any], types: dict[str, NodeType]) -> HerbEdge:
    id, fact, from_id, type, to_id, strength, basis, review, note, sources, data = values
    return HerbEdge(
        *(id, fact, from_id, types[from_id], type, to_id, types[to_id]),
        *(strength, basis, review, note, tuple(sources), data),
    )
