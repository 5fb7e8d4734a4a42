"""One page of tasks by gRPC against the same call by the gateway of the same server."""

from __future__ import annotations

from benchmarks.doors import measured
from benchmarks.result import Result, judged

GOAL = 1.0


def run() -> Result:
    return judged("grpc_vs_gateway", *measured("grpc"), (">=", GOAL))
