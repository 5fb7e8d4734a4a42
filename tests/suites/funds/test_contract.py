"""The contract of each tool: shape, bounds, texts, and arbitrary input."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.kernel.contracts.tool import Tool
from sanya.suites.funds import contract
from sanya.suites.funds.suite import KEYWORDS
from tests.suites.funds.market import Market
from tests.suites.generated import MANY, allowed, fields_of, ruled_out

INPUTS: dict[str, type[Shape]] = {
    "get_rmf_funds": contract.GetFundsInput,
    "search_rmf_funds": contract.SearchFundsInput,
    "get_rmf_fund_performance": contract.GetFundPerformanceInput,
    "get_rmf_fund_detail": contract.GetFundDetailInput,
    "get_rmf_fund_nav_history": contract.GetNavHistoryInput,
    "compare_rmf_funds": contract.CompareFundsInput,
}
GOOD: dict[str, dict[str, Any]] = {
    "get_rmf_funds": {},
    "search_rmf_funds": {"search": "rmf"},
    "get_rmf_fund_performance": {"period": "1y"},
    "get_rmf_fund_detail": {"fundCode": "ABAPAC-RMF"},
    "get_rmf_fund_nav_history": {"fundCode": "ABAPAC-RMF"},
    "compare_rmf_funds": {"fundCodes": ["ABAPAC-RMF", "B-ASIARMF"]},
}
TEMPLATES = {
    "get_rmf_funds": "component://rmf-fund-list",
    "search_rmf_funds": "component://rmf-fund-list",
    "get_rmf_fund_performance": "component://rmf-fund-list",
    "get_rmf_fund_detail": "component://rmf-fund-card",
    "get_rmf_fund_nav_history": "component://rmf-performance-chart",
    "compare_rmf_funds": "component://rmf-fund-comparison",
}
BOUNDS = {
    ("get_rmf_funds", "pageSize"): (1, 50, 20),
    ("search_rmf_funds", "limit"): (1, 100, 20),
    ("get_rmf_fund_performance", "limit"): (1, 50, 10),
    ("get_rmf_fund_nav_history", "days"): (1, 365, 30),
}
SAVERS_TOOLS = ("rank_rmf_funds", "simulate_rmf_dca", "plan_rmf_contribution", "portfolio_rmf")
TOOLS = tuple(INPUTS)


def tool_named(market: Market, name: str) -> Tool:
    tool = market.kernel.catalogue.find_tool(name)
    assert tool is not None
    return tool


async def test_there_are_these_ten_tools_and_all_of_them_only_read(market: Market) -> None:
    assert {tool.name for tool in market.kernel.catalogue.tools} == {*TOOLS, *SAVERS_TOOLS}
    assert {tool.effect for tool in market.kernel.catalogue.tools} == {"read"}


@pytest.mark.parametrize("name", TOOLS)
async def test_discovery_has_keywords_and_queries(market: Market, name: str) -> None:
    meta = tool_named(market, name).meta
    assert meta["keywords"] == list(KEYWORDS)
    assert len(meta["exampleQueries"]) == 2


@pytest.mark.parametrize("name", [*TOOLS, *SAVERS_TOOLS])
async def test_every_field_is_described(market: Market, name: str) -> None:
    tool = tool_named(market, name)
    for schema in (tool.input_schema, tool.output_schema):
        assert all(field.get("description") for field in fields_of(schema))


@pytest.mark.parametrize("name", TOOLS)
async def test_an_answer_has_its_three_parts_in_both_languages(demo_market: Market, name: str) -> None:
    english = await demo_market.call(name, **GOOD[name])
    thai = await demo_market.call(name, **GOOD[name], lang="th")
    assert list(english) == ["content", "structuredContent", "_meta"]
    assert english["structuredContent"] == thai["structuredContent"]
    assert english["_meta"]["openai/outputTemplate"] == TEMPLATES[name]
    assert english["_meta"]["timestamp"] == "2025-11-12T10:00:00.000Z"
    assert english["_meta"]["demo"] is True
    (said,), (said_in_thai,) = english["content"], thai["content"]
    assert "sample funds" in said["text"]
    assert "กองทุนตัวอย่าง" in said_in_thai["text"]


@pytest.mark.parametrize("name", TOOLS)
async def test_every_example_works_on_the_demo_funds(demo_market: Market, name: str) -> None:
    examples = tool_named(demo_market, name).examples
    assert examples
    for example in examples:
        found = await demo_market.ask(name, **example.arguments)
        assert found.get("funds") or found.get("fund") or found.get("navHistory")


@pytest.mark.parametrize("name", TOOLS)
async def test_an_unknown_argument_is_refused_by_name(market: Market, name: str) -> None:
    error = await market.refusal(name, {**GOOD[name], "page_size": 3})
    assert (error["code"], error["details"]["field"]) == ("BAD_REQUEST", "page_size")
    assert error["actionableHint"]


@pytest.mark.parametrize(("name", "field"), BOUNDS)
async def test_bounds_and_defaults_are_the_contracts(market: Market, name: str, field: str) -> None:
    least, most, default = BOUNDS[name, field]
    schema = tool_named(market, name).input_schema["properties"][field]
    assert (schema["minimum"], schema["maximum"], schema["default"]) == (least, most, default)
    for value in (least - 1, most + 1):
        error = await market.refusal(name, {**GOOD[name], field: value})
        assert error["code"] == "BAD_REQUEST"
        assert field in error["message"]


CODES = st.sampled_from(["ABAPAC-RMF", "b-asiarmf", "ES-GOLDRMF-UH", "RSD-USRMF(A)", "DEMO-MIX&GROWRMF"])


@cache
def inputs(name: str) -> st.SearchStrategy[dict[str, Any]]:
    likely = {"fundCode": CODES, "fundCodes": st.lists(CODES, min_size=2, max_size=5, unique=True)}
    schema = get_published_schema(INPUTS[name])
    return allowed(schema, {field: codes for field, codes in likely.items() if field in schema["properties"]})


@cache
def broken(name: str) -> st.SearchStrategy[Any]:
    return ruled_out(get_published_schema(INPUTS[name]), GOOD[name])


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_allows_is_answered_or_refused_with_a_hint(
    demo_market: Market, name: str, data: st.DataObject
) -> None:
    outcome = await demo_market.kernel.call(Call(name, data.draw(inputs(name))))
    if isinstance(outcome, Refused):
        # What a schema cannot say: which codes there are, that a filter is needed, that two bounds agree.
        assert outcome.error["code"] in ("BAD_REQUEST", "NOT_FOUND")
        assert outcome.error["actionableHint"]
    else:
        assert isinstance(outcome, Answered)


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_rules_out_is_refused_as_bad(
    demo_market: Market, name: str, data: st.DataObject
) -> None:
    error = await demo_market.refusal(name, data.draw(broken(name)))
    assert error["code"] == "BAD_REQUEST"
    assert error["message"]
    assert error["actionableHint"]
