"""Comparison of a document's statements with the graph: new rows, and conflicts with what is known.

Every new row is unreviewed and changes no row that exists. A document can add a warning, but it can neither remove nor
weaken one. A statement that contradicts the graph becomes a conflict, which is shown and never written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from sanya.suite.text import Span, redact_personal
from sanya.suites.herbs.graph.hierarchy import list_related_nodes
from sanya.suites.herbs.graph.model import (
    DOCUMENT,
    WARNING_EDGES,
    EdgeType,
    HerbEdge,
    HerbGraph,
    HerbNode,
    HerbSource,
    NodeType,
    Strength,
    rank_strength,
)
from sanya.suites.herbs.ingest.documents import ReadDocument
from sanya.suites.herbs.ingest.extraction.cues import ClaimKind
from sanya.suites.herbs.ingest.extraction.dosages import find_dosages
from sanya.suites.herbs.ingest.extraction.page_statements import LocatedStatement
from sanya.suites.herbs.ingest.extraction.page_text import normalise_stored_text
from sanya.suites.herbs.ingest.extraction.statements import ExtractedStatement
from sanya.suites.herbs.ingest.proposals import Conflict

# A document never yields "high": that is for statements that somebody has reviewed.
_STRENGTHS: dict[ClaimKind, Strength] = {"contraindicated": "moderate", "precaution": "low", "interacts": "low"}
_WARNING_KINDS: dict[ClaimKind, str] = {
    "contraindicated": "contraindication",
    "precaution": "precaution",
    "interacts": "drug_interaction",
}
_CONFLICT_MESSAGES = {
    "denied": "the document denies what is known",
    "denied_warning": "the document calls safe what is warned of",
    "use_against_warning": "the document names a use that is warned of",
}
_MAX_CHUNK_LENGTH, _CHUNK_MARGIN = 1000, 300
_EdgeKey = tuple[str, EdgeType, str]


@dataclass(frozen=True, slots=True)
class ProposedRows:
    nodes: tuple[HerbNode, ...]
    edges: tuple[HerbEdge, ...]
    conflicts: tuple[Conflict, ...]


def build_document_source(document: ReadDocument, batch: str) -> HerbSource:
    """Return the source that stands for the document. Its path is not stored: it would reveal more about the machine
    than about the document."""
    name = PurePosixPath(unquote(urlsplit(document.uri).path)).name
    title = redact_personal(normalise_stored_text(document.title or "") or normalise_stored_text(name)).text
    return HerbSource(
        *(f"document:{document.digest[:16]}", DOCUMENT, title or None, None, None, None, None),
        *("unreviewed", None, batch),
    )


class GraphComparison:
    """Compares the statements of one document with one revision of the graph, and counts what it leaves out."""

    def __init__(self, graph: HerbGraph, source: HerbSource) -> None:
        self._graph, self._source = graph, source
        self._known_edges = {edge.id for edge in graph.edges}
        self.counts: Counter[str] = Counter()

    def compare(self, statements: Iterable[LocatedStatement]) -> ProposedRows:
        best: dict[_EdgeKey, LocatedStatement] = {}
        conflicts: dict[tuple[str, str, str], Conflict] = {}
        for located in statements:
            statement = located.statement
            if (conflict := self._find_conflict(located)) is not None:
                ends = f"{statement.subject} {statement.object}"
                conflicts.setdefault((conflict.kind, conflict.known, ends), conflict)
            elif self._is_proposed(statement):
                key = _to_edge_key(statement)
                self.counts["repeated"] += key in best
                best[key] = max(best.get(key, located), located, key=_rank_statement)
        return self._build_rows(best, tuple(conflicts.values()))

    def _is_proposed(self, statement: ExtractedStatement) -> bool:
        if statement.stance != "said":
            self.counts["negated" if statement.stance in ("denied", "doubted") else statement.stance] += 1
            return False
        if statement.claim == "safe":
            self.counts["safety_claims"] += 1
            return False
        self.counts["hedged"] += statement.hedged
        return True

    def _build_rows(
        self, statements: dict[_EdgeKey, LocatedStatement], conflicts: tuple[Conflict, ...]
    ) -> ProposedRows:
        nodes: dict[str, HerbNode] = {}
        edges: dict[str, HerbEdge] = {}
        for key, located in statements.items():
            chunk = self._build_chunk(located)
            edge = self._build_statement_edge(located, key, chunk.id)
            if edge.id in self._known_edges:
                self.counts["known"] += 1
                continue
            edges[edge.id] = edge
            nodes[chunk.id] = chunk
            for node_id in (edge.from_id, edge.to_id):
                mention = self._build_mention_edge(node_id, located, chunk)
                edges[mention.id] = mention
        new_nodes = tuple(node for node in nodes.values() if node.id not in self._graph.nodes)
        new_edges = tuple(edge for edge in edges.values() if edge.id not in self._known_edges)
        return ProposedRows(new_nodes, new_edges, conflicts)

    def _build_statement_edge(self, located: LocatedStatement, key: _EdgeKey, chunk_id: str) -> HerbEdge:
        statement, location = located.statement, located.location
        start, type, end = key
        types = (statement.subject_type, statement.object_type)
        start_type, end_type = types[::-1] if type == "part_of" else types
        data: dict[str, object] = {"chunk": chunk_id, "confidence": statement.confidence, "page": location.page}
        data |= {"start": location.start, "end": location.end}
        data |= {"hedged": True} if statement.hedged else {}
        if type == "treats" and (doses := _read_doses(located)):
            data["dosages"] = doses
        if statement.claim in _WARNING_KINDS:
            data["kind"] = _WARNING_KINDS[statement.claim]
        fact = self._make_id("fact", start, type, chunk_id)
        id = self._make_id(start, type, end)
        return self._build_edge(id, (start, start_type), type, (end, end_type), fact, data, _rate(statement))

    def _build_mention_edge(self, node_id: str, located: LocatedStatement, chunk: HerbNode) -> HerbEdge:
        statement = located.statement
        type = statement.subject_type if node_id == statement.subject else statement.object_type
        id = self._make_id(node_id, "mentioned_in", chunk.id)
        data: dict[str, object] = {"page": located.location.page}
        return self._build_edge(id, (node_id, type), "mentioned_in", (chunk.id, "chunk"), id, data, None)

    def _build_edge(
        self,
        id: str,
        start: tuple[str, NodeType],
        type: EdgeType,
        end: tuple[str, NodeType],
        fact: str,
        data: dict[str, object],
        strength: Strength | None,
    ) -> HerbEdge:
        return HerbEdge(
            *(id, fact, *start, type, *end, strength),
            *(DOCUMENT, "unreviewed", None, (self._source.id,), data, self._source.batch),
        )

    def _build_chunk(self, located: LocatedStatement) -> HerbNode:
        span = _choose_chunk_span(located)
        text, page = span.slice(located.page.text).strip(), located.page.page.number
        title = self._source.title or self._source.id
        data = {"text": text, "page": page, "start": span.start, "end": span.end}
        id, sources = self._make_id("chunk", str(page), text), (self._source.id,)
        labels = f"{title} หน้า {page}", f"{title}, p. {page}"
        return HerbNode(id, "chunk", *labels, DOCUMENT, "unreviewed", None, sources, data, self._source.batch)

    def _make_id(self, *parts: str) -> str:
        """Return the same id for the same statement of the same document, so that nothing is written twice."""
        return f"doc:{self._source.id.partition(':')[2]}:{sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"

    def _find_conflict(self, located: LocatedStatement) -> Conflict | None:
        statement = located.statement
        is_said, is_denied = statement.stance == "said", statement.stance == "denied"
        is_warning, is_safe_claim = statement.claim in _WARNING_KINDS, statement.claim == "safe"
        if is_denied and not is_warning and not is_safe_claim:
            known = self._find_known_edges(statement, [_to_edge_key(statement)[1]], [statement.object])
            return self._build_conflict(located, known, "denied")
        if (is_denied and is_warning) or (is_said and is_safe_claim):
            is_known = statement.object in self._graph.nodes
            objects = list_related_nodes(self._graph, statement.object) if is_known else [statement.object]
            known = self._find_known_edges(statement, WARNING_EDGES, objects)
            return self._build_conflict(located, known, "denied_warning")
        if is_said and statement.claim == "treats":
            known = self._find_known_edges(statement, ["contraindicated_in"], statement.as_condition)
            return self._build_conflict(located, known, "use_against_warning")
        return None

    def _find_known_edges(
        self, statement: ExtractedStatement, types: Iterable[EdgeType], objects: Iterable[str]
    ) -> Iterator[HerbEdge]:
        """Yield what other sources state about the subject and these objects."""
        edge_types, object_ids = set(types), {*objects}
        for edge in self._graph.get_edges(statement.subject):
            is_between = edge.get_other_end(statement.subject) in object_ids
            if edge.type in edge_types and is_between and self._source.id not in edge.sources:
                yield edge

    def _build_conflict(self, located: LocatedStatement, known: Iterator[HerbEdge], kind: str) -> Conflict | None:
        """Return the conflict with the strongest of the known edges, None where there is none."""
        edge = max(known, key=lambda edge: (rank_strength(edge.strength), edge.id), default=None)
        if edge is None:
            return None
        subject = located.statement.subject
        about = f"{self._get_label(subject)} / {self._get_label(edge.get_other_end(subject))}"
        known_as = ", ".join(filter(None, (edge.type, edge.strength, edge.review)))
        message = f"{about}: {_CONFLICT_MESSAGES[kind]} ({edge.id}: {known_as})"
        return Conflict(kind, message, located.location, edge.id)

    def _get_label(self, node_id: str) -> str:
        node = self._graph.nodes.get(node_id)
        return node.label if node else node_id


def _to_edge_key(statement: ExtractedStatement) -> _EdgeKey:
    """Return from, type and to of the edge that would hold the statement."""
    match statement.claim:
        case "treats":
            return statement.subject, "treats", statement.object
        case "contains" if statement.subject_type == "formulation":
            return statement.object, "part_of", statement.subject
        case "contains":
            return statement.subject, "contains", statement.object
        case _:
            type: EdgeType = "interacts_with" if statement.object_type == "drug" else "contraindicated_in"
            return statement.subject, type, statement.object


def _rate(statement: ExtractedStatement) -> Strength | None:
    if statement.hedged and statement.claim in _STRENGTHS:
        return "low"
    return _STRENGTHS.get(statement.claim)


def _rank_statement(located: LocatedStatement) -> tuple[int, float]:
    """Rank the stronger warning first, then the more certain statement; of equal ones the first stays."""
    return rank_strength(_rate(located.statement)), located.statement.confidence


def _read_doses(located: LocatedStatement) -> list[str]:
    return [span.slice(located.page.text) for span in find_dosages(located.page.form, *located.sentence)]


def _choose_chunk_span(located: LocatedStatement) -> Span:
    """Return the sentence, or the text around the statement where the sentence is too long."""
    sentence, statement = located.sentence, located.statement.span
    if sentence.end - sentence.start <= _MAX_CHUNK_LENGTH:
        return sentence
    return Span(max(sentence.start, statement.start - _CHUNK_MARGIN), min(sentence.end, statement.end + _CHUNK_MARGIN))
