"""The shipped graph and its linker, built once, and documents made of plain texts."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Literal

from sanya.suites.herbs.graph.model import HerbGraph
from sanya.suites.herbs.graph.starter import FILE, read_starter
from sanya.suites.herbs.ingest.documents import ReadDocument, ReadPage
from sanya.suites.herbs.ingest.extraction.entity_linker import EntityLinker
from sanya.suites.herbs.ingest.proposals import GraphDiff
from sanya.suites.herbs.ingest.proposing import propose

BATCH = "job-1"


@cache
def starter_graph() -> HerbGraph:
    starter = read_starter((files("sanya.suites.herbs") / FILE).read_bytes())
    nodes = {node.id: node for node in starter.nodes}
    sources = {source.id: source for source in starter.sources}
    return HerbGraph(1, nodes, tuple(starter.edges), tuple(name for name, _ in starter.names), sources)


@cache
def starter_linker() -> EntityLinker:
    return EntityLinker(starter_graph())


def document(*pages: str, way: Literal["text", "ocr"] = "text") -> ReadDocument:
    digest = sha256("\f".join(pages).encode(errors="surrogatepass")).hexdigest()
    read = tuple(ReadPage(number, text, way) for number, text in enumerate(pages, start=1))
    return ReadDocument("file:///library/notes.pdf", digest, "pdf", "Notes", read)


def stated(diff: GraphDiff) -> set[str]:
    """Return the proposed statements, each as `from type to`."""
    return {f"{edge.from_id} {edge.type} {edge.to_id}" for edge in diff.edges if edge.type != "mentioned_in"}


def apply(graph: HerbGraph, diff: GraphDiff) -> HerbGraph:
    """Return the graph as it is after the diff is written."""
    return HerbGraph(
        graph.revision + 1,
        {**graph.nodes, **{node.id: node for node in diff.nodes}},
        (*graph.edges, *diff.edges),
        (*graph.names, *diff.names),
        {**graph.sources, **{source.id: source for source in diff.sources}},
    )


def proposed(*pages: str, way: Literal["text", "ocr"] = "text") -> GraphDiff:
    return propose(document(*pages, way=way), starter_linker(), BATCH)
