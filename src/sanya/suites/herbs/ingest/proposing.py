"""Proposing: from a document that was read to the diff that it would make to the graph.

`propose` is a pure function of the document and the graph: the same bytes and the same graph give the same diff.

1. Each page's text is normalised, misplaced marks of known names are put back, and personal data redacted.
2. Latin names that the graph does not know become candidate herbs, so that statements about them can be found.
3. Names are found and linked on every page, and statements extracted from its sentences (`extraction`).
4. Statements are compared with the graph (`comparison`): new rows and conflicts.
5. Candidate herbs without a statement are dropped. Ambiguous and unlinked mentions are listed for review, and so is
   what the document warns of under a name that nobody knows or in words from which no statement was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from sanya.suites.herbs.graph.model import DOCUMENT, HerbEdge, HerbGraph, HerbName, HerbNode
from sanya.suites.herbs.ingest.comparison import GraphComparison, build_document_source
from sanya.suites.herbs.ingest.documents import ReadDocument
from sanya.suites.herbs.ingest.extraction.binomials import Binomial, find_binomials
from sanya.suites.herbs.ingest.extraction.document_mentions import find_document_mentions
from sanya.suites.herbs.ingest.extraction.entity_linker import EntityLinker, PageMention
from sanya.suites.herbs.ingest.extraction.page_statements import (
    PageReading,
    find_line,
    find_unknown_subjects,
    read_page_statements,
)
from sanya.suites.herbs.ingest.extraction.page_text import PageText, normalise_page
from sanya.suites.herbs.ingest.proposals import GraphDiff, LinkedMention, TextLocation

_UNKNOWN_CONFIDENCE = 0.5
BinomialsByPage = dict[int, list[Binomial]]


def propose(document: ReadDocument, known: HerbGraph | EntityLinker, batch: str) -> GraphDiff:
    """Return what the document would add to the graph, every row unreviewed and of this batch.

    Building a linker takes a while, so a caller that reads several documents against one revision passes its own.
    """
    linker = EntityLinker(known) if isinstance(known, HerbGraph) else known
    graph = linker.graph
    pages = [normalise_page(page, linker.marks) for page in document.pages]
    binomials: BinomialsByPage = {page.page.number: list(find_binomials(page.text)) for page in pages}
    source = build_document_source(document, batch)
    new_herbs = _find_new_herbs(pages, binomials, linker, batch, source.id)
    document_linker = linker.extend(new_herbs) if new_herbs.nodes else linker
    mentions_by_page = find_document_mentions(document_linker, pages, binomials)
    comparison = GraphComparison(graph, source)
    readings = [
        read_page_statements(page, page_mentions, binomials[page.page.number])
        for page, page_mentions in zip(pages, mentions_by_page, strict=True)
    ]
    rows = comparison.compare(chain.from_iterable(reading.statements for reading in readings))
    nodes = (*_keep_used(new_herbs.nodes.values(), rows.edges), *rows.nodes)
    node_ids = {node.id for node in nodes}
    mentions = [
        mention
        for page, page_mentions, reading in zip(pages, mentions_by_page, readings, strict=True)
        for mention in (
            *_locate_mentions(page, page_mentions),
            *_list_unknown(page, page_mentions),
            *_list_unread(page, reading),
        )
    ]
    return GraphDiff(
        digest=document.digest,
        sources=(source,) if (nodes or rows.edges) and source.id not in graph.sources else (),
        nodes=nodes,
        names=tuple(name for name in new_herbs.names if name.node_id in node_ids),
        edges=rows.edges,
        conflicts=rows.conflicts,
        ambiguous=_deduplicate(mention for mention in mentions if len(mention.nodes) > 1),
        unlinked=_deduplicate(mention for mention in mentions if not mention.nodes),
        linked=sum(len(mention.nodes) == 1 for mention in mentions),
        counts=_count(pages, mentions, comparison.counts),
    )


def _find_new_herbs(
    pages: Sequence[PageText], binomials: BinomialsByPage, linker: EntityLinker, batch: str, source_id: str
) -> HerbGraph:
    """Return a graph of the plants that the linker's graph does not know, by their scientific names."""
    nodes: dict[str, HerbNode] = {}
    names: list[HerbName] = []
    for page in pages:
        for binomial in binomials[page.page.number]:
            name = " ".join(binomial.read_from(page.text).split())
            id = name.lower().replace(" ", "-")
            is_known = linker.has_name(name.lower()) or id in nodes or id in linker.graph.nodes
            if binomial.is_certain and not is_known:
                data = {"latin_name": name}
                nodes[id] = HerbNode(id, "herb", None, name, DOCUMENT, "unreviewed", None, (source_id,), data, batch)
                names.append(HerbName(id, "herb", name, "la", "main", batch))
    return HerbGraph(0, nodes, (), tuple(names), {})


def _keep_used(nodes: Iterable[HerbNode], edges: Sequence[HerbEdge]) -> list[HerbNode]:
    """Keep the plants that some statement is about."""
    ends = {end for edge in edges for end in (edge.from_id, edge.to_id)}
    return [node for node in nodes if node.id in ends]


def _locate_mentions(page: PageText, mentions: Iterable[PageMention]) -> Iterator[LinkedMention]:
    """Yield each mention with its location. One that may be a drug or a condition counts as linked; statements decide
    which. Two nodes of one type are ambiguous."""
    for mention in mentions:
        nodes = max(mention.nodes_by_type.values(), key=len, default=())
        location = TextLocation(page.page.number, mention.start, mention.end)
        yield LinkedMention(page.text[mention.start : mention.end], location, mention.kind, nodes, mention.confidence)


def _list_unknown(page: PageText, mentions: Sequence[PageMention]) -> Iterator[LinkedMention]:
    """Yield the plants that the page warns of and nobody knows: they are listed for review, never dropped."""
    for span in find_unknown_subjects(page, mentions):
        location = TextLocation(page.page.number, *span)
        yield LinkedMention(span.slice(page.text), location, "name", (), _UNKNOWN_CONFIDENCE)


def _list_unread(page: PageText, reading: PageReading) -> Iterator[LinkedMention]:
    """Yield the lines that warn of a known subject and from which nothing was read, so that no warning is lost in
    silence."""
    for sentence in reading.unread_warnings:
        span = find_line(page.text, sentence)
        location = TextLocation(page.page.number, *span)
        yield LinkedMention(span.slice(page.text), location, "warning", (), _UNKNOWN_CONFIDENCE)


def _deduplicate(mentions: Iterable[LinkedMention]) -> tuple[LinkedMention, ...]:
    """Keep the first mention of each name: a name on every page is one question to a reviewer."""
    first: dict[tuple[str, tuple[str, ...]], LinkedMention] = {}
    for mention in mentions:
        first.setdefault((mention.text, mention.nodes), mention)
    return tuple(first.values())


def _count(pages: Sequence[PageText], mentions: Sequence[LinkedMention], counts: Counter[str]) -> dict[str, int]:
    counts = counts + Counter(
        pages=len(pages),
        pages_ocr=sum(page.page.origin == "ocr" for page in pages),
        redacted=sum(page.redacted for page in pages),
        ambiguous=sum(len(mention.nodes) > 1 for mention in mentions),
        unlinked=sum(not mention.nodes for mention in mentions),
    )
    return {name: count for name, count in sorted(counts.items()) if count}
