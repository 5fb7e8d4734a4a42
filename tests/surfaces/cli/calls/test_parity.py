from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

PATIENCE_S = 600
WAYS = {"MCP stdio", "MCP modern", "MCP legacy", "MCP portable", "gateway", "GraphQL", "gRPC", "CLI"}


@pytest.fixture(autouse=True)
def asked_home(indexed_home: Path, home: Path) -> None:
    shutil.copytree(indexed_home, home)


def test_every_example_has_one_answer_on_every_way_in(sanya: Run, sanya_process: Run) -> None:
    ran = sanya_process("parity", "--json", timeout_s=PATIENCE_S)
    assert ran.code == 0, ran.out + ran.err
    assert ran.json["equal"]
    reading = [tool for tool in sanya("tools", "--json").json if tool["effect"] == "read"]
    examples = {(tool["name"], example["title"]) for tool in reading for example in tool["examples"]}
    tools = [case for case in ran.json["cases"] if case["uri"] is None]
    assert {(case["tool"], case["example"]) for case in tools} == examples
    for case in ran.json["cases"]:
        assert set(case["differences"]) == (WAYS if case["uri"] is None else WAYS - {"gateway"})
    assert len(ran.json["cases"]) - len(tools) >= 12
    rows = sanya("audit", "list", "--json", "--limit", "500").out.splitlines()
    surfaces = {json.loads(row)["surface"] for row in rows}
    assert {"python", "mcp", "http", "graphql", "grpc", "cli"} <= surfaces


def test_a_refusal_is_the_same_refusal_everywhere_and_an_open_home_gets_no_key(sanya: Run, sanya_process: Run) -> None:
    ran = sanya_process("parity", "--tool", "get_tasks", "--args", '{"limit": 501}', timeout_s=PATIENCE_S)
    assert ran.code == 0, ran.out + ran.err
    assert ran.out.splitlines()[1].count("✓") == len(WAYS)
    assert "Waited for: server" in ran.err
    assert sanya("keys", "list", "--json").json == []


def test_a_home_with_keys_is_compared_with_a_key_that_is_revoked_afterwards(sanya: Run, sanya_process: Run) -> None:
    assert sanya("keys", "create", "mine", "--scope", "tasks:read").code == 0
    ran = sanya_process("parity", "--tool", "get_tasks", "--json", timeout_s=PATIENCE_S)
    assert ran.code == 0, ran.out + ran.err
    assert all(set(case["differences"]) == WAYS for case in ran.json["cases"])
    assert ran.json["equal"]
    assert set(ran.json["waited_s"]) == {"server", *WAYS} - {"gateway", "CLI"}
    keys = {key["name"]: key for key in sanya("keys", "list", "--json").json}
    assert keys["mine"]["revoked_at"] is None
    assert keys["parity"]["revoked_at"] is not None
    assert keys["parity"]["scopes"] == ["tasks:read"]


def test_a_server_that_ends_is_reported_with_its_output(sanya_process: Run) -> None:
    ran = sanya_process("parity", "--tool", "get_tasks", environ={"SANYA_GRPC": "sideways"}, timeout_s=PATIENCE_S)
    assert ran.code != 0
    assert "SANYA_GRPC" in ran.err or "grpc" in ran.err


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--args", "{}"], 2, "--args needs --tool"),
        (["--tool", "get_tasks", "--args", "[]"], 2, "JSON object"),
        (["--tool", "get_task"], 1, "get_tasks"),
    ],
)
def test_what_cannot_be_compared_is_said(words: list[str], code: int, says: str, sanya: Run) -> None:
    ran = sanya("parity", *words)
    assert ran.code == code
    assert says in ran.err
