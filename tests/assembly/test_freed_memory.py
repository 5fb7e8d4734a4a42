"""What was freed goes back to the system, also from between what is still in use."""

from __future__ import annotations

import asyncio
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sanya.assembly import freed_memory
from sanya.assembly.freed_memory import release_freed_memory

SIZE, NUMBER = 50_000, 2000
LIMIT_S = 30
of_glibc = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library, which keeps less")


def own_bytes() -> int:
    found = re.search(r"^RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"), re.M)
    assert found
    return int(found[1]) * 1024


# Threads that are all alive, of which each asks for memory of its own.
HEAPS_OF_THREADS = """
import ctypes, sys
from threading import Barrier, Thread
from sanya.assembly.freed_memory import use_few_heaps

library = ctypes.CDLL(None)
library.malloc.restype, library.fdopen.restype = ctypes.c_void_p, ctypes.c_void_p
if "few" in sys.argv:
    use_few_heaps()
together = Barrier(32)
threads = [Thread(target=lambda: (library.malloc(1000), together.wait())) for _ in range(32)]
for one in threads:
    one.start()
for one in threads:
    one.join()
told = ctypes.c_void_p(library.fdopen(1, b"w"))
library.malloc_info(0, told)
library.fflush(told)
"""


@of_glibc
def test_a_server_has_few_heaps_however_many_threads_it_has() -> None:
    def heaps(*words: str) -> int:
        command = [sys.executable, "-c", HEAPS_OF_THREADS, *words]
        told = subprocess.run(command, capture_output=True, check=True, timeout=LIMIT_S).stdout
        return told.count(b"<heap nr=")

    assert heaps("few") == 4
    assert heaps() > 4


@of_glibc
async def test_what_is_freed_between_what_is_used_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freed_memory, "_EVERY_S", 0.01)
    taken = [bytearray(SIZE) for _ in range(NUMBER)]
    kept = taken[::100]
    del taken
    held = own_bytes()
    giving = asyncio.create_task(release_freed_memory())
    async with asyncio.timeout(LIMIT_S):
        while own_bytes() > held - SIZE * NUMBER // 2:  # noqa: ASYNC110 - the system tells nobody
            await asyncio.sleep(0.01)
    giving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await giving
    assert len(kept) == NUMBER // 100
