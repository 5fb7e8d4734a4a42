from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "nlpo3", "pythainlp", "tantivy", "usearch", "tokenizers", "httpx", "psycopg", "redis", "weaviate")


def test_a_call_that_searches_nothing_does_not_load_what_searches() -> None:
    program = f"import sys, sanya.app; print([name for name in {HEAVY!r} if name in sys.modules])"
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert said.strip() == "[]"
