"""Staging of a diff: applying it to a graph in memory, writing it, and removing its batch again.

A dry run and a real run may lie hours apart. `digest_ground` fixes what a diff depends on: as long as the digest stays
the same, the stored diff is what a new reading of the document would give, and may be written as it is.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any, TypeVar

import orjson

from sanya.suite import InvalidArgument
from sanya.suite.store import Database, Transaction, Value, advance_revision
from sanya.suite.text import has_thai
from sanya.suites.herbs.graph.model import HerbEdge, HerbGraph, HerbName, HerbNode, HerbSource
from sanya.suites.herbs.graph.name_keys import fold_name
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
from sanya.suites.herbs.graph.store import SUITE
from sanya.suites.herbs.ingest.proposals import GraphDiff

GraphRecord = TypeVar("GraphRecord", HerbNode, HerbEdge, HerbName, HerbSource)
RowsByStatement = dict[str, list[tuple[Any, ...]]]

_TABLES = ("herb_edges", "herb_names", "herb_nodes", "herb_sources", "herb_documents")
_OWN_NODES = "(SELECT id FROM herb_nodes WHERE batch = ?)"
_DEPENDENT_EDGES = (
    f"SELECT id, batch FROM herb_edges WHERE batch <> ? AND (from_id IN {_OWN_NODES} OR to_id IN {_OWN_NODES}) "  # noqa: S608
    "ORDER BY id LIMIT ?"
)
_DEPENDENT_NAMES = (
    f"SELECT node_id, batch FROM herb_names WHERE batch <> ? AND node_id IN {_OWN_NODES} ORDER BY node_id LIMIT ?"  # noqa: S608
)
_MAX_LISTED = 20


class StaleGraphError(Exception):
    """The graph has changed since the diff was made."""


def apply_diff(graph: HerbGraph, diff: GraphDiff) -> HerbGraph:
    """Return the graph as it is after the diff is written. Rows that exist stay as they are."""
    if diff.is_empty:
        return graph
    known_edges = {edge.id for edge in graph.edges}
    edges = [*graph.edges, *(edge for edge in diff.edges if edge.id not in known_edges)]
    names = [*graph.names, *_list_new_names(graph, diff)]
    return HerbGraph(
        revision=graph.revision,
        nodes=dict(sorted({**_index_by_id(diff.nodes), **graph.nodes}.items())),
        edges=tuple(sorted(edges, key=lambda edge: edge.id)),
        names=tuple(sorted(names, key=lambda name: name.node_id)),
        sources=dict(sorted({**_index_by_id(diff.sources), **graph.sources}.items())),
    )


def _list_new_names(graph: HerbGraph, diff: GraphDiff) -> Iterator[HerbName]:
    node_ids = [name.node_id for name in diff.names]
    known = {(name.node_id, fold_name(name.name)) for node_id in node_ids for name in graph.get_names(node_id)}
    for key, name in sorted({(name.node_id, fold_name(name.name)): name for name in diff.names}.items()):
        if key not in known:
            yield name


def assign_batch(diff: GraphDiff, batch: str) -> GraphDiff:
    """Return the same diff as rows of another batch."""
    return replace(
        diff,
        sources=_replace_batch(diff.sources, batch),
        nodes=_replace_batch(diff.nodes, batch),
        names=_replace_batch(diff.names, batch),
        edges=_replace_batch(diff.edges, batch),
    )


def digest_ground(graph: HerbGraph, diff: GraphDiff) -> str:
    """Return a digest of what the diff depends on: its nodes, their names, the edges between them, its sources, and
    what it contradicts."""
    ids = {end for edge in diff.edges for end in (edge.from_id, edge.to_id)}
    ids |= {node.id for node in diff.nodes} | {name.node_id for name in diff.names}
    contradicted = {conflict.known for conflict in diff.conflicts}
    edges = {
        edge.id: edge
        for id in sorted(ids | contradicted)
        for edge in graph.get_edges(id)
        if (edge.from_id in ids and edge.to_id in ids) or id in contradicted
    }
    edges |= {edge.id: edge for edge in graph.edges if edge.id in contradicted}
    records: list[Any] = [
        *(graph.nodes[id] for id in sorted(ids | contradicted) if id in graph.nodes),
        *(edge for _, edge in sorted(edges.items())),
        *(name for id in sorted(ids) for name in sorted(graph.get_names(id), key=lambda name: name.name)),
        *(graph.sources[source.id] for source in diff.sources if source.id in graph.sources),
    ]
    content = orjson.dumps([_drop_batch(asdict(record)) for record in records], option=orjson.OPT_SORT_KEYS)
    return sha256(content).hexdigest()


def build_rows(diff: GraphDiff) -> RowsByStatement:
    """Return the rows by the statement that writes them. This loads a dictionary, so run it outside a transaction."""
    from sanya.suite.text import make_spelling_key  # imported late: it takes long to load

    sounds = [make_spelling_key(name.name) if has_thai(name.name) else "" for name in diff.names]
    return {
        WRITE_SOURCE: [to_source_row(source) for source in diff.sources],
        WRITE_NODE: [to_node_row(node) for node in diff.nodes],
        WRITE_NAME: [to_name_row(name, sound) for name, sound in zip(diff.names, sounds, strict=True)],
        WRITE_EDGE: [to_edge_row(edge) for edge in diff.edges],
    }


async def write_rows(transaction: Transaction, rows: RowsByStatement, revision: int) -> int:
    """Write the rows of a diff that was made at `revision`, and return the new revision.

    Raises StaleGraphError where the graph has changed since. The revision is advanced first, which keeps other writers
    out until this transaction ends.
    """
    new_revision = await advance_revision(transaction, SUITE)
    if new_revision != revision + 1:
        raise StaleGraphError
    for statement, statement_rows in rows.items():
        if statement_rows:
            await transaction.execute_many(statement, statement_rows)
    return new_revision


async def find_batch(database: Database, digest: str) -> str | None:
    """Return the batch that wrote the document of this digest, None where none did."""
    rows = await database.fetch("SELECT batch FROM herb_documents WHERE digest = ?", (digest,), touches=1)
    return str(rows[0][0]) if rows else None


async def write_document(transaction: Transaction, document: Mapping[str, str]) -> None:
    await transaction.execute(
        "INSERT INTO herb_documents (digest, batch, uri, brought_at) VALUES (?, ?, ?, ?)",
        (document["digest"], document["batch"], document["uri"], document["brought_at"]),
    )


async def remove_batch(transaction: Transaction, batch: str) -> int:
    """Delete all rows of a batch and return their number. Refused while rows of other batches depend on it."""
    dependent = [
        *await transaction.fetch(_DEPENDENT_EDGES, (batch, batch, batch, _MAX_LISTED)),
        *await transaction.fetch(_DEPENDENT_NAMES, (batch, batch, _MAX_LISTED)),
        *[row async for row in _find_citing_rows(transaction, batch)],
    ]
    if dependent:
        batches = sorted({str(other) for _, other in dependent})
        raise InvalidArgument(
            f"rows of {batch} are used by {', '.join(batches)}; roll that back first",
            field="job_id",
            details={"used_by": batches, "rows": sorted({str(id) for id, _ in dependent})[:_MAX_LISTED]},
        )
    counts = [await transaction.execute(f"DELETE FROM {table} WHERE batch = ?", (batch,)) for table in _TABLES]  # noqa: S608
    return sum(counts)


async def _find_citing_rows(transaction: Transaction, batch: str) -> AsyncIterator[tuple[Value, Value]]:
    """Yield id and batch of rows of other batches that cite a source of this one."""
    rows = await transaction.fetch("SELECT id FROM herb_sources WHERE batch = ?", (batch,))
    source_ids = {str(id) for (id,) in rows}
    for table in ("herb_edges", "herb_nodes") if source_ids else ():
        sql = f"SELECT id, batch, sources FROM {table} WHERE batch NOT IN (?, 'starter') ORDER BY id"  # noqa: S608
        for id, other, sources in await transaction.fetch(sql, (batch,)):
            if source_ids & set(orjson.loads(str(sources))):
                yield id, other


def _index_by_id(records: Iterable[Any]) -> dict[str, Any]:
    return {record.id: record for record in records}


def _replace_batch(records: tuple[GraphRecord, ...], batch: str) -> tuple[GraphRecord, ...]:
    return tuple(replace(record, batch=batch) for record in records)


def _drop_batch(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != "batch"}
