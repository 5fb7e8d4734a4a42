"""Counts the streams that callers hold open, so that one caller cannot take the places of all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import RateLimited
from sanya.surfaces.http.auth.authentication import ANONYMOUS

_RETRY_MS = 10_000


class OpenStreams:
    def __init__(self, per_caller: int) -> None:
        self._per_caller = per_caller
        self._open: Counter[str] = Counter()

    @contextmanager
    def hold(self, caller: Caller, peer: str) -> Iterator[None]:
        """Count a stream while it is open. Raises RateLimited if the caller has as many as it may have.

        Everybody without a key is the same caller, so their streams are counted by address.
        """
        key = f"{caller.id} {peer}" if caller.id == ANONYMOUS else caller.id
        if self._open[key] >= self._per_caller:
            raise RateLimited(
                f"{self._per_caller} streams are open already. Close one, or raise max_streams_per_caller.",
                retry_after_ms=_RETRY_MS,
                details={"max_streams_per_caller": self._per_caller},
            )
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]
