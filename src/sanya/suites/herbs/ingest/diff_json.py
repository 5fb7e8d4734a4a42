"""A diff as JSON and back, without loss: a dry run shows it, the job keeps it, and a real run writes exactly it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sanya.suites.herbs.graph.model import Edge, Name, Node, Source
from sanya.suites.herbs.ingest.proposals import Conflict, Diff, LinkedMention, Place


def diff_to_json(diff: Diff) -> dict[str, Any]:
    """Values of JSON alone, in the order of the dataclasses; tuples are lists."""
    found: dict[str, Any] = _plain(asdict(diff))
    return found


def diff_from_json(values: dict[str, Any]) -> Diff:
    return Diff(
        digest=values["digest"],
        sources=tuple(Source(**one) for one in values["sources"]),
        nodes=tuple(Node(**_with_sources(one)) for one in values["nodes"]),
        names=tuple(Name(**one) for one in values["names"]),
        edges=tuple(Edge(**_with_sources(one)) for one in values["edges"]),
        conflicts=tuple(Conflict(**_with_place(one)) for one in values["conflicts"]),
        ambiguous=tuple(map(_mention, values["ambiguous"])),
        unlinked=tuple(map(_mention, values["unlinked"])),
        linked=values["linked"],
        counts=dict(values["counts"]),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _mention(one: dict[str, Any]) -> LinkedMention:
    return LinkedMention(**{**_with_place(one), "nodes": tuple(one["nodes"])})


def _with_place(one: dict[str, Any]) -> dict[str, Any]:
    return {**one, "place": Place(**one["place"])}


def _with_sources(one: dict[str, Any]) -> dict[str, Any]:
    return {**one, "sources": tuple(one["sources"])}
