"""`python -m benchmarks [NAME …]`: runs the benchmarks, prints a table and one line of JSON per benchmark, and rewrites
docs/BENCHMARKS.md.

A benchmark is a module with `run() -> Result`. It measures our side and its peer in one run, pinned to the same cores.
A missed goal is reported and does not fail the run, because a busy machine can cause it.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

import orjson
from rich.console import Console
from rich.table import Table

from benchmarks.figures import FIGURES
from benchmarks.page import keep
from benchmarks.result import Result


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        print(f"Unknown benchmark {unknown[0]!r}. Choose from: {', '.join(FIGURES)}", file=sys.stderr)
        return 2
    results = [_run(name) for name in names or _list_default_names()]
    _show(results)
    keep(results)
    for result in results:
        print(orjson.dumps(result).decode("utf-8"), flush=True)
    return 0


def _list_default_names() -> list[str]:
    is_long = os.environ.get("SANYA_LONG") == "1"
    return [name for name, figure in FIGURES.items() if is_long or not figure.is_long]


def _run(name: str) -> Result:
    print(f"Running {name} …", file=sys.stderr, flush=True)
    module = f"benchmarks.{FIGURES[name].module}"
    result: Result = import_module(module).run()
    if result["name"] != name:
        raise ValueError(f"{module} reports the name {result['name']}, expected {name}")
    return result


def _show(results: list[Result]) -> None:
    table = Table("benchmark", "ours", "peer", "ratio", "goal", "holds")
    for result in results:
        figures = [f"{figure:g}" for figure in (result["ours"], result["peer"], result["ratio"], result["goal"])]
        table.add_row(result["name"], *figures, "yes" if result["holds"] else "NO")
    Console(width=110).print(table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
