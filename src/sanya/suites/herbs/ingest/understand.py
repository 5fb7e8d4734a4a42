"""From a document that was read to what it would change: names, links, statements, and how they differ from the graph.
A pure function: the same bytes and the same graph give the same diff."""

from __future__ import annotations

from sanya.suites.herbs.graph import Graph
from sanya.suites.herbs.ingest.documents import ReadDocument
from sanya.suites.herbs.ingest.proposals import Diff


def propose(document: ReadDocument, graph: Graph, batch: str) -> Diff:
    """What the document would bring to this graph. Every row is unreviewed and of this batch."""
    del graph, batch
    return Diff(document.digest)
