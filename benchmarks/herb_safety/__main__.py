"""Prints the figures of the safety check by kind of case, and the cases that fail.

`python -m benchmarks.herb_safety` shows the development cases; `--unseen` shows the figures of the others, without the
cases themselves, so that nobody tunes to them.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

import sanya

CASES = Path(__file__).parent / "cases.jsonl"
_FIELDS = ("herb_ids", "formulation_ids", "drugs", "conditions")


def load_cases(split: str) -> list[dict[str, Any]]:
    cases = map(orjson.loads, CASES.read_bytes().splitlines())
    return [case for case in cases if case["split"] == split]


def judge_pair(expected: str, rows: list[dict[str, Any]]) -> str:
    """Return how a pair came out: right, missed (a warning expected, none given), unknown (a name not understood),
    guessed (an unclear name treated as clear) or silent (no verdict at all)."""
    if not rows:
        return "silent"
    verdicts = {row["verdict"] for row in rows}
    if expected == "not_checked":
        return "right" if "not_checked" in verdicts or any(row["is_ambiguous"] for row in rows) else "guessed"
    if "not_checked" in verdicts:
        return "unknown"
    return "right" if expected == "known" or "warned" in verdicts else "missed"


async def measure(split: str) -> tuple[dict[str, Counter[str]], list[str]]:
    """Return the outcomes by kind of case, and a line for each pair that is not right."""
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    failures = []
    with TemporaryDirectory() as home:
        async with sanya.open(home) as app:
            for case in load_cases(split):
                page = await app.call("tool.find_contraindications", {name: case[name] for name in _FIELDS})
                for pair in case["pairs"]:
                    rows = [
                        row
                        for row in page["pairs"]
                        if (row["entity"], row["object"]) == (pair["entity"], pair["object"])
                    ]
                    outcome = judge_pair(pair["expected"], rows)
                    outcomes[case["kind"]][outcome] += 1
                    if outcome != "right":
                        read = [(row["entity_id"], row["object_ids"], row["verdict"]) for row in rows]
                        failures.append(f"{outcome:8} {case['id']} {pair['entity']} + {pair['object']}: {read}")
    return outcomes, failures


def main(arguments: list[str]) -> None:
    split = "unseen" if "--unseen" in arguments else "development"
    outcomes, failures = asyncio.run(measure(split))
    kinds = ("right", "missed", "unknown", "guessed", "silent")
    print(f"{split:14}" + "".join(f"{name:>10}" for name in ("pairs", *kinds)))
    for kind, counts in [*outcomes.items(), ("all", sum(outcomes.values(), Counter()))]:
        print(f"{kind:14}{sum(counts.values()):>10}" + "".join(f"{counts[name]:>10}" for name in kinds))
    if split == "development":
        print("\n".join(failures))


if __name__ == "__main__":
    main(sys.argv[1:])
