"""Every command of the tutorial runs, in its order, against a real server; so do the Python pages' examples."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# `make serve` and the activation of the environment are what this test stands in for.
_REPLACED = ("make serve", ". .venv/bin/activate")
_EXPECTED = {
    "curl": '"items"',
    "sanya call get_tasks": '"items"',
    "sanya tools get_tasks": "cursor",
    "sanya herbs check": "warfarin",
    "sanya call send_memory": '"accepted"',
    "sanya call get_memory": "Khun Malee takes warfarin",
    "python agent.py": "remembered: Khun Malee takes warfarin since May 2026.",
    "sanya memory search": "Turmeric was checked",
    "sanya connect": "mcp",
    "sanya audit list": "tool.find_contraindications",
    "sanya audit verify": "holds",
    "sanya replay": "same",
}
"""A piece of the output of each command, by how the command begins."""
_EXIT_CODES = {"sanya herbs check": 3}
"""Exit codes other than 0: the check found a warning."""


def read_blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / page).read_text("utf-8"), re.DOTALL)


def choose_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def environment(begun_home: Path) -> dict[str, str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "SANYA_HOME": str(begun_home), "PATH": path, "SANYA_GRPC": "off"}


@pytest.fixture
def port(environment: dict[str, str]) -> Iterator[int]:
    """The port of a server that answers."""
    port = choose_port()
    command = [sys.executable, "-m", "sanya.surfaces.cli.main", "serve", "--port", str(port)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            wait_until_ready(port, server)
            yield port
        finally:
            server.terminate()
            server.wait(60)


def wait_until_ready(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 120
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                assert answer.status == 200
                return
        except (urllib.error.URLError, ConnectionError):
            assert server.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server did not become ready"
            time.sleep(0.05)


def test_every_command_of_the_tutorial_works(port: int, environment: dict[str, str], tmp_path: Path) -> None:
    (script,) = read_blocks("tutorial.md", "python")
    (tmp_path / "agent.py").write_text(script.replace("8787", str(port)), "utf-8")
    commands = [line for block in read_blocks("tutorial.md", "sh") for line in block.splitlines()]
    last_id = ""
    for command in commands:
        if command in _REPLACED:
            continue
        ready = command.replace("8787", str(port)).replace(" ID", f" {last_id}")
        run = subprocess.run(
            ready, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        expected = next((code for beginning, code in _EXIT_CODES.items() if command.startswith(beginning)), 0)
        assert run.returncode == expected, f"{command}\n{run.stdout}\n{run.stderr}"
        for beginning, piece in _EXPECTED.items():
            if command.startswith(beginning):
                assert piece in run.stdout, f"{command}\n{run.stdout}"
        if ids := re.findall(r"\bcall_\w+", run.stdout):
            last_id = ids[0]


def test_the_example_of_the_python_page_runs(environment: dict[str, str], begun_home: Path) -> None:
    example = read_blocks("python-api.md", "python")[0].replace("~/.my-home", str(begun_home))
    run = subprocess.run(
        [sys.executable, "-c", example], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stderr
    assert re.search(r"[0-9a-f]{64}", run.stdout), run.stdout
