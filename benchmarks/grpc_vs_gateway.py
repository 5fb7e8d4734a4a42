"""Request rate of a gRPC call for a page of tasks, against the same call over the gateway of the same server."""

from __future__ import annotations

from benchmarks.result import Result, judge_ratio
from benchmarks.surface_rates import measure_surface

GOAL = 1.0


def run() -> Result:
    return judge_ratio("grpc_vs_gateway", *measure_surface("grpc"), (">=", GOAL))
