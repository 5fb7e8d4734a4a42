"""The metrics of all workers of this server, wherever a request for them arrives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sanya.coordination.peers import WorkerPeers
from sanya.surfaces.http.metrics import Metrics


class WorkerMetrics:
    """This worker's metrics, and those that the others tell. A server with one process has no peers."""

    def __init__(self, own: Metrics, peers: WorkerPeers | None) -> None:
        self._own = own
        self._peers = peers
        if peers is not None:
            peers.tell_counts(own.read_counts)

    async def read_by_worker(self) -> dict[str, Metrics] | None:
        """Return the metrics of each worker, by number, or None where there is only this process."""
        if self._peers is None:
            return None
        others = await self._peers.collect_counts()
        found = {str(self._peers.index): self._own, **{name: _restore(counts) for name, counts in others.items()}}
        return dict(sorted(found.items()))

    async def read_sum(self) -> Metrics:
        """Return the metrics of all workers together."""
        if self._peers is None:
            return self._own
        total = _restore(self._own.read_counts())
        for counts in (await self._peers.collect_counts()).values():
            total.add_counts(counts)
        return total


def _restore(counts: Mapping[str, Any]) -> Metrics:
    metrics = Metrics()
    metrics.add_counts(counts)
    return metrics
