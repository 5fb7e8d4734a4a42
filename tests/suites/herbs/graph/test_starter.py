"""The starter graph: built from the fact tables, loaded once, replaced when the file changes, honest about doubt."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from sanya.kernel.storage.database import Database
from sanya.suites.herbs.graph import starter as starter_module
from sanya.suites.herbs.graph.model import EDGE_TYPES, NODE_TYPES, WARNING_EDGES, HerbGraph
from sanya.suites.herbs.graph.starter import FILE, digest_starter, load_starter, read_starter
from sanya.suites.herbs.graph.store import HerbStore
from scripts.herbs_starter.build import build
from scripts.herbs_starter.tables import read_tables
from tests.suites.herbs.graph_harness import GraphHarness, edge, insert_graph, node

ROOT = Path(__file__).parents[4]
SHIPPED = ROOT / "src" / "sanya" / "suites" / "herbs" / FILE


@pytest.fixture(scope="session")
def tables() -> Path:
    path = ROOT.parent / "shared" / "data" / "herbs"
    if not path.is_dir():
        pytest.skip("the fact tables are not here")
    return path


def test_the_shipped_file_is_what_the_tables_make(tables: Path) -> None:
    assert build(tables) == SHIPPED.read_bytes()
    assert len(SHIPPED.read_bytes()) < 8_000_000


def test_the_digest_beside_the_file_is_its_own() -> None:
    assert digest_starter() == sha256(SHIPPED.read_bytes()).hexdigest()


def test_no_warning_of_the_tables_is_left_out(tables: Path) -> None:
    edges = [edge for edge in read_starter(SHIPPED.read_bytes()).edges if edge.type in WARNING_EDGES]
    told = {row.partition(".")[0] for edge in edges for row in edge.fact.split("+")}
    lines = (SHIPPED.parent / "data" / "withdrawn.jsonl").read_text("utf-8").splitlines()
    withdrawn = {json.loads(line)["id"] for line in lines}
    every = read_tables(tables)
    assert told | withdrawn >= {row["id"] for row in [*every.interactions, *every.safety]}
    assert told.isdisjoint(withdrawn)


@pytest.fixture
async def graph(sqlite_starter: GraphHarness) -> HerbGraph:
    return await sqlite_starter.store.load_graph()


async def test_every_edge_has_its_ends_its_sources_and_a_basis(graph: HerbGraph) -> None:
    for statement in graph.edges:
        assert statement.from_id in graph.nodes
        assert statement.to_id in graph.nodes
        assert set(statement.sources) <= set(graph.sources)
        assert statement.sources or statement.basis.startswith("rule: ")
        assert statement.basis in ("source", "assigned") or statement.basis.startswith("rule: ")
        assert (statement.strength is not None) == (statement.type in WARNING_EDGES)
    assert {edge.type for edge in graph.edges} == set(EDGE_TYPES)


async def test_every_node_has_a_name_its_sources_and_a_basis(graph: HerbGraph) -> None:
    for item in graph.nodes.values():
        assert item.label_th or item.label_en or item.type == "paper", item.id
        assert item.sources, item.id
        assert set(item.sources) <= set(graph.sources)
        assert item.type == "paper" or graph.get_names(item.id), item.id
    # Texts are ingested, not shipped: there are no chunks yet.
    assert {item.type for item in graph.nodes.values()} == set(NODE_TYPES) - {"chunk"}


async def test_what_is_doubtful_is_marked_and_says_why(graph: HerbGraph) -> None:
    nodes = [item for item in graph.nodes.values() if item.review == "needs_review"]
    warnings = [edge for edge in graph.edges if edge.review == "needs_review" and edge.type in WARNING_EDGES]
    assert nodes
    assert warnings
    assert all(item.note for item in nodes)
    assert all(warning.note for warning in warnings)
    assert all(edge.review == "unreviewed" for edge in graph.edges if edge.basis == "assigned")


async def test_loading_again_changes_nothing(database: Database) -> None:
    store = HerbStore(database)
    assert await load_starter(database) is True
    first = await store.load_graph()
    assert await load_starter(database) is False
    assert await store.read_revision() == first.revision == 1


async def test_a_new_file_takes_the_place_of_the_old_and_of_nothing_else(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await load_starter(database)
    store = HerbStore(database)
    herb = await store.get_node("curcuma-longa")
    assert herb is not None
    read, drug = node("read", batch="ingest-1"), node("drug:read", "drug", batch="ingest-1")
    said = edge(herb, "interacts_with", drug, strength="low", batch="ingest-1")
    await insert_graph(database, [read, drug], [said])
    _ship(monkeypatch, b'["node","curcuma-longa","herb","x","a","source","reviewed",null,["s"],{}]\n')
    assert await load_starter(database) is True
    graph = await store.load_graph()
    assert set(graph.nodes) == {"curcuma-longa", "read", "drug:read"}
    assert graph.edges == (said,)
    assert graph.revision == 2
    assert graph.names == ()


def _ship(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(starter_module, "_read_file", lambda: content)
    monkeypatch.setattr(starter_module, "digest_starter", lambda: "another")


async def test_a_shipped_node_that_was_ingested_before_stays_as_it_was_ingested(database: Database) -> None:
    await insert_graph(database, [node("curcuma-longa", label_en="as read", batch="ingest-1")], [])
    await load_starter(database)
    found = await HerbStore(database).get_node("curcuma-longa")
    assert found is not None
    assert (found.label_en, found.batch) == ("as read", "ingest-1")


async def test_what_an_owner_linked_to_a_shipped_node_stays_linked_in_the_next_release(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids never change: a home of an earlier release gets the new rows, and its owner's rows still lead somewhere."""
    own, liver = node("own", batch="ingest-1"), node("condition:hepatic-impairment", "condition")
    said = edge(own, "contraindicated_in", liver, strength="high", batch="ingest-1")
    with monkeypatch.context() as earlier:
        _ship(
            earlier, b'["node","condition:hepatic-impairment","condition","x","a","source","reviewed",null,["s"],{}]\n'
        )
        await load_starter(database)
    await insert_graph(database, [own], [said])
    assert await load_starter(database) is True
    graph = await HerbStore(database).load_graph()
    assert graph.nodes["condition:hepatic-impairment"].label_en == "liver disease"
    assert said in graph.edges
    assert {end for each in graph.edges for end in (each.from_id, each.to_id)} <= set(graph.nodes)
    assert any(name.exact_only for name in graph.names)
    assert graph.sources["nlem-2566"].how_read == "copy"
