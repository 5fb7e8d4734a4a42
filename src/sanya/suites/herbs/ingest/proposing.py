"""From a document that was read to what it would change: names, links, statements, and how they differ from the graph.
A pure function: the same bytes and the same graph give the same diff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from sanya.suites.herbs.graph.model import DOCUMENT, Edge, Graph, Name, Node
from sanya.suites.herbs.ingest.comparison import Comparison, document_source
from sanya.suites.herbs.ingest.documents import ReadDocument
from sanya.suites.herbs.ingest.extraction.binomials import Binomial, binomials
from sanya.suites.herbs.ingest.extraction.document_mentions import document_mentions
from sanya.suites.herbs.ingest.extraction.entity_linker import Found, Linker
from sanya.suites.herbs.ingest.extraction.page_statements import read_page
from sanya.suites.herbs.ingest.extraction.page_text import PageText, page_text
from sanya.suites.herbs.ingest.proposals import Diff, LinkedMention, Place

Latin = dict[int, list[Binomial]]
"""The Latin names of each page by their form."""


def propose(document: ReadDocument, known: Graph | Linker, batch: str) -> Diff:
    """What the document would bring to this graph, every row unreviewed and of this batch. Whoever reads several
    documents against one revision hands over its linker, which takes a moment to make."""
    linker = Linker(known) if isinstance(known, Graph) else known
    graph = linker.graph
    pages = [page_text(page) for page in document.pages]
    latin: Latin = {page.page.number: list(binomials(page.text)) for page in pages}
    source = document_source(document, batch)
    brought = _new_herbs(pages, latin, linker, batch, source.id)
    found = document_mentions(linker.knowing(brought) if brought.nodes else linker, pages, latin)
    comparison = Comparison(graph, source)
    read = (read_page(page, some, latin[page.page.number]) for page, some in zip(pages, found, strict=True))
    compared = comparison.compare(chain.from_iterable(read))
    nodes = (*_used(brought.nodes.values(), compared.edges), *compared.nodes)
    mentions = [one for page, some in zip(pages, found, strict=True) for one in _mentions(page, some)]
    kept = {node.id for node in nodes}
    return Diff(
        digest=document.digest,
        sources=(source,) if (nodes or compared.edges) and source.id not in graph.sources else (),
        nodes=nodes,
        names=tuple(name for name in brought.names if name.node_id in kept),
        edges=compared.edges,
        conflicts=compared.conflicts,
        ambiguous=_each_once(one for one in mentions if len(one.nodes) > 1),
        unlinked=_each_once(one for one in mentions if not one.nodes),
        linked=sum(len(one.nodes) == 1 for one in mentions),
        counts=_counts(pages, mentions, comparison.counts),
    )


def _new_herbs(pages: Sequence[PageText], latin: Latin, linker: Linker, batch: str, source: str) -> Graph:
    """Plants that the graph does not know, by their scientific names."""
    nodes: dict[str, Node] = {}
    names: list[Name] = []
    for page in pages:
        for one in latin[page.page.number]:
            name = " ".join(one.of(page.text).split())
            id = name.lower().replace(" ", "-")
            if one.is_sure and not linker.knows(name.lower()) and id not in nodes and id not in linker.graph.nodes:
                data = {"latin_name": name}
                nodes[id] = Node(id, "herb", None, name, DOCUMENT, "unreviewed", None, (source,), data, batch)
                names.append(Name(id, "herb", name, "la", "main", batch))
    return Graph(0, nodes, (), tuple(names), {})


def _used(nodes: Iterable[Node], edges: Sequence[Edge]) -> list[Node]:
    """A plant comes in only with something that is said of it."""
    ends = {end for edge in edges for end in (edge.from_id, edge.to_id)}
    return [node for node in nodes if node.id in ends]


def _mentions(page: PageText, found: Iterable[Found]) -> Iterator[LinkedMention]:
    """What may be a drug or a condition is one mention: which it is, statements decide. Two of a kind are ambiguous."""
    for one in found:
        alike = max(one.meant.values(), key=len, default=())
        place = Place(page.page.number, one.start, one.end)
        yield LinkedMention(page.text[one.start : one.end], place, one.kind, alike, one.confidence)


def _each_once(mentions: Iterable[LinkedMention]) -> tuple[LinkedMention, ...]:
    """The first of each: a name that stands on every page is one question to whoever reviews."""
    first: dict[tuple[str, tuple[str, ...]], LinkedMention] = {}
    for one in mentions:
        first.setdefault((one.text, one.nodes), one)
    return tuple(first.values())


def _counts(pages: Sequence[PageText], mentions: Sequence[LinkedMention], counts: Counter[str]) -> dict[str, int]:
    counts = counts + Counter(
        pages=len(pages),
        pages_ocr=sum(page.page.way == "ocr" for page in pages),
        redacted=sum(page.redacted for page in pages),
        ambiguous=sum(len(one.nodes) > 1 for one in mentions),
        unlinked=sum(not one.nodes for one in mentions),
    )
    return {name: count for name, count in sorted(counts.items()) if count}
