"""The same call by the gateway, by GraphQL and by gRPC, on one server, in rounds that take turns."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import orjson

from benchmarks.servers import ROOT, ROUND_S, ROUNDS, free_port, ours_at, pin, serving

LIMIT = 5
_METHOD = "/sanya.v1.TasksService/GetTasks"
_MESSAGE = bytes((0x08, LIMIT))  # the first field of GetTasksRequest is `limit`
_ITEM = (
    "id title description notes_markdown project_id status priority is_important due_at remind_at recurrence "
    "created_at updated_at"
)
_QUERY = f"query($limit: Int) {{ get_tasks(limit: $limit) {{ items {{ {_ITEM} }} next_cursor }} }}"

Ask = Callable[[float], float]


def measured(door: str) -> tuple[float, float]:
    """Requests a second of the door and of the gateway: the medians of rounds in turns."""
    grpc_port = free_port()
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        ours = ours_at(Path(folder) / "home")
        words = ("--grpc", "on", "--grpc-port", str(grpc_port))
        with serving(lambda port: [*ours(port), *words]) as server:
            doors: dict[str, Ask] = {
                "gateway": _over_http(server.port, "/tools/get_tasks", {"args": {"limit": LIMIT}}),
                "graphql": _over_http(server.port, "/graphql", {"query": _QUERY, "variables": {"limit": LIMIT}}),
                "grpc": _over_grpc(grpc_port),
            }
            ask, gateway = doors[door], doors["gateway"]
            ask(1.0)
            gateway(1.0)
            rounds = [(ask(ROUND_S), gateway(ROUND_S)) for _ in range(ROUNDS)]
    return median(mine for mine, _ in rounds), median(theirs for _, theirs in rounds)


def _over_http(port: int, path: str, content: dict[str, Any]) -> Ask:
    body = orjson.dumps(content)
    lines = (
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    request = "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body

    def ask(seconds: float) -> float:
        answer = _loaded(["benchmarks.load", str(port), str(seconds)], request)
        told = orjson.loads(answer["body"])
        assert "errors" not in told, told
        return float(answer["per_second"])

    return ask


def _over_grpc(port: int) -> Ask:
    return lambda seconds: float(
        _loaded(["benchmarks.grpc_load", str(port), str(seconds), _METHOD], _MESSAGE)["per_second"]
    )


def _loaded(words: list[str], request: bytes) -> dict[str, Any]:
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, input=request, capture_output=True, check=False, cwd=ROOT, preexec_fn=pin(-1))
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace")[-2000:])
    answer: dict[str, Any] = orjson.loads(done.stdout)
    return answer
