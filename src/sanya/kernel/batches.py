"""What work in batches needs of the interpreter."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """No search for garbage meanwhile: what a batch makes all stays until its end, and looking through it again and
    again takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            # Counts what was made among the old, which are seldom looked through; else that would be done at once.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
