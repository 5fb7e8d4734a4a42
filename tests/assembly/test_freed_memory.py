"""What was freed goes back to the system, also from between what is still in use."""

from __future__ import annotations

import asyncio
import platform
import re
from pathlib import Path

import pytest

from sanya.assembly import freed_memory
from sanya.assembly.freed_memory import give_back_steadily

SIZE, NUMBER = 50_000, 2000
LIMIT_S = 30


def own_bytes() -> int:
    found = re.search(r"^RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"), re.M)
    assert found
    return int(found[1]) * 1024


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library, which keeps less")
async def test_what_is_freed_between_what_is_used_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freed_memory, "_EVERY_S", 0.01)
    taken = [bytearray(SIZE) for _ in range(NUMBER)]
    kept = taken[::100]
    del taken
    held = own_bytes()
    giving = asyncio.create_task(give_back_steadily())
    async with asyncio.timeout(LIMIT_S):
        while own_bytes() > held - SIZE * NUMBER // 2:  # noqa: ASYNC110 - the system tells nobody
            await asyncio.sleep(0.01)
    giving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await giving
    assert len(kept) == NUMBER // 100
