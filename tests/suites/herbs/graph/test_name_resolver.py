"""Name resolution: in both languages, in many spellings, and with typing mistakes."""

from __future__ import annotations

import pytest

from sanya.kernel.calls.call import OWNER
from sanya.kernel.storage.database import Database
from sanya.suites.herbs.graph.edit_distance import measure_edit_distance
from sanya.suites.herbs.graph.model import HerbName, NodeType
from sanya.suites.herbs.graph.name_resolver import (
    AmbiguousMatch,
    NameMatchKind,
    NameResolver,
    ResolvedName,
    UnknownName,
)
from tests.suites.herbs.graph_harness import GraphHarness, insert_graph, node

CALLED: list[tuple[str, str, NameMatchKind]] = [
    ("andrographis-paniculata", "andrographis-paniculata", "id"),
    ("ฟ้าทะลายโจร", "andrographis-paniculata", "name"),
    ("fa thalai chon", "andrographis-paniculata", "name"),
    ("Fa-Thalai-Chon", "andrographis-paniculata", "name"),
    ("fah talai jone", "andrographis-paniculata", "spelling"),
    ("ฟ้าทลายโจร", "andrographis-paniculata", "name"),
    ("Andrographis", "andrographis-paniculata", "name"),
    ("A. paniculata", "andrographis-paniculata", "name"),
    ("ANDROGRAPHIS PANICULATA", "andrographis-paniculata", "name"),
    ("green chiretta", "andrographis-paniculata", "name"),
    ("green chireta", "andrographis-paniculata", "misspelling"),
    ("ขมิ้น", "curcuma-longa", "name"),
    ("Curcuma domestica", "curcuma-longa", "name"),
    ("kamin chan", "curcuma-longa", "spelling"),
    ("tumeric", "curcuma-longa", "misspelling"),
    ("ดอกพิกุล", "mimusops-elengi", "name"),
    ("senna", "senna-alexandrina", "name"),
    ("ยาวาร์ฟาริน", "drug:warfarin", "name"),
    ("anticoagulant", "drug:anticoagulants", "name"),
    ("หญิงตั้งครรภ์", "condition:pregnancy", "name"),
    ("R14", "icd10:R14", "name"),
    ("เคอร์คูมิน", "curcumin", "name"),
    ("ya hom nawakot", "ya-hom-nawakot", "name"),
]


async def test_every_way_to_call_a_thing_leads_to_it(starter: GraphHarness) -> None:
    names = NameResolver(starter.store)
    for called, id, how in CALLED:
        found = await names.resolve(called)
        assert isinstance(found, ResolvedName), (called, found)
        assert (found.node.id, found.match_kind) == (id, how), called


@pytest.mark.parametrize(
    ("called", "some"),
    [
        ("Curcuma", {"curcuma-longa", "curcuma-comosa", "curcuma-zedoaria"}),
        ("ลูกใต้ใบ", {"phyllanthus-amarus", "phyllanthus-urinaria", "phyllanthus-virgatus"}),
        ("ว่านชักมดลูก", {"curcuma-comosa", "curcuma-latifolia", "curcuma-xanthorrhiza"}),
        ("ชะเอม", {"glycyrrhiza-glabra", "albizia-myriophylla"}),
        ("มะแว้ง", {"solanum-trilobatum", "solanum-violaceum"}),
    ],
)
async def test_a_name_of_several_species_is_answered_with_the_candidates(
    sqlite_starter: GraphHarness, called: str, some: set[str]
) -> None:
    found = await NameResolver(sqlite_starter.store).resolve(called, ["herb"])
    assert isinstance(found, AmbiguousMatch)
    assert some <= {candidate.node.id for candidate in found.candidates}


async def test_what_is_not_known_comes_with_the_nearest(sqlite_starter: GraphHarness) -> None:
    names = NameResolver(sqlite_starter.store)
    for called in ("", "  ", "-", "ข", "xyzzy", "🌿"):
        assert await names.resolve(called) == UnknownName()
    found = await names.resolve("turmarik")
    assert isinstance(found, UnknownName)
    assert found.candidates


async def test_a_guess_is_told_from_a_name(sqlite_starter: GraphHarness) -> None:
    names = NameResolver(sqlite_starter.store)
    for called, sure in (("turmeric", True), ("kamin chan", True), ("tumeric", False)):
        found = await names.resolve(called)
        assert isinstance(found, ResolvedName)
        assert found.is_certain is sure


async def test_the_type_asked_for_decides_between_a_herb_and_a_medicine_of_one_name(
    sqlite_starter: GraphHarness,
) -> None:
    names = NameResolver(sqlite_starter.store)
    expected: list[tuple[list[NodeType], str]] = [
        ([], "curcuma-longa"),
        (["herb"], "curcuma-longa"),
        (["formulation"], "ya-khamin-chan"),
    ]
    for types, id in expected:
        found = await names.resolve("ขมิ้นชัน", types)
        assert isinstance(found, ResolvedName)
        assert found.node.id == id


async def test_any_one_slip_in_a_name_is_forgiven(database: Database, empty_graph: GraphHarness) -> None:
    await insert_graph(database, [node("x")], [], [HerbName("x", "herb", "ขมิ้นอ้อย", "th", "main")])
    names = NameResolver(empty_graph.store)
    key = "ขมิ้นอ้อย"
    slipped = {key[:at] + key[at + 1 :] for at in range(len(key))}
    slipped |= {key[:at] + key[at + 1] + key[at] + key[at + 2 :] for at in range(len(key) - 1)}
    slipped |= {f"{key[:at]}ม{key[at:]}" for at in range(len(key) + 1)}
    for text in slipped:
        found = await names.resolve(text)
        assert isinstance(found, ResolvedName), text


async def test_names_are_offered_while_one_is_typed(sqlite_starter: GraphHarness) -> None:
    complete = sqlite_starter.kernel.catalogue.resources[0].complete["id"]
    assert "curcuma-longa" in await complete("ขมิ้น", {}, OWNER)
    assert "curcuma-longa" in await complete("turm", {}, OWNER)
    assert (await complete("curcuma-l", {}, OWNER))[0] == "curcuma-latifolia"
    assert "andrographis-paniculata" in await complete("fa thalai", {}, OWNER)
    assert await complete("%", {}, OWNER) == []
    assert len(await complete("", {}, OWNER)) == 20


@pytest.mark.parametrize(
    ("left", "right", "count"),
    [("", "", 0), ("ab", "ab", 0), ("ab", "ba", 1), ("abc", "ac", 1), ("abcd", "badc", 2), ("", "abc", 3)],
)
def test_edits_are_counted(left: str, right: str, count: int) -> None:
    assert measure_edit_distance(left, right) == measure_edit_distance(right, left) == count
