"""Request rate of a GraphQL query for a page of tasks, against the same call over the gateway of the same server."""

from __future__ import annotations

from benchmarks.result import Result, judge_ratio
from benchmarks.surface_rates import measure_surface

GOAL = 0.5


def run() -> Result:
    return judge_ratio("graphql_vs_gateway", *measure_surface("graphql"), (">=", GOAL))
