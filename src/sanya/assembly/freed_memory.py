"""Gives memory that was freed back to the system.

The C library keeps it for the next time, in a heap for every few threads, and under a mixed load those heaps grow for
hours: after ten minutes of one, a seventh of the server's memory was held by nobody.
"""

from __future__ import annotations

import asyncio

_EVERY_S = 30.0


async def give_back_steadily() -> None:
    while True:
        await asyncio.sleep(_EVERY_S)
        if not await asyncio.to_thread(give_back):
            return


def give_back() -> bool:
    """Tells whether the C library can: glibc's does, others keep less to begin with."""
    import ctypes  # here: who starts a server to ask it one thing does not wait for it

    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, TypeError):
        return False
    trim(0)
    return True
