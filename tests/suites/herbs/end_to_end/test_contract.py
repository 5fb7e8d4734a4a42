"""The contract of the two question tools: shapes, messages, arbitrary input, and the same answer each time."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.app import App
from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.contracts.shapes import Shape, get_published_schema
from sanya.suites.herbs.answers.contract import RagAnswerInput
from sanya.suites.herbs.search.contract import HybridSearchInput
from tests.long_form import often
from tests.suites.generated import MANY, allowed, fields_of, ruled_out

pytestmark = pytest.mark.asyncio(loop_scope="session")
SEARCH, ANSWER = "tool.hybrid_search", "tool.rag_answer"
TOOLS = (SEARCH, ANSWER)
INPUTS: dict[str, type[Shape]] = {SEARCH: HybridSearchInput, ANSWER: RagAnswerInput}
GOOD: dict[str, dict[str, Any]] = {
    SEARCH: {"query": "ขมิ้นชัน warfarin", "top_k": 5},
    ANSWER: {"question": "คนไข้กิน warfarin อยู่ กินขมิ้นชันได้ไหม"},
}
KEYS = {
    SEARCH: ["hits", "lang", "ambiguous"],
    ANSWER: [
        *("answer", "citations", "scores", "withheld", "safety", "ambiguous", "lang", "phrased", "notice"),
        "unrecognised",
    ],
}
WORDS = st.sampled_from(
    [
        *("ขมิ้นชัน", "ฟ้าทลายโจร", "green chiretta", "warfarin", "ลูกใต้ใบ", "ได้ไหม", "ท้องผูก", "pregnant", "Navakot"),
        *("5", "mg", "?", "ยาหอม", "\u0e33", "💊", "'", ";"),
    ]
)
QUESTIONS = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


@pytest.mark.parametrize("name", TOOLS)
async def test_an_answer_has_the_contracts_keys_and_its_stamp(app: App, name: str) -> None:
    body = await app.call(name, GOOD[name])
    assert list(body) == [*KEYS[name], "audit"]
    assert set(body["audit"]) == {"in_hash", "out_hash", "latency_ms", "seed", "status"}


@pytest.mark.parametrize("name", TOOLS)
async def test_every_example_works_on_the_starter_graph(app: App, name: str) -> None:
    tool = app.kernel.catalogue.find_tool(name)
    assert tool is not None
    assert tool.examples
    for example in tool.examples:
        body = await app.call(name, example.arguments)
        assert body.get("hits") or body["answer"]


@pytest.mark.parametrize("name", TOOLS)
async def test_every_field_is_described(sqlite_app: App, name: str) -> None:
    tool = sqlite_app.kernel.catalogue.find_tool(name)
    assert tool is not None
    for schema in (tool.input_schema, tool.output_schema):
        assert all(field.get("description") for field in fields_of(schema))


@pytest.mark.parametrize("name", TOOLS)
async def test_many_replays_give_one_hash(sqlite_app: App, name: str) -> None:
    hashes = {(await sqlite_app.call(name, GOOD[name]))["audit"]["out_hash"] for _ in range(often(100, 1000))}
    assert len(hashes) == 1


async def test_an_answer_does_not_depend_on_what_was_asked_before(sqlite_app: App) -> None:
    first = await sqlite_app.call(ANSWER, {"question": "Can I take andrographis while pregnant?"})
    for other in ("andrographis warnings", "What is andrographis used for?", "ฟ้าทะลายโจรกับยาความดัน"):
        await sqlite_app.call(ANSWER, {"question": other})
    again = await sqlite_app.call(ANSWER, {"question": "Can I take andrographis while pregnant?"})
    assert again["audit"]["out_hash"] == first["audit"]["out_hash"]


@cache
def good_inputs(name: str) -> st.SearchStrategy[dict[str, Any]]:
    filters = st.fixed_dictionaries(
        {},
        optional={
            "types": st.lists(st.sampled_from(["herb", "formulation", "paper", "chunk"]), min_size=1, max_size=4),
            "ids": st.lists(st.sampled_from(["curcuma-longa", "ya-khing", "x"]), min_size=1, max_size=3),
            "year_from": st.integers(1990, 2030),
        },
    )
    likely: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        SEARCH: {"query": QUESTIONS, "filters": filters, "top_k": st.integers(1, 5)},
        ANSWER: {"question": QUESTIONS},
    }
    return allowed(get_published_schema(INPUTS[name]), likely[name])


@cache
def bad_inputs(name: str) -> st.SearchStrategy[Any]:
    return ruled_out(get_published_schema(INPUTS[name]), GOOD[name])


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_allows_is_answered_or_refused_with_a_reason(
    sqlite_app: App, name: str, data: st.DataObject
) -> None:
    outcome = await sqlite_app.kernel.call(Call(name, data.draw(good_inputs(name))))
    if isinstance(outcome, Refused):
        assert (outcome.error["code"], outcome.error["details"]["field"]) == ("INVALID_ARG", "filters.year_from")
    else:
        assert isinstance(outcome, Answered)
        if name == ANSWER:
            # The short form leaves out what is null.
            assert (outcome.body["answer"] == "") == (outcome.body.get("withheld") is not None)


@pytest.mark.parametrize("name", TOOLS)
@given(data=st.data())
@MANY
async def test_whatever_the_schema_rules_out_is_refused_as_bad(sqlite_app: App, name: str, data: st.DataObject) -> None:
    outcome = await sqlite_app.kernel.call(Call(name, data.draw(bad_inputs(name))))
    assert isinstance(outcome, Refused), outcome
    assert outcome.error["code"] == "INVALID_ARG"
    assert outcome.error["message"]
