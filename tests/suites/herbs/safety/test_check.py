"""The safety check on each engine: recorded warnings are found, and missing records are reported."""

from __future__ import annotations

from typing import Any

from sanya.kernel.storage.database import Database
from sanya.suites.herbs.graph.model import HerbName
from tests.suites.herbs.graph_harness import CHECK, GraphHarness, edge, insert_graph, node


def brief(body: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(result["entity_id"], result["object_id"], result["strength"]) for result in body["results"]]


async def test_turmeric_with_warfarin_is_warned_of_with_severity_advice_and_sources(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["ขมิ้นชัน"], drugs=["warfarin"])
    result = next(result for result in body["results"] if result["object_id"] == "drug:warfarin")
    assert (result["entity_id"], result["type"]) == ("curcuma-longa", "herb")
    assert (result["contraindication"], result["strength"]) == ("วาร์ฟาริน", "high")
    assert result["severity"] in ("contraindicated", "major")
    assert result["effect"]
    assert result["management"]
    assert result["matched"] == ["drug:warfarin (itself)"]
    assert all(statement["sources"] for statement in result["statements"])
    assert "ไม่ใช่คำแนะนำทางการแพทย์" in body["notice"]
    (pair,) = body["pairs"]
    assert (pair["verdict"], pair["object_ids"]) == ("warned", ["drug:warfarin"])
    assert pair["severity"] == result["severity"]
    assert body["summary"].startswith("ขมิ้นชัน")


async def test_every_answer_resolves_to_sources_that_are_kept(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, formulation_ids=["ya-hom-nawakot", "ya-khamin-chan"], limit=500)
    named = {source for result in body["results"] for source in result["sources"]}
    assert named
    assert set(await starter.store.get_sources(named)) == named


async def test_a_formulation_inherits_the_warnings_of_its_ingredients_and_says_so(starter: GraphHarness) -> None:
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


async def test_a_doubtful_warning_is_shown_and_marked(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["zingiber-officinale"], drugs=["nifedipine"])
    doubtful = [each for result in body["results"] for each in result["statements"] if each["review"] == "needs_review"]
    assert doubtful


async def test_a_name_of_several_species_is_checked_for_each_and_says_so(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["ลูกใต้ใบ", "curcuma-longa"], drugs=["warfarin"])
    assert body["unknown_ids"] == ["ลูกใต้ใบ"]
    (open_name,) = body["unresolved"]
    assert (open_name["field"], open_name["reason"]) == ("herb_ids", "ambiguous")
    species = ["phyllanthus-amarus", "phyllanthus-urinaria", "phyllanthus-virgatus"]
    assert [candidate["id"] for candidate in open_name["candidates"]] == species
    assert {candidate["type"] for candidate in open_name["candidates"]} == {"herb"}
    checked = [(pair["entity_id"], pair["is_ambiguous"]) for pair in body["pairs"]]
    assert checked == [*((id, True) for id in species), ("curcuma-longa", False)]


async def test_a_name_that_is_only_close_is_checked_as_a_guess_and_never_found_silent(starter: GraphHarness) -> None:
    names = ["tumeric", "nothing like it"]
    body = await starter.call(CHECK, herb_ids=names, drugs=["warfarin", "amoxicillin"], limit=500)
    assert body["unknown_ids"] == names
    assert [name["reason"] for name in body["unresolved"]] == ["unknown"] * 2
    assert [candidate["id"] for candidate in body["unresolved"][0]["candidates"]] == ["curcuma-longa"]
    assert body["unresolved"][1]["candidates"] == []
    by_pair = {(pair["entity"], pair["object"]): pair for pair in body["pairs"]}
    guessed = by_pair["tumeric", "warfarin"]
    assert (guessed["verdict"], guessed["entity_id"], guessed["is_ambiguous"]) == ("warned", "curcuma-longa", True)
    assert "'tumeric' = turmeric" in guessed["message"]
    assert by_pair["tumeric", "amoxicillin"]["verdict"] == "not_checked"
    assert by_pair["nothing like it", "warfarin"]["verdict"] == "not_checked"


async def test_the_common_beginning_of_many_names_offers_them_and_checks_none(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["โกฐ"], drugs=["warfarin"], lang="th")
    (open_name,) = body["unresolved"]
    assert open_name["reason"] == "unknown"
    labels = {candidate["label"] for candidate in open_name["candidates"]}
    assert {"โกฐสอ", "โกฐเขมา", "โกฐเชียง", "โกฐหัวบัว"} <= labels
    assert [pair["verdict"] for pair in body["pairs"]] == ["not_checked"]
    assert "โกฐเขมา" in body["summary"]


async def test_the_same_herb_under_several_names_is_checked_once(starter: GraphHarness) -> None:
    names = ["ฟ้าทะลายโจร", "fa thalai chon", "Andrographis", "green chiretta", "andrographis-paniculata"]
    body = await starter.call(CHECK, herb_ids=names)
    assert [coverage["entity_id"] for coverage in body["coverage"]] == ["andrographis-paniculata"]
    assert body["unknown_ids"] == []


async def test_an_unknown_drug_is_named_first_and_hides_no_warning(starter: GraphHarness) -> None:
    alone = await starter.call(CHECK, herb_ids=["curcuma-longa"], drugs=["warfarin"], limit=500)
    body = await starter.call(CHECK, herb_ids=["curcuma-longa"], drugs=["warfarin", "unobtainium"], limit=500)
    assert body["unresolved"][0]["given"] == "unobtainium"
    assert body["summary"].startswith("'unobtainium' was not understood")
    assert set(brief(alone)) <= set(brief(body))
    narrowed = [result for result in body["results"] if result["narrowed"]]
    assert brief({"results": narrowed}) == brief(alone)
    assert body["results"][: len(narrowed)] == narrowed
    others = [result for result in body["results"] if not result["narrowed"]]
    assert others
    assert {result["object_type"] for result in others} == {"drug"}
    assert [pair["verdict"] for pair in body["pairs"]] == ["warned", "not_checked"]


async def test_warnings_come_strongest_first_and_in_one_order(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["zingiber-officinale", "curcuma-longa"], limit=500)
    ranks = {"contraindicated": 0, "major": 1, "moderate": 2, "minor": 3}
    keys = [(ranks[result["severity"]], result["entity_id"], result["object_id"]) for result in body["results"]]
    assert keys == sorted(keys)
    assert body["total"] == len(keys)


async def test_pages_cover_every_warning_once(starter: GraphHarness) -> None:
    arguments: dict[str, Any] = {"formulation_ids": ["ya-hom-thep-chit"]}
    every = brief(await starter.call(CHECK, **arguments, limit=500))
    found, cursor = [], None
    while True:
        body = await starter.call(CHECK, **arguments, limit=7, **({"cursor": cursor} if cursor else {}))
        found += brief(body)
        cursor = body["next_cursor"]
        if cursor is None:
            break
    assert found == every
    assert len(found) > 7


async def orchard(database: Database) -> None:
    """Insert a herb warned of with a drug class, another with a drug of that class, and a formulation of both."""
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
    await insert_graph(database, nodes, edges, [*names, HerbName(state.id, state.type, "ภาวะ", "th", "main")])


async def test_a_drug_is_met_by_warnings_about_its_class_and_a_class_by_those_about_its_drugs(
    database: Database, empty_graph: GraphHarness
) -> None:
    await orchard(database)
    by_member = await empty_graph.call(CHECK, herb_ids=["own", "other"], drugs=["drug:one"])
    assert brief(by_member) == [("other", "drug:one", "high"), ("own", "drug:group", "low")]
    assert [each["matched"] for each in by_member["results"]] == [["drug:one (itself)"], ["drug:one (class)"]]
    two = await empty_graph.call(CHECK, herb_ids=["own", "other"], drugs=["drug:two"])
    assert brief(two) == [("own", "drug:group", "low")]
    group = await empty_graph.call(CHECK, herb_ids=["own", "other"], drugs=["drug:group"])
    assert [each["matched"] for each in group["results"]] == [["drug:group (member)"], ["drug:group (itself)"]]


async def test_of_two_sources_the_stronger_warning_counts_and_both_are_shown(
    database: Database, empty_graph: GraphHarness
) -> None:
    await orchard(database)
    (result,) = (await empty_graph.call(CHECK, herb_ids=["other"]))["results"]
    assert (result["strength"], result["review"]) == ("high", "needs_review")
    assert [(each["id"], each["strength"], each["note"]) for each in result["statements"]] == [
        ("w3", "high", "doubtful"),
        ("w2", "moderate", None),
    ]


async def test_silence_is_never_read_as_safe(database: Database, empty_graph: GraphHarness) -> None:
    await orchard(database)
    body = await empty_graph.call(CHECK, herb_ids=["quiet"], formulation_ids=["mixed", "empty"])
    told = {
        coverage["entity_id"]: (coverage["status"], coverage["own"], coverage["inherited"])
        for coverage in body["coverage"]
    }
    assert told == {"quiet": ("none", 0, 0), "mixed": ("inherited_only", 0, 4), "empty": ("none", 0, 0)}
    assert next(coverage for coverage in body["coverage"] if coverage["entity_id"] == "mixed")[
        "silent_ingredients"
    ] == ["quiet"]


async def test_what_is_doubtful_about_a_herb_is_told(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["phyllanthus-amarus", "curcuma-longa"])
    notes = {coverage["entity_id"]: coverage["note"] for coverage in body["coverage"]}
    assert "share the Thai name" in notes["phyllanthus-amarus"]
    assert notes["curcuma-longa"] is None


async def test_conditions_narrow_in_either_language_and_labels_follow(
    database: Database, empty_graph: GraphHarness
) -> None:
    await orchard(database)
    thai = await empty_graph.call(CHECK, formulation_ids=["mixed"], conditions=["ภาวะ"])
    assert brief(thai) == [("mixed", "condition:state", "high")]
    assert thai["results"][0]["via"] == ["own"]
    assert thai["results"][0]["contraindication"] == "ภาวะ"
    english = await empty_graph.call(CHECK, formulation_ids=["mixed"], conditions=["State"])
    assert english["results"][0]["contraindication"] == "state"
    body = await empty_graph.call(CHECK, formulation_ids=["mixed"], conditions=["State"], lang="th")
    assert body["results"][0]["contraindication"] == "ภาวะ"


async def test_nothing_to_check_is_refused(empty_graph: GraphHarness) -> None:
    error = await empty_graph.refusal(CHECK, {"drugs": ["warfarin"]})
    assert (error["code"], error["details"]["field"]) == ("INVALID_ARG", "herb_ids")


async def test_a_statement_in_the_same_words_is_shown_once_with_all_that_it_comes_from(starter: GraphHarness) -> None:
    body = await starter.call(CHECK, herb_ids=["กัญชา"], drugs=["warfarin", "ยากันชัก"], conditions=["เบาหวาน"])
    apart = ("id", "via", "vias", "stated_for", "sources", "notices", "same_as")
    shown: set[str] = set()
    for result in body["results"]:
        words = [str({name: value for name, value in s.items() if name not in apart}) for s in result["statements"]]
        assert len(set(words)) == len(words)
        assert set(result["repeats"]) <= shown
        shown |= {statement["id"] for statement in result["statements"]}
    statements = [statement for result in body["results"] for statement in result["statements"]]
    told = {id for statement in statements for id in (statement["id"], *statement["same_as"])}
    assert {id for pair in body["pairs"] for id in pair["statement_ids"]} <= told
    assert any(len(statement["vias"]) > 1 for statement in statements if statement["same_as"])
