"""A library on embedded engines, as the server opens it, and where benchmarks keep what they built."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import orjson

from sanya import app
from sanya.engines.schema import list_migrations
from sanya.retrieval.search import Library

CACHE = Path(__file__).parent.parent / ".cache"
_BUILT = "built.json"
# To look whether there is anything to do takes no longer.
_NOTHING_S = 2.0


def cached_home(name: str) -> Path:
    """A home that stays for the next run, as long as the tables of the search are the same."""
    searched = (migration.digest for migration in list_migrations() if "retrieval" in migration.name)
    schema = sha256("".join(searched).encode()).hexdigest()[:8]
    return CACHE / f"{name}-{schema}"


@contextmanager
def counted(home: Path, step: str = "all") -> Iterator[None]:
    """Adds to the seconds that a step of building a home took, over all the times that it was broken off."""
    begun = perf_counter()
    try:
        yield
    finally:
        took, known = perf_counter() - begun, built(home)
        if took > _NOTHING_S:
            (home / _BUILT).write_bytes(orjson.dumps({**known, step: known.get(step, 0.0) + took}))


def built(home: Path) -> dict[str, float]:
    """The seconds of each step."""
    file = home / _BUILT
    took: dict[str, float] = orjson.loads(file.read_bytes()) if file.exists() else {}
    return took


@asynccontextmanager
async def opened_library(home: Path) -> AsyncIterator[Library]:
    async with app.open(home) as opened:
        yield await opened.library()
