"""The memory scenarios with their ground truth: a conflict, corroboration, derivation, a timeline, a log with aliases.

Each is sent to a namespace of its own through the tools, and everything that is expected of the answer is a check."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sanya
from benchmarks.result import Result, judged
from sanya.app import App
from sanya.kernel.call import ALL_SCOPES, Answered, Call, Caller
from sanya.suites.memory.parsing.log_lines import parse_log_row
from sanya.suites.memory.parsing.names import make_name_key, take_initials

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "memory"
Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Check:
    """One expectation: `metric` is the ground truth's word for what it measures."""

    scenario: str
    metric: str
    says: str
    holds: bool


def run() -> Result:
    """How many of the expectations are met."""
    checks = asyncio.run(_measure())
    for one in checks:
        print(f"{'yes' if one.holds else 'NO ':4} {one.scenario:48} {one.metric:34} {one.says}")
    return judged("memory_scenarios", sum(one.holds for one in checks), len(checks), (">=", 1.0))


async def _measure() -> list[Check]:
    with TemporaryDirectory() as home:
        async with sanya.open(home) as app:
            return [*await check_scenarios(app), *check_ground_truth()]


async def check_scenarios(app: App) -> list[Check]:
    found = []
    for name, check in _CHECKS.items():
        scenario = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
        caller = Caller(name, frozenset({ALL_SCOPES}))
        answer = await recalled(app, caller, scenario["fragments"], scenario["query"])
        found += [Check(name, *one) for one in check(scenario, answer)]
        found += [Check(name, "retrieval_relevance", *one) for one in _from_the_graph(answer)]
    return found


async def recalled(app: App, caller: Caller, fragments: Sequence[str], query: str) -> Answer:
    for content in fragments:
        await called(app, caller, "send_memory", {"content": content})
    return await called(app, caller, "get_memory", {"query": query})


async def called(app: App, caller: Caller, tool: str, arguments: Mapping[str, Any]) -> Answer:
    outcome = await app.kernel.call(Call(tool, arguments, caller=caller))
    assert isinstance(outcome, Answered), outcome
    return outcome.body


Expectation = tuple[str, bool]
Expected = tuple[str, str, bool]


def _from_the_graph(answer: Answer) -> list[Expectation]:
    meta = answer["meta"]
    return [
        ("every hit comes from the graph", meta["working_memory_hits"] == 0 and meta["graph_hits"] >= 1),
        ("every memory has a source", all(one["sources"] for one in answer["memories"])),
    ]


def _travel_conflict(scenario: Answer, answer: Answer) -> list[Expected]:
    metric = "contradiction_coverage"
    denied = next(one["id"] for one in answer["memories"] if " not traveled " in one["content"])
    sides = [{one["memory_id"], one["contradicting_memory"]["id"]} for one in answer["contradictions"]]
    travelled = [one for one in answer["memories"] if one["id"] != denied]
    return [
        (metric, "all fragments are found", len(answer["memories"]) == len(scenario["fragments"])),
        (metric, "the denial contradicts each of the others", all({denied, one["id"]} in sides for one in travelled)),
        (metric, "nothing else is a contradiction", len(sides) == len(travelled)),
        (metric, "each has its nature", {one["nature"] for one in answer["contradictions"]} == {"factual_conflict"}),
    ]


def _corroboration(scenario: Answer, answer: Answer) -> list[Expected]:
    telling = [one for one in answer["memories"] if "AC123" in one["content"]]
    others = [one for one in answer["memories"] if "AC123" not in one["content"]]
    sources = {source["id"] for one in telling for source in one["sources"]}
    digits = {one["confidence"][1] for one in telling}
    return [
        ("corroboration", "two memories tell of it, from two sources", len(telling) == 2 and len(sources) == 2),
        (
            "corroboration",
            "they come first",
            [one["id"] for one in answer["memories"][:2]] == [one["id"] for one in telling],
        ),
        ("confidence_progression", "independent sources make it probable", digits == {"2"}),
        ("confidence_progression", "others stay as they were", {one["confidence"][1] for one in others} <= {"3"}),
        ("corroboration", "there is no contradiction", not answer["contradictions"]),
    ]


def _derivation(scenario: Answer, answer: Answer) -> list[Expected]:
    metric = "derivation_traceability"
    rules = [one for one in answer["memories"] if one["type"] == "Rule"]
    facts = {one["id"]: one for one in answer["memories"] if one["type"] != "Rule"}
    worst = max((one["confidence"] for one in facts.values()), default="F6")
    return [
        (metric, "there is a rule for each recurring claim", len(rules) == len(set(scenario["fragments"]))),
        (metric, "each is derived in three steps", all(one["properties"]["derivation_depth"] == 3 for one in rules)),
        (metric, "each names its run", all(one["properties"]["derivation_run_id"] for one in rules)),
        (metric, "each names what it rests on", all(len(one["properties"]["derived_from"]) == 2 for one in rules)),
        (metric, "none is better rated than that", all(one["confidence"] >= worst for one in rules)),
    ]


def _timeline(scenario: Answer, answer: Answer) -> list[Expected]:
    metric = "timeline_change_tracking"
    changed = {
        one["properties"]["revises"]["by"].lower() for one in answer["memories"] if "revises" in one["properties"]
    }
    said = [one["content"].lower() for one in answer["memories"]]
    on_time = [one for one in said if "deadline" in one or "march 20" in one or "march 25" in one]
    consistent = scenario["expected_consistent_agent"]
    return [
        (metric, "those who changed their mind are known", changed == set(scenario["expected_changed_agents"])),
        (metric, "their statements are found", len(on_time) >= 4),
        (metric, "so are those of the consistent one", any(f"{consistent}: scope concerns" in one for one in said)),
        (metric, "a change of mind is no contradiction", not answer["contradictions"]),
    ]


def _flight_logs(scenario: Answer, answer: Answer) -> list[Expected]:
    contents = [one["content"].lower() for one in answer["memories"]]
    snippets = [one.lower() for one in scenario["expected_fact_snippets"]]
    right = sum(any(snippet in content for snippet in snippets) for content in contents)
    people = {
        one["name"].lower() for memory in answer["memories"] for one in memory["participants"] if one["type"] == "agent"
    }
    extraction, merging = "extraction_precision_recall_proxy", "entity_merge_precision"
    return [
        (extraction, "every fact is found", all(any(one in content for content in contents) for one in snippets)),
        (extraction, "nothing else is", right == len(contents) == len(snippets)),
        (merging, "the core agents are kept apart", set(scenario["expected_core_agents"]) <= people),
        (merging, "no alias is somebody else", not set(scenario["alias_variants"]) & people),
        (merging, "who is not named is nobody known", "unnamed female" in people),
        ("retrieval_usefulness", "there is no contradiction", not answer["contradictions"]),
    ]


_CHECKS: dict[str, Callable[[Answer, Answer], list[Expected]]] = {
    "tier2_curated_travel_conflict": _travel_conflict,
    "tier2_curated_corroboration_sources": _corroboration,
    "tier2_curated_derivation_traceability": _derivation,
    "tier2_curated_corporate_timeline": _timeline,
    "tier3_flight_logs_subset_runtime": _flight_logs,
}


def check_ground_truth() -> list[Check]:
    """The records are whole, and those that are not are refused for the reason that they name."""
    truth = json.loads((DATA / "ground_truth_tier3_flight_logs_subset.json").read_text(encoding="utf-8"))
    runtime = json.loads((DATA / "tier3_flight_logs_subset_runtime.json").read_text(encoding="utf-8"))
    rows = {
        (row.day, row.origin, row.destination, tuple(name for name, _ in row.people))
        for one in runtime["fragments"]
        if (row := parse_log_row(one))
    }
    told = {
        (one["flight_date"], one["origin"], one["destination"], tuple(one["passengers"])) for one in truth["records"]
    }
    checks = [
        Check(
            truth["dataset_name"],
            "ground_truth",
            "its records are whole",
            not problems_of(truth, truth["required_fields"]),
        ),
        Check(truth["dataset_name"], "ground_truth", "its records are what is read from the log", told <= rows),
    ]
    for sample in truth["negative_samples"]:
        problems = problems_of(sample, truth["required_fields"])
        named = all(
            any(expected in problem for problem in problems) for expected in sample["expected_error_substrings"]
        )
        checks.append(Check(truth["dataset_name"], "ground_truth", f"{sample['name']} is refused", named))
    return checks


def problems_of(sample: Answer, required: Sequence[str]) -> list[str]:
    """What is wrong with a set of records, by what it says it needs."""
    records, needs = sample["records"], sample["expectations"]
    problems = [
        f"record {place}: missing required field '{name}'"
        for place, record in enumerate(records)
        for name in required
        if name not in record
    ]
    if len(records) < needs["min_records"]:
        problems.append(f"{len(records)} records, at least {needs['min_records']} were required")
    if needs["requires_alias_variants"] and not _has_aliases([name for one in records for name in one["passengers"]]):
        problems.append("alias variants were required but not detected in records")
    return problems


def _has_aliases(names: Sequence[str]) -> bool:
    """Whether somebody appears under two writings of one name, or by initials."""
    written: dict[str, set[str]] = {}
    for name in names:
        written.setdefault(make_name_key(name), set()).add(name)
    full = {take_initials(key) for key in written if " " in key}
    return any(len(some) > 1 for some in written.values()) or any(key in full for key in written)
