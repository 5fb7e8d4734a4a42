"""Calls a second of a one-file suite over HTTP, with everything on, against the same tool in FastMCP."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.guest_packages import write_guest
from benchmarks.result import Result, judge_ratio
from benchmarks.servers import build_server_command, measure_in_turns, serving

GOAL = 5.0
TEXT = {"text": "สวัสดี, world"}


def run() -> Result:
    return compare_one_file_suite("suite_vs_fastmcp", "benchmarks.peers.fastmcp_server", GOAL)


def compare_one_file_suite(name: str, peer_module: str, goal: float) -> Result:
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as folder:
        packages = Path(folder) / "packages"
        write_guest(packages, "shouter")
        command = build_server_command(Path(folder) / "home")
        with (
            serving(command, ("shouter.shout", TEXT), path=packages) as ours,
            serving(lambda port: [sys.executable, "-m", peer_module, str(port)], ("shout", TEXT)) as peer,
        ):
            return judge_ratio(name, *measure_in_turns(ours, peer), (">=", goal))
