"""Asks a running server for the state of its engines, for `sanya doctor`."""

from __future__ import annotations

from typing import Any

import httpx
import orjson

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import Destination, EgressClient, EgressLimits

_LIMITS = EgressLimits(max_bytes=64 * 1024, connect_s=1.0, total_s=5.0)


async def fetch_engine_states(url: str) -> dict[str, str] | None:
    """Return the breaker state of each engine, or None where no Sanya responds at this address."""
    async with EgressClient("the server", [Destination.from_url(url, private=True)], _LIMITS) as egress:
        try:
            response = await egress.client.get(f"{url}/health")
            return _read_engines(orjson.loads(response.content))
        except (httpx.HTTPError, UpstreamFailed, orjson.JSONDecodeError):
            return None


def _read_engines(health: Any) -> dict[str, str] | None:
    """Read the engines from a health response. An unhealthy server puts them into the details of its error."""
    for path in ((), ("error", "details")):
        found = health
        for name in (*path, "engines"):
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, dict):
            return {str(name): str(state) for name, state in found.items()}
    return None
