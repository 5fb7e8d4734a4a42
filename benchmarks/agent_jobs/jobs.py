"""Reads the jobs: what a person asks, the calls that a good model makes, and the facts that a right answer contains."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

_JOBS = Path(__file__).with_name("jobs.json")
_REFERENCE = re.compile(r"\{(\d+)\.([\w.]+)\}")


@dataclass(frozen=True, slots=True)
class ToolCall:
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """`facts` are lists of alternatives: of each list, one must stand in the answers, whatever its case."""

    id: str
    lang: str
    ask: str
    calls: tuple[ToolCall, ...]
    facts: tuple[tuple[str, ...], ...]

    def find_missing_facts(self, told: str) -> list[str]:
        told = told.casefold()
        return [
            " / ".join(choices) for choices in self.facts if not any(choice.casefold() in told for choice in choices)
        ]


def load_jobs() -> list[Job]:
    return [
        Job(
            row["id"],
            row["lang"],
            row["ask"],
            tuple(ToolCall(call["tool"], call["arguments"]) for call in row["calls"]),
            tuple(tuple(choices) for choices in row["facts"]),
        )
        for row in orjson.loads(_JOBS.read_bytes())
    ]


def fill_references(arguments: Any, answers: Sequence[Any]) -> Any:
    """Return the arguments with `{1.items.0.id}` replaced by that value of the first answer."""
    if isinstance(arguments, dict):
        return {name: fill_references(value, answers) for name, value in arguments.items()}
    if isinstance(arguments, list):
        return [fill_references(item, answers) for item in arguments]
    if isinstance(arguments, str) and (reference := _REFERENCE.fullmatch(arguments)):
        return _find_value(answers[int(reference[1]) - 1], reference[2])
    return arguments


def _find_value(answer: Any, path: str) -> Any:
    """Return the value at the path, or a text that no tool knows: the job then misses its facts."""
    for part in path.split("."):
        try:
            answer = answer[int(part)] if isinstance(answer, list) else answer[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return f"nothing at {path}"
    return answer
