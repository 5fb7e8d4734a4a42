"""What was freed goes back to the system, also from between what is still in use."""

from __future__ import annotations

import platform
import re
from pathlib import Path

import pytest

from sanya.assembly.freed_memory import give_back

SIZE, NUMBER = 50_000, 2000


def own_bytes() -> int:
    found = re.search(r"^RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"), re.M)
    assert found
    return int(found[1]) * 1024


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library, which keeps less")
def test_what_is_freed_between_what_is_used_goes_back() -> None:
    taken = [bytearray(SIZE) for _ in range(NUMBER)]
    kept = taken[::100]
    del taken
    held = own_bytes()
    assert give_back()
    assert own_bytes() < held - SIZE * NUMBER // 2
    assert len(kept) == NUMBER // 100
