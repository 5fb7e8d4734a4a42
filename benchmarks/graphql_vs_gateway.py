"""One page of tasks, every field of it, by GraphQL against the same call by the gateway of the same server."""

from __future__ import annotations

from benchmarks.doors import measured
from benchmarks.result import Result, judged

GOAL = 0.5


def run() -> Result:
    return judged("graphql_vs_gateway", *measured("graphql"), (">=", GOAL))
