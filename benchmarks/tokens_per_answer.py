"""Tokens of the answers to the jobs of an agent with `detail: short`. The peer is the same jobs with whole answers.

A job counts as done with fewer tokens only if it kept its facts, so the run fails where `short` loses one.
"""

from __future__ import annotations

from collections import Counter

from benchmarks.agent_jobs.report import do_jobs
from benchmarks.agent_jobs.runner import JobResult
from benchmarks.result import Result, judge_ratio

GOAL = 0.5


def run() -> Result:
    short, full = do_jobs("short"), do_jobs("full")
    right = {result.job.id for result in short if result.is_right}
    lost = {result.job.id for result in full if result.is_right} - right
    if lost:
        raise RuntimeError(f"short answers lost facts of these jobs: {', '.join(sorted(lost))}")
    _print_tools(short, full)
    return judge_ratio("tokens_per_answer", _count_tokens(short), _count_tokens(full), ("<=", GOAL))


def _count_tokens(results: list[JobResult]) -> int:
    return sum(result.tokens for result in results)


def _print_tools(short: list[JobResult], full: list[JobResult]) -> None:
    """Print the tokens of an answer by tool."""
    shorter, longer, calls = _sum_by_tool(short), _sum_by_tool(full), Counter(tool for r in full for tool, _ in r.sizes)
    for tool, tokens in longer.most_common():
        print(f"{tool:32} {shorter[tool] // calls[tool]:6} of {tokens // calls[tool]:6} tokens an answer")


def _sum_by_tool(results: list[JobResult]) -> Counter[str]:
    sums: Counter[str] = Counter()
    for result in results:
        for tool, tokens in result.sizes:
            sums[tool] += tokens
    return sums
