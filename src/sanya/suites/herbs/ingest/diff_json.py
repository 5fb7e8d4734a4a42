"""Lossless conversion of a diff to JSON and back, for storage with its job."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sanya.suites.herbs.graph.model import HerbEdge, HerbName, HerbNode, HerbSource
from sanya.suites.herbs.ingest.proposals import Conflict, GraphDiff, LinkedMention, TextLocation


def diff_to_json(diff: GraphDiff) -> dict[str, Any]:
    """Return JSON values alone, in the order of the dataclasses; tuples become lists."""
    values: dict[str, Any] = _to_plain(asdict(diff))
    return values


def diff_from_json(values: dict[str, Any]) -> GraphDiff:
    return GraphDiff(
        digest=values["digest"],
        sources=tuple(HerbSource(**row) for row in values["sources"]),
        nodes=tuple(HerbNode(**_with_sources(row)) for row in values["nodes"]),
        names=tuple(HerbName(**row) for row in values["names"]),
        edges=tuple(HerbEdge(**_with_sources(row)) for row in values["edges"]),
        conflicts=tuple(Conflict(**_with_location(row)) for row in values["conflicts"]),
        ambiguous=tuple(map(_read_mention, values["ambiguous"])),
        unlinked=tuple(map(_read_mention, values["unlinked"])),
        linked=values["linked"],
        counts=dict(values["counts"]),
    )


def _to_plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _to_plain(item) for key, item in value.items()}
    return [_to_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _read_mention(row: dict[str, Any]) -> LinkedMention:
    return LinkedMention(**{**_with_location(row), "nodes": tuple(row["nodes"])})


def _with_location(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "place": TextLocation(**row["place"])}


def _with_sources(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "sources": tuple(row["sources"])}
