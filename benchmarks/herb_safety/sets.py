"""The sets of the safety check, and how a pair or a name of them came out."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import orjson

from sanya.app import App

FOLDER = Path(__file__).parent
CASE_FILES = ("cases.jsonl", "fresh_cases.jsonl", "ward_cases.jsonl")
NAME_FILES = ("names.jsonl", "more_names.jsonl")
NAME_KINDS = ("generic", "brand", "thai", "class", "condition", "herb")
CHECK = "tool.find_contraindications"
_FIELDS = ("herb_ids", "formulation_ids", "drugs", "conditions")
_NAMES_PER_CALL = 20
_NAME_FIELDS = {"herb": "herb_ids", "condition": "conditions"}

Outcomes = dict[str, Counter[str]]


def load_cases(split: str, file_name: str = CASE_FILES[0]) -> list[dict[str, Any]]:
    cases = map(orjson.loads, (FOLDER / file_name).read_bytes().splitlines())
    return [case for case in cases if case["split"] == split]


def load_names(split: str, kind: str, file_name: str = NAME_FILES[0]) -> list[dict[str, Any]]:
    names = map(orjson.loads, (FOLDER / file_name).read_bytes().splitlines())
    return [name for name in names if (name["split"], name["kind"]) == (split, kind)]


def judge_pair(expected: str, rows: list[dict[str, Any]]) -> str:
    """Return how a pair came out: right, missed (a warning expected, none given), not recorded (the same, but no
    statement is on record, or the plant is in no table and told so), unknown (a name not understood), guessed (an
    unclear name treated as clear), false (a warning that should not be) or silent (no verdict at all)."""
    if not rows:
        return "silent"
    verdicts = {row["verdict"] for row in rows}
    if expected == "not_checked":
        return "right" if "not_checked" in verdicts or any(row["is_ambiguous"] for row in rows) else "guessed"
    if "not_checked" in verdicts:
        if expected == "not_recorded":
            return expected
        is_offered = expected == "offered" and any(row["candidates"] for row in rows)
        return "right" if is_offered else "unknown"
    if expected == "clear":
        return "false" if "warned" in verdicts else "right"
    if expected in ("known", "offered") or "warned" in verdicts:
        return "right"
    return "not_recorded" if expected == "not_recorded" else "missed"


async def measure_cases(app: App, split: str, file_name: str) -> tuple[Outcomes, list[str]]:
    """Return the outcomes by kind of case, and a line for each pair that is not right."""
    outcomes: Outcomes = defaultdict(Counter)
    failures = []
    for case in load_cases(split, file_name):
        page = await app.call(CHECK, {name: case[name] for name in _FIELDS} | {"limit": 1})
        for pair in case["pairs"]:
            ends = (pair["entity"], pair["object"])
            rows = [row for row in page["pairs"] if (row["entity"], row["object"]) == ends]
            outcome = judge_pair(pair["expected"], rows)
            outcomes[case["kind"]][outcome] += 1
            if outcome != "right":
                read = [(row["entity_id"], row["object_ids"], row["verdict"]) for row in rows]
                failures.append(f"{outcome:13}{case['id']} {' + '.join(ends)}: {read}")
    return outcomes, failures


async def measure_names(
    app: App, split: str, kind: str, file_name: str = NAME_FILES[0]
) -> tuple[Counter[str], list[str]]:
    """Return how many names of a kind are known, ambiguous, unsure or unknown, and those that are not known."""
    names = load_names(split, kind, file_name)
    counts: Counter[str] = Counter()
    failures = []
    for start in range(0, len(names), _NAMES_PER_CALL):
        given = [name["name"] for name in names[start : start + _NAMES_PER_CALL]]
        other = {"drugs": ["warfarin"]} if kind == "herb" else {"herb_ids": ["ginger"]}
        page = await app.call(CHECK, {_NAME_FIELDS.get(kind, "drugs"): given, **other, "limit": 1})
        unresolved = {name["given"]: name for name in page["unresolved"]}
        for name in given:
            doubt = unresolved.get(name)
            status = "known" if doubt is None else _name_doubt(doubt)
            counts[status] += 1
            if status not in ("known", "ambiguous"):
                failures.append(f"{status:13}{kind} {name}")
    return counts, failures


def _name_doubt(unresolved: dict[str, Any]) -> str:
    if unresolved["reason"] == "ambiguous":
        return "ambiguous"
    return "unsure" if unresolved["candidates"] else "unknown"
