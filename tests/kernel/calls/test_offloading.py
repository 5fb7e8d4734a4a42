"""Work on long texts runs in a thread, work on short ones in place."""

from __future__ import annotations

import threading

from sanya.kernel.calls.offloading import LONG_CHARS, run_by_length


async def test_only_long_work_leaves_the_thread_of_the_event_loop() -> None:
    here = threading.get_ident()
    assert await run_by_length(LONG_CHARS - 1, threading.get_ident) == here
    assert await run_by_length(LONG_CHARS, threading.get_ident) != here
