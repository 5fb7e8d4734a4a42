"""kg://herb/{id} and paper://pmid/{id} in the contract's shape, and the prompts."""

from __future__ import annotations

from datetime import date
from urllib.parse import quote

from sanya.kernel.calls.call import OWNER, Call, Refused
from sanya.suites.herbs.safety.severity import SEVERITIES
from tests.suites.herbs.graph_harness import GraphHarness


async def test_a_herb_is_read_with_its_relations(starter: GraphHarness) -> None:
    herb = await starter.read("kg://herb/curcuma-longa")
    assert herb["id"] == "curcuma-longa"
    assert (herb["names"]["th"], herb["names"]["en"], herb["names"]["la"]) == ("ขมิ้นชัน", "turmeric", "Curcuma longa")
    assert "Curcuma domestica" in herb["names"]["others"]
    assert herb["parts"] == ["rhizome"]
    assert {"id": "curcumin", "name": "curcumin"}.items() <= next(
        constituent for constituent in herb["constituents"] if constituent["id"] == "curcumin"
    ).items()
    flatulence = next(indication for indication in herb["indications"] if indication["icdCode"] == "R14")
    assert (flatulence["description"], flatulence["description_en"]) == ("ท้องอืด ท้องเฟ้อ", "flatulence, bloating")
    assert "nlem-2566" in herb["sources"]
    assert herb["warnings"] == 29
    assert herb["formulations"]


async def test_a_herb_lists_its_warnings_doses_and_evidence_with_their_sources(starter: GraphHarness) -> None:
    herb = await starter.read("kg://herb/curcuma-longa")
    assert {statement["id"] for statement in herb["statements"] if not statement["is_negative"]}
    ranks = [SEVERITIES.index(statement["severity"]) for statement in herb["statements"]]
    assert ranks == sorted(ranks)
    warfarin = next(statement for statement in herb["statements"] if statement["object_id"] == "drug:warfarin")
    assert warfarin["effect"] and warfarin["effect_en"] and warfarin["management"]
    assert herb["dosing"] and herb["evidence"]
    cited = {source["id"] for source in herb["references"]}
    for fact in (*herb["statements"], *herb["dosing"], *herb["evidence"]):
        assert fact["sources"] and set(fact["sources"]) <= cited
    assert date.fromisoformat(herb["last_reviewed"])


async def test_a_formulation_lists_its_warnings_and_their_sources(starter: GraphHarness) -> None:
    medicine = await starter.read("kg://formulation/ya-khamin-chan")
    assert medicine["warnings"][0]["severity"] == "contraindicated"
    assert medicine["dosing"][0]["dose"] and medicine["dosing"][0]["dose_en"]
    cited = {source["id"] for source in medicine["references"]}
    for fact in (*medicine["warnings"], *medicine["dosing"]):
        assert fact["sources"] and set(fact["sources"]) <= cited
    assert date.fromisoformat(medicine["last_reviewed"])


async def test_every_source_has_an_address_or_says_that_it_has_none(sqlite_starter: GraphHarness) -> None:
    graph = await sqlite_starter.store.load_graph()
    without = [source for source in graph.sources.values() if not source.url]
    assert [source.id for source in without if "no address" not in (source.note or "")] == []
    assert all(source.url.startswith(("http://", "https://")) for source in graph.sources.values() if source.url)


async def test_a_herb_is_found_by_its_name_too(sqlite_starter: GraphHarness) -> None:
    assert (await sqlite_starter.read(f"kg://herb/{quote('ขมิ้นชัน')}"))["id"] == "curcuma-longa"


async def test_a_name_of_several_herbs_is_not_found_and_says_which_there_are(sqlite_starter: GraphHarness) -> None:
    for name, near in (("Curcuma", "curcuma-longa"), ("tumeric", "curcuma-longa"), ("none", "")):
        outcome = await sqlite_starter.kernel.read(Call(f"kg://herb/{name}", {}))
        assert isinstance(outcome, Refused)
        assert outcome.error["code"] == "NOT_FOUND"
        assert near in outcome.error["message"]


async def test_every_herb_and_every_paper_can_be_read(sqlite_starter: GraphHarness) -> None:
    graph = await sqlite_starter.store.load_graph()
    for item in graph.nodes.values():
        if item.type == "herb":
            assert (await sqlite_starter.read(f"kg://herb/{item.id}"))["id"] == item.id
        elif item.type == "paper":
            pmid = item.id.removeprefix("pmid:")
            assert (await sqlite_starter.read(f"paper://pmid/{pmid}"))["pmid"] == pmid


async def test_a_paper_says_what_is_not_known_of_it(starter: GraphHarness) -> None:
    paper = await starter.read("paper://pmid/32312261")
    assert paper["title"].startswith("Ginger extract versus Loratadine")
    assert (paper["year"], paper["authors"]) == (2020, ["Rodsarin Yamprasert"])
    assert paper["links"] == ["https://pubmed.ncbi.nlm.nih.gov/32312261/"]
    assert paper["missing"] == ["abstract"]
    assert paper["about"] == ["zingiber-officinale"]
    bare = await starter.read("paper://pmid/27776366")
    assert (bare["title"], bare["year"], bare["review"]) == ("", None, "needs_review")
    assert bare["missing"] == ["title", "abstract", "authors", "journal", "year"]


async def test_an_unknown_paper_is_not_found(sqlite_starter: GraphHarness) -> None:
    for id in ("1", "x", "9" * 30, quote("ก")):
        outcome = await sqlite_starter.kernel.read(Call(f"paper://pmid/{id}", {}))
        assert isinstance(outcome, Refused)
        assert outcome.error["code"] == "NOT_FOUND"


async def test_papers_are_offered_while_one_is_typed(sqlite_starter: GraphHarness) -> None:
    complete = sqlite_starter.kernel.catalogue.resources[1].complete["id"]
    assert "32312261" in await complete("3231", {}, OWNER)


async def test_prompts_name_the_tool_and_its_limits(sqlite_starter: GraphHarness) -> None:
    prompts = sqlite_starter.kernel.catalogue.prompts
    safety = prompts["herb_safety"].render({"herb": "ขมิ้นชัน", "drugs": "warfarin, ", "conditions": ""})
    assert '{"herb_ids": ["ขมิ้นชัน"], "drugs": ["warfarin"]}' in safety
    assert "kg://herb/ginger" in prompts["herb_profile"].render({"herb": "ginger"})
    for name in ("herb_safety", "herb_profile"):
        text = prompts[name].render({"herb": "x"})
        assert "does not mean safe" in text
        assert "data" in text
    complete = prompts["herb_safety"].arguments[2].complete
    assert complete is not None
    assert await complete("warf", {}, OWNER) == ["warfarin", "warfarin sodium"]
    assert await complete("aspirin, วาร์ฟา", {}, OWNER) == ["aspirin, วาร์ฟาริน"]


async def test_any_node_can_be_read_with_what_is_said_of_it(starter: GraphHarness) -> None:
    formula = await starter.read("kg://formulation/ya-khamin-chan")
    assert (formula["label"], formula["type"]) == ("ยาขมิ้นชัน", "formulation")
    part = next(statement for statement in formula["statements"] if statement["type"] == "part_of")
    assert (part["other"], part["outward"], part["label"]) == ("curcuma-longa", False, "ขมิ้นชัน")
    assert any(statement["strength"] == "high" and statement["sources"] for statement in formula["statements"])
    assert {source["id"] for source in formula["sources"]} >= {"nlem-2566"}
    assert (await starter.read("kg://drug/warfarin"))["id"] == "drug:warfarin"


async def test_every_node_of_the_starter_graph_can_be_read(sqlite_starter: GraphHarness) -> None:
    graph = await sqlite_starter.store.load_graph()
    for item in graph.nodes.values():
        read = await sqlite_starter.read(f"kg://{item.type}/{quote(item.id, safe='')}")
        assert read["id"] == item.id


async def test_a_node_of_no_type_or_of_no_name_is_not_found(sqlite_starter: GraphHarness) -> None:
    for uri, words in (("kg://plant/x", "it has herb"), ("kg://drug/warfrin", "perhaps drug:warfarin")):
        outcome = await sqlite_starter.kernel.read(Call(uri, {}))
        assert isinstance(outcome, Refused)
        assert words in outcome.error["message"]


async def test_types_and_ids_of_nodes_are_offered(sqlite_starter: GraphHarness) -> None:
    complete = sqlite_starter.kernel.catalogue.resources[2].complete
    assert await complete["type"]("con", {}, OWNER) == ["constituent", "condition"]
    assert "ya-khamin-chan" in await complete["id"]("ขมิ้น", {"type": "formulation"}, OWNER)
    assert "drug:warfarin" in await complete["id"]("warf", {}, OWNER)
