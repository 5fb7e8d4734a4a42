"""The safety check of 5 herbs × 10 drugs × 5 conditions beside one of a single pair, over HTTP as a client meets it.

Both requests go over one connection to a running server in turns, and the answers are read and parsed.
"""

from __future__ import annotations

import time
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from benchmarks.herbs_check import CHECK, MANY_PAIRS, ONE_PAIR
from benchmarks.result import Result, judge_ratio
from benchmarks.servers import build_server_command, serving

_WARM_UP, _ROUNDS = 20, 300
_GOAL = 2.0


def run() -> Result:
    times: dict[str, list[float]] = {"many": [], "single": []}
    with (
        TemporaryDirectory(prefix="sanya-bench-") as folder,
        serving(build_server_command(Path(folder) / "home")) as at,
    ):
        connection = HTTPConnection("127.0.0.1", at.port)
        for number in range(_WARM_UP + _ROUNDS):
            for name, request in (("many", MANY_PAIRS), ("single", ONE_PAIR)):
                spent = _time_call(connection, request)
                if number >= _WARM_UP:
                    times[name].append(spent)
        connection.close()
    many, single = (1000 * quantiles(spent, n=20)[-1] for spent in times.values())
    return judge_ratio("herbs_check_served", many, single, ("<=", _GOAL))


def _time_call(connection: HTTPConnection, request: dict[str, Any]) -> float:
    body = orjson.dumps({"args": request})
    start = time.perf_counter()
    connection.request("POST", f"/tools/{CHECK}", body, {"Content-Type": "application/json"})
    answer = orjson.loads(connection.getresponse().read())
    spent = time.perf_counter() - start
    if not answer["ok"]:
        raise RuntimeError(f"the check failed: {answer['error']}")
    return spent


if __name__ == "__main__":
    print(run())
