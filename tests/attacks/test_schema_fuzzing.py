"""Schemathesis makes requests from openapi.json for a minute: no server error, and no status that is not described.

It runs in the long form of the tests (SANYA_LONG=1). Tools that reach the network are left out: without it they answer
502, as the document says, and schemathesis takes every status from 500 on for a mistake of ours. So is the evaluation,
whose one example takes as long as all others together.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import sanya
from tests.attacks.case_counts import count_case
from tests.long_form import often
from tests.replicas.pair import Replica
from tests.surfaces.cli.conftest import PROGRAM

SECONDS = often(0, 60)
SLOW = "tool.eval.run"


@pytest.fixture
def server(begun_home: Path) -> Iterator[Replica]:
    replica = Replica("fuzzed", begun_home, {"SANYA_PORT": "0", "SANYA_GRPC": "off", "SANYA_LOG_FORMAT": "json"})
    replica.start()
    try:
        yield replica
    finally:
        replica.stop()


@pytest.mark.skipif(not SECONDS, reason="fuzzing takes a minute (SANYA_LONG=1)")
def test_the_gateway_answers_what_its_description_says(server: Replica, tmp_path: Path) -> None:
    report, left_out = tmp_path / "report.json", _list_left_out(server.home)
    url = f"http://127.0.0.1:{server.wait_for_port()}/openapi.json"
    command = [str(PROGRAM.with_name("schemathesis")), "run", url, "--max-time", str(SECONDS), "--no-color"]
    command += ["--phases", "coverage,fuzzing", "--checks", "not_a_server_error,status_code_conformance"]
    command += ["--exclude-path-regex", left_out, "--continue-on-failure", "--suppress-health-check", "all"]
    command += ["--request-timeout", "60", "--report", "json", "--report-json-path", str(report)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=10 * SECONDS, check=False)
    assert ran.returncode == 0, ran.stdout[-10_000:] + ran.stderr[-2_000:]
    count_case(_count_cases(report))


def _list_left_out(home: Path) -> str:
    """Return a regular expression of the paths that are not tried."""

    async def list_online() -> list[str]:
        async with sanya.open(home) as app:
            return [tool.name for tool in app.kernel.catalogue.tools if tool.open_world]

    names = "|".join(re.escape(name) for name in (*asyncio.run(list_online()), SLOW))
    return f"^/tools/({names})$"


def _count_cases(report: Path) -> int:
    described = json.loads(report.read_text("utf-8"))
    return int(described["test_cases"]["generated"])
