"""Signals that stop a server: the first lets running calls finish, the second does not."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

GRACE_S = 10.0
"""Time that running calls get to finish after the first signal."""


@contextmanager
def handle_signals(stopping: asyncio.Event) -> Iterator[asyncio.Event]:
    """Handle signals: the first sets `stopping`, the second the yielded event, which skips the grace period.

    Loops without signal support (Windows) keep Python's default Ctrl-C.
    """
    loop, hurry = asyncio.get_running_loop(), asyncio.Event()

    def on_signal() -> None:
        (hurry if stopping.is_set() else stopping).set()

    handled = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, on_signal)
            handled.append(number)
    try:
        yield hurry
    finally:
        for number in handled:
            loop.remove_signal_handler(number)
