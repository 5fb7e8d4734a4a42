from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "nlpo3", "pythainlp", "tantivy", "usearch", "tokenizers", "httpx", "psycopg", "redis", "weaviate")
SUITES = ("tasks", "funds", "memory", "herbs", "papers")


def loaded(program: str) -> list[str]:
    command = [sys.executable, "-c", f"import sys; {program}; print('\\n'.join(sys.modules))"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split()


def test_a_start_loads_neither_the_suites_nor_what_searches_nor_other_wires() -> None:
    there = loaded("import sanya.app")
    assert [name for name in (*HEAVY, "graphql", "strawberry", "grpc", "mcp") if name in there] == []
    assert [name for name in there if name.startswith("sanya.suites.")] == ["sanya.suites.registry"]


def test_a_server_starts_without_the_wires_that_nobody_has_asked_for_yet() -> None:
    there = loaded("import sanya.surfaces.http.server")
    assert [name for name in ("graphql", "grpc", "httpunk", "google.protobuf") if name in there] == []


def test_a_call_that_searches_nothing_does_not_load_what_searches() -> None:
    opened = ", ".join(f"sanya.assembly.{name}" for name in SUITES)
    assert [name for name in HEAVY if name in loaded(f"import {opened}")] == []
