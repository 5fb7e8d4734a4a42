"""What a Sanya that runs already says of the engines it needs, for `sanya doctor`."""

from __future__ import annotations

from typing import Any

import httpx
import orjson

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.egress import Destination, Limits, Outside

_LIMITS = Limits(max_bytes=64 * 1024, connect_s=1.0, total_s=5.0)


async def engines_of(url: str) -> dict[str, str] | None:
    """Each engine with the state of its breaker; None where no Sanya answers at this address."""
    async with Outside("the server", [Destination.of(url, private=True)], _LIMITS) as outside:
        try:
            response = await outside.client.get(f"{url}/health")
            return _engines(orjson.loads(response.content))
        except (httpx.HTTPError, UpstreamFailed, orjson.JSONDecodeError):
            return None


def _engines(said: Any) -> dict[str, str] | None:
    """A server that cannot work tells it among the details of its refusal."""
    for place in ((), ("error", "details")):
        found = said
        for name in (*place, "engines"):
            found = found.get(name) if isinstance(found, dict) else None
        if isinstance(found, dict):
            return {str(name): str(state) for name, state in found.items()}
    return None
