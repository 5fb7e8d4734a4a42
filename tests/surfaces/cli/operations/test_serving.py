"""`sanya serve` and `sanya mcp` as processes: they start, answer, stop cleanly, and report why they cannot."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import httpx
import pytest

from tests.surfaces.cli.conftest import PROGRAM, TIMEOUT_S

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


@contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        try:
            yield program
        finally:
            program.kill()


def ready_address(errors: IO[bytes]) -> str:
    for line in errors:
        record = json.loads(line)
        if "url" in record:
            return str(record["url"])
    raise AssertionError("the server ended before it was ready")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serve_answers_and_a_signal_ends_it_with_all_rows_written(number: int, home: Path, sanya: Run) -> None:
    with started(str(PROGRAM), "serve", "--port", "0", "--home", str(home)) as program:
        assert program.stderr is not None
        address = ready_address(program.stderr)
        answer = httpx.post(f"{address}/tools/get_projects", json={"args": {}}, trust_env=False, timeout=TIMEOUT_S)
        assert answer.json()["ok"]
        program.send_signal(number)
        _, errors = program.communicate(timeout=TIMEOUT_S)
        assert program.returncode == 0
    assert b"Traceback" not in errors
    call_id = answer.json()["meta"]["call_id"]
    assert sanya("audit", "show", call_id, "--json").json["surface"] == "http"


def test_a_taken_port_is_one_sentence(sanya_process: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ran = sanya_process("serve", "--port", port)
    assert (ran.code, ran.out) == (1, "")
    assert port in ran.err
    assert "Traceback" not in ran.err


def test_an_open_address_without_keys_is_refused(sanya_process: Run) -> None:
    ran = sanya_process("serve", "--host", "0.0.0.0", "--port", "0")
    assert (ran.code, ran.out) == (1, "")
    assert "sanya keys create" in ran.err


def test_a_setting_given_as_an_option_beats_the_environment(sanya_process: Run) -> None:
    ran = sanya_process("serve", "--port", "many", environ={"SANYA_PORT": "0"})
    assert ran.code == 1
    assert ran.err == "sanya: command line: port takes number, got 'many'\n"


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def greet(program: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(json.dumps(HELLO).encode() + b"\n")
    program.stdin.flush()
    answer: dict[str, Any] = json.loads(program.stdout.readline())
    return answer


def test_mcp_answers_on_stdout_alone_and_ends_with_its_client(home: Path) -> None:
    with started(str(PROGRAM), "mcp", "--home", str(home)) as program:
        answer = greet(program)
        out, errors = program.communicate(timeout=TIMEOUT_S)
        assert program.returncode == 0
    assert answer["result"]["serverInfo"]["name"]
    assert out == b""
    assert b"Traceback" not in errors


def test_what_connect_prints_starts_a_server(sanya: Run) -> None:
    entry = sanya("connect", "claude-desktop").json["mcpServers"]["sanya"]
    with started(entry["command"], *entry["args"]) as program:
        assert greet(program)["id"] == 1
        program.communicate(timeout=TIMEOUT_S)
        assert program.returncode == 0
