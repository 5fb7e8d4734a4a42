"""The official suite against the test-only app, one leg for each era."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from asyncio.subprocess import DEVNULL, STDOUT
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.app import served
from tests.conformance.toolbox import SUITE, environment, node

LEGS = {"2025-11-25": 30, "2026-07-28": 37}
"""Each revision, and how many scenarios it requires."""


@dataclass(frozen=True)
class Scenario:
    name: str
    required: bool
    passed: int
    failures: list[str]

    @property
    def holds(self) -> bool:
        return self.passed > 0 and not self.failures


async def run_leg(revision: str) -> list[Scenario]:
    """Every scenario of a revision: those it requires first, then those that are run for show."""
    with tempfile.TemporaryDirectory() as folder:
        # The suite tests the older era's sessions, which the product does without.
        async with served(stateful=revision < "2026") as address:
            command = [node(), str(SUITE / "dist" / "index.js"), "server", "--url", f"{address}/mcp"]
            more = ["--requirements", revision, "--output-dir", folder]
            process = await asyncio.create_subprocess_exec(
                *command, *more, stdin=DEVNULL, stdout=DEVNULL, stderr=STDOUT, env=environment()
            )
            async with asyncio.timeout(600):
                await process.wait()
        return _scenarios(revision, Path(folder))


def required_scenarios(revision: str) -> list[str]:
    """The `server` list of the revision's own file."""
    text = (SUITE / "requirements" / f"{revision}.yaml").read_text(encoding="utf-8")
    block = re.search(r"^server:\n((?:  - .*\n)+)", text, re.MULTILINE)
    if block is None:
        raise ValueError(f"{revision}.yaml has no list of server scenarios")
    return [line.removeprefix("  - ").strip() for line in block[1].splitlines()]


def _scenarios(revision: str, folder: Path) -> list[Scenario]:
    required = required_scenarios(revision)
    found: dict[str, Scenario] = {}
    for path in sorted(folder.glob("*/checks.json")):
        name = re.sub(r"^server-|-\d{4}-\d\d-\d\dT[\dZ-]+$", "", path.parent.name)
        checks = json.loads(path.read_text(encoding="utf-8"))
        passed = sum(check["status"] == "SUCCESS" for check in checks)
        failures = [f"{one['id']}: {one.get('errorMessage', '')}" for one in checks if one["status"] == "FAILURE"]
        found[name] = Scenario(name, name in required, passed, failures)
    missing = [Scenario(name, True, 0, ["it did not run"]) for name in required if name not in found]
    return sorted([*found.values(), *missing], key=lambda one: (not one.required, one.name))
