"""Facts: sentences written from the graph, and their provenance."""

from __future__ import annotations

from importlib.resources import files

import pytest

from sanya.engines.embedders.bundled_vectors import BundledVectors
from sanya.engines.embedders.offline import GRANITE, USE
from sanya.engines.index.store import hash_content
from sanya.retrieval.terms import detect_text_language
from sanya.suites.herbs.facts.fact import WARNING_RELATIONS, derive_facts
from sanya.suites.herbs.graph.model import SUBJECT_TYPES
from sanya.suites.herbs.search.passages import build_passages
from tests.suites.herbs.graph_harness import GraphHarness


async def test_every_warning_and_use_of_the_graph_is_said_once(sqlite_starter: GraphHarness) -> None:
    graph = await sqlite_starter.store.load_graph()
    facts = derive_facts(graph)
    said = {edge for fact in facts.all for edge in fact.edges}
    types = (*WARNING_RELATIONS, "treats", "contains")
    stated = {edge.id for edge in graph.edges if edge.type in types and edge.from_type in SUBJECT_TYPES}
    assert stated <= said
    assert len(facts.by_id) == len(facts.all)


async def test_every_sentence_has_its_subject_its_sources_and_both_languages(sqlite_starter: GraphHarness) -> None:
    graph = await sqlite_starter.store.load_graph()
    for fact in derive_facts(graph).all:
        node = graph.nodes[fact.subject]
        assert fact.sources
        assert fact.thai
        assert fact.english.endswith(".")
        if node.type != "paper":
            assert node.get_label("th") in fact.thai
        if fact.relation in WARNING_RELATIONS:
            assert f"strength {fact.strength}, basis: {fact.basis}" in fact.english


async def test_ingested_passages_are_quoted_as_they_stand(empty_graph: GraphHarness) -> None:
    from tests.suites.herbs.graph_harness import edge, insert_graph, node

    herb = node("some-herb", label_th="สมุนไพรหนึ่ง")
    chunk = node("chunk-1", "chunk", data={"text": "A sentence from a document."}, sources=("a-document",))
    await insert_graph(empty_graph.store.database, [herb, chunk], [edge(herb, "mentioned_in", chunk)])
    graph = await empty_graph.store.load_graph()
    facts = derive_facts(graph)
    (quoted,) = facts.by_subject["chunk-1"]
    assert (quoted.english, quoted.objects) == ("A sentence from a document.", ("some-herb",))
    passages = build_passages(graph, facts)
    assert [(id, passages[id].type) for id in passages if id.startswith("chunk-1")] == [("chunk-1@en", "chunk")]


@pytest.mark.parametrize(("model", "language"), [(USE, None), (GRANITE, "en")])
async def test_the_vectors_of_the_starter_graph_come_with_the_package(
    sqlite_starter: GraphHarness, model: object, language: str | None
) -> None:
    """If this fails, run `python scripts/herbs_vectors.py`: else a new home spends a minute on embedding."""
    graph = await sqlite_starter.store.load_graph()
    texts = {passage.document.text for passage in build_passages(graph, derive_facts(graph)).values()}
    hashes = [hash_content(text) for text in texts if language is None or detect_text_language(text) == language]
    shipped = BundledVectors(files("sanya.suites.herbs") / "starter_vectors.npz")
    assert len(shipped.find(model, hashes)) == len(hashes)  # type: ignore[arg-type]
