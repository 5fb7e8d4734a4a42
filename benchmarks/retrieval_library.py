"""A library on embedded engines, as the server opens it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sanya import app
from sanya.retrieval.search import Library


@asynccontextmanager
async def opened_library(home: Path) -> AsyncIterator[Library]:
    async with app.open(home) as opened:
        yield await opened.library()
