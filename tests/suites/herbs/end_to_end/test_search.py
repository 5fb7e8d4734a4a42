"""tool.hybrid_search on the starter graph."""

from __future__ import annotations

from typing import Any

import pytest

from sanya.app import App, CallRefused

pytestmark = pytest.mark.asyncio(loop_scope="session")
SEARCH = "tool.hybrid_search"


async def hits(app: App, query: str, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await app.call(SEARCH, {"query": query, **more}))["hits"]
    return found


@pytest.mark.parametrize(
    "name", ["ฟ้าทะลายโจร", "fa thalai chon", "fah talai jone", "Andrographis", "green chiretta", "ฟ้าทลายโจร", "หญ้ากันงู"]
)
async def test_every_way_to_say_a_name_leads_to_one_herb(app: App, name: str) -> None:
    assert (await hits(app, name))[0]["id"] == "andrographis-paniculata"


async def test_a_hit_says_by_which_way_its_name_was_known(sqlite_app: App) -> None:
    reasons = {
        name: (await hits(sqlite_app, name, filters={"types": ["herb"]}))[0]["reasons"][0]
        for name in ("ขมิ้นชัน", "ขี้มิ้น", "rang jeud", "andrografis")
    }
    assert reasons == {"ขมิ้นชัน": "name", "ขี้มิ้น": "alias", "rang jeud": "romanised", "andrografis": "slip"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("สมุนไพรแก้ท้องผูก", "senna-alata"),
        ("herbal medicine for constipation", "senna-alexandrina"),
        ("งูสวัด", "clinacanthus-nutans"),
        ("head lice", "annona-squamosa"),
        ("ยาหอม Navakot", "ya-hom-nawakot"),
        ("G6PD", "momordica-charantia"),
    ],
)
async def test_symptoms_and_mixed_queries_find_what_the_graph_links(app: App, query: str, expected: str) -> None:
    assert expected in [hit["id"] for hit in (await hits(app, query))[:5]]


async def test_a_thai_query_finds_a_paper_with_an_english_title(app: App) -> None:
    found = await hits(app, "งานวิจัยขิงรักษาจมูกอักเสบภูมิแพ้เทียบลอราทาดีน")
    (paper,) = [hit for hit in found if hit["id"] == "pmid:32312261"]
    assert (paper["matched_lang"], paper["type"], paper["uri"]) == ("en", "paper", "paper://pmid/32312261")


async def test_parts_add_up_to_the_score_and_scores_fall(app: App) -> None:
    found = await hits(app, "turmeric warfarin", top_k=50)
    assert all(sum(hit["score_parts"].values()) == hit["score"] for hit in found)
    assert all(0 <= hit["score"] <= 1 for hit in found)
    order = [(-hit["score"], hit["id"]) for hit in found]
    assert order == sorted(order)
    assert len({hit["id"] for hit in found}) == len(found)


async def test_the_snippet_is_about_what_the_query_names(app: App) -> None:
    (herb,) = await hits(app, "ขมิ้นชัน warfarin", top_k=1, filters={"types": ["herb"]})
    assert "warfarin" in herb["snippet"]
    assert herb["source"]


async def test_filters_narrow_to_types_nodes_sources_and_years(app: App) -> None:
    assert {hit["type"] for hit in await hits(app, "ginger", filters={"types": ["paper"]})} == {"paper"}
    assert {hit["type"] for hit in await hits(app, "ginger", filters={"types": ["chunk"]})} == {"chunk"}
    about = await hits(app, "ท้องผูก", filters={"ids": ["curcuma-longa"]})
    assert {hit["about"] for hit in about} == {"curcuma-longa"}
    assert await hits(app, "ginger", filters={"sources": ["no such source"]}) == []
    years = await hits(app, "ginger extract trial", filters={"types": ["paper"], "year_from": 2020, "year_to": 2020})
    assert "pmid:32312261" in [hit["id"] for hit in years]
    assert "pmid:15801937" not in [hit["id"] for hit in years]


async def test_years_that_cross_are_refused(sqlite_app: App) -> None:
    with pytest.raises(CallRefused) as refused:
        await hits(sqlite_app, "ginger", filters={"year_from": 2021, "year_to": 2020})
    assert refused.value.error["code"] == "INVALID_ARG"


async def test_a_name_of_several_species_comes_with_the_candidates(app: App) -> None:
    body = await app.call(SEARCH, {"query": "เหงือกปลาหมอ"})
    (ambiguous,) = body["ambiguous"]
    assert [candidate["id"] for candidate in ambiguous["candidates"]] == [
        "acanthus-ebracteatus",
        "acanthus-ilicifolius",
    ]


@pytest.mark.parametrize("query", ["!!!???", "๏ ๚ ฯ", "   ", "\u200b", "0"])
async def test_marks_alone_find_nothing_by_name(app: App, query: str) -> None:
    assert all("name" not in hit["reasons"] for hit in await hits(app, query))


async def test_ten_thousand_characters_are_answered(sqlite_app: App) -> None:
    for long in ("ขมิ้นชัน" * 1250, "a" * 10_000, "'; DROP TABLE herb_nodes; --" * 350):
        assert len(await hits(sqlite_app, long[:10_000])) <= 10
    with pytest.raises(CallRefused):
        await hits(sqlite_app, "a" * 10_001)


async def test_a_node_is_shown_once(sqlite_app: App) -> None:
    for query in ("สมุนไพรแก้ท้องผูก", "turmeric warfarin bleeding", "กรดไหลย้อน"):
        about = [hit["about"] for hit in await hits(sqlite_app, query)]
        assert len(about) == len(set(about))


async def test_a_search_that_fits_nothing_returns_nothing_and_says_so(sqlite_app: App) -> None:
    assert await hits(sqlite_app, "qqqqqq zzzz") == []
    best = (await hits(sqlite_app, "turmeric"))[0]
    assert best["relevance"] > 0.9


async def test_a_question_about_contents_finds_both_ends_of_a_composition(sqlite_app: App) -> None:
    found = {hit["id"] for hit in await hits(sqlite_app, "ส่วนผสมของเบญจกูล")}
    assert {"ya-benchakun", "piper-retrofractum", "zingiber-officinale"} <= found
    assert "ya-benchakun" in {hit["id"] for hit in await hits(sqlite_app, "ตำรับไหนมีเจตมูลเพลิงแดงเป็นส่วนประกอบ")}
