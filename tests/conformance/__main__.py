"""`python -m tests.conformance`: runs the official suite in both eras, the official clients, and the Inspector.

Exits with 0 only if every required scenario and every client passes.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.conformance.node_tools import NodeToolsMissing, install
from tests.conformance.revisions import REQUIRED_SCENARIOS, Scenario, run_revision

console = Console()


def main() -> int:
    try:
        install()
    except (NodeToolsMissing, subprocess.CalledProcessError) as error:
        console.print(f"[red]{error}")
        return 1
    results = [_report(revision, asyncio.run(run_revision(revision))) for revision in REQUIRED_SCENARIOS]
    tests = [
        str(Path(__file__).with_name(name)) for name in ("test_clients.py", "test_apps.py", "test_proxied_server.py")
    ]
    clients = subprocess.run([sys.executable, "-m", "pytest", "-v", *tests])
    return 0 if all(results) and clients.returncode == 0 else 1


def _report(revision: str, scenarios: list[Scenario]) -> bool:
    table = Table("scenario", "checks", "", title=f"MCP {revision}", title_justify="left")
    for scenario in scenarios:
        mark = "[green]passes" if scenario.passes else "[red]FAILS" if scenario.required else "[dim]not required"
        table.add_row(scenario.name, str(scenario.passed), mark)
        if scenario.required:
            for failure in scenario.failures:
                table.add_row(f"  [red]{failure}", "", "")
    console.print(table)
    required = [scenario for scenario in scenarios if scenario.required]
    passed = sum(scenario.passes for scenario in required)
    console.print(f"[bold]{revision}: {passed} of {REQUIRED_SCENARIOS[revision]} required scenarios pass\n")
    return passed == len(required) == REQUIRED_SCENARIOS[revision]


if __name__ == "__main__":
    sys.exit(main())
