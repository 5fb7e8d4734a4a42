"""A diff on its way into the graph: what it stands on, how it is written, and how its batch leaves again whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any, TypeVar

import orjson

from sanya.kernel.database import Database, Transaction
from sanya.kernel.faults import InvalidArgument
from sanya.kernel.revisions import advance_revision
from sanya.suites.herbs.graph.model import Edge, Graph, Name, Node, Source
from sanya.suites.herbs.graph.name_keys import name_key
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
from sanya.suites.herbs.ingest.proposals import Diff
from sanya.text.characters import has_thai

Record = TypeVar("Record", Node, Edge, Name, Source)
Rows = dict[str, list[tuple[Any, ...]]]

_TABLES = ("herb_edges", "herb_names", "herb_nodes", "herb_sources", "herb_documents")
_OWN_NODES = "(SELECT id FROM herb_nodes WHERE batch = ?)"
_RESTING_EDGES = (
    f"SELECT id, batch FROM herb_edges WHERE batch <> ? AND (from_id IN {_OWN_NODES} OR to_id IN {_OWN_NODES}) "  # noqa: S608
    "ORDER BY id LIMIT ?"
)
_RESTING_NAMES = (
    f"SELECT node_id, batch FROM herb_names WHERE batch <> ? AND node_id IN {_OWN_NODES} ORDER BY node_id LIMIT ?"  # noqa: S608
)
_MOST_SHOWN = 20


class GraphMoved(Exception):
    """Somebody else changed the graph since the diff was made."""


def with_diff(graph: Graph, diff: Diff) -> Graph:
    """The graph as it will be with the diff in it: what is there already stays as it is."""
    if diff.is_empty:
        return graph
    known = {edge.id for edge in graph.edges}
    edges = [*graph.edges, *(edge for edge in diff.edges if edge.id not in known)]
    names = [*graph.names, *_new_names(graph, diff)]
    return Graph(
        revision=graph.revision,
        nodes=dict(sorted({**_by_id(diff.nodes), **graph.nodes}.items())),
        edges=tuple(sorted(edges, key=lambda edge: edge.id)),
        names=tuple(sorted(names, key=lambda name: name.node_id)),
        sources=dict(sorted({**_by_id(diff.sources), **graph.sources}.items())),
    )


def _new_names(graph: Graph, diff: Diff) -> Iterator[Name]:
    known = {(name.node_id, name_key(name.name)) for one in diff.names for name in graph.names_of(one.node_id)}
    for key, name in sorted({(name.node_id, name_key(name.name)): name for name in diff.names}.items()):
        if key not in known:
            yield name


def of_batch(diff: Diff, batch: str) -> Diff:
    """The same diff, brought by another batch."""
    return replace(
        diff,
        sources=_of_batch(diff.sources, batch),
        nodes=_of_batch(diff.nodes, batch),
        names=_of_batch(diff.names, batch),
        edges=_of_batch(diff.edges, batch),
    )


def ground_of(graph: Graph, diff: Diff) -> str:
    """A digest of what the diff stands on: the nodes that it speaks of, their names, what is said between them, and
    what it contradicts. As long as it stays the same, the diff is as good as when it was made."""
    ids = {end for edge in diff.edges for end in (edge.from_id, edge.to_id)}
    ids |= {one.id for one in diff.nodes} | {one.node_id for one in diff.names}
    contradicted = {conflict.known for conflict in diff.conflicts}
    edges = {
        edge.id: edge
        for id in sorted(ids | contradicted)
        for edge in graph.edges_of(id)
        if (edge.from_id in ids and edge.to_id in ids) or id in contradicted
    }
    edges |= {edge.id: edge for edge in graph.edges if edge.id in contradicted}
    found: list[Any] = [
        *(graph.nodes[id] for id in sorted(ids | contradicted) if id in graph.nodes),
        *(edge for _, edge in sorted(edges.items())),
        *(name for id in sorted(ids) for name in sorted(graph.names_of(id), key=lambda name: name.name)),
        *(graph.sources[one.id] for one in diff.sources if one.id in graph.sources),
    ]
    content = orjson.dumps([_without_batch(asdict(one)) for one in found], option=orjson.OPT_SORT_KEYS)
    return sha256(content).hexdigest()


def rows_of(diff: Diff) -> Rows:
    """By the statement that writes them. Takes a dictionary, so do it outside of a transaction."""
    from sanya.text.spelling import spelling_key  # here: it takes long to load

    sounds = [spelling_key(name.name) if has_thai(name.name) else "" for name in diff.names]
    return {
        WRITE_SOURCE: [source_row(one) for one in diff.sources],
        WRITE_NODE: [node_row(one) for one in diff.nodes],
        WRITE_NAME: [name_row(name, sound) for name, sound in zip(diff.names, sounds, strict=True)],
        WRITE_EDGE: [edge_row(one) for one in diff.edges],
    }


async def write(transaction: Transaction, rows: Rows, revision: int) -> int:
    """Writes the rows of a diff that was made from the graph at `revision`, and gives the new one. Raises GraphMoved
    where that is no longer the newest: the count is changed first, so that nobody comes in between."""
    now_at = await advance_revision(transaction, "herbs")
    if now_at != revision + 1:
        raise GraphMoved
    for statement, some in rows.items():
        if some:
            await transaction.execute_many(statement, some)
    return now_at


async def batch_of(database: Database, digest: str) -> str | None:
    """The batch that brought the document of this digest, if one did."""
    rows = await database.fetch("SELECT batch FROM herb_documents WHERE digest = ?", (digest,), touches=1)
    return str(rows[0][0]) if rows else None


async def write_document(transaction: Transaction, document: Mapping[str, str]) -> None:
    await transaction.execute(
        "INSERT INTO herb_documents (digest, batch, uri, brought_at) VALUES (?, ?, ?, ?)",
        (document["digest"], document["batch"], document["uri"], document["brought_at"]),
    )


async def remove_batch(transaction: Transaction, batch: str) -> int:
    """Takes everything of a batch out of the graph; tells how many rows. Refused where other batches rest on it."""
    resting = [
        *await transaction.fetch(_RESTING_EDGES, (batch, batch, batch, _MOST_SHOWN)),
        *await transaction.fetch(_RESTING_NAMES, (batch, batch, _MOST_SHOWN)),
        *[row async for row in _citing(transaction, batch)],
    ]
    if resting:
        batches = sorted({str(by) for _, by in resting})
        raise InvalidArgument(
            f"what {batch} brought is used by {', '.join(batches)}; roll that back first",
            field="job_id",
            details={"used_by": batches, "rows": sorted({str(id) for id, _ in resting})[:_MOST_SHOWN]},
        )
    counts = [await transaction.execute(f"DELETE FROM {table} WHERE batch = ?", (batch,)) for table in _TABLES]  # noqa: S608
    return sum(counts)


async def _citing(transaction: Transaction, batch: str) -> Any:
    """Rows of other batches that rest on a source of this one."""
    own = {str(id) for (id,) in await transaction.fetch("SELECT id FROM herb_sources WHERE batch = ?", (batch,))}
    for table in ("herb_edges", "herb_nodes") if own else ():
        sql = f"SELECT id, batch, sources FROM {table} WHERE batch NOT IN (?, 'starter') ORDER BY id"  # noqa: S608
        for id, by, sources in await transaction.fetch(sql, (batch,)):
            if own & set(orjson.loads(str(sources))):
                yield id, by


def _by_id(records: Iterable[Any]) -> dict[str, Any]:
    return {one.id: one for one in records}


def _of_batch(records: tuple[Record, ...], batch: str) -> tuple[Record, ...]:
    return tuple(replace(one, batch=batch) for one in records)


def _without_batch(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != "batch"}
