"""Serves a plain modern `tools/call` without the SDK's machinery: one task, one parse, one serialisation.

What a client sees is what the SDK would have sent it.
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from mcp.types import SERVER_INFO_META_KEY
from starlette.types import Receive, Send

from sanya.kernel.call import Caller
from sanya.kernel.dispatch import Kernel
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.connection_monitor import ConnectionMonitor
from sanya.surfaces.mcp.plain_calls import PlainCall
from sanya.surfaces.mcp.results import build_tool_result

MONITOR_AFTER_S = 0.05
"""How long a call runs alone. A client that leaves sooner is noticed only when its answer is ready."""


class HotPath:
    def __init__(self, kernel: Kernel, reader: CallReader, server_info: dict[str, Any], ping_s: float) -> None:
        self._kernel = kernel
        self._reader = reader
        self._server_info = server_info
        self._ping_s = ping_s

    async def serve(self, plain: PlainCall, caller: Caller, receive: Receive, send: Send) -> None:
        call = self._reader.read_call(plain.name, plain.arguments, plain.meta, caller)
        companion = ConnectionMonitor(receive, send, self._ping_s)
        timer = asyncio.get_running_loop().call_later(MONITOR_AFTER_S, companion.start)
        try:
            try:
                outcome = await self._kernel.call(call)
            finally:
                timer.cancel()
                await companion.stop()
        except asyncio.CancelledError:
            if not companion.acknowledge_disconnect():
                raise
            return
        result = build_tool_result(outcome)
        result["_meta"][SERVER_INFO_META_KEY] = self._server_info
        body = orjson.dumps({"jsonrpc": "2.0", "id": plain.id, "result": result})
        if companion.is_streaming:
            await companion.send_last(body)
        else:
            await send({"type": "http.response.start", "status": 200, "headers": _build_json_headers(body)})
            await send({"type": "http.response.body", "body": body})


def _build_json_headers(body: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"content-length", b"%d" % len(body)), (b"content-type", b"application/json")]
