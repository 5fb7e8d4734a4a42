"""What is searched: for every herb and formulation a page and a few chunks of its statements, for every paper its
title, each in Thai and in English, made from the graph alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from sanya.retrieval.documents import Document, FieldValue, Text
from sanya.retrieval.terms import language_of_text
from sanya.suites.herbs.facts.fact import Fact, Facts, Relation
from sanya.suites.herbs.graph.model import Graph, Node, NodeType
from sanya.suites.herbs.questions.question import Lang

NAMESPACE = "herbs"
FILTERED = ("about", "review", "sources", "type", "year")
Topic = Literal["uses", "conditions", "drugs", "contents"]
TOPICS: Mapping[Relation, Topic] = {
    "treats": "uses",
    "contraindicated_in": "conditions",
    "interacts_with": "drugs",
    "contains": "contents",
    "made_of": "contents",
    "comes_as": "contents",
}
LANGS: tuple[Lang, ...] = ("th", "en")
_NAME_WEIGHT = 2
_NAME_KINDS = ("main", "alias", "synonym", "romanised", "genus")


@dataclass(frozen=True, slots=True)
class Passage:
    """A document of the search, and what in the graph it stands for."""

    unit: str
    """What a hit is called: the node's id, or for a chunk the node's id and its topic."""
    type: NodeType
    """What a hit is: `chunk` for a part of what is said of a thing."""
    about: str
    lang: Lang
    facts: tuple[Fact, ...]
    document: Document

    @property
    def is_chunk(self) -> bool:
        return self.type == "chunk"

    @property
    def digest(self) -> str:
        texts = "\0".join(f"{text.weight}{text.value}" for text in self.document.texts)
        fields = "\0".join(f"{name}={value}" for name, value in sorted(self.document.fields.items()))
        return sha256(f"{texts}\1{fields}".encode()).hexdigest()


def passages_of(graph: Graph, facts: Facts) -> dict[str, Passage]:
    """By the id of the document."""
    found = [
        passage
        for node in graph.nodes.values()
        if (own := facts.by_subject.get(node.id))
        for lang in LANGS
        for passage in _passages(graph, node, own, lang)
    ]
    return {passage.document.id: passage for passage in found}


def _passages(graph: Graph, node: Node, own: tuple[Fact, ...], lang: Lang) -> Iterator[Passage]:
    if node.type in ("herb", "formulation"):
        yield _page(graph, node, own, lang)
        by_topic: dict[Topic, list[Fact]] = {}
        for fact in own:
            if fact.relation in TOPICS:
                by_topic.setdefault(TOPICS[fact.relation], []).append(fact)
        for topic, some in sorted(by_topic.items()):
            title = Text(node.label_in(lang), _NAME_WEIGHT)
            texts = (title, *(Text(fact.said_in(lang)) for fact in some))
            yield _passage(node, lang, topic, tuple(some), texts)
    elif node.type == "paper" and lang == "en":
        about = " ".join(graph.nodes[one].label_in(each) for one in own[0].objects for each in LANGS)
        yield _passage(node, lang, None, own, (Text(own[0].english, _NAME_WEIGHT), Text(about)))
    elif node.type == "chunk" and lang == language_of_text(own[0].thai):
        # A passage of a document has one language, its own.
        yield _passage(node, lang, "text", own, (Text(own[0].thai),))


def _page(graph: Graph, node: Node, own: tuple[Fact, ...], lang: Lang) -> Passage:
    """Its names, and in short what it is used for."""
    names = [name.name for name in graph.names_of(node.id) if name.kind in _NAME_KINDS]
    uses = [fact for fact in own if fact.relation == "treats"]
    spoken = [_use(graph, fact, lang) for fact in uses]
    texts = (Text(" ".join(names), _NAME_WEIGHT), Text(own[0].said_in(lang)), Text(" ".join(dict.fromkeys(spoken))))
    return _passage(node, lang, None, (own[0], *uses), texts)


def _use(graph: Graph, fact: Fact, lang: Lang) -> str:
    return " ".join(graph.nodes[one].label_in(lang) for one in fact.objects)


def _passage(node: Node, lang: Lang, topic: str | None, facts: tuple[Fact, ...], texts: tuple[Text, ...]) -> Passage:
    unit = node.id if topic is None or topic == "text" else f"{node.id}/{topic}"
    fields: dict[str, FieldValue] = {
        "type": node.type,
        "about": node.id,
        "review": node.review,
        "sources": tuple(sorted({source for fact in facts for source in fact.sources})),
    }
    if isinstance(year := node.data.get("year"), int):
        fields["year"] = year
    kind: NodeType = node.type if topic is None else "chunk"
    return Passage(unit, kind, node.id, lang, facts, Document(f"{unit}@{lang}", texts, fields))
