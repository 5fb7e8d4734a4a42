"""What a document's statements would change, set against what the graph knows.

All of it is unreviewed, and nothing of it alters a row that is there: a warning may come to others, none is taken back
or weakened. What speaks against the graph is a conflict, shown and not written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from sanya.suites.herbs.graph.model import (
    DOCUMENT,
    WARNING_EDGES,
    Edge,
    EdgeType,
    Graph,
    Node,
    NodeType,
    Source,
    Strength,
    strength_rank,
)
from sanya.suites.herbs.ingest.documents import ReadDocument
from sanya.suites.herbs.ingest.extraction.cues import Claim
from sanya.suites.herbs.ingest.extraction.dosages import dosages
from sanya.suites.herbs.ingest.extraction.page_text import PageText, stored_form
from sanya.suites.herbs.ingest.extraction.statements import Statement
from sanya.suites.herbs.ingest.proposals import Conflict, Place
from sanya.suites.herbs.search.boosts import kin
from sanya.text.personal import redact_personal
from sanya.text.spans import Span

# A document's words never reach "high": that is for what somebody has looked at.
_STRENGTHS: dict[Claim, Strength] = {"contraindicated": "moderate", "precaution": "low", "interacts": "low"}
_KINDS: dict[Claim, str] = {
    "contraindicated": "contraindication",
    "precaution": "precaution",
    "interacts": "drug_interaction",
}
_MOST_TEXT, _MARGIN = 1000, 300


@dataclass(frozen=True, slots=True)
class Read:
    """A statement, and where it stands."""

    statement: Statement
    page: PageText
    sentence: Span

    @property
    def place(self) -> Place:
        return Place(self.page.page.number, *self.statement.span)


@dataclass(frozen=True, slots=True)
class Compared:
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    conflicts: tuple[Conflict, ...]


def document_source(document: ReadDocument, batch: str) -> Source:
    """The file's place is not kept: it tells a stranger more about the machine than about the document."""
    name = PurePosixPath(unquote(urlsplit(document.uri).path)).name
    title = redact_personal(stored_form(document.title or "") or stored_form(name)).text
    return Source(
        *(f"document:{document.digest[:16]}", DOCUMENT, title or None, None, None, None, None),
        *("unreviewed", None, batch),
    )


class Comparison:
    def __init__(self, graph: Graph, source: Source) -> None:
        self._graph, self._source = graph, source
        self._edges = {edge.id for edge in graph.edges}
        self.counts: Counter[str] = Counter()

    def compare(self, read: Iterable[Read]) -> Compared:
        best: dict[tuple[str, EdgeType, str], Read] = {}
        conflicts: dict[tuple[str, str, str], Conflict] = {}
        for one in read:
            said = one.statement
            if (conflict := self._conflict(one)) is not None:
                conflicts.setdefault((conflict.kind, conflict.known, f"{said.subject} {said.object}"), conflict)
            if conflict is None and self._is_proposed(said):
                key = _ends(said)
                self.counts["repeated"] += key in best
                best[key] = max(best.get(key, one), one, key=_worth)
        return self._rows(best, tuple(conflicts.values()))

    def _is_proposed(self, said: Statement) -> bool:
        if said.stance != "said":
            self.counts["negated" if said.stance in ("denied", "doubted") else said.stance] += 1
            return False
        if said.claim == "safe":
            self.counts["safety_claims"] += 1
            return False
        self.counts["hedged"] += said.hedged
        return True

    def _rows(self, best: dict[tuple[str, EdgeType, str], Read], conflicts: tuple[Conflict, ...]) -> Compared:
        nodes: dict[str, Node] = {}
        edges: dict[str, Edge] = {}
        for (start, type, end), one in best.items():
            chunk = self._chunk(one)
            edge = self._edge(one, start, type, end, chunk.id)
            if edge.id in self._edges:
                self.counts["known"] += 1
                continue
            edges[edge.id] = edge
            nodes[chunk.id] = chunk
            for node_id in (start, end):
                mention = self._mention(node_id, one, chunk)
                edges[mention.id] = mention
        new_nodes = tuple(node for node in nodes.values() if node.id not in self._graph.nodes)
        return Compared(new_nodes, tuple(edge for edge in edges.values() if edge.id not in self._edges), conflicts)

    def _edge(self, one: Read, start: str, type: EdgeType, end: str, chunk: str) -> Edge:
        said = one.statement
        turned = said.claim == "contains" and said.subject_type == "formulation"
        types = (said.object_type, said.subject_type) if turned else (said.subject_type, said.object_type)
        data: dict[str, object] = {"chunk": chunk, "confidence": said.confidence, "page": one.place.page}
        data |= {"start": one.place.start, "end": one.place.end}
        data |= {"hedged": True} if said.hedged else {}
        doses = [span.of(one.page.text) for span in dosages(one.page.form, *one.sentence)] if type == "treats" else []
        data |= {"dosages": doses} if doses else {}
        data |= {"kind": _KINDS[said.claim]} if said.claim in _KINDS else {}
        fact = self._id("fact", start, type, chunk)
        return self._row(
            self._id(start, type, end), (start, types[0]), type, (end, types[1]), fact, data, _strength(said)
        )

    def _mention(self, node_id: str, one: Read, chunk: Node) -> Edge:
        said = one.statement
        type = said.subject_type if node_id == said.subject else said.object_type
        id = self._id(node_id, "mentioned_in", chunk.id)
        return self._row(id, (node_id, type), "mentioned_in", (chunk.id, "chunk"), id, {"page": one.place.page}, None)

    def _row(
        self,
        id: str,
        start: tuple[str, NodeType],
        type: EdgeType,
        end: tuple[str, NodeType],
        fact: str,
        data: dict[str, object],
        strength: Strength | None,
    ) -> Edge:
        return Edge(
            *(id, fact, *start, type, *end, strength),
            *(DOCUMENT, "unreviewed", None, (self._source.id,), data, self._source.batch),
        )

    def _chunk(self, one: Read) -> Node:
        span = _kept(one)
        text, page = span.of(one.page.text).strip(), one.page.page.number
        title = self._source.title or self._source.id
        data = {"text": text, "page": page, "start": span.start, "end": span.end}
        id, sources = self._id("chunk", str(page), text), (self._source.id,)
        labels = f"{title} หน้า {page}", f"{title}, p. {page}"
        return Node(id, "chunk", *labels, DOCUMENT, "unreviewed", None, sources, data, self._source.batch)

    def _id(self, *parts: str) -> str:
        """The same document saying the same has the same id, so nothing is written twice."""
        return f"doc:{self._source.id.partition(':')[2]}:{sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"

    def _conflict(self, one: Read) -> Conflict | None:
        said = one.statement
        denies = said.stance == "denied" and said.claim != "safe"
        warns = said.claim in _KINDS
        if denies and not warns:
            return self._against(one, self._known(said, [_ends(said)[1]], [said.object]), "denied")
        if (denies and warns) or (said.claim == "safe" and said.stance == "said"):
            objects = kin(self._graph, said.object) if said.object in self._graph.nodes else [said.object]
            return self._against(one, self._known(said, WARNING_EDGES, objects), "denied_warning")
        if said.claim == "treats" and said.stance == "said":
            known = self._known(said, ["contraindicated_in"], said.as_condition)
            return self._against(one, known, "use_against_warning")
        return None

    def _known(self, said: Statement, types: Iterable[EdgeType], objects: Iterable[str]) -> Iterator[Edge]:
        """What others say of the two."""
        wanted, ends = set(types), {*objects}
        for edge in self._graph.edges_of(said.subject):
            if edge.type in wanted and edge.other(said.subject) in ends and self._source.id not in edge.sources:
                yield edge

    def _against(self, one: Read, known: Iterator[Edge], kind: str) -> Conflict | None:
        edge = max(known, key=lambda edge: (strength_rank(edge.strength), edge.id), default=None)
        if edge is None:
            return None
        said = one.statement
        about = f"{self._label(said.subject)} / {self._label(edge.other(said.subject))}"
        words = {
            "denied": "the document denies what is known",
            "denied_warning": "the document calls safe what is warned of",
            "use_against_warning": "the document names a use that is warned of",
        }[kind]
        known_as = ", ".join(filter(None, (edge.type, edge.strength, edge.review)))
        return Conflict(kind, f"{about}: {words} ({edge.id}: {known_as})", one.place, edge.id)

    def _label(self, node_id: str) -> str:
        node = self._graph.nodes.get(node_id)
        return node.label if node else node_id


def _ends(said: Statement) -> tuple[str, EdgeType, str]:
    match said.claim:
        case "treats":
            return said.subject, "treats", said.object
        case "contains" if said.subject_type == "formulation":
            return said.object, "part_of", said.subject
        case "contains":
            return said.subject, "contains", said.object
        case _:
            type: EdgeType = "interacts_with" if said.object_type == "drug" else "contraindicated_in"
            return said.subject, type, said.object


def _strength(said: Statement) -> Strength | None:
    return "low" if said.hedged and said.claim in _STRENGTHS else _STRENGTHS.get(said.claim)


def _worth(one: Read) -> tuple[int, float]:
    """The stronger warning, then the surer statement; of equal ones the first stays."""
    return strength_rank(_strength(one.statement)), one.statement.confidence


def _kept(one: Read) -> Span:
    """The sentence; of one that never ends, what stands around the statement."""
    whole, said = one.sentence, one.statement.span
    if whole.end - whole.start <= _MOST_TEXT:
        return whole
    return Span(max(whole.start, said.start - _MARGIN), min(whole.end, said.end + _MARGIN))
