"""Places for homes on each engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.faults.places import Places

_numbers = count(1)


@pytest.fixture(params=["sqlite", "postgresql"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Places]:
    server = "" if request.param == "sqlite" else str(request.getfixturevalue("postgresql_server"))
    made = Places(tmp_path / "places", server, f"faults_{os.getpid()}_{next(_numbers)}")
    yield made
    made.close()
