"""The safety check: what is known against a herb is found, and what is not known is said. On each engine."""

from __future__ import annotations

from typing import Any

import pytest

from sanya.kernel.database import Database
from sanya.suites.herbs.graph.model import HerbName
from sanya.suites.herbs.safety import check as safety
from tests.suites.herbs.garden import CHECK, Garden, edge, node, plant


def brief(body: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(result["entity_id"], result["object_id"], result["strength"]) for result in body["results"]]


async def test_turmeric_with_warfarin_is_warned_of_with_strength_basis_and_sources(starter: Garden) -> None:
    body = await starter.call(CHECK, herb_ids=["ขมิ้นชัน"], drugs=["warfarin"])
    (result, *_) = body["results"]
    assert (result["entity_id"], result["type"], result["object_id"]) == ("curcuma-longa", "herb", "drug:warfarin")
    assert (result["contraindication"], result["strength"], result["basis"]) == ("วาร์ฟาริน", "high", "source")
    assert "bleeding" in result["evidence"]
    assert result["matched"] == ["drug:warfarin (itself)"]
    said = [(each["strength"], each["basis"]) for each in result["statements"]]
    assert said == [
        ("high", "source"),
        ("moderate", "rule: evidence wording of source"),
        ("moderate", "rule: wording of source"),
    ]
    assert [each["stated_for"] for each in result["statements"]] == [None, "ya-khamin-chan", None]
    assert {"tu-ddi-2566", "dms-cpg-2568", "ndi-396"} <= set(result["sources"])
    assert "ไม่ใช่คำแนะนำทางการแพทย์" in body["notice"]


async def test_every_answer_resolves_to_sources_that_are_kept(starter: Garden) -> None:
    body = await starter.call(CHECK, formulation_ids=["ya-hom-nawakot", "ya-khamin-chan"], limit=500)
    named = {source for result in body["results"] for source in result["sources"]}
    assert named
    assert set(await starter.store.get_sources(named)) == named


async def test_a_formulation_inherits_the_warnings_of_its_ingredients_and_says_so(starter: Garden) -> None:
    body = await starter.call(CHECK, formulation_ids=["ya-hom-nawakot"], limit=500)
    own = [result for result in body["results"] if not result["via"]]
    inherited = [result for result in body["results"] if result["via"]]
    assert own
    assert inherited
    graph = await starter.store.load_graph()
    herbs = {edge.from_id for edge in graph.edges if edge.to_id == "ya-hom-nawakot" and edge.type == "part_of"}
    assert {herb for result in inherited for herb in result["via"]} <= herbs
    (covered,) = body["coverage"]
    assert covered["status"] == "recorded"
    assert covered["inherited"] > 0
    assert set(covered["silent_ingredients"]) < herbs
    assert covered["unidentified_ingredients"]


async def test_a_doubtful_warning_is_shown_and_marked(starter: Garden) -> None:
    body = await starter.call(CHECK, herb_ids=["andrographis-paniculata"], drugs=["antiplatelets"])
    doubtful = [each for result in body["results"] for each in result["statements"] if each["review"] == "needs_review"]
    assert doubtful
    assert all("PMIDs" in each["note"] for each in doubtful)


async def test_a_name_of_several_species_is_not_guessed(starter: Garden) -> None:
    body = await starter.call(CHECK, herb_ids=["ลูกใต้ใบ", "curcuma-longa"])
    assert body["unknown_ids"] == ["ลูกใต้ใบ"]
    (open_name,) = body["unresolved"]
    assert (open_name["field"], open_name["reason"]) == ("herb_ids", "ambiguous")
    assert [candidate["id"] for candidate in open_name["candidates"]] == [
        "phyllanthus-amarus",
        "phyllanthus-urinaria",
        "phyllanthus-virgatus",
    ]
    assert {result["entity_id"] for result in body["results"]} == {"curcuma-longa"}


async def test_a_name_that_is_only_close_is_not_guessed_either(starter: Garden) -> None:
    body = await starter.call(CHECK, herb_ids=["tumeric", "curcuma-longs", "kratom", "nothing like it"])
    assert body["results"] == []
    assert body["unknown_ids"] == ["tumeric", "curcuma-longs", "kratom", "nothing like it"]
    assert [name["reason"] for name in body["unresolved"]] == ["unknown"] * 4
    assert body["unresolved"][0]["candidates"] == [{"id": "curcuma-longa", "label": "ขมิ้นชัน"}]
    assert body["coverage"] == []


async def test_the_same_herb_under_several_names_is_checked_once(starter: Garden) -> None:
    names = ["ฟ้าทะลายโจร", "fa thalai chon", "Andrographis", "green chiretta", "andrographis-paniculata"]
    body = await starter.call(CHECK, herb_ids=names)
    assert [coverage["entity_id"] for coverage in body["coverage"]] == ["andrographis-paniculata"]
    assert body["unknown_ids"] == []


async def test_unknown_drugs_are_named_and_narrow_nothing(starter: Garden) -> None:
    every = await starter.call(CHECK, herb_ids=["curcuma-longa"], limit=500)
    body = await starter.call(CHECK, herb_ids=["curcuma-longa"], drugs=["unobtainium"], limit=500)
    assert body["unresolved"][0]["field"] == "drugs"
    assert body["unknown_ids"] == []
    assert brief(body) == brief(every)
    both = await starter.call(CHECK, herb_ids=["curcuma-longa"], drugs=["unobtainium", "digoxin"])
    assert [name["given"] for name in both["unresolved"]] == ["unobtainium"]
    assert all(result["matched"] for result in both["results"])


async def test_warnings_come_strongest_first_and_in_one_order(starter: Garden) -> None:
    body = await starter.call(CHECK, herb_ids=["zingiber-officinale", "curcuma-longa"], limit=500)
    ranks = {"high": 0, "moderate": 1, "low": 2}
    keys = [(ranks[strength], entity, object_id) for entity, object_id, strength in brief(body)]
    assert keys == sorted(keys)
    assert body["total"] == len(keys)


async def test_pages_cover_every_warning_once(starter: Garden) -> None:
    asked: dict[str, Any] = {"formulation_ids": ["ya-hom-thep-chit"]}
    every = brief(await starter.call(CHECK, **asked, limit=500))
    found, cursor = [], None
    while True:
        body = await starter.call(CHECK, **asked, limit=7, **({"cursor": cursor} if cursor else {}))
        found += brief(body)
        cursor = body["next_cursor"]
        if cursor is None:
            break
    assert found == every
    assert len(found) > 7


async def orchard(database: Database) -> None:
    """A herb with a warning about a class of drugs; another with one about a drug of it; a formulation of both."""
    own, other, quiet = node("own"), node("other"), node("quiet")
    group, drug, rival = node("drug:group", "drug"), node("drug:one", "drug"), node("drug:two", "drug")
    mixed, empty = node("mixed", "formulation"), node("empty", "formulation")
    state = node("condition:state", "condition", label_th="ภาวะ", label_en="state")
    nodes = [own, other, quiet, group, drug, rival, mixed, empty, state]
    edges = [
        edge(drug, "part_of", group),
        edge(rival, "part_of", group),
        edge(own, "interacts_with", group, id="w1", strength="low", basis="rule: so"),
        edge(other, "interacts_with", drug, id="w2", strength="moderate"),
        edge(other, "interacts_with", drug, id="w3", strength="high", review="needs_review", note="doubtful"),
        edge(own, "contraindicated_in", state, id="w4", strength="high"),
        edge(own, "part_of", mixed),
        edge(other, "part_of", mixed),
        edge(quiet, "part_of", mixed),
    ]
    names = [HerbName(item.id, item.type, item.label_en or "", "en", "main") for item in (group, drug, rival, state)]
    await plant(database, nodes, edges, [*names, HerbName(state.id, state.type, "ภาวะ", "th", "main")])


async def test_a_drug_is_met_by_warnings_about_its_class_and_a_class_by_those_about_its_drugs(
    database: Database, garden: Garden
) -> None:
    await orchard(database)
    by_member = await garden.call(CHECK, herb_ids=["own", "other"], drugs=["drug:one"])
    assert brief(by_member) == [("other", "drug:one", "high"), ("own", "drug:group", "low")]
    assert [each["matched"] for each in by_member["results"]] == [["drug:one (itself)"], ["drug:one (class)"]]
    two = await garden.call(CHECK, herb_ids=["own", "other"], drugs=["drug:two"])
    assert brief(two) == [("own", "drug:group", "low")]
    group = await garden.call(CHECK, herb_ids=["own", "other"], drugs=["drug:group"])
    assert [each["matched"] for each in group["results"]] == [["drug:group (member)"], ["drug:group (itself)"]]


async def test_of_two_sources_the_stronger_warning_counts_and_both_are_shown(
    database: Database, garden: Garden
) -> None:
    await orchard(database)
    (result,) = (await garden.call(CHECK, herb_ids=["other"]))["results"]
    assert (result["strength"], result["review"]) == ("high", "needs_review")
    assert [(each["id"], each["strength"], each["note"]) for each in result["statements"]] == [
        ("w3", "high", "doubtful"),
        ("w2", "moderate", None),
    ]


async def test_silence_is_never_read_as_safe(database: Database, garden: Garden) -> None:
    await orchard(database)
    body = await garden.call(CHECK, herb_ids=["quiet"], formulation_ids=["mixed", "empty"])
    told = {
        coverage["entity_id"]: (coverage["status"], coverage["own"], coverage["inherited"])
        for coverage in body["coverage"]
    }
    assert told == {"quiet": ("none", 0, 0), "mixed": ("inherited_only", 0, 4), "empty": ("none", 0, 0)}
    assert next(coverage for coverage in body["coverage"] if coverage["entity_id"] == "mixed")[
        "silent_ingredients"
    ] == ["quiet"]


async def test_what_is_doubtful_about_a_herb_is_told(starter: Garden) -> None:
    body = await starter.call(CHECK, herb_ids=["phyllanthus-amarus", "curcuma-longa"])
    notes = {coverage["entity_id"]: coverage["note"] for coverage in body["coverage"]}
    assert "share the Thai name" in notes["phyllanthus-amarus"]
    assert notes["curcuma-longa"] is None


async def test_too_many_statements_are_refused_rather_than_cut(
    database: Database, garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    await orchard(database)
    monkeypatch.setattr(safety, "MAX_STATEMENTS", 2)
    error = await garden.refusal(CHECK, {"herb_ids": ["own", "other"]})
    assert error["code"] == "INVALID_ARG"
    assert "narrow" in error["message"]


async def test_conditions_narrow_in_either_language_and_labels_follow(database: Database, garden: Garden) -> None:
    await orchard(database)
    thai = await garden.call(CHECK, formulation_ids=["mixed"], conditions=["ภาวะ"])
    assert brief(thai) == [("mixed", "condition:state", "high")]
    assert thai["results"][0]["via"] == ["own"]
    assert thai["results"][0]["contraindication"] == "ภาวะ"
    english = await garden.call(CHECK, formulation_ids=["mixed"], conditions=["State"])
    assert english["results"][0]["contraindication"] == "state"
    asked = await garden.call(CHECK, formulation_ids=["mixed"], conditions=["State"], lang="th")
    assert asked["results"][0]["contraindication"] == "ภาวะ"


async def test_nothing_to_check_is_refused(garden: Garden) -> None:
    error = await garden.refusal(CHECK, {"drugs": ["warfarin"]})
    assert (error["code"], error["details"]["field"]) == ("INVALID_ARG", "herb_ids")
