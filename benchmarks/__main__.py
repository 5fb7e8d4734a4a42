"""`python -m benchmarks [NAME …]`: runs the benchmarks, shows a table, and closes each with one line of JSON.

A benchmark is a module with `run() -> Result`. Ours and its peer are measured side by side, pinned alike. A goal that
is not reached is reported, not failed: a busy machine is no bug.
"""

from __future__ import annotations

import sys
from importlib import import_module

import orjson
from rich.console import Console
from rich.table import Table

from benchmarks.result import Result

BENCHMARKS = {
    "tools_call_vs_sdk": "benchmarks.tools_call_vs_sdk",
    "get_tasks_vs_sdk": "benchmarks.get_tasks_vs_sdk",
    "tools_call_vs_starlette": "benchmarks.tools_call_vs_starlette",
    "graphql_vs_gateway": "benchmarks.graphql_vs_gateway",
    "grpc_vs_gateway": "benchmarks.grpc_vs_gateway",
    "replicas": "benchmarks.replicas",
    "kernel_call_cpu": "benchmarks.kernel_call_cpu",
    "get_tasks_paging": "benchmarks.tasks_paging",
    "funds_calls": "benchmarks.funds_calls",
    "funds_import": "benchmarks.funds_import",
    "herbs_paths": "benchmarks.herbs_paths",
    "cli_help": "benchmarks.cli_help",
    "mcp_first_answer": "benchmarks.mcp_first_answer",
    "segmentation": "benchmarks.segmentation",
    "retrieval_quality": "benchmarks.retrieval_quality",
    "retrieval_speed": "benchmarks.retrieval_speed",
    "retrieval_upsert": "benchmarks.retrieval_upsert",
    "memory_locomo": "benchmarks.memory_locomo",
    "memory_recall": "benchmarks.memory_recall",
    "memory_send": "benchmarks.memory_send",
    "memory_scenarios": "benchmarks.memory_scenarios",
    "papers_import": "benchmarks.papers_import",
    "papers_search": "benchmarks.papers_search",
    "herbs_search": "benchmarks.herbs_search",
    "console_first_view": "benchmarks.console_first_view",
    "ingest_ocr": "benchmarks.ingest_ocr",
    "ingest_pages": "benchmarks.ingest_pages",
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    results = [_run(name) for name in names or BENCHMARKS]
    _show(results)
    for result in results:
        print(orjson.dumps(result).decode("utf-8"), flush=True)
    return 0


def _run(name: str) -> Result:
    print(f"running {name} …", file=sys.stderr, flush=True)
    result: Result = import_module(BENCHMARKS[name]).run()
    if result["name"] != name:
        raise ValueError(f"{BENCHMARKS[name]} reports as {result['name']}")
    return result


def _show(results: list[Result]) -> None:
    table = Table("benchmark", "ours", "peer", "ratio", "goal", "holds")
    for one in results:
        figures = [f"{figure:g}" for figure in (one["ours"], one["peer"], one["ratio"], one["goal"])]
        table.add_row(one["name"], *figures, "yes" if one["holds"] else "NO")
    Console(width=110).print(table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
