"""Passages: the documents that represent the graph in the shared search.

Each herb and formulation has a page (names and uses) and up to four chunks of statements. Each paper has its title. All
but the papers exist in Thai and in English, and all are derived from the graph alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from sanya.suite.search import Document, DocumentText, FieldValue, detect_text_language
from sanya.suites.herbs.facts.fact import FactRelation, HerbFact, HerbFacts
from sanya.suites.herbs.graph.model import SUBJECT_TYPES, HerbGraph, HerbNode, NodeType
from sanya.suites.herbs.questions.question import QuestionLanguage

NAMESPACE = "herbs"
FILTERED = ("about", "review", "sources", "type", "year")
Topic = Literal["uses", "conditions", "drugs", "contents"]
TOPICS: Mapping[FactRelation, Topic] = {
    "treats": "uses",
    "contraindicated_in": "conditions",
    "interacts_with": "drugs",
    "contains": "contents",
    "made_of": "contents",
    "comes_as": "contents",
}
LANGUAGES: tuple[QuestionLanguage, ...] = ("th", "en")
_NAME_WEIGHT = 2
_NAME_KINDS = ("main", "alias", "synonym", "romanised", "genus")


@dataclass(frozen=True, slots=True)
class GraphPassage:
    """A document of the search with the node and the facts that it represents."""

    unit: str
    """The id of a hit: the node's id, followed by the topic for a chunk."""
    type: NodeType
    """The type of a hit: the node's, or `chunk` for a part of what is stated about it."""
    about: str
    lang: QuestionLanguage
    facts: tuple[HerbFact, ...]
    document: Document

    @property
    def is_chunk(self) -> bool:
        return self.type == "chunk"

    @property
    def digest(self) -> str:
        texts = "\0".join(f"{text.weight}{text.value}" for text in self.document.texts)
        fields = "\0".join(f"{name}={value}" for name, value in sorted(self.document.fields.items()))
        return sha256(f"{texts}\1{fields}".encode()).hexdigest()


def build_passages(graph: HerbGraph, facts: HerbFacts) -> dict[str, GraphPassage]:
    """Return all passages by the id of their document."""
    passages = [
        passage
        for node in graph.nodes.values()
        if (node_facts := facts.by_subject.get(node.id))
        for lang in LANGUAGES
        for passage in _build_node_passages(graph, node, node_facts, lang)
    ]
    return {passage.document.id: passage for passage in passages}


def _build_node_passages(
    graph: HerbGraph, node: HerbNode, facts: tuple[HerbFact, ...], lang: QuestionLanguage
) -> Iterator[GraphPassage]:
    if node.type in SUBJECT_TYPES:
        yield _build_page(graph, node, facts, lang)
        by_topic: dict[Topic, list[HerbFact]] = {}
        for fact in facts:
            if fact.relation in TOPICS:
                by_topic.setdefault(TOPICS[fact.relation], []).append(fact)
        for topic, topic_facts in sorted(by_topic.items()):
            title = DocumentText(node.get_label(lang), _NAME_WEIGHT)
            texts = (title, *(DocumentText(fact.get_sentence(lang)) for fact in topic_facts))
            yield _build_passage(node, lang, topic, tuple(topic_facts), texts)
    elif node.type == "paper" and lang == "en":
        about = " ".join(graph.nodes[node_id].get_label(each) for node_id in facts[0].objects for each in LANGUAGES)
        yield _build_passage(
            node, lang, None, facts, (DocumentText(facts[0].english, _NAME_WEIGHT), DocumentText(about))
        )
    elif node.type == "chunk" and lang == detect_text_language(facts[0].thai):
        # A passage of a document exists in its own language alone.
        yield _build_passage(node, lang, "text", facts, (DocumentText(facts[0].thai),))


def _build_page(graph: HerbGraph, node: HerbNode, facts: tuple[HerbFact, ...], lang: QuestionLanguage) -> GraphPassage:
    """Build the page of a node: its names, and the labels of its uses."""
    names = [name.name for name in graph.get_names(node.id) if name.kind in _NAME_KINDS]
    uses = [fact for fact in facts if fact.relation == "treats"]
    labels = [" ".join(graph.nodes[node_id].get_label(lang) for node_id in fact.objects) for fact in uses]
    naming = facts[0]
    texts = (
        DocumentText(" ".join(names), _NAME_WEIGHT),
        DocumentText(naming.get_sentence(lang)),
        DocumentText(" ".join(dict.fromkeys(labels))),
    )
    return _build_passage(node, lang, None, (naming, *uses), texts)


def _build_passage(
    node: HerbNode,
    lang: QuestionLanguage,
    topic: str | None,
    facts: tuple[HerbFact, ...],
    texts: tuple[DocumentText, ...],
) -> GraphPassage:
    unit = node.id if topic is None or topic == "text" else f"{node.id}/{topic}"
    fields: dict[str, FieldValue] = {
        "type": node.type,
        "about": node.id,
        "review": node.review,
        "sources": tuple(sorted({source for fact in facts for source in fact.sources})),
    }
    if isinstance(year := node.data.get("year"), int):
        fields["year"] = year
    type: NodeType = node.type if topic is None else "chunk"
    return GraphPassage(unit, type, node.id, lang, facts, Document(f"{unit}@{lang}", texts, fields))
