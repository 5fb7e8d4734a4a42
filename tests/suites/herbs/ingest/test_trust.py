"""Statements of a document are shown and may warn, but raise, weaken and hide nothing."""

from __future__ import annotations

from sanya.kernel.storage.database import Database
from sanya.suites.herbs.facts.fact import derive_facts
from sanya.suites.herbs.graph.model import DOCUMENT
from sanya.suites.herbs.graph.rows import WRITE_EDGE, WRITE_NODE, WRITE_SOURCE, to_edge_row, to_node_row, to_source_row
from sanya.suites.herbs.search.passages import build_passages
from tests.suites.herbs.graph_harness import CHECK, GraphHarness, edge, insert_graph, node
from tests.suites.herbs.ingest.proposals import apply, proposed, starter_graph

_CLAIMS = (
    "ขมิ้นชันใช้รักษามะเร็งตับ ขมิ้นชันมีสารจินเจอรอล ยาตรีผลาประกอบด้วย ขิง และขมิ้นชัน ห้ามใช้ขมิ้นชันในเด็ก ควรระวังการใช้ขมิ้นชันร่วมกับวาร์ฟาริน"
)


def test_statements_of_the_graph_are_the_same_with_and_without_a_document() -> None:
    graph = starter_graph()
    grown = apply(graph, proposed(_CLAIMS))
    before, after = derive_facts(graph).by_id, derive_facts(grown).by_id
    assert {id: after[id] for id in before} == before
    added = [after[id] for id in after.keys() - before.keys()]
    assert added
    assert all(fact.is_from_document and fact.relation == "text" and fact.review == "unreviewed" for fact in added)


def test_what_a_document_says_is_searched_in_its_own_words_and_other_passages_stay() -> None:
    graph = starter_graph()
    grown = apply(graph, proposed(_CLAIMS))
    before, after = build_passages(graph, derive_facts(graph)), build_passages(grown, derive_facts(grown))
    assert {id: after[id].digest for id in before} == {id: before[id].digest for id in before}
    added = [after[id] for id in after.keys() - before.keys()]
    assert {passage.type for passage in added} == {"chunk"}
    assert {passage.document.fields["review"] for passage in added} == {"unreviewed"}


async def test_a_documents_warning_comes_behind_a_known_one_and_lowers_none(
    database: Database, empty_graph: GraphHarness
) -> None:
    herb, drug = node("zed", label_en="zed"), node("drug:y", "drug", label_en="y")
    known = edge(herb, "interacts_with", drug, id="z-known", strength="moderate", basis="source")
    read = [
        edge(
            herb,
            "interacts_with",
            drug,
            id=f"a-read-{strength}",
            strength=strength,
            basis=DOCUMENT,
            review="unreviewed",
        )
        for strength in ("low", "moderate")
    ]
    await insert_graph(database, [herb, drug], [known, *read])
    (result,) = (await empty_graph.call(CHECK, herb_ids=["zed"]))["results"]
    assert (result["strength"], result["basis"], result["review"]) == ("moderate", "source", "reviewed")
    assert [statement["review"] for statement in result["statements"]] == ["reviewed", "unreviewed", "unreviewed"]


async def test_a_herb_that_only_a_document_warns_of_still_has_no_record(
    database: Database, empty_graph: GraphHarness
) -> None:
    herb, drug = node("zed", label_en="zed"), node("drug:y", "drug", label_en="y")
    read = edge(herb, "interacts_with", drug, strength="low", basis=DOCUMENT, review="unreviewed")
    await insert_graph(database, [herb, drug], [read])
    body = await empty_graph.call(CHECK, herb_ids=["zed"])
    assert [result["review"] for result in body["results"]] == ["unreviewed"]
    assert [coverage["status"] for coverage in body["coverage"]] == ["none"]


async def test_a_diff_is_rows_that_the_database_takes(database: Database, empty_graph: GraphHarness) -> None:
    diff = proposed(_CLAIMS)
    async with database.transaction() as transaction:
        await transaction.execute_many(WRITE_SOURCE, [to_source_row(source) for source in diff.sources])
        await transaction.execute_many(WRITE_NODE, [to_node_row(node) for node in diff.nodes])
        await transaction.execute_many(WRITE_EDGE, [to_edge_row(edge) for edge in diff.edges])
    found = await empty_graph.store.load_graph()
    assert {edge.id: edge for edge in found.edges} == {edge.id: edge for edge in diff.edges}
    assert found.nodes == {node.id: node for node in diff.nodes}
    assert found.sources == {source.id: source for source in diff.sources}
