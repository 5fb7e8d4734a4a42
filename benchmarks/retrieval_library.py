"""A library on embedded engines, as the server opens it, and where benchmarks keep what they built."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

from sanya import app
from sanya.engines.schema import known_migrations
from sanya.retrieval.search import Library

CACHE = Path(__file__).parent.parent / ".cache"


def cached_home(name: str) -> Path:
    """A home that stays for the next run, as long as the tables of the search are the same."""
    searched = (one.digest for one in known_migrations() if "retrieval" in one.name)
    schema = sha256("".join(searched).encode()).hexdigest()[:8]
    return CACHE / f"{name}-{schema}"


@asynccontextmanager
async def opened_library(home: Path) -> AsyncIterator[Library]:
    async with app.open(home) as opened:
        yield await opened.library()
