"""The hot path: serves a plain modern `tools/call` past the SDK, with one task, one parse and one serialisation.

The SDK validates each message with pydantic and passes it between several tasks, which costs more CPU than most calls
themselves. A call that `plain_calls` recognised needs none of that. Clients get the response that the SDK would send;
tests compare both paths on good, bad and random requests. A call that runs longer than MONITOR_AFTER_S gets a
connection monitor, which notices a client that disconnects and keeps the connection alive.
"""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from mcp.types import SERVER_INFO_META_KEY
from starlette.types import Receive, Send

from sanya.kernel.calls.call import Caller
from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.calls.guarded_waits import run_guarded
from sanya.surfaces.mcp.calls import CallReader
from sanya.surfaces.mcp.connection_monitor import ConnectionMonitor
from sanya.surfaces.mcp.listing.tool_names import ToolNames
from sanya.surfaces.mcp.plain_calls import PlainCall
from sanya.surfaces.mcp.results import build_tool_result


class HotPath:
    def __init__(
        self, kernel: Kernel, reader: CallReader, names: ToolNames, server_info: dict[str, Any], ping_s: float
    ) -> None:
        self._kernel = kernel
        self._reader = reader
        self._names = names
        self._server_info = server_info
        self._ping_s = ping_s

    async def serve(self, plain: PlainCall, caller: Caller, receive: Receive, send: Send) -> None:
        call = self._reader.read_call(plain.name, plain.arguments, plain.meta, caller)
        monitor = ConnectionMonitor(receive, send, self._ping_s)
        try:
            try:
                outcome = await run_guarded(self._kernel.call(call), monitor.start_later)
            finally:
                await monitor.stop()
        except asyncio.CancelledError:
            if not monitor.acknowledge_disconnect():
                raise
            return
        result = build_tool_result(outcome, self._names, plain.name)
        result["_meta"][SERVER_INFO_META_KEY] = self._server_info
        body = orjson.dumps({"jsonrpc": "2.0", "id": plain.id, "result": result})
        if monitor.is_streaming:
            await monitor.send_last(body)
        else:
            await send({"type": "http.response.start", "status": 200, "headers": _build_json_headers(body)})
            await send({"type": "http.response.body", "body": body})


def _build_json_headers(body: bytes) -> list[tuple[bytes, bytes]]:
    return [(b"content-length", b"%d" % len(body)), (b"content-type", b"application/json")]
