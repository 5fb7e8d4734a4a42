"""A home that was made once: to fill one takes thirty times as long as to open one that is there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import sanya


@pytest.fixture(scope="session")
def filled_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed home with starter data, to be copied."""
    folder = tmp_path_factory.mktemp("filled") / "home"

    async def fill() -> None:
        async with sanya.open(folder):
            pass

    asyncio.run(fill())
    return folder
