"""Outside services of the writers, and the process that forks them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.crashes.ground import local_embedder
from tests.crashes.killing import Outside, warm
from tests.crashes.paths.papers import EndlessPubMed
from tests.sources.eutils import local_eutils


@pytest.fixture
async def outside(tmp_path: Path) -> AsyncIterator[Outside]:
    folder = tmp_path / "files"
    folder.mkdir()
    async with local_embedder() as embedder, local_eutils(kind=EndlessPubMed) as eutils, warm() as process:
        yield Outside(process, eutils, embedder, folder)
