"""tool.eval.run on the starter graph: what it measures and stores, with the same result each time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sanya.app import App, CallRefused
from sanya.kernel.calls.call import OWNER, Answered, Call, Context, Progress, Refused, ignore_progress
from sanya.kernel.contracts.shapes import get_published_schema
from sanya.suites.herbs.evaluation.contract import EvalRunInput
from sanya.suites.herbs.evaluation.evaluator import Evaluator
from sanya.suites.herbs.evaluation.fact_checking import check_answer, is_in_graph
from sanya.suites.herbs.evaluation.store import EvaluationStore
from sanya.suites.herbs.graph.store import HerbStore
from sanya.suites.herbs.search.index import SearchIndex
from tests.suites.generated import MANY, allowed, fields_of, ruled_out

pytestmark = pytest.mark.asyncio(loop_scope="session")
TOOL = "tool.eval.run"
WARFARIN = {
    "text": "กินขมิ้นชันกับ warfarin ได้ไหม",
    "relevant": ["curcuma-longa"],
    "facts": [["curcuma-longa", "interacts_with", "drug:warfarin"]],
}
PLAI = {
    "text": "What is plai used for?",
    "relevant": ["zingiber-montanum"],
    "facts": [["zingiber-montanum", "treats", "muscle"]],
}
GOLD = {"text": "ราคาทองวันนี้เท่าไร", "facts": []}
KEYS = [
    *("metrics", "report_uri", "report_path", "run_id", "questions", "answered", "least_confidence", "revision"),
    *("not_measured", "previous_run", "repeated"),
]


def custom(*questions: dict[str, Any], **params: Any) -> dict[str, Any]:
    return {"set": "custom", "params": {"questions": list(questions), **params}}


def values(body: dict[str, Any]) -> dict[str, float]:
    return {metric["name"]: metric["value"] for metric in body["metrics"]}


async def report_of(app: App, body: dict[str, Any]) -> str:
    outcome = await app.kernel.read(Call(body["report_uri"], {}))
    assert isinstance(outcome, Answered), outcome
    assert outcome.body["mime_type"] == "text/html"
    return str(outcome.body["text"])


async def test_the_smoke_set_is_measured_in_every_way(sqlite_app: App) -> None:
    body = await sqlite_app.call(TOOL, {"set": "smoke"})
    assert list(body) == [*KEYS, "audit"]
    assert set(body["audit"]) == {"in_hash", "out_hash", "latency_ms", "seed", "status"}
    metrics = values(body)
    assert list(metrics) == [
        *("R@10", "MRR", "nDCG@10", "factuality", "answers_right", "answered", "gate_precision", "ECE"),
    ]
    assert metrics["R@10"] >= 0.9
    assert metrics["factuality"] == 1.0
    assert "How good are search and answers?" in await report_of(sqlite_app, body)


async def test_the_same_again_is_the_same_run(app: App) -> None:
    first = await app.call(TOOL, custom(WARFARIN, GOLD))
    report = await report_of(app, first)
    again = await app.call(TOOL, custom(WARFARIN, GOLD))
    assert again["repeated"]
    assert again["run_id"] == first["run_id"]
    assert again["audit"]["out_hash"] == first["audit"]["out_hash"]
    assert await report_of(app, again) == report
    fewer = await app.call(TOOL, {**custom(WARFARIN, GOLD), "metrics": ["R@1", "R@k", "factuality"]})
    assert fewer["run_id"] == first["run_id"]
    assert list(values(fewer)) == ["R@1", "R@10", "factuality"]
    assert "Nothing stands out" in report


async def test_a_run_is_compared_with_the_last_one_of_its_set(app: App) -> None:
    request = EvalRunInput.model_validate(custom(PLAI, k=7))
    first = await app.call(TOOL, custom(PLAI, k=7))
    assert first["previous_run"] is None
    index, store = SearchIndex(HerbStore(app.database), app.library), EvaluationStore(app.database)
    context = Context("call", OWNER, datetime(2026, 1, 5, tzinfo=UTC), 7, ignore_progress, "")
    stricter = await Evaluator(index, store, 1.0).run(request, context)
    assert stricter.previous_run == first["run_id"]
    changes = {metric.name: (metric.value, metric.previous, metric.change) for metric in stricter.metrics}
    assert changes["answered"] == (0.0, 1.0, -1.0)
    assert changes["R@7"] == (1.0, 1.0, 0.0)
    assert "gate_precision" in changes and changes["gate_precision"][1:] == (None, None)
    assert "answers_right" in stricter.not_measured
    page = await store.get_report(stricter.run_id)
    assert page is not None and "▼ -1.000 from 1.000, worse" in page
    alone = await Evaluator(index, store, 1.0).run(
        EvalRunInput.model_validate(custom(PLAI, k=7, compare=False)), context
    )
    assert (alone.previous_run, alone.metrics[0].previous, alone.run_id == stricter.run_id) == (None, None, False)


async def test_runs_are_listed(sqlite_app: App) -> None:
    body = await sqlite_app.call(TOOL, custom(GOLD))
    outcome = await sqlite_app.kernel.read(Call("eval://reports", {}))
    assert isinstance(outcome, Answered)
    (listed,) = [run for run in outcome.body["evaluations"] if run["id"] == body["run_id"]]
    assert (listed["set"], listed["questions"], listed["report_uri"]) == ("custom", 1, body["report_uri"])
    missing = await sqlite_app.kernel.read(Call("eval://report/eval_none", {}))
    assert isinstance(missing, Refused)
    assert missing.error["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("arguments", "field", "said"),
    [
        ({"set": "custom"}, "params.questions", "needs its questions"),
        ({"set": "smoke", "params": {"questions": [GOLD]}}, "params.questions", "needs set custom"),
        (custom({"text": "x", "relevant": ["no-herb", "curcuma-longa"]}), "params.questions", "'no-herb'"),
        (custom({"text": "x", "relevant": ["drug:warfarin"]}), "params.questions", "search never returns"),
        (
            custom({"text": "x", "facts": [["nobody", "treats", "y"], ["curcuma-longa", "cures", "y"]]}),
            "params.questions",
            "'nobody'",
        ),
        (custom({"text": "x", "facts": [["curcuma-longa", "cures", "y"]]}), "params.questions", "not: 'cures'"),
        (custom({"text": "x", "facts": [["curcuma-longa", "treats"]]}), "params.questions[0].facts[0]", "3 items"),
        (custom({"text": "x", "facts": [], "more": 1}), "params.questions[0].more", ""),
        (custom({"text": "x\0"}), "params.questions[0].text", "U+0000"),
        ({"set": "smoke", "metrics": ["R@0"]}, "metrics[0]", ""),
        ({"set": "smoke", "metrics": ["BLEU"]}, "metrics[0]", ""),
        (custom(*[GOLD] * 201), "params.questions", ""),
    ],
)
async def test_what_cannot_be_measured_is_refused_by_name(
    sqlite_app: App, arguments: dict[str, Any], field: str, said: str
) -> None:
    with pytest.raises(CallRefused) as refused:
        await sqlite_app.call(TOOL, arguments)
    assert (refused.value.error["code"], refused.value.error["details"]["field"]) == ("INVALID_ARG", field)
    assert said in refused.value.error["message"]


async def test_it_tells_how_far_it_is_and_can_be_stopped(sqlite_app: App) -> None:
    told: list[Progress] = []
    await sqlite_app.call(TOOL, custom(WARFARIN, GOLD, k=9), progress=told.append)
    assert [(progress.done, progress.total) for progress in told] == [(0, 2), (1, 2), (2, 2)]
    store = EvaluationStore(sqlite_app.database)
    before = await store.list_newest()

    def stop(progress: Progress) -> None:
        if progress.done == 1:
            running.cancel()

    running = asyncio.create_task(sqlite_app.call(TOOL, custom(WARFARIN, GOLD, k=8), progress=stop))
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await store.list_newest() == before


async def test_a_sentence_is_checked_against_its_span_and_the_graph(sqlite_app: App) -> None:
    indexed = await SearchIndex(HerbStore(sqlite_app.database), sqlite_app.library).prepare()
    facts = indexed.facts.by_subject["curcuma-longa"]
    fact = next(
        candidate
        for candidate in facts
        if candidate.relation == "interacts_with" and "drug:warfarin" in candidate.objects
    )

    def checks(text: str, cited: Any = fact) -> list[tuple[bool, bool]]:
        return [sentence.checks for sentence in check_answer(indexed, text, [cited], "en")]

    said = fact.english
    assert checks(f"{said} [1]\n{said} [1]") == [(True, True)] * 2
    assert checks(f"Line one\n{said} [1]")[0][1]
    assert checks("Turmeric is safe with warfarin. [1]") == [(False, True)]
    assert checks(f"{said} Take 500 mg. [1]") == [(False, True)]
    assert checks(f"{said} [2]") == checks(said) == [(False, False)]
    for other in (
        replace(fact, strength="low"),
        replace(fact, sources=()),
        replace(fact, id="curcuma-longa/none"),
        replace(fact, objects=("drug:aspirin",)),
    ):
        assert checks(f"{said} [1]", other) == [(True, False)]
    assert [fact for fact in indexed.facts.all if not is_in_graph(indexed, fact)] == []


async def test_every_field_is_described_and_the_examples_work(sqlite_app: App) -> None:
    tool = sqlite_app.kernel.catalogue.find_tool(TOOL)
    assert tool is not None
    assert (tool.effect, tool.idempotent, tool.required_scopes) == ("write", True, ("herbs:write",))
    for schema in (tool.input_schema, tool.output_schema):
        assert all(field.get("description") for field in fields_of(schema))
    for example in tool.examples:
        assert (await sqlite_app.call(TOOL, example.arguments))["metrics"]


@cache
def good_inputs() -> st.SearchStrategy[dict[str, Any]]:
    """Generate any input that the schema allows, except for the shipped sets, which take long to run."""
    questions = st.lists(st.sampled_from([WARFARIN, GOLD]), min_size=1, max_size=1)
    params = st.fixed_dictionaries({"questions": questions}, optional={"k": st.integers(1, 50)})
    inputs = allowed(get_published_schema(EvalRunInput), {"set": st.just("custom"), "params": params})
    return inputs.map(
        lambda request: request if request.get("params", {}).get("questions") else {**request, "set": "custom"}
    )


@cache
def bad_inputs() -> st.SearchStrategy[Any]:
    return ruled_out(get_published_schema(EvalRunInput), custom(GOLD))


@given(data=st.data())
@MANY
async def test_whatever_the_schema_allows_is_measured_or_refused_with_a_reason(
    sqlite_app: App, data: st.DataObject
) -> None:
    outcome = await sqlite_app.kernel.call(Call(TOOL, data.draw(good_inputs())))
    if isinstance(outcome, Refused):
        assert outcome.error["code"] == "INVALID_ARG"
        assert outcome.error["details"]["field"].startswith("params.questions")
    else:
        assert outcome.body["metrics"] or outcome.body["not_measured"]


@given(data=st.data())
@MANY
async def test_whatever_the_schema_rules_out_is_refused_as_bad(sqlite_app: App, data: st.DataObject) -> None:
    outcome = await sqlite_app.kernel.call(Call(TOOL, data.draw(bad_inputs())))
    assert isinstance(outcome, Refused), outcome
    assert outcome.error["code"] == "INVALID_ARG"
    assert outcome.error["message"]
