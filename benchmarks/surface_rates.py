"""Request rates of one call over the HTTP gateway, GraphQL and gRPC, measured on one server in alternating rounds."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from benchmarks.servers import ROOT, ROUND_S, ROUNDS, build_server_command, find_free_port, pin, serving

LIMIT = 5
_METHOD = "/sanya.v1.TasksService/GetTasks"
_MESSAGE = bytes((0x08, LIMIT))  # protobuf: field 1 of GetTasksRequest is `limit`
_ITEM = (
    "id title description notes_markdown project_id status priority is_important due_at remind_at recurrence "
    "created_at updated_at"
)
_QUERY = f"query($limit: Int) {{ get_tasks(limit: $limit) {{ items {{ {_ITEM} }} next_cursor }} }}"

MeasureRate = Callable[[float], float]


def measure_surface(surface: str) -> tuple[float, float]:
    """Return the requests per second of a surface and of the gateway, as medians of alternating rounds."""
    grpc_port = find_free_port()
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        ours = build_server_command(Path(folder) / "home")
        options = ("--grpc", "on", "--grpc-port", str(grpc_port))
        with serving(lambda port: [*ours(port), *options]) as server:
            loads: dict[str, MeasureRate] = {
                "gateway": make_http_load(server.port, "/tools/get_tasks", {"args": {"limit": LIMIT}}),
                "graphql": make_http_load(server.port, "/graphql", {"query": _QUERY, "variables": {"limit": LIMIT}}),
                "grpc": make_grpc_load(grpc_port),
            }
            ask, gateway = loads[surface], loads["gateway"]
            ask(1.0)
            gateway(1.0)
            rounds = [(ask(ROUND_S), gateway(ROUND_S)) for _ in range(ROUNDS)]
    return median(mine for mine, _ in rounds), median(theirs for _, theirs in rounds)


def make_http_load(port: int, path: str, content: dict[str, Any]) -> MeasureRate:
    body = orjson.dumps(content)
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    request = "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body

    def ask(seconds: float) -> float:
        answer = _run_load(["benchmarks.load", str(port), str(seconds)], request)
        response = orjson.loads(answer["body"])
        assert "errors" not in response, response
        return float(answer["per_second"])

    return ask


def make_grpc_load(port: int) -> MeasureRate:
    return lambda seconds: float(
        _run_load(["benchmarks.grpc_load", str(port), str(seconds), _METHOD], _MESSAGE)["per_second"]
    )


def _run_load(arguments: list[str], request: bytes) -> dict[str, Any]:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, input=request, capture_output=True, check=False, cwd=ROOT, preexec_fn=pin(-1))
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace")[-2000:])
    answer: dict[str, Any] = orjson.loads(done.stdout)
    return answer
