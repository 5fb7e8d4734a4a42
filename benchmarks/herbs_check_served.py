"""The safety check of 5 herbs × 10 drugs × 5 conditions beside its single pairs, over HTTP as a client meets it.

As in `herbs_check`, each of the 75 pairs is asked alone in turn. Both kinds of request go over one connection to a
running server, and a request ends with the last byte of its answer. To parse it takes a client as long again as the
server needs for all of it, and is left out.
"""

from __future__ import annotations

import time
from http.client import HTTPConnection
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from benchmarks.herbs_check import CHECK, MANY_PAIRS, ROUNDS, SINGLE_PAIRS, WARM_UP
from benchmarks.result import Result, judge_ratio
from benchmarks.servers import build_server_command, serving

_GOAL = 2.0


def run() -> Result:
    times: dict[str, list[float]] = {"many": [], "single": []}
    with (
        TemporaryDirectory(prefix="sanya-bench-") as folder,
        serving(build_server_command(Path(folder) / "home")) as at,
    ):
        connection = HTTPConnection("127.0.0.1", at.port)
        for number, pair in zip(range(WARM_UP + ROUNDS), cycle(SINGLE_PAIRS), strict=False):
            for name, request in (("many", MANY_PAIRS), ("single", pair)):
                spent = _time_call(connection, request)
                if number >= WARM_UP:
                    times[name].append(spent)
        connection.close()
    many, single = (1000 * quantiles(spent, n=20)[-1] for spent in times.values())
    return judge_ratio("herbs_check_served", many, single, ("<=", _GOAL))


def _time_call(connection: HTTPConnection, request: dict[str, Any]) -> float:
    body = orjson.dumps({"args": request})
    start = time.perf_counter()
    connection.request("POST", f"/tools/{CHECK}", body, {"Content-Type": "application/json"})
    content = connection.getresponse().read()
    spent = time.perf_counter() - start
    answer = orjson.loads(content)
    if not answer["ok"]:
        raise RuntimeError(f"the check failed: {answer['error']}")
    return spent


if __name__ == "__main__":
    print(run())
