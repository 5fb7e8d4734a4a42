"""Library on embedded engines, as the server opens it, and the cache of homes that benchmarks build."""

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
# A check that finds nothing to build is faster than this.
_NOTHING_S = 2.0


def get_cached_home(name: str) -> Path:
    """Return a home that later runs reuse as long as the schema of the search tables is unchanged."""
    searched = (migration.digest for migration in list_migrations() if "retrieval" in migration.name)
    schema = sha256("".join(searched).encode()).hexdigest()[:8]
    return CACHE / f"{name}-{schema}"


@contextmanager
def record_build_time(home: Path, step: str = "all") -> Iterator[None]:
    """Add to the recorded seconds of a build step, which may span several interrupted runs."""
    begun = perf_counter()
    try:
        yield
    finally:
        took, known = perf_counter() - begun, read_build_times(home)
        if took > _NOTHING_S:
            (home / _BUILT).write_bytes(orjson.dumps({**known, step: known.get(step, 0.0) + took}))


def read_build_times(home: Path) -> dict[str, float]:
    """Return the recorded seconds of each build step."""
    file = home / _BUILT
    took: dict[str, float] = orjson.loads(file.read_bytes()) if file.exists() else {}
    return took


@asynccontextmanager
async def opened_library(home: Path) -> AsyncIterator[Library]:
    async with app.open(home) as opened:
        yield await opened.library()
