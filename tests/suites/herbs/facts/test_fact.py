"""Sentences made from the graph, and what they rest on."""

from __future__ import annotations

from importlib.resources import files

import pytest

from sanya.engines.embedders.bundled_vectors import ShippedVectors
from sanya.engines.embedders.offline import GRANITE, USE
from sanya.engines.index.store import hash_content
from sanya.retrieval.terms import language_of_text
from sanya.suites.herbs.facts.fact import WARNINGS, facts_of
from sanya.suites.herbs.search.passages import passages_of
from tests.suites.herbs.garden import Garden


async def test_every_warning_and_use_of_the_graph_is_said_once(one_starter: Garden) -> None:
    graph = await one_starter.store.snapshot()
    facts = facts_of(graph)
    said = {edge for fact in facts.all for edge in fact.edges}
    stated = {edge.id for edge in graph.edges if edge.type in (*WARNINGS, "treats", "contains")}
    assert stated <= said
    assert len(facts.by_id) == len(facts.all)


async def test_every_sentence_has_its_subject_its_sources_and_both_languages(one_starter: Garden) -> None:
    graph = await one_starter.store.snapshot()
    for fact in facts_of(graph).all:
        node = graph.nodes[fact.subject]
        assert fact.sources
        assert fact.thai
        assert fact.english.endswith(".")
        if node.type != "paper":
            assert node.label_in("th") in fact.thai
        if fact.relation in WARNINGS:
            assert f"strength {fact.strength}, basis: {fact.basis}" in fact.english


async def test_ingested_passages_are_quoted_as_they_stand(garden: Garden) -> None:
    from tests.suites.herbs.garden import edge, node, plant

    herb = node("some-herb", label_th="สมุนไพรหนึ่ง")
    chunk = node("chunk-1", "chunk", data={"text": "A sentence from a document."}, sources=("a-document",))
    await plant(garden.store.database, [herb, chunk], [edge(herb, "mentioned_in", chunk)])
    graph = await garden.store.snapshot()
    facts = facts_of(graph)
    (quoted,) = facts.by_subject["chunk-1"]
    assert (quoted.english, quoted.objects) == ("A sentence from a document.", ("some-herb",))
    passages = passages_of(graph, facts)
    assert [(one, passages[one].type) for one in passages if one.startswith("chunk-1")] == [("chunk-1@en", "chunk")]


@pytest.mark.parametrize(("model", "language"), [(USE, None), (GRANITE, "en")])
async def test_the_vectors_of_the_starter_graph_come_with_the_package(
    one_starter: Garden, model: object, language: str | None
) -> None:
    """Where this fails, run `python scripts/herbs_vectors.py`: a new home would embed what is missing, for a minute."""
    graph = await one_starter.store.snapshot()
    texts = {one.document.text for one in passages_of(graph, facts_of(graph)).values()}
    hashes = [hash_content(text) for text in texts if language is None or language_of_text(text) == language]
    shipped = ShippedVectors(files("sanya.suites.herbs") / "starter_vectors.npz")
    assert len(shipped.vectors(model, hashes)) == len(hashes)  # type: ignore[arg-type]
