"""Calls a second of a one-file suite over HTTP, with everything on, against the same tool on the SDK alone."""

from __future__ import annotations

from benchmarks.result import Result
from benchmarks.suite_vs_fastmcp import compare_one_file_suite

GOAL = 2.0


def run() -> Result:
    return compare_one_file_suite("suite_vs_sdk", "benchmarks.peers.sdk_shout", GOAL)
