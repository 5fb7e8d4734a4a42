"""The memory scenarios with their ground truth: a conflict, corroboration, derivation, a timeline, a log with aliases.

Each scenario is sent to a namespace of its own through the tools, and each expectation of the answer is a check.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sanya
from benchmarks.result import Result, judge_ratio
from sanya.app import App
from sanya.kernel.calls.call import ALL_SCOPES, Answered, Call, Caller
from sanya.suites.memory.parsing.log_lines import parse_log_row
from sanya.suites.memory.parsing.names import make_name_key, take_initials

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "memory"
Answer = dict[str, Any]
_PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Check:
    """An expectation. `metric` is the name that the ground truth gives to what it measures."""

    scenario: str
    metric: str
    says: str
    holds: bool


def run() -> Result:
    """Return the number of expectations that are met."""
    checks = asyncio.run(_measure())
    for check in checks:
        print(f"{'yes' if check.holds else 'NO ':4} {check.scenario:48} {check.metric:34} {check.says}")
    return judge_ratio("memory_scenarios", sum(check.holds for check in checks), len(checks), (">=", 1.0))


async def _measure() -> list[Check]:
    with TemporaryDirectory() as home:
        async with sanya.open(home) as app:
            return [*await check_scenarios(app), *check_ground_truth()]


async def check_scenarios(app: App) -> list[Check]:
    found = []
    for name, check in _CHECKS.items():
        scenario = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
        caller = Caller(name, frozenset({ALL_SCOPES}))
        answer = await send_and_recall(app, caller, scenario["fragments"], scenario["query"])
        found += [Check(name, *expected) for expected in check(scenario, answer)]
        found += [Check(name, "retrieval_relevance", *expected) for expected in _check_graph_hits(answer)]
    return found


async def send_and_recall(app: App, caller: Caller, fragments: Sequence[str], query: str) -> Answer:
    for content in fragments:
        await call_tool(app, caller, "send_memory", {"content": content})
    await wait_until_consolidated(app)
    return await call_tool(app, caller, "get_memory", {"query": query})


async def wait_until_consolidated(app: App) -> None:
    """Wait until the process has added all memories to the graph, which it does shortly after they were sent."""
    async with asyncio.timeout(_PATIENCE_S):
        while await app.database.fetch("SELECT 1 FROM memories WHERE consolidated_at IS NULL LIMIT 1"):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def call_tool(app: App, caller: Caller, tool: str, arguments: Mapping[str, Any]) -> Answer:
    outcome = await app.kernel.call(Call(tool, arguments, caller=caller))
    assert isinstance(outcome, Answered), outcome
    return outcome.body


Expectation = tuple[str, bool]
Expected = tuple[str, str, bool]


def _check_graph_hits(answer: Answer) -> list[Expectation]:
    meta = answer["meta"]
    return [
        ("every hit comes from the graph", meta["working_memory_hits"] == 0 and meta["graph_hits"] >= 1),
        ("every memory has a source", all(memory["sources"] for memory in answer["memories"])),
    ]


def _check_travel_conflict(scenario: Answer, answer: Answer) -> list[Expected]:
    metric = "contradiction_coverage"
    denied = next(memory["id"] for memory in answer["memories"] if " not traveled " in memory["content"])
    sides = [
        {contradiction["memory_id"], contradiction["contradicting_memory"]["id"]}
        for contradiction in answer["contradictions"]
    ]
    travelled = [memory for memory in answer["memories"] if memory["id"] != denied]
    return [
        (metric, "all fragments are found", len(answer["memories"]) == len(scenario["fragments"])),
        (
            metric,
            "the denial contradicts each of the others",
            all({denied, memory["id"]} in sides for memory in travelled),
        ),
        (metric, "nothing else is a contradiction", len(sides) == len(travelled)),
        (
            metric,
            "each has its nature",
            {contradiction["nature"] for contradiction in answer["contradictions"]} == {"factual_conflict"},
        ),
    ]


def _check_corroboration(scenario: Answer, answer: Answer) -> list[Expected]:
    telling = [memory for memory in answer["memories"] if "AC123" in memory["content"]]
    others = [memory for memory in answer["memories"] if "AC123" not in memory["content"]]
    sources = {source["id"] for memory in telling for source in memory["sources"]}
    digits = {memory["confidence"][1] for memory in telling}
    return [
        ("corroboration", "two memories report it, from two sources", len(telling) == 2 and len(sources) == 2),
        (
            "corroboration",
            "they rank first",
            [memory["id"] for memory in answer["memories"][:2]] == [memory["id"] for memory in telling],
        ),
        ("confidence_progression", "independent sources make it probable", digits == {"2"}),
        ("confidence_progression", "others stay as they were", {memory["confidence"][1] for memory in others} <= {"3"}),
        ("corroboration", "there is no contradiction", not answer["contradictions"]),
    ]


def _check_derivation(scenario: Answer, answer: Answer) -> list[Expected]:
    metric = "derivation_traceability"
    rules = [memory for memory in answer["memories"] if memory["type"] == "Rule"]
    facts = {memory["id"]: memory for memory in answer["memories"] if memory["type"] != "Rule"}
    worst = max((fact["confidence"] for fact in facts.values()), default="F6")
    return [
        (metric, "there is a rule for each recurring claim", len(rules) == len(set(scenario["fragments"]))),
        (
            metric,
            "each is derived in three steps",
            all(memory["properties"]["derivation_depth"] == 3 for memory in rules),
        ),
        (metric, "each names its run", all(memory["properties"]["derivation_run_id"] for memory in rules)),
        (
            metric,
            "each names what it rests on",
            all(len(memory["properties"]["derived_from"]) == 2 for memory in rules),
        ),
        (metric, "none is rated better than its sources", all(memory["confidence"] >= worst for memory in rules)),
    ]


def _check_timeline(scenario: Answer, answer: Answer) -> list[Expected]:
    metric = "timeline_change_tracking"
    changed = {
        memory["properties"]["revises"]["by"].lower()
        for memory in answer["memories"]
        if "revises" in memory["properties"]
    }
    texts = [memory["content"].lower() for memory in answer["memories"]]
    on_time = [text for text in texts if any(word in text for word in ("deadline", "march 20", "march 25"))]
    consistent = scenario["expected_consistent_agent"]
    return [
        (metric, "agents who changed their mind are identified", changed == set(scenario["expected_changed_agents"])),
        (metric, "their statements are found", len(on_time) >= 4),
        (
            metric,
            "statements of the consistent agent are found",
            any(f"{consistent}: scope concerns" in text for text in texts),
        ),
        (metric, "a change of mind is no contradiction", not answer["contradictions"]),
    ]


def _check_flight_logs(scenario: Answer, answer: Answer) -> list[Expected]:
    contents = [memory["content"].lower() for memory in answer["memories"]]
    snippets = [snippet.lower() for snippet in scenario["expected_fact_snippets"]]
    right = sum(any(snippet in content for snippet in snippets) for content in contents)
    people = {
        mention["name"].lower()
        for memory in answer["memories"]
        for mention in memory["participants"]
        if mention["type"] == "agent"
    }
    extraction, merging = "extraction_precision_recall_proxy", "entity_merge_precision"
    return [
        (
            extraction,
            "every fact is found",
            all(any(snippet in content for content in contents) for snippet in snippets),
        ),
        (extraction, "nothing else is found", right == len(contents) == len(snippets)),
        (merging, "the core agents are kept apart", set(scenario["expected_core_agents"]) <= people),
        (merging, "no alias is a separate agent", not set(scenario["alias_variants"]) & people),
        (merging, "an unnamed person stays unnamed", "unnamed female" in people),
        ("retrieval_usefulness", "there is no contradiction", not answer["contradictions"]),
    ]


_CHECKS: dict[str, Callable[[Answer, Answer], list[Expected]]] = {
    "tier2_curated_travel_conflict": _check_travel_conflict,
    "tier2_curated_corroboration_sources": _check_corroboration,
    "tier2_curated_derivation_traceability": _check_derivation,
    "tier2_curated_corporate_timeline": _check_timeline,
    "tier3_flight_logs_subset_runtime": _check_flight_logs,
}


def check_ground_truth() -> list[Check]:
    """Check that the records are complete, and that each negative sample is refused for its reason."""
    truth = json.loads((DATA / "ground_truth_tier3_flight_logs_subset.json").read_text(encoding="utf-8"))
    runtime = json.loads((DATA / "tier3_flight_logs_subset_runtime.json").read_text(encoding="utf-8"))
    rows = {
        (row.day, row.origin, row.destination, tuple(name for name, _ in row.people))
        for fragment in runtime["fragments"]
        if (row := parse_log_row(fragment))
    }
    expected = {
        (record["flight_date"], record["origin"], record["destination"], tuple(record["passengers"]))
        for record in truth["records"]
    }
    checks = [
        Check(
            truth["dataset_name"],
            "ground_truth",
            "its records are complete",
            not list_problems(truth, truth["required_fields"]),
        ),
        Check(truth["dataset_name"], "ground_truth", "its records match the parsed log", expected <= rows),
    ]
    for sample in truth["negative_samples"]:
        problems = list_problems(sample, truth["required_fields"])
        named = all(
            any(expected in problem for problem in problems) for expected in sample["expected_error_substrings"]
        )
        checks.append(Check(truth["dataset_name"], "ground_truth", f"{sample['name']} is refused", named))
    return checks


def list_problems(sample: Answer, required: Sequence[str]) -> list[str]:
    """Return what is wrong with a set of records, measured by its own expectations."""
    records, needs = sample["records"], sample["expectations"]
    problems = [
        f"record {number}: missing required field '{name}'"
        for number, record in enumerate(records)
        for name in required
        if name not in record
    ]
    if len(records) < needs["min_records"]:
        problems.append(f"{len(records)} records, at least {needs['min_records']} required")
    if needs["requires_alias_variants"] and not _has_aliases(
        [name for record in records for name in record["passengers"]]
    ):
        problems.append("alias variants were required but not detected in records")
    return problems


def _has_aliases(names: Sequence[str]) -> bool:
    """Tell whether somebody appears under two spellings of one name, or by initials."""
    written: dict[str, set[str]] = {}
    for name in names:
        written.setdefault(make_name_key(name), set()).add(name)
    full = {take_initials(key) for key in written if " " in key}
    return any(len(spellings) > 1 for spellings in written.values()) or any(key in full for key in written)
