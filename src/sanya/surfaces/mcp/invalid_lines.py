"""Lines on stdin that are no message: the SDK drops them, and whoever waits for an answer would wait for ever."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import Any, Protocol

from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from sanya.kernel.shapes import is_text

log = logging.getLogger(__name__)


class MessageWriter(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...


class InvalidLineResponder:
    """Hands on the lines that are messages and answers the others, where they have an id to answer to."""

    def __init__(self) -> None:
        self.writer: asyncio.Future[MessageWriter] = asyncio.get_running_loop().create_future()

    async def filter_valid(self, lines: AsyncIterator[str]) -> AsyncIterator[str]:
        async for line in lines:
            try:
                types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError as error:
                await self._answer(line, error)
            else:
                yield line

    async def _answer(self, line: str, error: ValidationError) -> None:
        if not line.strip():
            return
        id = _extract_id(line)
        if id is None:
            log.warning("a line on stdin is no message of the protocol")
            return
        is_json = error.errors(include_url=False)[0]["type"] != "json_invalid"
        code = types.INVALID_REQUEST if is_json else types.PARSE_ERROR
        data = types.ErrorData(code=code, message="this is no message of the protocol; check its JSON and its Unicode")
        writing = await self.writer
        await writing.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=id, error=data)))


def _extract_id(line: str) -> int | str | None:
    try:
        # The standard library reads half a surrogate pair, at which others stop.
        message: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    id: Any = message.get("id") if isinstance(message, dict) and "method" in message else None
    return id if type(id) is int or (isinstance(id, str) and is_text(id)) else None
