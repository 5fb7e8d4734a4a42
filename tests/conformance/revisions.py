"""Runs the official conformance suite against the test-only app, once for each protocol revision."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from asyncio.subprocess import DEVNULL, STDOUT
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.app import serve_app
from tests.conformance.node_tools import SUITE, build_environment, find_node

REQUIRED_SCENARIOS = {"2025-11-25": 30, "2026-07-28": 37}
"""Revision to the number of scenarios it requires."""


@dataclass(frozen=True)
class Scenario:
    name: str
    required: bool
    passed: int
    failures: list[str]

    @property
    def passes(self) -> bool:
        return self.passed > 0 and not self.failures


async def run_revision(revision: str) -> list[Scenario]:
    """Run every scenario of a revision. Returns the required ones first, then the informative ones."""
    with tempfile.TemporaryDirectory() as folder:
        # The suite tests sessions of the older era, which the product does not use.
        async with serve_app(stateful=revision < "2026") as address:
            command = [find_node(), str(SUITE / "dist" / "index.js"), "server", "--url", f"{address}/mcp"]
            more = ["--requirements", revision, "--output-dir", folder]
            process = await asyncio.create_subprocess_exec(
                *command, *more, stdin=DEVNULL, stdout=DEVNULL, stderr=STDOUT, env=build_environment()
            )
            async with asyncio.timeout(600):
                await process.wait()
        return _read_scenarios(revision, Path(folder))


def required_scenarios(revision: str) -> list[str]:
    """Read the `server` list of the revision's requirements file."""
    text = (SUITE / "requirements" / f"{revision}.yaml").read_text(encoding="utf-8")
    block = re.search(r"^server:\n((?:  - .*\n)+)", text, re.MULTILINE)
    if block is None:
        raise ValueError(f"{revision}.yaml has no list of server scenarios")
    return [line.removeprefix("  - ").strip() for line in block[1].splitlines()]


def _read_scenarios(revision: str, folder: Path) -> list[Scenario]:
    required = required_scenarios(revision)
    found: dict[str, Scenario] = {}
    for path in sorted(folder.glob("*/checks.json")):
        name = re.sub(r"^server-|-\d{4}-\d\d-\d\dT[\dZ-]+$", "", path.parent.name)
        checks = json.loads(path.read_text(encoding="utf-8"))
        passed = sum(check["status"] == "SUCCESS" for check in checks)
        failures = [
            f"{check['id']}: {check.get('errorMessage', '')}" for check in checks if check["status"] == "FAILURE"
        ]
        found[name] = Scenario(name, name in required, passed, failures)
    missing = [Scenario(name, True, 0, ["did not run"]) for name in required if name not in found]
    return sorted([*found.values(), *missing], key=lambda scenario: (not scenario.required, scenario.name))
