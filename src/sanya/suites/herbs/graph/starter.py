"""The graph that comes with the package: read from its file into a home, and exchanged when the file has changed.

Only rows of the batch `starter` are ever touched; what was ingested stays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import orjson

from sanya.kernel.database import Database, Transaction, Value
from sanya.kernel.revisions import advance_revision, take_back_revision
from sanya.suites.herbs.graph.model import STARTER, Edge, Name, Node, NodeType, Source
from sanya.suites.herbs.graph.rows import (
    WRITE_EDGE,
    WRITE_NAME,
    WRITE_NODE,
    WRITE_SOURCE,
    edge_row,
    name_row,
    node_row,
    source_row,
)

FILE = "starter.jsonl"
_TABLES = ("herb_edges", "herb_names", "herb_nodes", "herb_sources")
_READ_DIGEST = "SELECT digest FROM herb_batches WHERE id = 'starter'"
_WRITE_DIGEST = (
    "INSERT INTO herb_batches (id, digest) VALUES ('starter', ?) "
    "ON CONFLICT (id) DO UPDATE SET digest = excluded.digest"
)


@dataclass(slots=True)
class Starter:
    """The rows of the file; a name goes with its spelling key."""

    sources: list[Source] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    names: list[tuple[Name, str]] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)


@cache
def _file() -> bytes:
    return (files("sanya.suites.herbs") / FILE).read_bytes()


@cache
def digest() -> str:
    return sha256(_file()).hexdigest()


async def load_starter(database: Database) -> bool:
    """Brings the home to the shipped graph in one transaction; tells whether there was anything to do."""
    if await _has(database):
        return False
    rows = _rows(read_starter(_file()))
    async with database.transaction() as transaction:
        await advance_revision(transaction, "herbs")
        # Asked again now that we have our turn: another process may have been first.
        if [digest()] == [row[0] for row in await transaction.fetch(_READ_DIGEST)]:
            await take_back_revision(transaction, "herbs")
            return False
        await _exchange(transaction, rows)
    return True


async def _has(database: Database) -> bool:
    return [(digest(),)] == [tuple(row) for row in await database.fetch(_READ_DIGEST, touches=1)]


async def _exchange(transaction: Transaction, rows: dict[str, list[tuple[Value, ...]]]) -> None:
    for table in _TABLES:
        await transaction.execute(f"DELETE FROM {table} WHERE batch = '{STARTER}'")  # noqa: S608 - names of our own
    for write, some in rows.items():
        await transaction.execute_many(write, some)
    await transaction.execute(_WRITE_DIGEST, (digest(),))


def _rows(starter: Starter) -> dict[str, list[tuple[Value, ...]]]:
    return {
        WRITE_SOURCE: [source_row(source) for source in starter.sources],
        WRITE_NODE: [node_row(node) for node in starter.nodes],
        WRITE_NAME: [name_row(name, sound) for name, sound in starter.names],
        WRITE_EDGE: [edge_row(edge) for edge in starter.edges],
    }


def read_starter(content: bytes) -> Starter:
    """The file is JSON lines: a word that says what the line is, and its values in the order of the dataclass."""
    starter = Starter()
    types: dict[str, NodeType] = {}
    for line in content.splitlines():
        kind, *values = orjson.loads(line)
        match kind:
            case "source":
                starter.sources.append(Source(*values))
            case "node":
                *plain, sources, data = values
                node = Node(*[*plain, tuple(sources), data])
                types[node.id] = node.type
                starter.nodes.append(node)
            case "name":
                node_id, name, lang, name_kind, sound = values
                starter.names.append((Name(node_id, types[node_id], name, lang, name_kind), sound))
            case "edge":
                starter.edges.append(_edge(values, types))
    return starter


def _edge(values: list[Any], types: dict[str, NodeType]) -> Edge:
    id, fact, from_id, type, to_id, strength, basis, review, note, sources, data = values
    return Edge(
        *(id, fact, from_id, types[from_id], type, to_id, types[to_id]),
        *(strength, basis, review, note, tuple(sources), data),
    )
