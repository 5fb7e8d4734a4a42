"""The console's operations page: calls, errors and times over the last day, engines, and how embedding gets on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sanya.kernel.faults import Forbidden, InvalidArgument, Unavailable
from sanya.surfaces.http.asgi import HttpRequest, HttpResponse
from sanya.surfaces.http.console.api import respond_json
from sanya.surfaces.http.console.ledger import read_query
from sanya.surfaces.http.metrics import METRICS_SCOPE, Metrics
from sanya.surfaces.http.metrics_history import MINUTES, Sample
from sanya.surfaces.http.worker_metrics import WorkerMetrics

if TYPE_CHECKING:
    from sanya.app import App

_DEFAULT_MINUTES = 60


class ConsoleOperations:
    def __init__(self, app: App, metrics: Metrics, worker_metrics: WorkerMetrics, in_flight: Callable[[], int]) -> None:
        self._app = app
        self._metrics = metrics
        self._worker_metrics = worker_metrics
        self._in_flight = in_flight

    async def show(self, request: HttpRequest) -> HttpResponse:
        if not request.caller.may(METRICS_SCOPE):
            raise Forbidden(f"Metrics need the scope {METRICS_SCOPE}.", details={"scope": METRICS_SCOPE})
        text = read_query(request, {"minutes"}).get("minutes", str(_DEFAULT_MINUTES))
        if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= MINUTES):
            raise InvalidArgument(f"minutes must be a number from 1 to {MINUTES}", field="minutes")
        embedding = await self._describe_embedding()
        if embedding is not None:
            self._metrics.history.record_sample(_sum_up(embedding))
        metrics = await self._worker_metrics.read_sum()
        return respond_json(
            {
                "started_at": metrics.history.started_at,
                "minutes": metrics.history.list_minutes(int(text)),
                "tools": metrics.list_tools(),
                "surfaces": metrics.count_surfaces(),
                "refused": metrics.count_refusals(),
                "embedding": embedding,
                "engines": [
                    {"name": breaker.name, "state": breaker.state, "outages": breaker.open_count}
                    for breaker in self._app.breakers.list_all()
                ],
                "ledger_pending": self._app.ledger.pending,
                "in_flight": self._in_flight(),
            }
        )

    async def measure(self) -> Sample:
        """Measure what the history keeps beside the calls."""
        return _sum_up(await self._read_embedding())

    async def _describe_embedding(self) -> dict[str, dict[str, Any]] | None:
        try:
            return await self._read_embedding()
        except Unavailable:
            return None

    async def _read_embedding(self) -> dict[str, dict[str, Any]]:
        statuses = await self._app.library.read_embedding_statuses()
        return {
            name: {
                "awaiting": status.awaiting,
                "per_second": round(status.per_second, 2),
                "seconds_left": status.seconds_left,
            }
            for name, status in statuses.items()
        }


def _sum_up(embedding: dict[str, dict[str, Any]]) -> Sample:
    return {"awaiting": float(sum(status["awaiting"] for status in embedding.values()))}
