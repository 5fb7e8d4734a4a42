"""The fact tables, where they are, and what the build makes of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.herbs_starter.build import Build, build_all

ROOT = Path(__file__).parents[2]
TABLES = ROOT.parent / "shared" / "data" / "herbs"


@pytest.fixture(scope="session")
def fact_tables() -> Path:
    if not (TABLES / "safety.jsonl").is_file():
        pytest.skip("the fact tables are not here")
    return TABLES


@pytest.fixture(scope="session")
def built(fact_tables: Path) -> Build:
    return build_all(fact_tables)
