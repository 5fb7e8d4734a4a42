"""Homes on each engine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.places import Places
from tests.postgresql_schemas import Schemas


@pytest.fixture(params=["sqlite", "postgresql"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Places]:
    with ExitStack() as stack:
        url = ""
        if request.param == "postgresql":
            schemas: Schemas = request.getfixturevalue("schemas")
            url = stack.enter_context(schemas.migrated())
        made = Places(tmp_path, url)
        stack.callback(made.close)
        yield made
        shutil.rmtree(tmp_path)
