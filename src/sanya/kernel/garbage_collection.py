"""Control of Python's garbage collector during work in batches."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collection() -> Iterator[None]:
    """Pause the garbage collector inside the `with` block.

    A batch keeps nearly everything it makes until its end. Scanning that again and again takes a tenth of the time, a
    third in an import of papers. Afterwards all of it is still in the youngest generation, so it is scanned once.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collect_young_objects() -> None:
    """Collect the youngest generation: what was made since the collector was paused."""
    gc.collect(0)
