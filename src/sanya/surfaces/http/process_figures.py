"""Figures of this process for `/metrics`: CPU, memory, files, and how late its event loop runs."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

_TICK_S = 0.5
_KEPT_TICKS = 120
"""A minute: longer than the pause between two scrapes, so that no delay is missed."""

FIGURES: dict[str, tuple[str, str]] = {
    "process_cpu_seconds_total": ("counter", "CPU time of the process, in seconds."),
    "process_resident_memory_bytes": ("gauge", "Memory of the process that is not swapped out."),
    "process_open_fds": ("gauge", "Open files and connections of the process."),
    "process_max_fds": ("gauge", "Files and connections that the process may open."),
    "process_start_time_seconds": ("gauge", "Unix time at which the process started."),
    "sanya_event_loop_delay_seconds": ("gauge", "Longest delay of the event loop in the last minute."),
    "sanya_tasks": ("gauge", "Tasks in the server's event loop; steady growth is a leak."),
    "sanya_ledger_pending": ("gauge", "Ledger rows waiting to be written."),
    "sanya_http_in_flight": ("gauge", "Requests being served now, this one included."),
    "sanya_database_connections": ("gauge", "Open connections to the database."),
    "sanya_database_connections_max": ("gauge", "Connections to the database that the process may open."),
    "sanya_database_waiting": (
        "gauge",
        "Calls that wait for a connection to the database, or to write.",
    ),
    "sanya_home_free_bytes": ("gauge", "Free space on the disk of the home."),
    "sanya_embedded_texts_total": ("counter", "Texts that the embedding models of the process read, queries included."),
    "sanya_embedding_seconds_total": ("counter", "Time that embedding took, waiting for a model included."),
    "sanya_embedding_reused_total": ("counter", "Texts whose stored or packaged vectors were used again."),
    "sanya_cache_hits_total": ("counter", "Lookups in the caches of the process that found something."),
    "sanya_cache_misses_total": ("counter", "Lookups in the caches of the process that found nothing."),
}
"""Kind and help of each figure. Those named `process_…` are what Prometheus's own clients call them."""


class ProcessFigures:
    def __init__(self) -> None:
        self._started_at = time.time()
        self._delays: deque[float] = deque([0.0], maxlen=_KEPT_TICKS)
        self.readers: dict[str, Callable[[], float]] = {}
        """Figures that the server around this process tells, by name."""

    async def watch_event_loop(self) -> None:
        """Measure until cancelled how late a timer fires: whatever blocks the loop delays every request as long."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _TICK_S
            await asyncio.sleep(_TICK_S)
            self._delays.append(max(0.0, loop.time() - due))

    def read(self) -> dict[str, float]:
        """Return the figures by name, without those that this system does not tell."""
        cpu = os.times()
        figures = {
            "process_cpu_seconds_total": cpu.user + cpu.system,
            "process_start_time_seconds": self._started_at,
            "sanya_event_loop_delay_seconds": max(self._delays),
        }
        figures |= {name: float(read()) for name, read in self.readers.items()}
        return {**figures, **(_read_linux_figures() if sys.platform == "linux" else {})}


def _read_linux_figures() -> dict[str, float]:
    import resource  # here: Windows has no such module

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return {
        "process_resident_memory_bytes": float(pages * os.sysconf("SC_PAGE_SIZE")),
        "process_open_fds": float(sum(1 for _ in Path("/proc/self/fd").iterdir())),
        "process_max_fds": float(resource.getrlimit(resource.RLIMIT_NOFILE)[0]),
    }
