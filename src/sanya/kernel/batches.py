"""What work in batches needs of the interpreter."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """No search for garbage meanwhile: what a batch makes all stays until its end, and looking through it again and
    again takes a tenth of the time, in an import of papers a third. What is left of it is young afterwards, so it is
    looked through once, and nothing else with it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def collect_what_is_new() -> None:
    """The cycles made since collecting stopped."""
    gc.collect(0)
