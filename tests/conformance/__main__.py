"""`python -m tests.conformance`: the official suite in both eras, then the official clients, and the Inspector as host
of our pages. Ends with 0 only if every required scenario and every client passes."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.conformance.legs import LEGS, Scenario, run_leg
from tests.conformance.toolbox import NoToolbox, install

console = Console()


def main() -> int:
    try:
        install()
    except (NoToolbox, subprocess.CalledProcessError) as error:
        console.print(f"[red]{error}")
        return 1
    results = [_report(revision, asyncio.run(run_leg(revision))) for revision in LEGS]
    tests = [str(Path(__file__).with_name(name)) for name in ("test_clients.py", "test_apps.py")]
    clients = subprocess.run([sys.executable, "-m", "pytest", "-v", *tests])
    return 0 if all(results) and clients.returncode == 0 else 1


def _report(revision: str, scenarios: list[Scenario]) -> bool:
    table = Table("scenario", "checks", "", title=f"MCP {revision}", title_justify="left")
    for one in scenarios:
        mark = "[green]passes" if one.holds else "[red]FAILS" if one.required else "[dim]not required"
        table.add_row(one.name, str(one.passed), mark)
        if one.required:
            for failure in one.failures:
                table.add_row(f"  [red]{failure}", "", "")
    console.print(table)
    required = [one for one in scenarios if one.required]
    held = sum(one.holds for one in required)
    console.print(f"[bold]{revision}: {held} of {LEGS[revision]} required scenarios pass\n")
    return held == len(required) == LEGS[revision]


if __name__ == "__main__":
    sys.exit(main())
