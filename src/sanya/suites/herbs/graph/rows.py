"""Conversion between rows of the herb tables and the data model."""

from __future__ import annotations

from typing import Any, cast

import orjson

from sanya.suite.store import Row, Value, build_insert
from sanya.suites.herbs.graph.model import (
    HerbEdge,
    HerbName,
    HerbNode,
    HerbSource,
    ReviewState,
    rank_strength,
    to_strength,
)
from sanya.suites.herbs.graph.name_keys import fold_name

NODE_COLUMNS = "id, type, label_th, label_en, basis, review, note, sources, data, batch"
EDGE_COLUMNS = "id, fact, from_id, from_type, type, to_id, to_type, strength, basis, review, note, sources, data, batch"
NAME_COLUMNS = "node_id, node_type, name, lang, kind, batch, exact_only"
SOURCE_COLUMNS = "id, kind, title, year, url, publisher, pmid, review, note, batch, how_read"


def _build_insert(table: str, columns: str, key: str) -> str:
    """Build an insert that keeps an existing row: a batch never changes what another batch brought."""
    return f"{build_insert(table, columns.split(', '))} ON CONFLICT ({key}) DO NOTHING"


WRITE_NODE = _build_insert("herb_nodes", NODE_COLUMNS, "id")
WRITE_EDGE = _build_insert("herb_edges", EDGE_COLUMNS, "id")
WRITE_SOURCE = _build_insert("herb_sources", SOURCE_COLUMNS, "id")
WRITE_NAME = _build_insert("herb_names", f"{NAME_COLUMNS}, name_key, backwards, sound", "node_id, name_key")


def read_node(row: Row) -> HerbNode:
    # Taken apart in one step, here and below: to convert each of 400,000 values took a third of reading the graph.
    id, type, label_th, label_en, basis, review, note, sources, data, batch = cast(Any, row)
    return HerbNode(
        id, type, label_th, label_en, basis, review, note, tuple(_read_list(sources)), _read_object(data), batch
    )


def read_edge(row: Row) -> HerbEdge:
    id, fact, from_id, from_type, type, to_id, to_type, strength, basis, review, note, sources, data, batch = cast(
        Any, row
    )
    return HerbEdge(
        id,
        fact,
        from_id,
        from_type,
        type,
        to_id,
        to_type,
        to_strength(strength),
        basis,
        review,
        note,
        tuple(_read_list(sources)),
        _read_object(data),
        batch,
    )


def read_name(row: Row) -> HerbName:
    """Read the columns of a name, which others may follow."""
    node_id, node_type, name, lang, kind, batch, exact_only, *_ = cast(Any, row)
    return HerbName(node_id, node_type, name, lang, kind, batch, bool(exact_only))


def read_source(row: Row) -> HerbSource:
    texts = cast(tuple[str | None, ...], row)
    return HerbSource(
        id=str(row[0]),
        kind=str(row[1]),
        title=texts[2],
        year=cast(int | None, row[3]),
        url=texts[4],
        publisher=texts[5],
        pmid=texts[6],
        review=cast(ReviewState, row[7]),
        note=texts[8],
        batch=str(row[9]),
        how_read=texts[10],
    )


def to_node_row(node: HerbNode) -> tuple[Value, ...]:
    return (
        *(node.id, node.type, node.label_th, node.label_en, node.basis, node.review, node.note),
        *(_dump_json(list(node.sources)), _dump_json(dict(node.data)), node.batch),
    )


def to_edge_row(edge: HerbEdge) -> tuple[Value, ...]:
    return (
        *(edge.id, edge.fact, edge.from_id, edge.from_type, edge.type, edge.to_id, edge.to_type),
        *(rank_strength(edge.strength), edge.basis, edge.review, edge.note),
        *(_dump_json(list(edge.sources)), _dump_json(dict(edge.data)), edge.batch),
    )


def to_name_row(name: HerbName, sound: str) -> tuple[Value, ...]:
    """`sound` is the spelling key of the name. Computing it needs a dictionary, so the starter file brings it along."""
    key = fold_name(name.name)
    return (
        *(name.node_id, name.node_type, name.name, name.lang, name.kind, name.batch, int(name.exact_only)),
        *(key, key[::-1], sound),
    )


def to_source_row(source: HerbSource) -> tuple[Value, ...]:
    return (
        *(source.id, source.kind, source.title, source.year, source.url, source.publisher, source.pmid),
        *(source.review, source.note, source.batch, source.how_read),
    )


def _dump_json(value: Any) -> str:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode("utf-8")


def _read_list(value: Value) -> list[str]:
    return cast(list[str], orjson.loads(str(value)))


def _read_object(value: Value) -> dict[str, Any]:
    return cast(dict[str, Any], orjson.loads(str(value)))
